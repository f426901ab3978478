//! Laws of the language on random lists of every type and several lengths: each fast path against a
//! naive version in q, each conversion against its way back.
//!
//! Both sides are q text over `x` and `y` (lists of one type, `y` shorter), `v` (an item, mostly of `x`)
//! and `n` (the length of `x`). When both signal, they agree.

use evaluator::{Evaluator, Options};
use values::K;

use crate::host;

const SEEDS: std::ops::Range<u64> = 1..4;
const LENGTHS: &[usize] = &[0, 1, 2, 3, 8, 33, 300];

/// What a law is about: it is not meant for the other lists.
#[derive(Clone, Copy, PartialEq)]
enum About {
    /// Lists of any kind.
    Lists,
    /// Vectors, whose items have an order.
    Vectors,
    /// Vectors of numbers and moments.
    Numbers,
    /// Vectors of longs, ints and shorts.
    Integers,
}

use About::{Integers, Lists, Numbers, Vectors};

/// Random lists of `n` items, as q text.
const GENERATORS: &[(About, &str)] = &[
    (Integers, "n?100"),
    (Integers, "n?3"),
    (Integers, "n?0N 0 1 -2 3"),
    (Integers, "(n?1000000000000)-500000000000"),
    (Integers, "`int$n?100"),
    (Integers, "n?0N 1 -2 3i"),
    (Integers, "`short$n?100"),
    (Numbers, "n?10f"),
    (Numbers, "n?0n 1 2.5 -1"),
    (Numbers, "n?10e"),
    (Numbers, "2024.01.01+n?10"),
    (Numbers, "n?0Nd,2024.01.01 2024.02.01"),
    (Numbers, "n?2024.01.01D00"),
    (Numbers, "n?1D"),
    (Numbers, "n?12:00"),
    (Numbers, "n?12:00:00"),
    (Numbers, "n?12:00:00.000"),
    (Numbers, "2024.01m+n?20"),
    (Vectors, "n?01b"),
    (Vectors, "n?0x0001ff"),
    (Vectors, "n?\"abc \""),
    (Vectors, "n?`a`b`c`"),
    (Vectors, "n?`3"),
    (Vectors, "n?0Ng"),
    (Lists, "n?(1;`a;\"x\";1 2;())"),
    (Lists, "n?(1 2;3 4;1 2 3;0#0)"),
    (Lists, "string n?1000"),
];

const LAWS: &[(About, &str, &str)] = &[
    (Lists, "reverse reverse x", "x"),
    (Lists, "reverse x", "x(n-1)-til n"),
    (Lists, "-9!-8!x", "x"),
    (Lists, "-9!-18!x", "x"),
    (Vectors, "x?y", "{[x;v]first(where v~/:x),count x}[x]each y"),
    (Vectors, "distinct x", "x where(x?x)=til n"),
    (Lists, "group x", "d!{where y~/:x}[x]each d:distinct x"),
    (Vectors, "x except y", "x where not x in y"),
    (Vectors, "x inter y", "x where x in y"),
    (Lists, "x union y", "distinct x,y"),
    (Lists, "1_differ x", "1_not x~'prev x"),
    (Lists, "3 xprev x", "x -3+til n"),
    (Lists, "next x", "x 1+til n"),
    (Lists, "prev x", "x -1+til n"),
    (Lists, "7#x", "$[n;x(til 7)mod n;7#x]"),
    (Lists, "raze 3 cut x", "raze enlist x"),
    (Lists, "3 rotate x", "$[n;x(3+til n)mod n;x]"),
    (Lists, "2 sublist x", "x til n&2"),
    (Lists, "x cross 2#y", "raze x,/:\\:2#y"),
    (Vectors, "{x,:y;x}[x;v]", "x,enlist v"),
    (
        Vectors,
        "{x[1]:y;x}[x;v]",
        "$[n>1;(1#x),(enlist v),2_x;'`length]",
    ),
    (
        Vectors,
        "@[x;0 2;:;(v;v)]",
        "$[n>2;(enlist v),(x 1),(enlist v),3_x;'`length]",
    ),
    (Lists, "{z;x[0]:y;z}[x;v;x]", "$[n;x;'`length]"),
    (Lists, "1_x", "x 1+til 0|n-1"),
    (Vectors, "-1_x", "x til 0|n-1"),
    (Vectors, "x _ 1", "x(til n)except 1"),
    (Lists, "asc x", "x iasc x"),
    (Lists, "desc x", "x idesc x"),
    (Lists, "rank x", "iasc iasc x"),
    (Lists, "flip flip([]x;w:til n)", "([]x;w:til n)"),
    (
        Lists,
        "exec x from select from([]x;w:til n)where w<4",
        "x til n&4",
    ),
    (
        Vectors,
        "exec w from select last w by x from([]x;w:til n)",
        "last each value asc[key g]#g:group x",
    ),
    (
        Vectors,
        "iasc x",
        "@[til n;{sum(x<x y)+(til[count x]<y)&x=x y}[x]each til n;:;til n]",
    ),
    (
        Vectors,
        "idesc x",
        "@[til n;{sum(x>x y)+(til[count x]<y)&x=x y}[x]each til n;:;til n]",
    ),
    (Vectors, "all 1_(>=':)asc x", "1b"),
    (Vectors, "(asc x)bin y", "-1+{sum x<=y}[asc x]each y"),
    (Vectors, "(`s#asc x)?y", "(`#asc x)?y"),
    (Vectors, "(`p#asc x)?y", "(`#asc x)?y"),
    (Vectors, "(`g#x)?y", "x?y"),
    (Vectors, "(`u#distinct x)?y", "(distinct x)?y"),
    (Vectors, "y in`g#x", "y in x"),
    (Vectors, "y in`s#asc x", "y in x"),
    (Vectors, "group`g#x", "group x"),
    (Vectors, "group`p#asc x", "group`#asc x"),
    (Vectors, "distinct`s#asc x", "distinct`#asc x"),
    (Vectors, "where v=`g#x", "where v=x"),
    (Vectors, "where v=`s#asc x", "where v=`#asc x"),
    (Vectors, "exec i from([]c:`g#x)where c=v", "where v=x"),
    (Vectors, "exec i from([]c:`g#x)where c in y", "where x in y"),
    (Vectors, "exec i from([]c:asc x)where c=v", "where v=asc x"),
    (
        Vectors,
        "exec i from([]c:`p#asc x)where c=v",
        "where v=asc x",
    ),
    (
        Vectors,
        "exec i from([]c:`p#asc x)where c in y",
        "where(asc x)in y",
    ),
    (
        Vectors,
        "exec i from([]c:asc x)where c within(v;v)",
        "where v=asc x",
    ),
    (
        Vectors,
        "(`u#distinct x)!til count distinct x",
        "(distinct x)!til count distinct x",
    ),
    (
        Vectors,
        "((`u#distinct x)!til count distinct x)y",
        "((distinct x)!til count distinct x)y",
    ),
    (Vectors, "@[`s#asc x;0;:;v]", "@[`#asc x;0;:;v]"),
    (Vectors, "{x,:y;x}[`g#x;v]?y", "(x,v)?y"),
    (Vectors, "{x,:y;x}[`s#asc x;v]?y", "(asc[x],v)?y"),
    (Vectors, "{x,:y;x}[`u#distinct x;v]?y", "(distinct[x],v)?y"),
    (Vectors, "x within(v;first y)", "(x>=v)&x<=first y"),
    (
        Vectors,
        "exec w from([]x;w:til n)where w=(max;w)fby x",
        "asc value max each group x",
    ),
    (
        Vectors,
        "([]x;w:til n)lj([x:distinct y]z:til count distinct y)",
        "([]x;w:til n),'([x:distinct y]z:til count distinct y)([]x)",
    ),
    (
        Vectors,
        "([]x;w:til n)ij([x:distinct y]z:til count distinct y)",
        "select from(([]x;w:til n)lj([x:distinct y]z:til count distinct y))where x in y",
    ),
    (
        Vectors,
        "exec p from aj[`x`t;([]x;t:til n);([]x:y;t:3*til count y;p:til count y)]",
        "{last(0N),where(x=z)&(3*til count x)<=y}[y]'[til n;x]",
    ),
    (
        Vectors,
        "exec p from aj[`x`t;([]x;t:til n);update`g#x from([]x:y;t:3*til count y;p:til count y)]",
        "{last(0N),where(x=z)&(3*til count x)<=y}[y]'[til n;x]",
    ),
    (
        Vectors,
        "`x`w xasc([]w:(til n)mod 3;x)",
        "`x xasc`w xasc([]w:(til n)mod 3;x)",
    ),
    (
        Numbers,
        "min x",
        "$[count w:where not null x;x w first iasc x w;min x]",
    ),
    (Numbers, "mins x", "min each(1+til n)#\\:x"),
    (
        Numbers,
        "3 mcount x",
        "`int${sum not null x(0|y-2)+til 3&1+y}[x]each til n",
    ),
    (Numbers, "1_deltas x", "1_x-prev x"),
    (Numbers, "fills x", "{$[null y;x;y]}\\[x]"),
    (
        Numbers,
        "med x",
        "$[n&not any null x;avg(asc x)(floor;ceiling)@\\:.5*n-1;med x]",
    ),
    (Integers, "5 xbar x", "5*x div 5"),
    (Integers, "x mod 7", "x-7*x div 7"),
    (Integers, "x&y 0", "?[x<y 0;x;n#y 0]"),
    (
        Integers,
        "{x sv x vs y}[10]each abs`long$x where not null x",
        "abs`long$x where not null x",
    ),
    (Integers, "0x0 sv/:0x0 vs/:x", "x"),
    (Integers, "\"J\"$string x", "`long$x"),
    (Integers, "var x", "$[any null x;var x;avg{x*x}x-avg x]"),
    (Integers, "x cov x", "var x"),
    (
        Lists,
        "count each group x",
        "(distinct x)!{`long$sum y~/:x}[x]each distinct x",
    ),
    (Numbers, "maxs x", "max each(1+til n)#\\:x"),
    (Numbers, "max x", "$[all null x;max x;x last iasc x]"),
    (Numbers, "(asc x)binr y", "{`long$sum x<y}[asc x]each y"),
    (Integers, "sum x", "(sum(n div 2)#x)+sum(n div 2)_x"),
    (Integers, "avg x", "(sum`long$x)%sum not null x"),
    (Integers, "x wsum x", "sum x*`float$x"),
    (
        Vectors,
        "exec max w by x from([]x;w:til n)",
        "asc[key g]#g:max each group x",
    ),
    (
        Vectors,
        "exec sum w by x from([]x;w:til n)",
        "asc[key g]#g:sum each group x",
    ),
    (
        Numbers,
        "3 mmin x",
        "({x&y}/)each{x(0|y-2)+til 3&1+y}[x]each til n",
    ),
    (
        Numbers,
        "3 mmax x",
        "({x|y}/)each{x(0|y-2)+til 3&1+y}[x]each til n",
    ),
    (Integers, "sums x", "sum each(1+til n)#\\:x"),
    (
        Integers,
        "3 msum x",
        "sum each{x(0|y-2)+til 3&1+y}[x]each til n",
    ),
    (Integers, "flip flip(x;x)", "$[n;(x;x);()]"),
];

#[test]
fn laws_hold() {
    let mut failed = Vec::new();
    let mut held = 0;
    for seed in SEEDS {
        for (kind, generator) in GENERATORS {
            for &length in LENGTHS {
                let mut evaluator = host::evaluator(None, Options::default());
                prepare(&mut evaluator, seed, generator, length);
                for (about, left, right) in LAWS {
                    if !holds_for(*about, *kind) {
                        continue;
                    }
                    match differ(&mut evaluator, left, right) {
                        None => held += 1,
                        Some(how) => failed.push(format!(
                            "seed {seed}, n {length}, x:{generator}\n  {left}\n  {right}\n  {how}"
                        )),
                    }
                }
            }
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {} differ:\n{}",
        failed.len(),
        held + failed.len(),
        failed.join("\n")
    );
}

/// Vectors of numbers are vectors, and those lists; the order of the names is the narrowing.
fn holds_for(about: About, kind: About) -> bool {
    kind as u8 >= about as u8
}

fn prepare(evaluator: &mut Evaluator, seed: u64, generator: &str, length: usize) {
    let lines = [
        "\\P 0".to_owned(),
        format!("\\S {seed}"),
        format!("n:{length}"),
        format!("x:{generator}"),
        format!("y:(n div 2)#{generator}"),
        format!("v:first $[n;1?x;{{[n]{generator}}}1]"),
    ];
    for line in &lines {
        let done = evaluator.evaluate(line);
        assert!(done.is_ok(), "{line}: {done:?}");
    }
}

/// How two texts differ in value, if they do.
fn differ(evaluator: &mut Evaluator, left: &str, right: &str) -> Option<String> {
    let (x, y) = (evaluator.evaluate(left), evaluator.evaluate(right));
    match (x, y) {
        (Err(_), Err(_)) => None,
        (Ok(x), Ok(y)) => {
            let same = primitives::search::matches(x.clone(), y.clone());
            let equal = matches!(same, Ok(K::Boolean(true)));
            // Of what has no items, the type is not the law's matter.
            let empty = x.count() == 0 && y.count() == 0;
            (!equal && !empty).then(|| shown(&[x, y]))
        }
        (Ok(x), Err(signal)) => Some(format!("{} but {signal}", shown(&[x]))),
        (Err(signal), Ok(y)) => Some(format!("{signal} but {}", shown(&[y]))),
    }
}

fn shown(values: &[K]) -> String {
    let each = values
        .iter()
        .map(|k| text::s1(k, 7).chars().take(150).collect::<String>());
    each.collect::<Vec<_>>().join(" but ")
}
