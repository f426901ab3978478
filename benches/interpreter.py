"""The interpreter beside CPython: `make bench`, or `python3 benches/interpreter.py [NAME...]`.

The same algorithm, step for step, in q and in Python, run in turns in one run so that both meet the same machine. The
figures are medians for one step; Qolumn must need at most half of what CPython needs. Every pair answers the same, which
is checked. What grows with a list is run at two sizes as well: twice as many steps may take about twice as long.
"""

import os
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests"))
from processes import Worker

REPEATS = 5
PYTHON_TIMES_MIN = 2
GROWTH_MAX = 3.0


def loop(n):
    i = s = 0
    while i < n:
        s += i * i
        i += 1
    return s


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def fib_steps(n):
    """How many calls `fib n` makes."""
    return 2 * fib(n + 1) - 1


def each(n):
    return sum([(lambda x: x * x + 1)(x) for x in range(n)])


def folded(n):
    s = 0
    f = lambda a, b: (a + b) % 1000003
    for x in range(n):
        s = f(s, x)
    return s


def counts(n):
    d = dict.fromkeys(range(100), 0)
    for i in range(n):
        d[i * 7919 % 100] += 1
    return sum(k * v for k, v in d.items())


def cells(n):
    l = [0] * 1000
    i = 0
    while i < n:
        l[i % 1000] += i
        i += 1
    return sum(l)


def text(n):
    s = ""
    for i in range(n):
        s += chr(97 + i % 26)
    return len(s)


def words(n):
    parts = [str(i) for i in range(n)]
    return len(",".join(parts)) + len("".join(parts))


def gather(n):
    l = []
    for i in range(n):
        l.append(i * 2)
    return sum(l)


def branch(n):
    steps = most = 0
    for start in range(1, n + 1):
        x = start
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
    return steps


# Name, q, Python, argument, steps for the argument, whether it grows a value.
BENCHES = [
    ("while loop", "{i:0;s:0;while[i<x;s+:i*i;i+:1];s}", loop, 300_000, None, False),
    ("recursive fib", "fib:{$[x<2;x;.z.s[x-1]+.z.s x-2]}", fib, 22, fib_steps, False),
    ("recursive fib by name", "fib2:{$[x<2;x;fib2[x-1]+fib2[x-2]]}", fib, 22, fib_steps, False),
    ("collatz, nested loops", "{n:0;i:1;while[i<=x;c:i;while[c<>1;c:$[c mod 2;1+3*c;c div 2];n+:1];i+:1];n}", branch,
     2000, branch, False),
    ("each of a lambda", "{sum{1+x*x}each til x}", each, 1_000_000, None, False),
    ("over of a lambda", "{0{(x+y)mod 1000003}/til x}", folded, 300_000, None, False),
    ("dictionary amends", "{d:(til 100)!100#0;i:0;while[i<x;d[(i*7919)mod 100]+:1;i+:1];sum key[d]*value d}",
     counts, 300_000, None, False),
    ("list amends", "{l:1000#0;i:0;while[i<x;l[i mod 1000]+:i;i+:1];sum l}", cells, 300_000, None, False),
    ("string append", "{s:\"\";i:0;while[i<x;s,:\"c\"$97+i mod 26;i+:1];count s}", text, 200_000, None, True),
    ("string sv and raze", "{p:string til x;(count \",\"sv p)+count raze p}", words, 200_000, None, True),
    ("list append", "{l:`long$();i:0;while[i<x;l,:i*2;i+:1];sum l}", gather, 200_000, None, True),
]
# Statements with no Python of the same kind: only their growth is measured.
GROWTH = [
    ("append to a global", "{g::();i:0;while[i<x;g,:i;i+:1];count g}", 50_000),
    ("append under a key", "{d:(`$())!();i:0;while[i<x;d[`a],:i;i+:1];count d`a}", 50_000),
    ("append in a nested list", "{d:3#enlist();i:0;while[i<x;d[i mod 3],:i;i+:1];count d 0}", 50_000),
    ("append to a global under a key", "{gd::`a`b!(();());i:0;while[i<x;gd[`a],:i;i+:1];count gd`a}", 50_000),
    ("new unique keys", "{d:(`u#`long$())!`long$();i:0;while[i<x;d[i]:i;i+:1];count d}", 20_000),
    ("new unique keys of a global", "{nk::(`u#`long$())!`long$();i:0;while[i<x;nk[i*3]:i;i+:1];count nk}", 20_000),
    ("insert rows by name", "{gt::([]a:`long$();b:`$());i:0;while[i<x;`gt insert(i;`z);i+:1];count gt}", 20_000),
    ("upsert rows by name", "{ut::([k:`u#`long$()]v:`long$());i:0;while[i<x;`ut upsert(i;2*i);i+:1];count ut}", 20_000),
    ("dictionaries appended to a table", "{t:([]a:`long$();b:`long$());i:0;while[i<x;t,:`a`b!(i;i);i+:1];count t}", 20_000),
    ("scan of a lambda", "{count{x+y}\\[0;til x]}", 50_000),
    ("append in over", "{count{x,y}/[();til x]}", 50_000),
    ("queue by drop", "{l:til x;n:0;while[count l;n+:first l;l:1_l];n}", 20_000),
    ("amend by name", "{ga::x#0;i:0;while[i<x;@[`ga;i;+;1];i+:1];sum ga}", 50_000),
    ("amend of a column", "{ct::([]a:x#0;b:x#`z);i:0;while[i<x;ct[`a;i]:i;i+:1];sum ct`a}", 20_000),
]


class Session:
    """A worker in which every function is defined once and then timed by its own clock."""

    def __init__(self, worker):
        self.worker = worker

    def define(self, number, source):
        name, colon, _ = source.partition(":")
        plain = colon and name.isidentifier()
        self.worker.ask(f"{source};f{number}:{name};1" if plain else f"f{number}:{source};1", 30)

    def run(self, number, argument):
        """Seconds, and the answer."""
        line = f"{{s:.z.p;r:f{number} x;-1 (string`long$.z.p-s),\" \",string r;}}{argument}"
        took, answer = self.worker.ask(line, 300).split()
        return int(took) / 1e9, int(answer)


def timed(function, argument):
    begun = time.perf_counter()
    answer = function(argument)
    return time.perf_counter() - begun, answer


def beside(session, number, bench):
    """Nanoseconds for a step in q and in Python, and whether every answer was the same."""
    _, source, python, argument, steps, _ = bench
    session.define(number, source)
    steps = steps(argument) if steps else argument
    ours, theirs, same = [], [], True
    for _ in range(REPEATS):
        took, answer = session.run(number, argument)
        theirs_took, wanted = timed(python, argument)
        ours.append(took)
        theirs.append(theirs_took)
        same = same and answer == wanted
    return statistics.median(ours) / steps * 1e9, statistics.median(theirs) / steps * 1e9, same


def growth(session, number, source, argument):
    """Nanoseconds for a step, and the time of twice the steps over the time of once."""
    session.define(number, source)
    once = min(session.run(number, argument)[0] for _ in range(3))
    twice = min(session.run(number, 2 * argument)[0] for _ in range(3))
    return once / argument * 1e9, twice / once


def main(names):
    failed = 0
    chosen = [b for b in BENCHES if not names or b[0] in names]
    print(f"{'measure':34}{'q ns':>9}{'python ns':>11}{'times':>8}  limit", flush=True)
    with Worker() as worker:
        session = Session(worker)
        for number, bench in enumerate(chosen):
            ours, theirs, same = beside(session, number, bench)
            kept = same and theirs >= PYTHON_TIMES_MIN * ours
            said = "kept" if kept else "MISSED" if same else "ANOTHER ANSWER"
            print(f"{bench[0]:34}{ours:9.1f}{theirs:11.1f}{theirs / ours:8.2f}  "
                  f"at least {PYTHON_TIMES_MIN} times faster: {said}", flush=True)
            failed += not kept
        growing = [(b[0], b[1], b[3]) for b in chosen if b[5]] + [g for g in GROWTH if not names or g[0] in names]
        print(f"\n{'twice the steps':34}{'q ns':>9}{'':11}{'times':>8}  limit", flush=True)
        for number, (name, source, argument) in enumerate(growing, len(chosen)):
            ns, times = growth(session, number, source, argument)
            kept = times <= GROWTH_MAX
            print(f"{name:34}{ns:9.1f}{'':11}{times:8.2f}  "
                  f"at most {GROWTH_MAX} times the time: {'kept' if kept else 'MISSED'}", flush=True)
            failed += not kept
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
