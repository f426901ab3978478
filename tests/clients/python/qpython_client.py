"""gabiteodoru-qpython against a server: `qpython_client.py HOST PORT USER PASSWORD TYPES`.

Prints `ok NAME`, `not ok NAME: why` or `skip NAME: why`, as every client here does.
"""

import sys

from qpython.qcollection import QDictionary, QKeyedTable, QTable
from qpython.qconnection import QConnection
from qpython.qtype import QException

CHECK = '{[text;x] $[x~v:value text;1b;\'"sent back ",.Q.s1[x]," for ",text]}'
CANNOT = {}


def check(name, test):
    try:
        test()
        print(f"ok {name}")
    except Exception as problem:  # one client's failure must not hide the others' results
        print(f"not ok {name}: {type(problem).__name__} {problem}".replace("\n", " "))


def same(got, expected):
    assert got == expected, f"got {got!r}, expected {expected!r}"


def types(q, path):
    for row in open(path):
        if row.startswith("#"):
            continue
        name, text = row.rstrip("\n").split("\t")
        if name in CANNOT:
            print(f"skip type {name}: {CANNOT[name]}")
            continue
        check(f"type {name}", lambda: same(bool(q(CHECK, text.encode(), q(text))), True))


def table(q):
    got = q("([]sym:`a`b;price:1.5 2.5)")
    assert isinstance(got, QTable), type(got)
    same([bytes(x) for x in got["sym"]], [b"a", b"b"])
    same(list(got["price"]), [1.5, 2.5])


def keyed(q):
    got = q("([sym:`a`b]price:1.5 2.5)")
    assert isinstance(got, QKeyedTable), type(got)
    same(list(got.values["price"]), [1.5, 2.5])
    assert isinstance(q("`a`b!1 2"), QDictionary)


def callback(q):
    q.sendAsync("{(neg .z.w)(`answer;x+1)}", 41)
    message = q.receive(data_only=False)
    same(message.type, 0)
    same([bytes(message.data[0]), int(message.data[1])], [b"answer", 42])


def error(q):
    try:
        q("1+`a")
    except QException as problem:
        text = problem.args[0]
        text = text.decode() if isinstance(text, bytes) else str(text)
        assert text.startswith("type"), text
        same(int(q("1+1")), 2)
        return
    raise AssertionError("no error")


def compressed(q):
    got = q("-18!([]i:til 100000;s:100000#`a`b`c)")
    assert isinstance(got, QTable), "the relay in run.py makes a message of the compressed bytes"
    same(len(got), 100000)
    same(int(got["i"].sum()), 4999950000)


def main(host, port, user, password, path):
    def refused():
        try:
            QConnection(host, int(port), user, password + "x").open()
        except Exception:
            return
        raise AssertionError("a wrong password was accepted")

    check("refused", refused)
    q = QConnection(host, int(port), user, password)
    check("connect", q.open)
    check("1+1", lambda: same(int(q("1+1")), 2))
    check("lambda", lambda: same(int(q("{x+2*y}", 1, 2)), 5))
    check("table", lambda: table(q))
    check("keyed table", lambda: keyed(q))
    check("callback", lambda: callback(q))
    check("error", lambda: error(q))
    check("compressed", lambda: compressed(q))
    types(q, path)
    q.close()


main(*sys.argv[1:])
