/* Sync requests of `1+1`, one after the other: client PORT COUNT. Prints the median round trip in nanoseconds. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const unsigned char request[17] = {1, 1, 0, 0, 17, 0, 0, 0, 10, 0, 3, 0, 0, 0, '1', '+', '1'};
static const unsigned char answer[17] = {1, 2, 0, 0, 17, 0, 0, 0, 0xf9, 2};

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int ascending(const void *x, const void *y) {
    long a = *(const long *)x, b = *(const long *)y;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons(atoi(arguments[1]))};
    int n = atoi(arguments[2]), one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    long *took = malloc(n * sizeof *took);
    unsigned char got[64];
    if (connect(fd, (struct sockaddr *)&to, sizeof to)) return 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (write(fd, "bench:\3", 8) != 8 || read(fd, got, 1) != 1) return 1;
    for (int i = 0; i < n; i++) {
        long start = now();
        if (write(fd, request, sizeof request) != sizeof request) return 1;
        for (size_t have = 0; have < sizeof answer;) {
            ssize_t part = read(fd, got + have, sizeof answer - have);
            if (part <= 0) return 1;
            have += part;
        }
        took[i] = now() - start;
        if (memcmp(got, answer, sizeof answer)) return 3;
    }
    qsort(took, n, sizeof *took, ascending);
    printf("%ld\n", took[n / 2]);
}
