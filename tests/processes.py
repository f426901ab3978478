"""Real processes for tests, the demo and the benches: find the binary, start it, talk to its console, stop it.

Nothing here knows what is tested. Every process is started in its own session and is killed when its
`with` block ends, so that a failing test leaves nothing behind.
"""

import itertools
import os
import queue
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build")
START_SECONDS_MAX = 20


def binary():
    """Path of `qolumn`: $QOLUMN, or what `cargo build --release` made."""
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    path = os.environ.get("QOLUMN", os.path.join(target, "release", "qolumn"))
    if not os.access(path, os.X_OK):
        sys.exit(f"no binary at {path}: run `make build`, or set QOLUMN")
    return path


def step(command, **options):
    """Runs a command to its end and returns what it printed; raises with that text when it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout[-3000:]}")
    return done.stdout


def client_python():
    """The interpreter of a virtual environment in `build/` that has the published Python clients."""
    path = os.path.join(BUILD, "venv", "bin", "python")
    if not os.path.exists(path):
        step([sys.executable, "-m", "venv", os.path.join(BUILD, "venv")])
    wanted = "import qpython, aiokdb, pandas"
    if subprocess.run([path, "-c", wanted], stderr=subprocess.DEVNULL).returncode:
        step([path, "-m", "pip", "install", "-q", "gabiteodoru-qpython", "aiokdb", "numpy", "pandas"])
    return path


def raise_file_limit(count):
    """Lets this process and its children open `count` files, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, count)), hard))


def free_port():
    """A TCP port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, seconds, what):
    """Polls `condition` until it is true; raises when `seconds` have passed."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.01)


def listens(port):
    """Whether somebody accepts connections on `port`."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def listening_sockets(port):
    """How many sockets listen on `port`; several when they share it. Does not connect."""
    count = 0
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(table) as rows:
                next(rows)
                count += sum(r.split()[1].endswith(f":{port:04X}") and r.split()[3] == "0A" for r in rows)
        except (FileNotFoundError, StopIteration):
            pass
    return count


class Worker:
    """One `qolumn -q ...` with its console on a pipe."""

    marks = itertools.count(1)

    def __init__(self, *arguments, cwd=None, script=None, environment=None):
        command = [binary(), *([script] if script else []), *map(str, arguments), "-q"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd,
            start_new_session=True, env={**os.environ, "TZ": "UTC", **(environment or {})})
        self.pid = self.process.pid
        self.lines = queue.Queue()
        self.seen = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\n"))
        self.lines.put(None)

    def tell(self, text):
        """Types lines at the console and does not wait for an answer."""
        self.process.stdin.write((text.rstrip("\n") + "\n").encode())
        self.process.stdin.flush()

    def line(self, seconds=START_SECONDS_MAX):
        """The next line of output; raises when it does not come or the process has ended."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError(f"no output from {self.pid} in {seconds} s; before: {self.seen[-5:]}") from None
        if line is None:
            raise EOFError(f"process {self.pid} ended with {self.process.wait()}; before: {self.seen[-5:]}")
        self.seen.append(line)
        return line

    def ask(self, text, seconds=START_SECONDS_MAX):
        """Types `text` at the console and returns what it printed."""
        mark = f"\x01DONE {next(Worker.marks)}\x01"
        self.tell(f'{text}\n-1"{mark}";'.replace("\x01", "\\001"))
        deadline = time.monotonic() + seconds
        found = []
        while True:
            line = self.line(max(0.01, deadline - time.monotonic()))
            if mark in line:
                return "\n".join(found + ([line.split(mark)[0]] if line.split(mark)[0] else []))
            found.append(line)

    def expect(self, pattern, seconds=START_SECONDS_MAX):
        """Reads output until a line matches `pattern`, and returns the match."""
        deadline = time.monotonic() + seconds
        while True:
            match = re.search(pattern, self.line(max(0.01, deadline - time.monotonic())))
            if match:
                return match

    def ready(self, port=None):
        """Waits until the console answers, and until `port` is open when one is given."""
        self.ask("::")
        if port is not None:
            wait_until(lambda: listening_sockets(port), START_SECONDS_MAX, f"port {port}")
        return self

    def stop(self, number=signal.SIGKILL):
        """Ends the process, and waits for its end."""
        if self.process.poll() is None:
            try:
                os.killpg(self.pid, number)
            except ProcessLookupError:
                pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.pid, signal.SIGKILL)
            self.process.wait()
        for stream in (self.process.stdin, ):
            try:
                stream.close()
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
