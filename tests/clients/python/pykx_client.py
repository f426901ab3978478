"""PyKX without a licence, in its default connection: `pykx_client.py HOST PORT USER PASSWORD TYPES`.

Optional: run where it installs. Its lines are as in qpython_client.py. Connecting already sends code in k.
"""

import os
import sys

os.environ["PYKX_UNLICENSED"] = "true"
os.environ["PYKX_SUPPRESS_WARNINGS"] = "true"
import pykx as kx

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


def table(q):
    frame = q("([]sym:`a`b;price:1.5 2.5)").pd()
    same(list(frame["sym"]), ["a", "b"])
    same(list(frame["price"]), [1.5, 2.5])


def insert(q):
    q("trades:([]sym:`a`b;price:1.5 2.5)")
    q.insert("trades", ["c", 3.5])
    same(q("count trades").py(), 3)
    q.upsert("trades", ["d", 4.5])
    same(q("exec last price from trades").py(), 4.5)


def qsql(q):
    q("trades:([]sym:`a`b`a;price:1.5 2.5 3.5)")
    frame = q.qsql.select("trades", columns={"top": "max price"}, where="price>1", by={"sym": "sym"}).pd()
    same(list(frame["top"]), [3.5, 2.5])
    same(list(q.qsql.exec("trades", "price").py()), [1.5, 2.5, 3.5])


def names(q):
    q["answer"] = 42
    same(q["answer"].py(), 42)
    same(q.til(3).py(), [0, 1, 2])
    q(".ns.f:{x+1}")
    same(q.ns.f(1).py(), 2)


def error(q):
    try:
        q("1+`a")
    except kx.QError as problem:
        assert str(problem).startswith("type"), problem
        return same(q("1+1").py(), 2)
    raise AssertionError("no error")


def main(host, port, user, password, path):
    def refused():
        try:
            kx.SyncQConnection(host, int(port), username=user, password=password + "x")
        except Exception:
            return
        raise AssertionError("a wrong password was accepted")

    check("refused", refused)
    q = kx.SyncQConnection(host, int(port), username=user, password=password)
    print("ok connect")
    check("1+1", lambda: same(q("1+1").py(), 2))
    check("lambda", lambda: same(q("{x+2*y}", 1, 2).py(), 5))
    check("table", lambda: table(q))
    check("keyed table", lambda: same(list(q("([sym:`a`b]price:1.5 2.5)").pd()["price"]), [1.5, 2.5]))
    check("insert", lambda: insert(q))
    check("qsql", lambda: qsql(q))
    check("names", lambda: names(q))
    check("error", lambda: error(q))
    check("compressed", lambda: same(q("-18!([]i:til 100000;s:100000#`a`b`c)").pd()["i"].sum(), 4999950000))
    for row in open(path):
        if row.startswith("#"):
            continue
        name, text = row.rstrip("\n").split("\t")
        if name in CANNOT:
            print(f"skip type {name}: {CANNOT[name]}")
            continue
        check(f"type {name}", lambda: same(bool(q(CHECK, text.encode(), q(text))), True))
    q.close()


main(*sys.argv[1:])
