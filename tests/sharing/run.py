"""Workers behind one port: evenness, a blocked worker, rolling, scaling, deaths, every accept mode.

`run.py [NAME]` runs the checks whose name has NAME in it; the last line is `sharing: N passed, N failed`. Durations are
never checked against the clock of a busy machine: what is counted is who waited for a blocked worker and what was lost.
"""

import collections
import os
import resource
import signal
import sys
import threading
import time
import traceback
import urllib.request

from group import Connection, Group

MODES = ["steered", "reuseport", "shared", "mutex", "source-port"]
# A request that waited for a blocked worker waited for seconds.
BLOCKED_SECONDS = 3
NOBODY = 65534


def spread(group, count):
    """Open connections by worker, sorted."""
    connections = [group.connect() for _ in range(count)]
    counts = collections.Counter(c.process() for c in connections)
    for connection in connections:
        connection.close()
    return sorted(counts.values())


def every_mode_answers():
    for mode in MODES:
        with Group(2, mode) as group:
            assert sum(spread(group, 50)) == 50, mode


def long_lived_connections_are_even():
    with Group(4, "steered") as group:
        for count in (20, 100, 1000):
            counts = spread(group, count)
            assert len(counts) == 4 and counts[-1] - counts[0] <= 1, (count, counts)
            # Closed connections are counted out before the next round.
            await_true(lambda: not any(w["connections"] for w in group.status()["workers"]))


def source_port_chooses_the_worker():
    with Group(3, "source-port") as group:
        workers = {}
        for _ in range(60):
            connection = group.connect()
            shard = connection.socket.getsockname()[1] % 3
            workers.setdefault(shard, set()).add(connection.process())
            connection.close()
        processes = [w["process"] for w in group.status()["workers"]]
        assert all(found == {processes[shard]} for shard, found in workers.items()), (workers, processes)


def blocked(mode, user=None):
    """How many of the connections waited while one of two workers was blocked."""
    with Group(2, mode, user=user) as group:
        sleeper = group.connect()
        sleeper.send(f'system"sleep {BLOCKED_SECONDS}"', kind=0)
        until(lambda: any(w["busy"] for w in group.status()["workers"]))
        end = time.monotonic() + BLOCKED_SECONDS - 1
        waits, threads = [], []

        def one():
            began = time.monotonic()
            connection = group.connect()
            connection.process()
            connection.close()
            waits.append(time.monotonic() - began)

        while time.monotonic() < end:
            threads.append(threading.Thread(target=one))
            threads[-1].start()
            time.sleep(0.005)
        for thread in threads:
            thread.join()
        assert len(waits) == len(threads), "a connection was lost"
        return sum(w > 0.5 for w in waits), len(waits)


def a_blocked_worker_gets_nothing_when_steered():
    waited, count = blocked("steered")
    assert waited == 0 and count > 100, (waited, count)


def a_blocked_worker_gets_nothing_without_privileges():
    waited, _ = blocked("steered", user=NOBODY if os.geteuid() == 0 else None)
    assert waited == 0, waited


def a_blocked_worker_keeps_its_share_with_reuseport():
    waited, count = blocked("reuseport")
    assert waited > count / 5, (waited, count)


def load(port, stop, lost, done):
    """Connections one after another until told to stop."""
    while not stop.is_set():
        try:
            connection = Connection(port)
            connection.process()
            connection.close()
            done.append(1)
        except OSError as error:
            lost.append(repr(error))


def under_load(group, act):
    """Runs `act` while four clients connect; connections lost and answered."""
    stop, lost, done = threading.Event(), [], []
    clients = [threading.Thread(target=load, args=(group.port, stop, lost, done)) for _ in range(4)]
    for client in clients:
        client.start()
    act()
    stop.set()
    for client in clients:
        client.join()
    return lost, len(done)


def rolling_loses_nothing():
    for mode in ("steered", "reuseport", "shared"):
        with Group(2, mode) as group:
            before = {w["process"] for w in group.status()["workers"]}

            def roll():
                for _ in range(5):
                    answer = group.ctl("roll")
                    assert "2 workers replaced" in answer, answer

            lost, done = under_load(group, roll)
            after = {w["process"] for w in group.status()["workers"]}
            assert not lost and done > 0 and not before & after, (mode, lost[:3], done)


def a_roll_lets_requests_finish():
    with Group(2, "steered") as group:
        slow = [group.connect() for _ in range(4)]
        for connection in slow:
            connection.send('system"sleep 1";42')
        until(lambda: any(w["busy"] for w in group.status()["workers"]))
        assert "2 workers replaced" in group.ctl("roll")
        for connection in slow:
            assert connection.receive()[1:5] == b"\x2a\0\0\0"


def a_roll_that_fails_keeps_the_old_workers():
    with Group(2, "steered") as group:
        before = [w["process"] for w in group.status()["workers"]]
        with open(group.script, "w") as file:
            file.write("exit 3\n")
        answer = group.ctl("roll")
        assert "error:" in answer and "exit code 3" in answer, answer
        assert [w["process"] for w in group.status()["workers"]] == before
        assert sum(spread(group, 10)) == 10


def a_killed_worker_comes_back_and_loses_no_queue():
    with Group(2, "reuseport") as group:
        victim = group.status()["workers"][0]["process"]
        os.kill(victim, signal.SIGSTOP)
        # Half of these wait in the queue of a worker that will never take them.
        waiting, answered = [], []
        for _ in range(20):
            waiting.append(threading.Thread(target=lambda: answered.append(group.connect().process())))
            waiting[-1].start()
        time.sleep(0.2)
        os.kill(victim, signal.SIGKILL)
        for thread in waiting:
            thread.join()
        assert len(answered) == 20 and victim not in answered
        group.await_serving(2)


def a_worker_that_dies_at_once_is_given_up():
    with Group(1, "steered") as group:
        with open(group.script, "w") as file:
            file.write("exit 9\n")
        os.kill(group.status()["workers"][0]["process"], signal.SIGKILL)
        until(lambda: group.status()["workers"][0]["stage"] == "stopped")
        with open(group.script, "w") as file:
            file.write("a:1\n")
        assert group.ctl("restart", "0").strip() == "done"
        group.await_serving(1)


def scaling_up_and_down_loses_nothing():
    for mode in ("steered", "reuseport"):
        with Group(2, mode) as group:

            def scale():
                for workers in (4, 1, 3):
                    assert group.ctl("scale", str(workers)).strip() == "done"
                    group.await_serving(workers)

            lost, done = under_load(group, scale)
            assert not lost and done > 0, (mode, lost[:3], done)
            if mode == "steered":
                assert spread(group, 30) == [10, 10, 10]


def descriptors_that_run_out_are_survived():
    with Group(1, "steered") as group:
        worker = group.status()["workers"][0]["process"]
        resource.prlimit(worker, resource.RLIMIT_NOFILE, (40, 40))
        held, refused = [], 0
        for _ in range(60):
            try:
                held.append(group.connect())
            except OSError:
                refused += 1
        assert refused and held, (refused, len(held))
        assert group.status()["workers"][0]["shed"] >= refused
        for connection in held:
            connection.close()
        await_true(lambda: group.connect().process() == worker)


def any_worker_answers_with_the_metrics_of_all():
    with Group(3, "steered") as group:
        connections = [group.connect() for _ in range(9)]
        for connection in connections:
            connection.ask("1+1")
        with urllib.request.urlopen(f"http://127.0.0.1:{group.port}/metrics", timeout=20) as answer:
            text = answer.read().decode()
        figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        open_now = [int(figures[f'qolumn_connections{{worker="{w}"}}']) for w in range(3)]
        # The one that asks is a connection itself.
        assert sorted(open_now) == [3, 3, 4], open_now
        requests = [int(figures[f'qolumn_request_seconds_count{{worker="{w}"}}']) for w in range(3)]
        assert all(r >= 3 for r in requests), requests


def commands_that_are_wrong_say_so():
    with Group(1, "steered") as group:
        assert "`dance` is not a command" in group.ctl("dance")
        assert "`0` is not a number of workers" in group.ctl("scale", "0")
        assert "`7` is not a worker: 0 to 0" in group.ctl("drain", "7")


def until(condition):
    """Waits for a state that must come."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.02)


def await_true(condition):
    """Waits for a state, when trying may fail with an error of the network."""

    def tried():
        try:
            return condition()
        except OSError:
            return False

    until(tried)


CHECKS = [
    every_mode_answers,
    long_lived_connections_are_even,
    source_port_chooses_the_worker,
    a_blocked_worker_gets_nothing_when_steered,
    a_blocked_worker_gets_nothing_without_privileges,
    a_blocked_worker_keeps_its_share_with_reuseport,
    rolling_loses_nothing,
    a_roll_lets_requests_finish,
    a_roll_that_fails_keeps_the_old_workers,
    a_killed_worker_comes_back_and_loses_no_queue,
    a_worker_that_dies_at_once_is_given_up,
    scaling_up_and_down_loses_nothing,
    descriptors_that_run_out_are_survived,
    any_worker_answers_with_the_metrics_of_all,
    commands_that_are_wrong_say_so,
]


def main(part=""):
    passed = failed = 0
    for check in CHECKS:
        if part not in check.__name__:
            continue
        try:
            check()
            passed += 1
        except Exception:
            failed += 1
            print(f"FAILED {check.__name__}")
            traceback.print_exc()
    print(f"sharing: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
