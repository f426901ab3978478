"""Whole q programs against answers that Python computes on its own: `run.py [NAME...]`.

`THEME.q` holds programs, each after a line `/ == name`; each runs in a process of its own. `THEME.py` has a function of
that name (with `_` after it where Python has the name itself) that gives the lines which the program must print.
"""

import glob
import importlib
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from processes import binary

SECONDS_MAX = 60


def programs():
    """Theme, name and source of each program."""
    for path in sorted(glob.glob(os.path.join(HERE, "*.q"))):
        theme = os.path.basename(path)[:-2]
        with open(path) as file:
            parts = re.split(r"^/ == (\w+)\n", file.read(), flags=re.M)
        yield from ((theme, name, source) for name, source in zip(parts[1::2], parts[2::2]))


def wanted(theme, name):
    module = importlib.import_module(theme)
    return getattr(module, name + "_" if hasattr(module, name + "_") else name)()


def printed(source):
    with tempfile.NamedTemporaryFile("w", suffix=".q") as script:
        script.write(source)
        script.flush()
        done = subprocess.run([binary(), script.name, "-q"], input="", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS_MAX)
    return done.stdout.splitlines()


def main(names):
    passed = failed = 0
    for theme, name, source in programs():
        if names and name not in names and theme not in names:
            continue
        lines, answer = printed(source), wanted(theme, name)
        if lines == answer:
            passed += 1
            continue
        failed += 1
        print(f"{theme}: {name}")
        for i in range(max(len(lines), len(answer))):
            ours = lines[i] if i < len(lines) else "(nothing)"
            theirs = answer[i] if i < len(answer) else "(nothing)"
            if ours != theirs:
                print(f"   line {i + 1}: {ours}\n   wanted: {theirs}")
    print(f"programs: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
