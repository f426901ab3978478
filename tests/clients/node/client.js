// node-q against a server: `client.js HOST PORT USER PASSWORD TYPES`; its lines are as in qpython_client.py.
//
// node-q turns q values into plain JavaScript, which forgets their types, so what goes back is
// wrapped by its typed interface under the name of the type.
"use strict";

const fs = require("fs");
const q = require("node-q");
const Long = require("long");

const CHECK = '{[text;x] $[x~v:value text;1b;\'"sent back ",.Q.s1[x]," for ",text]}';
const PLAIN = new Set(["char", "chars", "emptytext", "list", "nested", "dictionary", "table", "keyed"]);
const OF = { infinity: "floats", empty: "longs", negative: "ints", before2000: "dates" };
const CANNOT = {
  timestamp: "a JavaScript date has milliseconds", timestamps: "a JavaScript date has milliseconds",
  timespan: "a JavaScript date has milliseconds", timespans: "a JavaScript date has milliseconds",
  list: "every number becomes a float", nested: "every number becomes a float",
  dictionary: "every number becomes a float", table: "a table becomes objects", keyed: "a table becomes objects",
  nulllong: "null has no type", nullfloat: "null has no type", nullint: "null has no type", nulldate: "null has no type",
  second: "it rounds seconds down", seconds: "it rounds seconds down",
  nullsymbol: "its list of symbols takes no null", emptytext: "an empty string has no type",
};

function connect(host, port, user, password) {
  return new Promise((resolve, reject) => {
    q.connect({ host, port: Number(port), user, password, long2number: false }, (problem, c) => (problem ? reject(problem) : resolve(c)));
  });
}

const ask = (c, ...message) =>
  new Promise((resolve, reject) => c.k(...message, (problem, value) => (problem ? reject(problem) : resolve(value))));

async function check(name, test) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error("no answer in 30 s")), 30000); });
  try {
    await Promise.race([test(), late]);
    console.log(`ok ${name}`);
  } catch (problem) {
    console.log(`not ok ${name}: ${String(problem && problem.message || problem).replace(/\n/g, " ")}`);
  } finally {
    clearTimeout(timer);
  }
}

function same(got, expected) {
  if (JSON.stringify(got) !== JSON.stringify(expected)) {
    throw new Error(`got ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`);
  }
}

const refused = (...to) => connect(...to).then(() => { throw new Error("a wrong password was accepted"); }, () => true);

async function thereAndBack(c, name, text) {
  let value = await ask(c, text);
  const wrap = q[OF[name] || name];
  if (!PLAIN.has(name)) {
    if (!wrap) throw new Error(`node-q has no ${name}`);
    value = wrap(value);
  } else if (name === "char") {
    value = q.char(value);
  }
  same(await ask(c, CHECK, text, value), true);
}

const callback = (c) =>
  new Promise((resolve, reject) => {
    c.once("upd", (name, value) => {
      try {
        same([name, Number(value)], ["answer", 42]);
        resolve();
      } catch (problem) {
        reject(problem);
      }
    });
    c.ks("{(neg .z.w)(`upd;`answer;x+1)}", q.long(Long.fromNumber(41)), (problem) => problem && reject(problem));
  });

async function error(c) {
  let text = "";
  await ask(c, "1+`a").catch((problem) => { text = String(problem.message || problem); });
  if (!text.startsWith("type")) throw new Error(`got ${text || "no error"}`);
}

async function compressed(c) {
  const got = await ask(c, "-18!([]i:til 100000;s:100000#`a`b`c)");
  same([got.length, Number(got[99999].i), got[99999].s], [100000, 99999, "a"]);
}

async function main(host, port, user, password, types) {
  await check("refused", () => refused(host, port, user, password + "x"));
  const c = await connect(host, port, user, password);
  console.log("ok connect");
  await check("1+1", async () => same(Number(await ask(c, "1+1")), 2));
  await check("lambda", async () => same(await ask(c, "{x+2*y}", 1, 2), 5));
  await check("table", async () => same(await ask(c, "([]sym:`a`b;price:1.5 2.5)"), [{ sym: "a", price: 1.5 }, { sym: "b", price: 2.5 }]));
  await check("keyed table", async () => same(await ask(c, "([sym:`a`b]price:1.5 2.5)"), [[{ sym: "a" }, { sym: "b" }], [{ price: 1.5 }, { price: 2.5 }]]));
  await check("callback", () => callback(c));
  await check("error", () => error(c));
  await check("compressed", () => compressed(c));
  for (const row of fs.readFileSync(types, "utf8").split("\n")) {
    if (!row || row.startsWith("#")) continue;
    const [name, text] = row.split("\t");
    if (CANNOT[name]) console.log(`skip type ${name}: ${CANNOT[name]}`);
    else await check(`type ${name}`, () => thereAndBack(c, name, text));
  }
  c.close(() => process.exit(0));
}

main(...process.argv.slice(2)).catch((problem) => {
  console.log(`not ok client: ${problem.stack.replace(/\n/g, " ")}`);
  process.exit(1);
});
