"""Published clients, unmodified, against the built binary.

`run.py [NAME...]` installs what is missing into `build/`, starts one server with a password file, runs every client
through a relay, and prints what failed, a table, and `N passed, N failed`. A missing runtime is said and left out; with
CI set it is a failure.

The relay passes bytes on as they are, with one exception: a response that is a byte vector holding a whole compressed
message, which is what `-18!` returns, is unwrapped. kdb+ and we do not compress for a peer on the same machine, so this
is how the clients' own decompression meets our compression without a second machine.
"""

import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from processes import BUILD, Worker, client_python, free_port, step

USER, PASSWORD = "ideal", "person"
LIMIT_SECONDS = 150


def read_exactly(source, count):
    data = b""
    while len(data) < count:
        part = source.recv(min(1 << 20, count - len(data)))
        if not part:
            raise ConnectionError("closed")
        data += part
    return data


def unwrapped(frame):
    """The compressed message inside of a response with a byte vector, as a response; or the frame itself."""
    inner = frame[14:]
    if frame[8] == 4 and len(inner) > 12 and inner[0] == 1 and inner[2] == 1:
        if struct.unpack("<I", inner[4:8])[0] == len(inner):
            return b"\1\2" + inner[2:]
    return frame


def relay_answers(server, client):
    try:
        client.sendall(read_exactly(server, 1))
        while True:
            head = read_exactly(server, 8)
            length = struct.unpack("<I", head[4:])[0]
            client.sendall(unwrapped(head + read_exactly(server, length - 8)))
    except OSError:
        pass
    finally:
        close(client, server)


def relay_requests(client, server):
    try:
        while part := client.recv(1 << 16):
            server.sendall(part)
    except OSError:
        pass
    finally:
        close(client, server)


def close(*sockets):
    for one in sockets:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def relay(listener, port):
    while True:
        client, _ = listener.accept()
        try:
            server = socket.create_connection(("127.0.0.1", port))
        except OSError:
            client.close()
            continue
        for one in (client, server):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=relay_answers, args=(server, client), daemon=True).start()
        threading.Thread(target=relay_requests, args=(client, server), daemon=True).start()


def prepare_qpython():
    return [client_python(), "-W", "ignore", os.path.join(HERE, "python", "qpython_client.py")]


def prepare_aiokdb():
    return [client_python(), os.path.join(HERE, "python", "aiokdb_client.py")]


def prepare_node():
    folder = os.path.join(BUILD, "node")
    os.makedirs(folder, exist_ok=True)
    if not os.path.isdir(os.path.join(folder, "node_modules", "node-q")):
        step(["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, "node-q@2"], cwd=folder)
    shutil.copy(os.path.join(HERE, "node", "client.js"), folder)
    return ["node", "--no-deprecation", os.path.join(folder, "client.js")]


def prepare_java():
    folder = os.path.join(BUILD, "java")
    os.makedirs(folder, exist_ok=True)
    jar = os.path.join(folder, "javakdb-2.0.jar")
    if not os.path.exists(jar):
        step(["mvn", "-q", "-B", "-f", os.path.join(HERE, "java", "pom.xml"), "dependency:copy-dependencies",
              f"-DoutputDirectory={folder}"])
    step(["javac", "-cp", jar, "-d", folder, os.path.join(HERE, "java", "Client.java")])
    return ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{folder}:{jar}", "Client"]


def prepare_rust():
    target = os.path.join(BUILD, "rust")
    environment = {**os.environ, "CARGO_TARGET_DIR": target}
    step(["cargo", "build", "-q", "--manifest-path", os.path.join(HERE, "rust", "Cargo.toml")], env=environment)
    return [os.path.join(target, "debug", "kdbplus-client")]


def prepare_pykx():
    """PyKX in an environment of its own, as it is large; None where it does not install."""
    path = os.path.join(BUILD, "pykx", "bin", "python")
    try:
        if not os.path.exists(path):
            step([sys.executable, "-m", "venv", os.path.join(BUILD, "pykx")])
        environment = {**os.environ, "PYKX_UNLICENSED": "true"}
        if subprocess.run([path, "-c", "import pykx"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            step([path, "-m", "pip", "install", "-q", "pykx"])
            step([path, "-c", "import pykx"], env=environment)
    except RuntimeError:
        return None
    return [path, "-W", "ignore", os.path.join(HERE, "python", "pykx_client.py")]


CLIENTS = {
    "qpython": (["python3"], prepare_qpython),
    "aiokdb": (["python3"], prepare_aiokdb),
    "node-q": (["node", "npm"], prepare_node),
    "javakdb": (["java", "javac", "mvn"], prepare_java),
    "kdbplus": (["cargo"], prepare_rust),
    "pykx": (["python3"], prepare_pykx),
}


def run(command, port):
    """The client's lines as (verdict, test, why)."""
    arguments = ["127.0.0.1", str(port), USER, PASSWORD, os.path.join(HERE, "types.txt")]
    try:
        done = subprocess.run(command + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=LIMIT_SECONDS, errors="replace",
                              env={**os.environ, "TZ": "UTC"})
        text, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        text, code = (late.stdout or b"").decode(errors="replace"), f"no end in {LIMIT_SECONDS} s"
    rows, other = [], []
    for line in text.splitlines():
        for verdict in ("ok", "not ok", "skip"):
            if line.startswith(verdict + " "):
                test, _, why = line[len(verdict) + 1:].partition(": ")
                rows.append((verdict, test, why))
                break
        else:
            other.append(line)
    if code:
        rows.append(("not ok", "client ends well", f"{code} {' '.join(other[-3:])}"))
    return rows


def all_clients(names, port):
    """Runs the clients named; counts by client, and those that could not run."""
    counts, absent = {}, []
    for name in names:
        needs, prepare = CLIENTS[name]
        missing = [n for n in needs if not shutil.which(n)]
        if missing:
            print(f"{name}: not run: no {', '.join(missing)}")
            absent.append(name)
            continue
        try:
            command = prepare()
            if command is None:
                print(f"{name}: not run: it does not install here, and is optional")
                continue
            rows = run(command, port)
        except (RuntimeError, OSError) as problem:
            rows = [("not ok", "install", str(problem))]
        for verdict, test, why in rows:
            if verdict != "ok":
                print(f"{name}: {verdict} {test}: {why}")
        counts[name] = {v: sum(r[0] == v for r in rows) for v in ("ok", "not ok", "skip")}
    return counts, absent


def main(names):
    folder = tempfile.mkdtemp(prefix="qolumn-clients-")
    passwords = os.path.join(folder, "passwords")
    with open(passwords, "w") as out:
        out.write(f"{USER}:{PASSWORD}\n")
    listener = socket.create_server(("127.0.0.1", 0))
    if "QOLUMN_PORT" in os.environ:
        port = int(os.environ["QOLUMN_PORT"])
        threading.Thread(target=relay, args=(listener, port), daemon=True).start()
        counts, absent = all_clients(names or CLIENTS, listener.getsockname()[1])
    else:
        port = free_port()
        threading.Thread(target=relay, args=(listener, port), daemon=True).start()
        with Worker("-p", port, "-U", passwords, cwd=folder) as server:
            server.ready(port)
            counts, absent = all_clients(names or CLIENTS, listener.getsockname()[1])
    shutil.rmtree(folder)
    print(f"\n{'client':10}{'passed':>8}{'failed':>8}{'cannot':>8}")
    for name, count in counts.items():
        print(f"{name:10}{count['ok']:8}{count['not ok']:8}{count['skip']:8}")
    for name in absent:
        print(f"{name:10}  not run")
    passed = sum(c["ok"] for c in counts.values())
    failed = sum(c["not ok"] for c in counts.values()) + (len(absent) if os.environ.get("CI") else 0)
    print(f"clients: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
