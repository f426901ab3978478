"""Recursion, search, functions that make functions, JSON: answered by Python's own means."""

import itertools
import json


def row(values):
    return " ".join(str(v) for v in values)


def hanoi():
    def moves(n, a, b, c):
        return moves(n - 1, a, c, b) + [f"{a}->{c}"] + moves(n - 1, b, a, c) if n else []
    return moves(3, "A", "B", "C") + ["1023"]


def permutations():
    return (["".join(p) for p in itertools.permutations("abc")] + ["720", "120"] +
            [row(c) for c in itertools.combinations(range(5), 3)] + ["16"])


def boards(n):
    return [p for p in itertools.permutations(range(n))
            if all(abs(p[i] - p[j]) != j - i for i in range(n) for j in range(i + 1, n))]


def queens():
    return [str(len(boards(n))) for n in (4, 5, 6, 7)] + [row(b) for b in boards(6)]


def sudoku():
    g = list("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    def free(i):
        r, c = divmod(i, 9)
        seen = {g[j] for j in range(81) if j // 9 == r or j % 9 == c or (j // 27, j % 9 // 3) == (r // 3, c // 3)}
        return [d for d in "123456789" if d not in seen]
    def solve():
        if "." not in g:
            return True
        i = g.index(".")
        for d in free(i):
            g[i] = d
            if solve():
                return True
        g[i] = "."
        return False
    solve()
    return ["".join(g[i:i + 9]) for i in range(0, 81, 9)]


def knapsack():
    w, v = (12, 2, 1, 4, 1), (4, 2, 1, 10, 2)
    best = max(sum(x for x, m in zip(v, mask) if m) for mask in itertools.product((0, 1), repeat=5)
               if sum(x for x, m in zip(w, mask) if m) <= 15)
    ways = [1] + [0] * 100
    for c in (1, 5, 10, 25, 50):
        for i in range(c, 101):
            ways[i] += ways[i - c]
    return [str(best), str(ways[100]), "4"]


def quicksort():
    return [row(sorted([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]))] * 2 + ["1 2 4 5 8"]


def ackermann():
    return [str(2 * n + 3) for n in range(4)] + ["9", "1", "0"]


def queue():
    x = 0
    for n in range(2, 42):
        x = (x + 3) % n
    return ["3", "1", '(`a;"s")', str(x)]


def closures():
    return ["15", "-8", "-16", "-5", "7", "1", "2", "3", "9", "18", "27"]


GRAPH = {"a": "bc", "b": "d", "c": "de", "d": "f", "e": "f", "f": ""}


def graph():
    def paths(a):
        return ["f"] if a == "f" else [f"{a}-{p}" for n in GRAPH[a] for p in paths(n)]
    return ["b d f"] + paths("a") + ["a", "b c", "d e", "f", "a b c d e f"]


def json_():
    def text(x):
        return json.dumps(x, separators=(",", ":"))
    rows = [{"a": 1, "b": "p"}, {"a": 2, "b": "q"}]
    return [text({"name": "Ann", "tags": ["x", "y"], "n": 3, "ok": True, "sub": {"a": 1, "b": 2}}), "Ann", "2", "-9",
            text(rows), text({"a": [1, 2], "b": ["p", "q"]}), "3.5"]
