//! The grammar: source and what it parses to.

use super::check;

#[rustfmt::skip]
const EXPRESSIONS: &[(&str, &str)] = &[
    ("1+2", "(+ 1 2)"), ("1-2", "(- 1 2)"), ("1 -2", "1~-2"), ("x -1", "(x -1)"),
    ("x-1", "(- x 1)"), ("x*-1", "(* x -1)"), ("(-1)", "[-1]"), ("x - 1", "(- x 1)"),
    ("(x)-1", "(- [x] 1)"), ("1 2 3+4", "(+ 1~2~3 4)"), ("2*3+4", "(* 2 (+ 3 4))"),
    ("f x", "(f x)"), ("f g x", "(f (g x))"), ("f[x;y]", "(f x y)"), ("f[]", "(f ::)"),
    ("f[;x]", "(f _ x)"), ("f[x;]", "(f x _)"), ("f[x] y", "((f x) y)"), ("f[x][y]", "((f x) y)"),
    ("count x", "(#: x)"), ("count each x", "(each #: x)"), ("x in y", "(in x y)"),
    ("x in", "(in x _)"), ("2+", "(+ 2 _)"), ("1+2*", "(' (+ 1 _) (* 2 _))"),
    ("(first reverse@)", "[(' *: (@ reverse _))]"), ("f:2+", "(: f (+ 2 _))"),
    ("(+)x", "(+: x)"), ("6(+)4", "(6 (+: 4))"), ("+[1;2]", "(+ 1 2)"), ("+[1]", "(+ 1)"),
    ("+/x", "(<+/> x)"), ("+/[x]", "(<+/> x)"), ("+/[0;x]", "(<+/> 0 x)"), ("(+/)x", "([<+/>] x)"),
    ("x+/y", "(<+/> x y)"), ("x f/:y", "(<f/:> x y)"), ("x,/:\\:y", "(<<,/:>\\:> x y)"),
    ("f'[x;y]", "(<f'> x y)"), ("{x}'y", "(<{[x]x}'> y)"), ("x{y}\\z", "(<{[x y]y}\\> x z)"),
    ("-':[x]", "(<-':> x)"), ("(/:;+)", "(, /: +)"), ("'[f;g]", "(' f g)"),
    ("()", "()"), ("(1;2)", "(, 1 2)"), ("(;x)", "(, _ x)"), ("(a;;b)", "(, a _ b)"),
    ("`a`b", "`a`b"), ("`a `b", "(`a `b)"), ("`:/tmp/x.q", "`:/tmp/x.q"), ("\"ab\"", "\"ab\""),
    ("\"a\"", "'a'"), ("::", "::"), ("(::)", "[::]"), ("f ::", "(f ::)"), ("@[x;y;:;z]", "(@ x y : z)"),
    ("x:5", "(: x 5)"), ("a b:5", "(a (: b 5))"), ("x:y:2", "(: x (: y 2))"), ("x+:1", "(+: x 1)"),
    ("x,:y", "(,: x y)"), ("x::1", "(:: x 1)"), ("x[i]:1", "(: x[i] 1)"), ("x[;i]+:1", "(+: x[_ i] 1)"),
    (".a.b:1", "(: .a.b 1)"), ("(a;b):c", "(: pattern (, a b) c)"), ("til:1", "'assign"),
    ("a:1;b:2", "(block (: a 1) (: b 2))"), ("a;", "(block a ::)"), (";a", "(block :: a)"), ("", "::"),
    ("a\nb", "(block a b)"), ("select a\nfrom t", "(select a=a from t)"), ("a\n b", "(a b)"),
    ("$[a;b;c]", "(cond a b c)"), ("$[a;b]", "($ a b)"), ("$[a;b;c;d;e]", "(cond a b c d e)"),
    ("if[x;y;z]", "(if x y z)"), ("do[3;x+:1]", "(do 3 (+: x 1))"), ("while[x;y]", "(while x y)"),
    ("$[a;[b;c];d]", "(cond a (block b c) d)"), ("'`a", "(signal `a)"), ("'x", "(signal x)"),
    ("0:`x", "'0:"), ("x 0: y", "(0: x y)"), ("(0:)", "[0:]"), ("x 1:y", "(1: x y)"),
    ("read:0::", "(: read 0::)"), ("a / comment", "a"), ("/ all", "::"), ("a%b / x\n+c", "'+"),
    ("$42", "'$"), ("#:'x", "(<#:'> x)"), ("(#:)x", "([#:] x)"), ("k)#x", "(#: x)"), ("k)!10", "(!: 10)"),
    ("k)$[99h<@x;1;2]", "(cond (< Short(99) (@: x)) 1 2)"), ("k)x:. y", "(: x (.: y))"),
    ("k)(?,/)x", "([(' ?: <,/>)] x)"), ("k)(::)~x", "(~ [::] x)"),
    ("a~`b", "(~ a `b)"), ("x .z.p", "(x .z.p)"), ("x . y", "(. x y)"), ("x@y", "(@ x y)"),
    ("f -1", "(f -1)"), ("t[`a]-1", "(- (t `a) 1)"), ("a_b", "a_b"), ("(a)1:0x00", "(1: [a] Byte(0))"), ("\"\\*o\\n\"", "\"*o\\n\""), ("2_x", "(_ 2 x)"),
    (":[x;r:`f;1]", "(match x (: r `f) 1)"), ("neg[h](x;y)", "((-: h) (, x y))"),
];

#[rustfmt::skip]
const FUNCTIONS: &[(&str, &str)] = &[
    ("{x+y}", "{[x y](+ x y)}"), ("{}", "{[x]}"), ("{z}", "{[x y z]z}"), ("{[]1}", "{[]1}"),
    ("{[a;b]a+b}", "{[a b](+ a b)}"), ("{x;}", "{[x]x;}"), ("{a:x;:a;2}", "{[x](: a x); (return a); 2}"),
    ("{{y}x}", "{[x]({[x y]y} x)}"), ("{x}[1]", "({[x]x} 1)"), ("{x}1", "({[x]x} 1)"),
    ("{[x:`j;y]x}", "{[x=(: x `j) y]x}"), ("{[(a;b);c]a}", "{[0=(, a b) c]a}"), ("{[x;]x}", "{[x 1]x}"),
    ("{\n x+1\n }", "{[x](+ x 1)}"), ("{[a;a]1}", "'params"), ("{[til]1}", "'assign"),
    ("{'`e}", "{[x](signal `e)}"), ("{$[x;'`e;:y]}", "{[x y](cond x (signal `e) (return y))}"),
    ("{select from x where a=y}", "{[x](select from x where (= a y))}"),
];

#[rustfmt::skip]
const PHRASES: &[(&str, &str)] = &[
    ("select from t", "(select from t)"), ("select a,b from t", "(select a=a, b=b from t)"),
    ("select a:b,c*2 from t", "(select a=b, c=(* c 2) from t)"),
    ("select sum a by b from t where c>1,d", "(select a=(sum a) by b=b from t where (> c 1), d)"),
    ("select count i by b,c from t", "(select x=(#: i) by b=b, c=c from t)"),
    ("select price%size from t", "(select price=(% price size) from t)"),
    ("select size wavg price from t", "(select price=(wavg size price) from t)"),
    ("select a,a,a from t", "(select a=a, a1=a, a2=a from t)"),
    ("select 5 xbar t.minute from u", "(select minute=(xbar 5 t.minute) from u)"),
    ("select distinct a from t", "(select distinct a=a from t)"), ("exec a from t", "(exec a from t)"),
    ("exec distinct a from t", "(exec (?: a) from t)"), ("exec a,b from t", "(exec a=a, b=b from t)"),
    ("exec a by b from t", "(exec a by b from t)"), ("select[5;>a] from t", "(select limit 5 >a from t)"),
    ("select[<a] b from t", "(select <a b=b from t)"), ("select[1 2] from t", "(select limit 1~2 from t)"),
    ("delete a from t", "(delete a=a from t)"), ("delete from t where a", "(delete from t where a)"),
    ("update a:b+1 by c from t", "(update a=(+ b 1) by c=c from t)"),
    ("count select from t", "(#: (select from t))"), ("x lj select a from t", "(lj x (select a=a from t))"),
    ("select from select from t where a", "(select from (select from t where a))"),
    ("select a from t where b in exec c from u,d", "(select a=a from t where (in b (exec c from (, u d))))"),
    ("select (a,b) from t", "(select a=[(, a b)] from t)"), ("select f[a,b] from t", "(select a=(f (, a b)) from t)"),
    ("select a,'b from t", "(select b=(<,'> a b) from t)"), ("select from t lj u", "(select from (lj t u))"),
    ("(select a from t)`b", "([(select a=a from t)] `b)"), ("select a", "'from"), ("select a,from t", "'parse"),
    ("([]a:1 2;b)", "(+: (! `a`b (, 1~2 b)))"), ("([]1 2)", "(+: (! ,`x (,: 1~2)))"),
    ("([k:1 2]v:3)", "(! (+: (! ,`k (,: 1~2))) (+: (! ,`v (,: 3))))"), ("([a:1;b:2])", "(! `a`b (, 1 2))"),
    ("([0;1;2])", "(! `x`x1`x2 (, 0 1 2))"), ("([a:1])", "(! ,`a (,: 1))"), ("([])", "(!  ())"),
    ("([a:1;b:])", "(' (! `a`b _) (, 1 _))"), ("([]a;b)", "(+: (! `a`b (, a b)))"),
    ("select max a by b from t where a=(max;a) fby b", "(select a=(max a) by b=b from t where (= a (fby (, max a) b)))"),
];

#[rustfmt::skip]
const ERRORS: &[(&str, &str)] = &[
    ("(1;2", "'("), ("f[1", "'["), ("{x", "'{"), ("1)", "')"), ("[1;2)", "')"), ("\"abc", "'\""),
    ("1 2a", "'2a"), ("if x", "'if"), ("+x", "'+"), ("\u{201d}", "'\u{201d}"),
];

#[test]
fn expressions() {
    let all = [EXPRESSIONS, FUNCTIONS, PHRASES, ERRORS];
    let wrong: Vec<String> = all
        .iter()
        .flat_map(|cases| cases.iter())
        .filter(|(source, expected)| check(source) != *expected)
        .map(|(source, expected)| format!("{source}\n  {}\n  {expected}", check(source)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
