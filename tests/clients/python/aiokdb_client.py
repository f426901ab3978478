"""aiokdb against a server: `aiokdb_client.py HOST PORT USER PASSWORD TYPES`; its lines are as in qpython_client.py."""

import asyncio
import sys

from aiokdb import KException, TypeEnum, cv, kj, kk
from aiokdb.client import open_qipc_connection
from aiokdb.server import CredentialsException

CHECK = '{[text;x] $[x~v:value text;1b;\'"sent back ",.Q.s1[x]," for ",text]}'
UNSIGNED = "its lists of short, int and date take no negative number"
CANNOT = dict.fromkeys(["negative", "before2000", "nullint", "nulldate"], UNSIGNED)


async def check(name, test):
    try:
        await asyncio.wait_for(test, 30)
        print(f"ok {name}")
    except Exception as problem:  # one client's failure must not hide the others' results
        print(f"not ok {name}: {type(problem).__name__} {problem}".replace("\n", " "))


def same(got, expected):
    assert got == expected, f"got {got!r}, expected {expected!r}"


async def equals(w, text, arguments, value):
    message = kk(cv(text), *arguments) if arguments else cv(text)
    same((await w.sync_req(message)).aJ(), value)


async def refused(host, port, user, password):
    try:
        await open_qipc_connection(host, port, user, password + "x")
    except (CredentialsException, ConnectionError):
        return
    raise AssertionError("a wrong password was accepted")


async def there_and_back(host, port, user, password, text):
    # A connection of its own: after a failure this client takes the next answer for the last one.
    _, w = await open_qipc_connection(host, port, user, password)
    value = await w.sync_req(cv(text))
    answer = await w.sync_req(kk(cv(CHECK), cv(text), value))
    same(answer.t, -TypeEnum.KB)
    w.close()


async def table(w):
    got = await w.sync_req(cv("([]sym:`a`b;price:1.5 2.5)"))
    same(got.t, TypeEnum.XT)
    same(list(got["price"].kF()), [1.5, 2.5])
    same(list(got["sym"].kS()), ["a", "b"])


async def keyed(w):
    got = await w.sync_req(cv("([sym:`a`b]price:1.5 2.5)"))
    same(got.t, TypeEnum.XD)
    same(got.kvalue()["price"].kF()[1], 2.5)


async def callback(r, w):
    await w.async_msg(kk(cv("{(neg .z.w)(`answer;x+1)}"), kj(41)))
    kind, value = await r.read()
    same(int(kind), 0)
    same((value.kK()[0].aS(), value.kK()[1].aJ()), ("answer", 42))


async def error(w):
    try:
        await w.sync_req(cv("1+`a"))
    except KException as problem:
        assert str(problem).startswith("type"), problem
        return await equals(w, "1+1", [], 2)
    raise AssertionError("no error")


async def compressed(w):
    got = await w.sync_req(cv("-18!([]i:til 100000;s:100000#`a`b`c)"))
    same(got.t, TypeEnum.XT)
    same(sum(got["i"].kJ()), 4999950000)


async def main(host, port, user, password, path):
    port = int(port)
    await check("refused", refused(host, port, user, password))
    r, w = await open_qipc_connection(host, port, user, password)
    print("ok connect")
    await check("1+1", equals(w, "1+1", [], 2))
    await check("lambda", equals(w, "{x+2*y}", [kj(1), kj(2)], 5))
    await check("table", table(w))
    await check("keyed table", keyed(w))
    await check("callback", callback(r, w))
    await check("error", error(w))
    await check("compressed", compressed(w))
    for row in open(path):
        if row.startswith("#"):
            continue
        name, text = row.rstrip("\n").split("\t")
        if name in CANNOT:
            print(f"skip type {name}: {CANNOT[name]}")
        else:
            await check(f"type {name}", there_and_back(host, port, user, password, text))
    w.close()


asyncio.run(main(*sys.argv[1:]))
