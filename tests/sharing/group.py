"""`qolumn serve` as a real process: started, asked by `qolumn ctl`, and talked to over q's protocol by raw sockets."""

import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BINARY = os.environ.get("QOLUMN", os.path.join(HERE, "..", "..", "target", "release", "qolumn"))
START_SECONDS = 20


class Group:
    """A supervisor with its workers, in a folder of its own."""

    def __init__(self, workers, accept, script="", options=(), user=None):
        self.folder = tempfile.mkdtemp(prefix="qolumn-sharing-")
        os.chmod(self.folder, 0o777)
        self.control = os.path.join(self.folder, "ctl")
        self.script = os.path.join(self.folder, "worker.q")
        self.log = os.path.join(self.folder, "log")
        with open(self.script, "w") as file:
            file.write(script)
        # Another user may not see the folder of the checkout.
        binary = shutil.copy(BINARY, self.folder) if user else BINARY
        command = [binary, "serve", "--workers", str(workers), "--listen", f"0W,accept={accept}",
                   "--control", self.control, "--drain-limit", "3", *options, "--", self.script]
        become = (lambda: os.setuid(user)) if user else None
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log, preexec_fn=become)
        self.await_serving(workers)
        self.port = int(self.status()["listening"][0]["address"].rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.ctl("stop")
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def ctl(self, *words):
        """What `qolumn ctl` prints."""
        done = subprocess.run([BINARY, "ctl", "--control", self.control, *words], capture_output=True, text=True,
                              timeout=60)
        return done.stdout + done.stderr

    def status(self):
        return json.loads(self.ctl("--json", "status"))

    def await_serving(self, workers):
        """Waits until so many workers serve."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                found = [w["stage"] for w in self.status()["workers"]][:workers]
            except (ValueError, KeyError):
                found = []
            if found == ["serving"] * workers:
                return
            time.sleep(0.02)
        with open(self.log) as log:
            raise AssertionError(f"{workers} workers do not serve:\n{log.read()}")

    def connect(self):
        return Connection(self.port)


class Connection:
    """A q client of one socket."""

    def __init__(self, port, timeout=30):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(b"tester:\x03\x00")
        if self.socket.recv(1) != b"\x03":
            raise ConnectionError("no handshake")

    def send(self, text, kind=1):
        body = struct.pack("<bbI", 10, 0, len(text)) + text.encode()
        self.socket.sendall(struct.pack("<bbbbI", 1, kind, 0, 0, 8 + len(body)) + body)

    def receive(self):
        size = struct.unpack("<I", self.exactly(8)[4:])[0]
        return self.exactly(size - 8)

    def exactly(self, size):
        out = b""
        while len(out) < size:
            more = self.socket.recv(size - len(out))
            if not more:
                raise ConnectionError("closed")
            out += more
        return out

    def ask(self, text):
        self.send(text)
        return self.receive()

    def process(self):
        """The process id of the worker."""
        return struct.unpack("<i", self.ask(".z.i")[1:5])[0]

    def close(self):
        self.socket.close()
