"""All checks in one run: format, lints, tidy, unit tests and transcripts, published clients, databases that kdb+
wrote, whole programs beside Python's answers, the paper's listings, HTTP clients, workers that share a port.

`run.py [PART...]`. What a part prints is shown when it fails; the last line is `N passed, N failed`. Expects the
release binary to be built (`make test` sees to that).
"""

import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
# The published sessions are not ours to copy: they are run where they lie beside the project.
SESSIONS = os.path.join(os.path.dirname(ROOT), "shared", "conformance", "run.py")
# Percent of the printing steps that must agree.
SESSIONS_PASS_MIN = "97"
PARTS = {
    "format": ["cargo", "fmt", "--all", "--check"],
    "lints": ["cargo", "clippy", "-q", "--workspace", "--all-targets", "--", "-D", "warnings"],
    "tidy": ["cargo", "run", "-q", "-p", "xtask", "--", "tidy"],
    "unit": ["cargo", "test", "--workspace", "--no-fail-fast", "--", "--skip", "spec"],
    "spec": ["cargo", "test", "-q", "-p", "q", "--test", "spec", "--", "--nocapture"],
    "clients": [sys.executable, os.path.join(HERE, "clients", "run.py")],
    "database": [sys.executable, os.path.join(HERE, "database", "checks.py")],
    "programs": [sys.executable, os.path.join(HERE, "programs", "run.py")],
    "paper": [sys.executable, os.path.join(HERE, "paper", "run.py")],
    "http": [sys.executable, os.path.join(HERE, "http", "run.py")],
    "sharing": [sys.executable, os.path.join(HERE, "sharing", "run.py")],
    "conformance": [sys.executable, SESSIONS, "--bin", os.path.join(ROOT, "target", "release", "qolumn"), "--quiet",
                    "--errata", os.path.join(ROOT, "spec", "errata.tsv"), "--min-pass-visible", SESSIONS_PASS_MIN],
}
# Parts whose own tests are counted; any other part counts as one.
COUNTED = {
    "unit": r"^test result: \w+\. (\d+) passed; (\d+) failed",
    "spec": r"\bspec: (\d+) passed, (\d+) failed",
    "clients": r"^clients: (\d+) passed, (\d+) failed",
    "database": r"^database: (\d+) passed, (\d+) failed",
    "programs": r"^programs: (\d+) passed, (\d+) failed",
    "paper": r"^paper: (\d+) passed, (\d+) failed",
    "http": r"^http: (\d+) passed, (\d+) failed",
    "sharing": r"^sharing: (\d+) passed, (\d+) failed",
}


def run(name):
    """Runs a part; its counts of passed and failed."""
    print(f"== {name}", flush=True)
    if name == "conformance" and not os.path.exists(SESSIONS):
        print(f"   no {SESSIONS}: not checked", flush=True)
        return 0, 0
    started = time.monotonic()
    quiet = name == "unit"
    process = subprocess.Popen(PARTS[name], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = []
    for line in process.stdout:
        lines.append(line)
        if not quiet:
            print("   " + line, end="", flush=True)
    status = process.wait()
    passed, failed = counts(name, "".join(lines), status)
    if quiet and failed:
        print("".join("   " + line for line in lines))
    print(f"   {name}: {passed} passed, {failed} failed ({time.monotonic() - started:.0f} s)", flush=True)
    return passed, failed


def counts(name, text, status):
    found = [(int(p), int(f)) for p, f in re.findall(COUNTED.get(name, "(?!)"), text, re.M)]
    passed, failed = sum(p for p, _ in found), sum(f for _, f in found)
    if not found:
        passed = int(status == 0 and name not in COUNTED)
    if status and not failed or (name in COUNTED and not found):
        failed = 1
    return passed, failed


def main(names):
    results = [run(name) for name in names or PARTS]
    passed, failed = (sum(r[i] for r in results) for i in (0, 1))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
