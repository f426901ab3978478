"""Speed and size against plain C, in one run: `make bench`.

Every number is a median, and what decides is a ratio to a reference measured in the same run, as milliseconds of two
machines or two days cannot be compared. The limits are the project's promises; a missed one makes the run fail.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests"))
from processes import Worker, binary, free_port, step

FLOATS = 100_000_000
ROUND_TRIPS = 20_000


def compiled(folder, name, *flags):
    path = os.path.join(folder, name)
    step([os.environ.get("CC", "cc"), "-O3", "-march=native", *flags, "-o", path, os.path.join(HERE, name + ".c")])
    return path


def start(*arguments, repeats=15):
    """Median milliseconds from start to the first answer, and resident megabytes then."""
    took, sizes = [], []
    for _ in range(repeats):
        begun = time.perf_counter()
        process = subprocess.Popen([binary(), *arguments, "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(b"1+1\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        took.append(1000 * (time.perf_counter() - begun))
        with open(f"/proc/{process.pid}/status") as status:
            sizes.append(next(int(r.split()[1]) / 1024 for r in status if r.startswith("VmRSS")))
        process.kill()
        process.wait()
        assert answer == b"2\n", answer
    return statistics.median(took), statistics.median(sizes)


def starting(folder):
    took, size = start()
    yield "start to first answer", took, "ms", None, took <= 25, "at most 25 ms"
    yield "resident after start", size, "MB", None, size <= 25, "at most 25 MB"


def round_trip(folder):
    client = compiled(folder, "client")
    echo = subprocess.Popen([compiled(folder, "echo")], stdout=subprocess.PIPE, text=True)
    port, floor_port, ours, floors = free_port(), echo.stdout.readline().strip(), [], []
    with Worker("-p", port) as server:
        server.ready(port)
        for _ in range(5):
            floors.append(int(step([client, floor_port, str(ROUND_TRIPS)])) / 1000)
            ours.append(int(step([client, str(port), str(ROUND_TRIPS)])) / 1000)
    echo.kill()
    echo.wait()
    us, floor = statistics.median(ours), statistics.median(floors)
    yield "round trip of 1+1", us, "us", floor, us / floor <= 1.5, "at most 1.5 x a C echo server"


def summing(folder):
    loop = compiled(folder, "sum", "-ffast-math")
    c = float(step([loop, str(FLOATS), "7"])) / 1000
    with Worker() as q:
        q.ask(f"floats:{FLOATS}?1f", 120)
        times = []
        for _ in range(7):
            nanoseconds = q.ask('{s:.z.p;sum floats;-1 string`long$.z.p-s;}[]', 120)
            times.append(float(nanoseconds) / 1e6)
    took = statistics.median(times)
    yield "sum of 100M floats", took, "ms", c, took <= 2 * c, "at most 2 x a C loop"


def database(folder, name, partitions, rows):
    """A database of equal partitions: the first is written, the others are links to its files."""
    path = os.path.join(folder, name)
    script = os.path.join(folder, "one.q")
    with open(script, "w") as out:
        out.write("t:([]time:asc `#(\"J\"$.z.x 1)?0D;sym:(\"J\"$.z.x 1)?`a`b`c;price:(\"J\"$.z.x 1)?1f)\n"
                  ".Q.dpft[hsym `$.z.x 0;2000.01.01;`sym;`t]\nexit 0\n")
    step([binary(), script, path, str(rows), "-q"])
    for number in range(1, partitions):
        month, day = divmod(number, 28)
        date = f"{2000 + month // 12}.{1 + month % 12:02}.{1 + day:02}"
        if date != "2000.01.01":
            shutil.copytree(os.path.join(path, "2000.01.01"), os.path.join(path, date), copy_function=os.link)
    return path


def opening(folder):
    base, _ = start(repeats=7)
    few, _ = start(database(folder, "few", 20, 1000), repeats=7)
    large, _ = start(database(folder, "large", 20, 2_000_000), repeats=7)
    many, _ = start(database(folder, "many", 500, 1000), repeats=7)
    yield "open 20 days of 1,000 rows", few, "ms", None, few - base < 50, "at most 50 ms more than no database"
    yield "open 20 days of 2M rows", large, "ms", few, large <= 1.5 * few + 2, "as fast as 1,000 rows"
    yield "open 500 days of 1,000 rows", many, "ms", few, many - base < 50 + 25 * max(few - base, 1), "grows with days only"


def main(names):
    benches = {f.__name__: f for f in (starting, round_trip, summing, opening)}
    folder = tempfile.mkdtemp(prefix="qolumn-bench-")
    failed = 0
    print(f"{'measure':30}{'ours':>10} {'':4}{'reference':>10}{'ratio':>8}  limit")
    try:
        for name in names or benches:
            for measure, ours, unit, reference, kept, limit in benches[name](folder):
                ratio = f"{ours / reference:8.2f}" if reference else " " * 8
                beside = f"{reference:10.2f}" if reference else " " * 10
                print(f"{measure:30}{ours:10.2f} {unit:4}{beside}{ratio}  {limit}: {'kept' if kept else 'MISSED'}", flush=True)
                failed += not kept
    finally:
        shutil.rmtree(folder)
    print(f"bench: {failed} limits missed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
