/* A plain loop over COUNT floats: sum COUNT REPEATS. Prints the median time in microseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double sum(const double *x, long n) {
    double total = 0;
    for (long i = 0; i < n; i++) total += x[i];
    return total;
}

static int ascending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    long n = atol(arguments[1]), repeats = atol(arguments[2]);
    double *x = malloc(n * sizeof *x), *took = malloc(repeats * sizeof *took), kept = 0;
    for (long i = 0; i < n; i++) x[i] = (double)(i % 1000) / 1000;
    for (long r = 0; r < repeats; r++) {
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        kept += sum(x, n);
        clock_gettime(CLOCK_MONOTONIC, &b);
        took[r] = (b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3;
    }
    qsort(took, repeats, sizeof *took, ascending);
    printf("%.0f\n", took[repeats / 2]);
    return kept < 0;
}
