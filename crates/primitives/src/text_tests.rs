//! Patterns, strings, bases and random draws, against the manual's sessions where it has them.

use values::{K, Symbol, Type};

use crate::structure_tests::{NULL, b, c, fails, is, l, list, s, sym};
use crate::{group, join_split, order, pattern, random, string};

#[test]
fn patterns_and_strings() {
    is(pattern::like(s("brawn brown"), c("br[^o]wn")), b("10"));
    is(pattern::like(sym("quickly"), c("quick*")), K::Boolean(true));
    is(pattern::like(sym("quick"), c("qu?ck")), K::Boolean(true));
    is(pattern::like(c("a*b"), c("a[*]b")), K::Boolean(true));
    is(pattern::like(c("xaybz"), c("*a*b?")), K::Boolean(true));
    is(pattern::like(list(&[c("ab"), c("b")]), c("a*")), b("10"));
    fails(pattern::like(K::Long(1), c("a")), "type");
    let text = c("toronto ontario");
    is(pattern::ss(text.clone(), c("[ir]o")), l(&[2, 13]));
    is(pattern::ss(text, c("t?r")), l(&[0, 10]));
    assert_eq!(
        pattern::replace(b"toronto ontario", b"ont", b"x").unwrap(),
        b"torxo xario"
    );
    is(string::trim(c("   IBM ")), c("IBM"));
    is(string::trim(l(&[NULL, 1, NULL, 2, NULL])), l(&[1, NULL, 2]));
    is(
        string::upper(list(&[sym("The"), s("quick fox")])),
        list(&[sym("THE"), s("QUICK FOX")]),
    );
}

#[test]
fn strings_and_bases_join_and_split() {
    let vs = join_split::vs;
    let sv = join_split::sv;
    is(vs(c(", "), c("a, b")), list(&[c("a"), c("b")]));
    is(vs(sym(""), c("abc\r\ndef\n")), list(&[c("abc"), c("def")]));
    is(vs(sym(""), sym("mywork.dat")), s("mywork dat"));
    is(
        vs(sym(""), sym(":/home/d/mywork.dat")),
        s(":/home/d mywork.dat"),
    );
    is(sv(sym(""), s(":/home q t")), sym(":/home/q/t"));
    is(sv(sym(""), s("a b")), sym("a.b"));
    is(sv(K::Char(b','), list(&[c("one"), c("two")])), c("one,two"));
    is(sv(sym(""), list(&[c("one"), c("two")])), c("one\ntwo\n"));
    is(
        vs(K::Byte(2), K::bytes(vec![1, 2, 1, 2, 1])),
        list(&[K::bytes(vec![1]), K::bytes(vec![1]), K::bytes(vec![1])]),
    );
    is(vs(K::Byte(0), K::Short(2413)), K::bytes(vec![0x09, 0x6d]));
    is(
        vs(K::Boolean(false), K::Short(23173)),
        b("0101101010000101"),
    );
    is(sv(K::Byte(0), K::bytes(vec![128, 255])), K::Short(-32513));
    is(sv(K::Boolean(false), b("11111111")), K::Byte(255));
    is(vs(K::Long(10), K::Long(1995)), l(&[1, 9, 9, 5]));
    is(vs(l(&[24, 60, 60]), K::Long(3805)), l(&[1, 3, 25]));
    is(sv(l(&[0, 24, 60, 60]), l(&[2, 3, 5, 7])), K::Long(183_907));
    is(sv(K::Long(100), l(&[2010, 3, 17])), K::Long(20_100_317));
    is(
        vs(K::Long(10), l(&[12, 5])),
        list(&[l(&[1, 0]), l(&[2, 5])]),
    );
}

#[test]
fn random_draws() {
    let mut r = random::Random::seed(42);
    let rolled = random::roll(&mut r, 1000, &K::Long(5)).unwrap();
    assert!(
        rolled
            .cells::<i64>()
            .unwrap()
            .iter()
            .all(|x| (0..5).contains(x))
    );
    let dealt = random::roll(&mut r, -20, &K::Long(20)).unwrap();
    is(order::asc(dealt), l(&(0..20).collect::<Vec<_>>()));
    fails(random::roll(&mut r, -21, &K::Long(20)), "length");
    let symbols = random::roll(&mut r, 10, &sym("3")).unwrap();
    assert!(
        symbols
            .cells::<Symbol>()
            .unwrap()
            .iter()
            .all(|s| s.bytes().len() == 3)
    );
    let permuted = random::roll(&mut r, NULL, &s("a b c")).unwrap();
    is(order::asc(permuted), s("a b c"));
    let guids = random::roll(&mut r, -100, &K::null_of(Type::Guid)).unwrap();
    assert_eq!(group::first_rows(&guids).len(), 100);
    assert_eq!(
        random::roll(&mut r, 3, &K::Float(2.0))
            .unwrap()
            .type_number(),
        9
    );
}
