//! Parse trees as `parse` shows them.

use super::shown::constant;
use super::words::Sample;
use crate::{Kind, locals, parse, tree};

#[rustfmt::skip]
const TREES: &[(&str, &str)] = &[
    ("x+1", "(+;`x;1)"), ("`a`b,`d", "(,;(`a`b);,`d)"), ("count x", "(#:;`x)"), ("type 6", "(@:;6)"),
    ("+/[1 2]", "((/;+);1~2)"), ("(a;b) fby c", "(fby;(,:;`a;`b);`c)"), ("x:1", "(:;`x;1)"),
    ("x+:1", "(+:;`x;1)"), ("x,:1", "(:;`x;(,;`x;1))"), ("x[i]:1", "(:;(`x;`i);1)"), ("a::5", "(::;`a;5)"), ("a;b", "(';';`a;`b)"),
    ("{x*x}", "{x*x}"), ("f[;1]", "(`f;::;1)"), ("if[a;b]", "(`if;`a;`b)"), ("$[a;b;c]", "($;`a;`b;`c)"),
    ("select from t", "(?;`t;();0b;())"), ("select a from t", "(?;`t;();0b;,`a!,`a)"),
    ("select a by b from t where c=`x,d>1", "(?;`t;(((=;`c;,`x);(>;`d;1)));,`b!,`b;,`a!,`a)"),
    ("exec a from t", "(?;`t;();();,`a)"), ("exec max a by b from t", "(?;`t;();,`b;((max;`a)))"),
    ("delete a from t", "(!;`t;();0b;(,`a))"), ("delete from t where a", "(!;`t;(,`a);0b;)"),
    ("update a:1 from t", "(!;`t;();0b;,`a!1)"), ("select distinct a from t", "(?;`t;();1b;,`a!,`a)"),
    ("select[5;>a] from t", "(?;`t;();0b;();5;((>:;`a)))"), ("k)!10", "(!:;10)"),
];

#[test]
fn trees() {
    for (source, expected) in TREES {
        let node = parse(source, &Sample).unwrap();
        assert_eq!(constant(&tree(&node, &Sample)), *expected, "{source}");
    }
}

#[test]
fn locals_are_what_a_function_assigns() {
    let source = "{[a;(b;c)]d:e:1;f+:1;g[0]:1;h::2;{i:1};(j;k:`s):x;select l:1 from m:t}";
    let Kind::Lambda(f) = parse(source, &Sample).unwrap().kind else {
        panic!("a function")
    };
    let names: Vec<String> = locals(&f)
        .expect("the case has no error")
        .iter()
        .map(|s| s.text().into_owned())
        .collect();
    assert_eq!(names.join(" "), "b c e d j k m");
}
