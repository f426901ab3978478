"""HTTP by the clients of Python's library and by our own, against real processes: what a browser, a proxy or a
script would do. The bytes themselves are tested in crates/q/tests/http.rs.

`run.py [NAME...]`; the last line is `http: N passed, N failed`.
"""

import gzip
import http.client
import json
import os
import sys
import threading
import traceback
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from processes import Worker, free_port, listens, wait_until


class Site:
    """A worker that serves on a port of its own, with lines of q evaluated."""

    def __init__(self, *lines):
        self.port = free_port()
        self.worker = Worker("-p", self.port)
        wait_until(lambda: listens(self.port), 20, "a listener")
        for line in lines:
            self.worker.ask(line)

    def client(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)

    def url(self, rest):
        return f"http://127.0.0.1:{self.port}/{rest}"

    def __enter__(self):
        self.worker.__enter__()
        return self

    def __exit__(self, *problem):
        self.worker.__exit__(*problem)


def body(client, method, target, *rest, **options):
    """The body of an answer that is 200, read to its end."""
    client.request(method, target, *rest, **options)
    answer = client.getresponse()
    text = answer.read()
    assert answer.status == 200, (answer.status, text)
    return text


def kept():
    """A thousand requests go over one connection, with bodies of all framings between them."""
    with Site(".z.ph:{.h.hy[`txt;x 0]}", ".z.pp:{.h.hy[`txt;string count x 0]}") as site:
        client = site.client()
        client.connect()
        ours = client.sock.getsockname()
        for i in range(1000):
            assert body(client, "GET", f"/{i}") == str(i).encode()
            if i % 100 == 0:
                assert body(client, "POST", "/", b"x" * i * 1000) == str(1 + i * 1000).encode()
                pieces = iter([b"ab", b"c" * 70000])
                assert body(client, "POST", "/p", pieces, encode_chunked=True,
                            headers={"Transfer-Encoding": "chunked"}) == b"70004"
                client.request("HEAD", "/head")
                answer = client.getresponse()
                assert (answer.read(), answer.headers["Content-Length"]) == (b"", "4")
        assert client.sock.getsockname() == ours, "the connection was opened again"
        return "one connection"


def pages():
    """Tables come in every format, packed when the client takes that."""
    with Site("t:([]a:til 1000;b:1000#`x`y)") as site:
        client = site.client()
        lines = body(client, "GET", "/t.csv?t").decode().splitlines()
        assert lines[0] == "a,b" and lines[1000] == "999,y"
        packed = body(client, "GET", "/t.csv?t", headers={"Accept-Encoding": "gzip"})
        assert gzip.decompress(packed).decode().splitlines() == lines
        rows = [json.loads(row) for row in body(client, "GET", "/t.json?2%23t").splitlines()]
        assert rows == [{"a": 0, "b": "x"}, {"a": 1, "b": "y"}]
        assert b"<pre>499500\n</pre>" in body(client, "GET", "/?exec%20sum%20a%20from%20t")
        return f"{len(packed)} bytes packed"


def refused():
    """Errors and missing users are what Python's client makes exceptions of."""
    with Site(".z.pw:{(x=`me)and y~\"secret\"}") as site:
        def status(request):
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return answer.status
            except urllib.error.HTTPError as problem:
                return problem.code
        assert status(site.url("?1")) == 401
        known = {"Authorization": "Basic bWU6c2VjcmV0"}
        assert status(urllib.request.Request(site.url("?1"), headers=known)) == 200
        assert status(urllib.request.Request(site.url("?nowhere"), headers=known)) == 400
        assert status(urllib.request.Request(site.url("none.txt"), headers=known)) == 404
        assert status(urllib.request.Request(site.url(""), b"x", headers=known)) == 501
        return "401 200 400 404 501"


def own():
    """Our own client asks our own server."""
    with Site(".z.ph:{.h.hy[`txt;\"got \",x 0]}", ".z.pp:{.h.hy[`txt;\"took \",x 0]}") as site, \
            Worker() as other:
        assert other.ask(f'.Q.hg"{site.url("a?b")}"') == '"got a?b"'
        assert other.ask(f'.Q.hp["{site.url("p")}";.h.ty`txt]"data"') == '"took p data"'
        return ".Q.hg and .Q.hp"


def many():
    """Clients at once, on connections of HTTP and of IPC to one port, are all answered."""
    with Site(".z.ph:{.h.hy[`txt;\"OK\"]}") as site, Worker() as other:
        failures = []

        def load():
            try:
                for _ in range(5):
                    client = site.client()
                    for _ in range(50):
                        assert body(client, "GET", "/") == b"OK"
                    client.close()
            except Exception as problem:  # told to the main thread
                failures.append(problem)
        threads = [threading.Thread(target=load) for _ in range(8)]
        for thread in threads:
            thread.start()
        assert other.ask(f"h:hopen {site.port}; sum {{h\"1+1\"}}each til 500") == "1000"
        for thread in threads:
            thread.join()
        assert not failures, failures
        assert site.worker.ask("count .z.W") == "1"
        return "2000 requests and 500 messages"


TESTS = {f.__name__: f for f in (kept, pages, refused, own, many)}


def main(names):
    passed = failed = 0
    for name in names or TESTS:
        try:
            said = TESTS[name]()
            passed += 1
            print(f"ok {name}: {said}", flush=True)
        except Exception as problem:  # one test's failure must not hide the others' results
            failed += 1
            place = traceback.extract_tb(problem.__traceback__)[1]
            print(f"not ok {name}, line {place.lineno}: {type(problem).__name__} {problem}", flush=True)
    print(f"http: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
