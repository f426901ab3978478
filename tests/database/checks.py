"""Databases that kdb+ wrote, opened by `qolumn`: every known figure of every column, and small ones whole.

`checks.py [FOLDER]`, where FOLDER holds `kdb-hdb` (a partitioned database `hdb` and `CHECKS.tsv`, computed by another
program) and `kdb-small` (databases in the newer forms). Without an argument: $QOLUMN_DATA, or `../shared/data` beside the
repository. What is not there is not checked and is said so. The last line is `database: N passed, N failed`.
"""

import csv
import hashlib
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from processes import ROOT, Worker

LETTERS = {"timestamp": "p", "symbol": "s", "float": "f", "long": "j", "int": "i", "boolean": "b", "char": "c"}
# Rows that each table of the small databases has; read with all its columns.
SMALL = {
    "dqcdb": {"configtable": 12, "results": 22},
    "dqedb": {"advancedres": 2, "resultstab": 9},
    "torqtest": {"quote": 10, "packets": 0},
}
# `.check.column[date;table;column]` prints type letter, attribute, rows, first, last and sum, one a line, and leaves the
# items in the file `.check.copy`, as they are in memory: plain, and enumerations as 32-bit numbers.
DEFINE = r"""
.check.text:{$[0=count x;"";-10h=type f:first x;"'",f,"'";-1h=type f;string`int$f;string f]}
.check.sum:{[c;x] $[(0=count x)|c in"psc";"";c="f";.Q.f[6;sum x];string sum x]}
.check.items:{$[type[x] within 20 76h;`int$x;`#x]}
.check.print:{[c;x] -1(enlist c;string attr x;string count x;.check.text x;.check.text reverse x;.check.sum[c;x]);}
.check.column:{[d;t;c] x:get` sv .Q.par[`:.;d;t],c; .check.print[(meta t)[c;`t];x]; .check.copy set .check.items x;}
.check.query:{[d;t;c] x:?[t;enlist(=;`date;d);();c]; x~get` sv .Q.par[`:.;d;t],c}
"""


class Checks:
    """Counts what agreed, and prints what did not."""

    def __init__(self):
        self.passed = self.failed = 0

    def same(self, what, wanted, got):
        if wanted == got:
            self.passed += 1
        else:
            self.failed += 1
            print(f"not ok {what}: wanted {wanted}, got {got}")


def wanted_of(row):
    """What `.check.column` prints for a row of CHECKS.tsv."""
    attribute = "" if row["attribute"] == "-" else row["attribute"]
    return [LETTERS[row["type"]], attribute, row["rows"], row["first"], row["last"], row["sum"]]


def digest(path):
    """The sha256 of the items in a plain vector's file: they follow its 16 bytes of header."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()[16:]).hexdigest()


def known_figures(folder, checks, scratch):
    """Every row of CHECKS.tsv: from the column's file, and the same column by a query."""
    copy = os.path.join(scratch, "items")
    with open(os.path.join(folder, "CHECKS.tsv"), newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    with Worker(script=os.path.join(folder, "hdb")) as q:
        q.ask(DEFINE.strip() + f"\n.check.copy:`$\":{copy}\"")
        for row in rows:
            what = " ".join((row["date"], row["table"], row["column"]))
            arguments = f"[{row['date']};`{row['table']};`{row['column']}]"
            if row["container"] == "absent":
                file = "/".join((row["date"], row["table"], row["column"]))
                said = q.ask(f"select max {row['column']} from {row['table']} where date={row['date']}")
                checks.same(f"{what}: the error names the file", True, said.startswith("'") and file in said)
                continue
            checks.same(what, wanted_of(row), q.ask(f".check.column{arguments}").split("\n"))
            checks.same(f"{what}: items", row["sha256_of_item_bytes"], digest(copy))
            checks.same(f"{what}: by a query", "1b", q.ask(f".check.query{arguments}"))
        checks.same("meta trade: attribute of sym", "`p", q.ask("(meta trade)[`sym;`a]"))


def whole(folder, checks):
    """The small databases and the log: all tables, all columns, all rows."""
    for name, tables in SMALL.items():
        with Worker(script=os.path.join(folder, name)) as q:
            checks.same(f"{name}: tables", ["`" + "`".join(sorted(tables))], q.ask("asc[tables[]]").replace("`s#", "").split())
            for table, rows in tables.items():
                checks.same(f"{name} {table}", str(rows), q.ask(f"count select from {table}"))
                checks.same(f"{name} {table}: shown", True, "'" != q.ask(f"select from {table}")[:1])
    with Worker(cwd=os.path.join(folder, "tplog")) as q:
        q.ask("counts:(0#`)!0#0\nupd:{[t;x] counts[t]:1+0^counts t}")
        checks.same("log: messages", "100", q.ask("-11!`:quote_trade.log"))
        checks.same("log: by table", "50 50", q.ask("counts`quote`trade"))


def main(arguments):
    beside = os.path.join(os.path.dirname(ROOT), "shared", "data")
    folder = arguments[0] if arguments else os.environ.get("QOLUMN_DATA", beside)
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="qolumn-database-") as scratch:
        for name, part in (("kdb-hdb", lambda at: known_figures(at, checks, scratch)), ("kdb-small", lambda at: whole(at, checks))):
            at = os.path.join(folder, name)
            if os.path.isdir(at):
                part(at)
            else:
                print(f"no {at}: not checked")
    print(f"database: {checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
