"""The demo: a database, four workers on one port, a published Python client. `make demo [DB=path]`.

Makes a sample database with `generate.q` (or takes DB), starts four workers that share a port, opens 1,000 connections,
asks what people ask of a tick database, kills a worker under load, and cleans up after itself.
"""

import collections
import os
import shutil
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests"))
from processes import Worker, binary, client_python, free_port, listening_sockets, raise_file_limit, step, wait_until

WORKERS = 4
CONNECTIONS = 1000
# What is timed is the whole way: the client's request, the query, its text as the console shows it, the answer.
SHOW = "{[query] .Q.s value query}"
QUERIES = [
    ("rows of each day", "select trades:count i,shares:sum size by date from trade"),
    ("volume-weighted average price by symbol",
     "select vwap:size wavg price,shares:sum size,trades:count i by sym from trade where date={day}"),
    ("half-hour bars of {sym}",
     "select open:first price,high:max price,low:min price,close:last price,shares:sum size by bar:30 xbar time.minute "
     "from trade where date={day},sym=`{sym}"),
    ("each trade of {sym} with the quote at its time",
     "aj[`sym`time;select sym,time,price,size from trade where date={day},sym=`{sym};"
     "select sym,time,bid,ask from quote where date={day},sym=`{sym}]"),
    ("a needle: the largest trades of {sym}", "select from trade where date={day},sym=`{sym},size=max size"),
]


def heading(text):
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n== {text}", flush=True)


def shown(text, lines=12):
    rows = text.rstrip("\n").split("\n")
    for row in rows[:lines]:
        print("    " + row)
    if len(rows) > lines:
        print(f"    .. ({len(rows) - lines} more lines)")


def sample(folder):
    """Path of the database to serve: DB, or a new one in `folder`."""
    given = os.environ.get("DB")
    if given:
        return os.path.abspath(given)
    heading("A sample database, made by demo/generate.q")
    started = time.monotonic()
    path = os.path.join(folder, "db")
    text = step([binary(), os.path.join(HERE, "generate.q"), path, *os.environ.get("ROWS", "").split(), "-q"])
    shown(text)
    print(f"    {time.monotonic() - started:.1f} s")
    return path


def connection(port):
    from qpython.qconnection import QConnection
    one = QConnection("127.0.0.1", port, timeout=20)
    one.open()
    return one


def ask(one, *message):
    answer = one(*message)
    return answer.decode() if isinstance(answer, bytes) else answer


def spread(port, names):
    """Opens the connections, prints how many each worker got, and returns them."""
    heading(f"{CONNECTIONS:,} connections to one port")
    started = time.monotonic()
    connections = [connection(port) for _ in range(CONNECTIONS)]
    counts = collections.Counter(names[int(ask(one, ".z.i"))] for one in connections)
    for name in sorted(names.values()):
        share = counts[name] / CONNECTIONS
        print(f"    {name}  {counts[name]:5}  {share:6.1%}  {'#' * round(40 * share)}")
    print(f"    {time.monotonic() - started:.1f} s")
    return connections


def queries(one):
    day = ask(one, "string first date")
    sym = ask(one, "{[d] string first key desc exec count i by sym from trade where date=d}[" + day + "]")
    for title, query in QUERIES:
        query = query.format(day=day, sym=sym)
        heading(title.format(sym=sym))
        print(f"    q){query}")
        started = time.monotonic()
        text = ask(one, SHOW, query.encode())
        took = time.monotonic() - started
        shown(text)
        print(f"    {took * 1000:.1f} ms")


class Client(threading.Thread):
    """Asks again and again on its own connection, and connects again when that is lost."""

    def __init__(self, port, stop):
        super().__init__(daemon=True)
        self.port, self.stop = port, stop
        self.answers, self.lost, self.waited_ms = 0, 0, 0.0
        self.worker = 0

    def run(self):
        one = connection(self.port)
        while not self.stop.is_set():
            started = time.monotonic()
            while True:
                try:
                    self.worker = int(ask(one, ".z.i"))
                    break
                except Exception:  # the worker has gone, in whatever way this client puts it
                    self.lost += 1
                    one.close()
                    one = connection(self.port)
            self.answers += 1
            self.waited_ms = max(self.waited_ms, 1000 * (time.monotonic() - started))
            time.sleep(0.01)


def failover(port, workers, names):
    heading("A worker is killed while 40 clients ask")
    stop = threading.Event()
    clients = [Client(port, stop) for _ in range(40)]
    for one in clients:
        one.start()
    time.sleep(1.5)
    victim = workers[0]
    served = sum(one.worker == victim.pid for one in clients)
    before = sum(one.answers for one in clients)
    victim.stop()
    time.sleep(1.5)
    stop.set()
    for one in clients:
        one.join(20)
    lost = sum(one.lost for one in clients)
    print(f"    {names[victim.pid]} (pid {victim.pid}) killed; it served {served} of the 40 clients")
    print(f"    answers before {before}, after {sum(one.answers for one in clients) - before}; "
          f"connections lost and opened again {lost}; longest wait {max(one.waited_ms for one in clients):.0f} ms")
    counts = collections.Counter(names[one.worker] for one in clients)
    print("    now " + ", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    assert all(one.worker != victim.pid for one in clients) and not any(one.is_alive() for one in clients)


def main():
    raise_file_limit(4 * CONNECTIONS)
    folder = tempfile.mkdtemp(prefix="qolumn-demo-")
    workers = []
    try:
        path = sample(folder)
        port = free_port()
        heading(f"{WORKERS} workers on port {port}: qolumn {os.path.basename(path)} -p rp,{port}")
        started = time.monotonic()
        workers = [Worker("-p", f"rp,{port}", script=path) for _ in range(WORKERS)]
        wait_until(lambda: listening_sockets(port) == WORKERS, 20, f"{WORKERS} listeners")
        names = {one.pid: f"worker {number}" for number, one in enumerate(workers, 1)}
        for one in workers:
            one.ready()
        print(f"    {1000 * (time.monotonic() - started):.0f} ms; tables: {workers[0].ask('tables[]')}")
        connections = spread(port, names)
        queries(connections[0])
        for one in connections:
            one.close()
        failover(port, workers, names)
    finally:
        for one in workers:
            one.stop()
        shutil.rmtree(folder)
    heading("Stopped and cleaned up")


if __name__ == "__main__":
    begun = time.monotonic()
    python = client_python()
    if os.path.realpath(sys.prefix) != os.path.realpath(os.path.dirname(os.path.dirname(python))):
        os.execv(python, [python, "-W", "ignore", os.path.abspath(__file__)])
    main()
    print(f"    {time.monotonic() - begun:.0f} s in all")
