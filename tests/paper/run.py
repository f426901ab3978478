"""The socket sharding paper's listings, as printed, with real processes. See README.md here.

`run.py [NAME...]`; the last line is `paper: N passed, N failed`.
"""

import contextlib
import os
import re
import shutil
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from processes import Worker, free_port, listening_sockets, raise_file_limit, wait_until


class Stage:
    """A scratch folder with the listings for one port, and the processes started in it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="qolumn-paper-")
        self.port = free_port()
        self.stack = contextlib.ExitStack()
        self.copies = 0

    def listing(self, name, *changes):
        """Path of a copy of a listing with the stage's port, and with `changes` (old, new) made."""
        with open(os.path.join(HERE, name)) as source:
            text = source.read()
        for old, new in [("5000", str(self.port)), *changes]:
            assert old in text, f"{name} has no {old!r}"
            text = text.replace(old, new)
        self.copies += 1
        path = os.path.join(self.folder, f"{self.copies}_{name}")
        with open(path, "w") as copy:
            copy.write(text)
        return path

    def start(self, script=None, *arguments):
        return self.stack.enter_context(Worker(*arguments, script=script, cwd=self.folder))

    def listeners(self, count):
        wait_until(lambda: listening_sockets(self.port) == count, 20, f"{count} listeners on {self.port}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()
        shutil.rmtree(self.folder)


def number(worker, expression):
    """The value of an expression; what handlers print meanwhile comes before it."""
    return float(worker.ask(expression).splitlines()[-1])


def sharding(stage):
    listeners = [stage.start() for _ in range(4)]
    for listener in listeners:
        assert listener.ask(f"\\p rp,{stage.port}") == "", "\\p prints nothing"
    stage.listeners(4)
    other = stage.start()
    refused = other.ask(f"\\p {stage.port}")
    assert refused.splitlines()[0] == f"'{stage.port}: Address already in use", refused
    client = stage.start()
    client.ask("h:()")
    client.ask("{h,:hopen `::5000}each til 1000".replace("5000", str(stage.port)), 60)
    assert number(client, "count h") == 1000
    differ = client.ask('differ{x".z.i"}each h', 60)
    assert re.fullmatch(r"1[01]{70,}\.\.", differ), differ
    text = client.ask('count each group {x ".z.i "}each h', 60)
    counts = {int(pid): int(n) for pid, n in re.findall(r"^(\d+)\s*\|\s*(\d+)$", text, re.M)}
    assert set(counts) == {x.pid for x in listeners}, f"{text}\nnot the pids {[x.pid for x in listeners]}"
    assert sum(counts.values()) == 1000, counts
    assert all(150 <= n <= 350 for n in counts.values()), counts
    return "connections " + " ".join(str(n) for n in counts.values())


def onthefly(stage):
    phase_seconds = 4
    listener = stage.listing("onthefly_listener.q", ("sleep 2", "sleep 0.2"))
    listeners = [stage.start(listener)]
    stage.listeners(1)
    client = stage.start(stage.listing("onthefly_client.q", ("\\t 1000", "\\t 100")))
    for count in (2, 3):
        time.sleep(phase_seconds)
        listeners.append(stage.start(listener))
        stage.listeners(count)
    time.sleep(phase_seconds)
    client.tell("\\t 0")
    wait_until(lambda: number(client, "count messages") == sum(number(x, "cnt") for x in listeners), 20, "all answers")
    first = client.ask("1#messages").splitlines()
    assert first[0].split() == ["sendTime", "receiveTime", "timeTaken"], first
    assert re.fullmatch(r"(\d\d:\d\d:\d\d\.\d\d\d ?){3}", first[2].strip()), first
    table = client.ask("select `time$avg timeTaken by sendTime.minute from update sendTime-00:00:10.514 from messages")
    rows = table.splitlines()
    assert re.fullmatch(r"minute\s*\|\s*timeTaken\s*", rows[0]), table
    assert all(re.fullmatch(r"\d\d:\d\d\s*\|\s*00:00:\d\d\.\d{3}", r) for r in rows[2:]), table
    counts = phases(client, phase_seconds)
    assert counts[-1] > counts[0], f"answered in each phase: {counts}"
    assert all(number(x, "cnt") for x in listeners), "every listener answered something"
    return f"answered with 1, 2, 3 listeners: {counts}"


def phases(client, seconds):
    """How many requests were sent in each of the first three phases."""
    text = client.ask(f'-1 " " sv string value count each group (til 3),'
                      f'2&floor("j"$(messages`sendTime)-first messages`sendTime)%{seconds * 1000};')
    return [int(n) - 1 for n in text.split()]


def volume(stage):
    seconds, answered, taken = 3, [], []
    listener = stage.listing("volume_listener.q", ("sleep 0.2", "sleep 0.05"))
    listeners = []
    for count in (1, 2, 3):
        listeners.append(stage.start(listener))
        stage.listeners(count)
        with stage.start(stage.listing("onthefly_client.q", ("\\t 1000", "\\t 25"))) as client:
            time.sleep(seconds)
            client.tell("\\t 0")
            time.sleep(0.5)
            answered.append(int(number(client, "count messages")))
            taken.append(number(client, "\"j\"$avg messages`timeTaken"))
    assert answered[2] > answered[0], f"answered by 1, 2, 3 listeners: {answered}"
    return f"answered by 1, 2, 3 listeners: {answered}, mean time in ms {taken}"


def blocked(stage):
    script = stage.listing("blocked_listener.q")
    one, two = stage.start(script), stage.start(script)
    stage.listeners(2)
    client = stage.start(stage.listing("blocked_client.q", ("\\t 1000", "\\t 50")))
    time.sleep(1)
    one.tell('0N!.z.T; system "sleep 2"')
    at = time.monotonic()
    time.sleep(0.5)
    others = number(two, "count messages")
    one.ask("::")
    assert time.monotonic() - at > 1.5, "the listener was not blocked"
    time.sleep(1)
    client.tell("\\t 0")
    sent = number(client, "cnt")
    received = [[int(float(x)) for x in w.ask("-1 \" \" sv string messages`counter;").split()] for w in (one, two)]
    assert sorted(received[0] + received[1]) == list(range(1, int(sent) + 1)), (sent, received)
    assert all(r == sorted(r) and r for r in received), received
    return f"{int(sent)} messages, {len(received[0])} to the blocked listener, {len(received[1])} to the other ({int(others)} by then)"


def rolling(stage):
    script = stage.listing("rolling_hdb.q", ("sleep 30", "sleep 2"))
    first = stage.start(script)
    first.expect('^"[0-9:.]+ : Sleeping for 30 seconds to mimic HDB load"$')
    client = stage.start(stage.listing("rolling_client.q"))
    at = time.monotonic()
    client.expect('" *[0-9:.]+ : Connection established"')
    assert time.monotonic() - at > 1, "connected before the load was complete"
    first.expect("HDB load complete")
    first.expect("Connection established from handle [0-9]+")
    second = stage.start(script)
    second.expect("HDB load complete")
    first.stop()
    client.expect("Connection lost to HDB, attempting to reconnect")
    at = time.monotonic()
    client.expect("Connection established")
    took = time.monotonic() - at
    assert took < 1, f"the client came back after {took:.1f} s"
    second.expect("Connection established from handle [0-9]+")
    second.stop()
    client.expect("Connection lost to HDB")
    client.expect("Connection failed, waiting 1 seconds before retrying")
    third = stage.start(stage.listing("rolling_hdb.q", ("sleep 30", "sleep 0")))
    third.expect("HDB load complete")
    client.expect("Connection established")
    return f"reconnected after {took * 1000:.0f} ms"


TESTS = {f.__name__: f for f in (sharding, onthefly, volume, blocked, rolling)}


def main(names):
    raise_file_limit(4096)
    passed = failed = 0
    for name in names or TESTS:
        started = time.monotonic()
        try:
            with Stage() as stage:
                said = TESTS[name](stage)
            passed += 1
            print(f"ok {name} ({time.monotonic() - started:.1f} s): {said}", flush=True)
        except Exception as problem:  # one listing's failure must not hide the others' results
            failed += 1
            place = traceback.extract_tb(problem.__traceback__)[1]
            print(f"not ok {name}, line {place.lineno}: {type(problem).__name__} {problem}", flush=True)
    print(f"paper: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
