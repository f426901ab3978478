"""Tables: aggregates, joins, books and positions, answered with plain lists and dictionaries."""

from collections import defaultdict


def row(values):
    return " ".join(str(v) for v in values)


def number(x):
    return f"{x:.7g}"


def grouped(keys, values):
    groups = defaultdict(list)
    for k, v in zip(keys, values):
        groups[k].append(v)
    return dict(sorted(groups.items()))


def vwap():
    rows = [("abc"[i % 3], 100 + 7 * i % 11, 10 * (1 + 5 * i % 7)) for i in range(60)]
    def mean(rs):
        return sum(p * z for _, p, z in rs) / sum(z for *_, z in rs)
    groups = grouped((r[0] for r in rows), rows)
    average = sum(r[1] for r in rows) / 60
    return [row((s, f"{mean(g):.4f}", len(g), max(r[1] for r in g), min(r[1] for r in g))) for s, g in groups.items()] + [
        f"{mean(rows):.4f}", str(sum(r[2] for r in rows if r[1] > average)),
        str(sum(r[1] == max(x[1] for x in groups[r[0]]) for r in rows))]


def bars():
    px, rows = 50, []
    for i in range(40):
        px += (-1, 1, 2, -3, 1)[i % 5]
        rows.append(((34200 + 37 * i) // 60, px, 1 + 3 * i % 10))
    out = []
    for bar, g in grouped((m - m % 5 for m, *_ in rows), rows).items():
        p = [r[1] for r in g]
        out.append(row((f"{bar // 60:02}:{bar % 60:02}", p[0], max(p), min(p), p[-1], sum(r[2] for r in g))))
    return out + [str(len({m // 10 for m, *_ in rows}))]


def asof():
    quotes = [("a", 1, 10), ("b", 2, 20), ("a", 3, 11), ("b", 5, 21), ("a", 8, 12)]
    trades = [("a", 2), ("b", 2), ("a", 7), ("c", 4), ("b", 9), ("a", 8)]
    found = [([q for q in quotes if q[0] == s and q[1] <= t] or [None])[-1] for s, t in trades]
    return ([f"{s} {t} {f[2] if f else ''}" for (s, t), f in zip(trades, found)] +
            [str(sum(q[1] <= t for q in quotes) - 1) for _, t in trades] +
            [row(f[2] if f else "" for f in found), row(f[1] if f else t for (_, t), f in zip(trades, found))])


def pivot():
    return ["d", "x", "y", "z"] + [f"2024.01.0{i + 1} {3 * i} {3 * i + 1} {3 * i + 2}" for i in range(3)] + [
        "1", "9", "12", "15"]


def book():
    events = list(zip("BBSSBSS", (10, 9, 11, 12, 10, 11, 11), (5, 3, 4, 2, -5, 6, -4)))
    resting = defaultdict(int)
    for s, p, n in events:
        resting[s, p] += n
    live = {k: n for k, n in sorted(resting.items()) if n > 0}
    out = [row((*k, n)) for k, n in live.items()]
    out += [str(max(p for s, p in live if s == "B")), str(min(p for s, p in live if s == "S"))]
    sells = {}
    for s, p, n in events:
        if s == "S":
            sells[p] = sells.get(p, 0) + n
            out.append(row(f"{k}={v}" for k, v in sells.items() if v > 0))
    return out


def positions():
    rows = [("a", 100, 10), ("a", 50, 11), ("b", 200, 5), ("a", -80, 12), ("b", -100, 6), ("a", -70, 9)]
    pos, cash, pnl, out = defaultdict(int), defaultdict(float), {}, []
    for s, n, p in rows:
        pos[s] += n
        cash[s] -= n * p
        pnl[s] = cash[s] + pos[s] * p
        out.append(row((s, pos[s], number(cash[s]), number(pnl[s]))))
    return out + [number(pnl[s]) for s in "ab"] + [number(cash[s]) for s in "ab"]


def foreign():
    dept = {"d1": ("sales", 1), "d2": ("ops", 2), "d3": ("it", 3)}
    emp = [("ann", "d1", 10), ("bob", "d2", 20), ("cy", "d1", 30), ("di", "d3", 40)]
    pay = grouped((dept[d][0] for _, d, _ in emp), (p for *_, p in emp))
    boss = {"d1": "zed", "d3": "yan"}
    return ([row((n, *dept[d])) for n, d, _ in emp] + [row((k, sum(v))) for k, v in pay.items()] +
            [n for n, d, _ in emp if dept[d][1] > 1] + [f"{n} {d} {p} {boss.get(d, '')}" for n, d, p in emp] + ["dept"])


def ranks():
    rows = [("x", 5), ("y", 2), ("x", 9), ("y", 7), ("x", 5)]
    groups = grouped((g for g, _ in rows), (v for _, v in rows))
    out, seen = [], defaultdict(int)
    for i, (g, v) in enumerate(rows):
        rank = 1 + sum(w > v for w in groups[g]) + sum((h, w) == (g, v) for h, w in rows[:i])
        out.append(row((g, v, rank, number(v / sum(groups[g])))))
    out += [row((g, max(vs), rows.index((g, max(vs))))) for g, vs in groups.items()]
    return out + [row(v for vs in groups.values() for v in sorted(vs, reverse=True))] + [str(v[-1]) for v in groups.values()]


def sessions():
    clicks = grouped("abaaba", (0, 5, 10, 60, 90, 80))
    def clock(m):
        return f"{m // 60:02}:{m % 60:02}"
    out, counts = [], []
    for u, times in clicks.items():
        runs = [[]]
        for t in sorted(times):
            if runs[-1] and t - runs[-1][-1] > 30:
                runs.append([])
            runs[-1].append(t)
        out += [row((u, n, len(r), clock(r[0]), clock(r[-1] - r[0]))) for n, r in enumerate(runs)]
        counts.append(str(len(runs)))
    return out + counts


def insertions():
    return ["a 3 4", "b 1 1", "c 1 3", "1", "7", "8", "a 6 4", "z 14 8", "insert"]


def functional():
    return ["30", "40", "p 40 3", "q 60 4", "300", "-1", "2", "-3", "4", "a", "b", "2.5", "25"]


def setwork():
    return ["5", "1", "2", "2 y 4", "3 z 9", "1 x", "2 y", "3 q", "4 w", "5", "1 0 1 0 1 1", "1", "3", "5", "abc", "xy",
            "4", "5"]
