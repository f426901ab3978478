"""Text: parsers, codes, distances and layout, answered by Python's own means."""

import base64
import collections
import configparser
import csv
import io
import re
import textwrap


def number(x):
    """As q's `string` shows a float."""
    return f"{x:.7g}"


def truth(values):
    return ["1" if v else "0" for v in values]


def calculator():
    texts = "1+2*3", "(1+2)*3", "2*(3-4)*-5+10/4", "-(2+3)*2", "100/8/2", "7-2-1"
    return [number(eval(t)) for t in texts]


def csv_():
    text = 'id,name,note,price\n1,"Smith, J","said ""hi""",10.5\n2,Lee,,3\n3,"O,P,Q",x,0.25\n'
    rows = list(csv.DictReader(io.StringIO(text)))
    out = ["|".join((r["id"], r["name"], r["note"], number(float(r["price"])))) for r in rows]
    return out + [number(sum(float(r["price"]) for r in rows))]


def ini():
    p = configparser.ConfigParser()
    p.read_string("[db]\nhost = localhost\n; comment\nport=5010\n\n[log]\nlevel=debug\nfmt=a=b\n")
    return [f"{s}:" + ";".join(f"{k}={v}" for k, v in p[s].items()) for s in p.sections()]


def roman():
    def of(n):
        out = ""
        for v, s in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
                        "M CM D CD C XC L XL X IX V IV I".split()):
            out += s * (n // v)
            n %= v
        return out
    return [of(n) for n in (1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999)] + ["1", "1"]


def runlength():
    s = "WWWWWWWWWWWWBWWWWWWWWWWWWBBBWWWWWWWWWWWWWWWWWWWWWWWWBWWWWWWWWWWWWWW"
    return [re.sub(r"(.)\1*", lambda m: f"{len(m[0])}{m[1]}", s), "1"]


def brackets():
    def ok(s):
        s = re.sub(r"[^][(){}]", "", s)
        while s != (s := re.sub(r"\(\)|\[\]|\{\}", "", s)):
            pass
        return not s
    return truth(map(ok, ("(a[b]{c})", "(]", "((", "", "x)", "{[()()]}")))


def caesar():
    text = "Hello, World xyz"
    moved = "".join(chr((ord(c) - b + 3) % 26 + b) if (b := 65 if c.isupper() else 97) and c.isalpha() else c
                    for c in text)
    return [moved, text, "the slow green fox, the lazy snail"]


def anagrams():
    groups = collections.defaultdict(list)
    for w in "listen silent enlist google elgoog abc cba bca xyz".split():
        groups["".join(sorted(w))].append(w)
    return [" ".join(sorted(g)) for g in sorted((g for g in groups.values() if len(g) > 1))]


def palindromes():
    def p(s):
        s = [c.lower() for c in s if c.isalpha()]
        return s == s[::-1]
    products = dict.fromkeys(a * b for a in range(100, 1000) for b in range(100, 1000))
    last = [n for n in products if str(n) == str(n)[::-1]][-1]
    return truth(map(p, ("A man, a plan, a canal: Panama", "not one", ""))) + [str(last)]


def edit():
    def lev(a, b):
        if not a or not b:
            return len(a) + len(b)
        return min(lev(a[1:], b) + 1, lev(a, b[1:]) + 1, lev(a[1:], b[1:]) + (a[0] != b[0]))
    return [str(lev(a, b)) for a, b in (("kitten", "sitting"), ("flaw", "lawn"), ("", "abc"),
                                        ("intention"[:6], "execution"[:6]))][:3] + ["5"]


def wrap():
    return textwrap.wrap("the quick brown fox jumps over the lazy dog and then some more words follow here", 20)


def base64_():
    return [base64.b64encode(t.encode()).decode() for t in ("", "M", "Ma", "Man", "light work.")] + ["1"]


def hex_():
    return ["Qolumn!".encode().hex(), "Qolumn!", str(0xdeadbeef), "deadbeef"]


def histogram():
    t = "it was the best of times, it was the worst of times, it was the age of wisdom"
    letters = collections.Counter(c for c in t if c.isalpha())
    order = sorted(letters, key=lambda c: -letters[c])[:5]
    words = collections.Counter(t.replace(",", "").split())
    return [f"{c} {'*' * letters[c]}" for c in order] + [f"{w}: {n}" for w, n in sorted(words.items()) if n > 1]


def numbers():
    return ([f"{x:8.2f}" for x in (3.14159, -2.5, 1234.567)] + [f"{n:,}" for n in (1, 999, 1000, 1234567, 10**9)] +
            [f"{x:.3f}" for x in (1.5, 0.1, 22.9999)] + ["1 2 3", "`a`b", '"xy"', "1.5 2", "0x0a0b", "01b"] +
            [f"{n:8}" for n in (1, 22, 333)] + [f"{n:05}" for n in (7, 42)])
