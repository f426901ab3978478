//! Arithmetic, comparison, casts and aggregates: cases of types, nulls and shapes.

use values::{Data, K, Result, Symbol, Type};

use crate::aggregate::*;
use crate::arithmetic::*;
use crate::cast::{cast, part};
use crate::compare::*;
use crate::math::*;
use crate::moving::*;
use crate::null::*;
use crate::running::*;
use crate::statistics::*;

pub(crate) const N: i64 = i64::MIN;
pub(crate) const W: i64 = i64::MAX;
pub(crate) const NAN: f64 = f64::NAN;
pub(crate) const INF: f64 = f64::INFINITY;

pub(crate) fn j(cells: &[i64]) -> K {
    K::longs(cells.to_vec())
}

pub(crate) fn f(cells: &[f64]) -> K {
    K::floats(cells.to_vec())
}

pub(crate) fn b(bits: &str) -> K {
    K::booleans(bits.bytes().map(|c| c == b'1').collect())
}

pub(crate) fn i(cells: &[i32]) -> K {
    K::ints(cells.to_vec())
}

pub(crate) fn of_type(ty: Type, cells: &[i32]) -> K {
    K::vector(ty, Data::I32(cells.to_vec().into()))
}

pub(crate) fn names(text: &str) -> Vec<Symbol> {
    text.split(' ').map(Symbol::from).collect()
}

/// The dictionary of columns `a` and `b` that many pages of the manual use.
pub(crate) fn d() -> K {
    let values = K::list(vec![j(&[10, -21, 3]), j(&[4, 5, -6])]);
    K::dict(K::symbols(names("a b")), values)
}

pub(crate) fn t() -> K {
    K::table(names("a b"), vec![j(&[10, 21, 3]), j(&[4, 5, 6])])
}

pub(crate) fn word(r: Result<K>) -> String {
    r.expect_err("this case is an error").word().to_string()
}

#[test]
fn result_types_and_wrapping() {
    let cases = [
        (add(K::Boolean(true), K::Boolean(true)), K::Int(2)),
        (add(K::Short(1), K::Byte(1)), K::Int(2)),
        (add(K::Int(i32::MAX), K::Int(5)), K::Int(-2147483644)),
        (add(K::Int(i32::MAX), K::Long(5)), K::Long(2147483652)),
        (add(K::Long(N), K::Long(5)), K::Long(N)),
        (add(K::Short(i16::MIN), K::Long(5)), K::Long(N)),
        (multiply(K::Int(1), K::Long(55)), K::Long(55)),
        (subtract(K::Real(1.5), K::Long(1)), K::Real(0.5)),
        (divide(K::Boolean(true), K::Boolean(false)), K::Float(INF)),
        (divide(K::Minute(10), K::Long(2)), K::Float(5.0)),
        (
            add(K::Date(6101), j(&[0, 1])),
            of_type(Type::Date, &[6101, 6102]),
        ),
        (subtract(K::Date(10), K::Date(3)), K::Int(7)),
        (
            add(K::Date(1), K::Minute(1)),
            K::Timestamp(86_460_000_000_000),
        ),
        (add(K::Minute(1), K::Second(1)), K::Second(61)),
        (subtract(K::Timestamp(9), K::Timestamp(4)), K::Timespan(5)),
        (subtract(K::Time(9), K::Time(4)), K::Time(5)),
        (
            multiply(K::Month(215), j(&[0, 2])),
            of_type(Type::Month, &[0, 430]),
        ),
        (add(j(&[]), K::Long(1)), j(&[])),
        (add(K::empty(), K::Long(1)), K::empty()),
    ];
    for (n, (got, wanted)) in cases.into_iter().enumerate() {
        assert_eq!(got.expect("no case is an error"), wanted, "case {n}");
    }
    assert_eq!(word(add(K::chars("abc"), K::Long(1))), "type");
    assert_eq!(word(add(j(&[1, 2, 3]), j(&[4, 5]))), "length");
    assert_eq!(word(add(K::symbol("a"), K::Long(1))), "type");
}

#[test]
fn quotients() {
    let cases = [
        (
            modulo(j(&[-3, -2, -1, 0, 1, 2]), K::Long(3)),
            j(&[0, 1, 2, 0, 1, 2]),
        ),
        (modulo(K::Long(-7), f(&[-2.5, 2.5])), f(&[-2.0, 0.5])),
        (modulo(K::Date(4383), K::Long(7)), K::Int(1)),
        (div(j(&[7, -7, N]), K::Long(2)), j(&[3, -4, N])),
        (div(K::Long(7), K::Long(0)), K::Long(N)),
        (xbar(K::Long(3), j(&[10, -21, 5])), j(&[9, -21, 3])),
        (xbar(K::Float(2.5), j(&[1, 3, 5])), f(&[0.0, 2.5, 5.0])),
        (
            xbar(K::Long(5), of_type(Type::Minute, &[662, 667])),
            of_type(Type::Minute, &[660, 665]),
        ),
        (
            xbar(K::Timespan(60_000_000_000), K::Timestamp(61_000_000_000)),
            K::Timestamp(60_000_000_000),
        ),
    ];
    for (n, (got, wanted)) in cases.into_iter().enumerate() {
        assert_eq!(got.expect("no case is an error"), wanted, "case {n}");
    }
}

#[test]
fn pervading() {
    let list = K::list(vec![K::Long(2), j(&[3, 4])]);
    let other = K::list(vec![
        K::list(vec![j(&[5, 6]), j(&[7, 8, 9])]),
        K::list(vec![K::Long(10), j(&[11, 12])]),
    ]);
    let sum = K::list(vec![
        K::list(vec![j(&[7, 8]), j(&[9, 10, 11])]),
        K::list(vec![K::Long(13), j(&[15, 16])]),
    ]);
    assert_eq!(add(list, other).unwrap(), sum);
    let upsert = K::dict(
        K::symbols(names("b c")),
        K::list(vec![j(&[10, 20, 30]), j(&[1000, 2000, 3000])]),
    );
    let wanted = K::dict(
        K::symbols(names("a b c")),
        K::list(vec![
            j(&[10, -21, 3]),
            j(&[40, 100, -180]),
            j(&[1000, 2000, 3000]),
        ]),
    );
    assert_eq!(multiply(d(), upsert).unwrap(), wanted);
    let hundred = K::table(names("a b"), vec![j(&[110, 121, 103]), j(&[104, 105, 106])]);
    assert_eq!(add(K::Long(100), t()).unwrap(), hundred);
    assert_eq!(
        subtract(t(), j(&[1, 2, 3])).unwrap().item(2).item(0),
        K::Long(0)
    );
    let keyed = K::dict(K::table(names("k"), vec![j(&[1, 2, 3])]), t());
    let one = divide(keyed.clone(), keyed.clone()).unwrap();
    assert_eq!(one.item(0).item(0), K::Float(1.0));
    let more = K::dict(K::table(names("k"), vec![j(&[3, 9])]), t().slice(0, 2));
    let both = add(keyed, more).unwrap();
    assert_eq!(both.count(), 4);
    assert_eq!(both.item(2).item(0), K::Long(13));
    assert_eq!(both.item(3).item(0), K::Long(21));
}

#[test]
fn a_unique_buffer_is_reused() {
    let x = j(&[1, 2, 3]);
    let before = x.cells::<i64>().unwrap().as_ptr();
    let y = add(x, K::Long(1)).unwrap();
    assert_eq!(y.cells::<i64>().unwrap().as_ptr(), before);
    let kept = y.clone();
    assert_eq!(subtract(K::Long(0), y).unwrap(), j(&[-2, -3, -4]));
    assert_eq!(kept, j(&[2, 3, 4]));
}

#[test]
fn comparisons() {
    let time = K::Minute(569);
    let stamps = K::vector(
        Type::Timestamp,
        Data::I64(vec![34_140_000_000_000, 34_155_000_000_000, 86_400_000_000_000].into()),
    );
    let cases = [
        (equal(K::chars("hello"), K::chars("world")), b("00010")),
        (more(K::Short(5), K::Short(4)), K::Boolean(true)),
        (equal(K::Float(1.0 + 1e-13), K::Long(1)), K::Boolean(true)),
        (
            more(K::Float(1.0), K::Float(1.0 - 1e-13)),
            K::Boolean(false),
        ),
        (equal(K::Short(i16::MIN), f(&[NAN, 0.0])), b("10")),
        (less(K::Long(N), K::Float(-INF)), K::Boolean(true)),
        (more(K::symbol("b"), K::symbols(names("a b c"))), b("100")),
        (equal(stamps.clone(), time.clone()), b("110")),
        (more(stamps, time), b("000")),
        (
            more(K::Timespan(34_155_000_000_000), K::Minute(569)),
            K::Boolean(true),
        ),
        (less(of_type(Type::Int, &[1, 2, 3]), K::Long(2)), b("100")),
        (
            less(of_type(Type::Int, &[1, 2, 3]), K::Long(1 << 40)),
            b("111"),
        ),
        (within(j(&[1, 3, 10, 6, 4]), j(&[2, 6])), b("01011")),
        (lesser(K::chars("sat"), K::chars("cow")), K::chars("cat")),
        (lesser(K::Long(98), K::Char(b'c')), K::Char(b'b')),
        (lesser(b("1010"), b("1100")), b("1000")),
        (greater(j(&[N, 2]), j(&[1, -3])), j(&[1, 2])),
        (fill(K::Long(0), j(&[1, N, 3])), j(&[1, 0, 3])),
        (fill(K::Float(0.5), j(&[1, N])), f(&[1.0, 0.5])),
        (
            fill(K::symbol("a"), K::symbols(names("b  c"))),
            K::symbols(names("b a c")),
        ),
        (is_null(K::chars(" a")), b("10")),
        (
            is_null(K::list(vec![K::Nil, j(&[1, N])])),
            K::list(vec![K::Boolean(true), b("01")]),
        ),
    ];
    for (n, (got, wanted)) in cases.into_iter().enumerate() {
        assert_eq!(got.expect("no case is an error"), wanted, "case {n}");
    }
    assert_eq!(word(equal(K::symbol("a"), K::Long(1))), "type");
    assert_eq!(word(within(K::Long(1), j(&[1, 2, 3]))), "length");
}

#[test]
fn casts_and_parts() {
    // 2024.10.07D20:00:01.000603286
    let stamp = || K::Timestamp(781_646_401_000_603_286);
    let cases = [
        (cast(Type::Date, stamp()), K::Date(9046)),
        (cast(Type::Month, stamp()), K::Month(297)),
        (cast(Type::Time, stamp()), K::Time(72_001_000)),
        (
            cast(Type::Timespan, K::Minute(1)),
            K::Timespan(60_000_000_000),
        ),
        (
            cast(Type::Timestamp, K::Date(1)),
            K::Timestamp(86_400_000_000_000),
        ),
        (cast(Type::Timestamp, K::Date(-121_744)), K::Timestamp(-W)),
        (cast(Type::Date, K::Month(-1)), K::Date(-31)),
        (cast(Type::Minute, K::Second(-1)), K::Minute(-1)),
        (cast(Type::Long, K::Minute(720)), K::Long(720)),
        (cast(Type::Float, K::Int(i32::MAX)), K::Float(2147483647.0)),
        (cast(Type::Int, K::Char(b'a')), K::Int(97)),
        (cast(Type::Char, j(&[65, 66])), K::chars("AB")),
        (cast(Type::Boolean, f(&[0.0, 0.1, NAN])), b("011")),
        (
            cast(Type::Int, f(&[6.6, NAN, 1e20])),
            i(&[7, i32::MIN, i32::MAX]),
        ),
        (cast(Type::Datetime, K::Date(3)), K::Datetime(3.0)),
        (cast(Type::Time, K::Datetime(1.5)), K::Time(43_200_000)),
        (cast(Type::Date, K::Datetime(-0.5)), K::Date(-1)),
        (cast(Type::Long, K::empty()), j(&[])),
    ];
    for (n, (got, wanted)) in cases.into_iter().enumerate() {
        assert_eq!(got.expect("no case is an error"), wanted, "case {n}");
    }
    let parts = [
        ("year", K::Int(2024)),
        ("mm", K::Int(10)),
        ("dd", K::Int(7)),
        ("hh", K::Int(20)),
        ("uu", K::Int(0)),
        ("ss", K::Int(1)),
        ("week", K::Date(9046)),
        ("minute", K::Minute(1200)),
    ];
    for (name, wanted) in parts {
        assert_eq!(part(name, stamp()).unwrap(), Some(wanted), "{name}");
    }
    assert_eq!(part("colour", stamp()).unwrap(), None);
    assert_eq!(
        part("hh", K::Time(i32::MIN)).unwrap(),
        Some(K::Int(i32::MIN))
    );
    assert_eq!(word(part("year", K::Long(5)).map(|_| K::Nil)), "type");
    assert_eq!(word(cast(Type::Symbol, K::Long(5))), "type");
}

#[test]
fn one_number_at_a_time() {
    let cases = [
        (neg(b("01001")), i(&[0, -1, 0, 0, -1])),
        (neg(K::Date(4383)), K::Date(-4383)),
        (abs(j(&[10, -43, N])), j(&[10, 43, N])),
        (floor(f(&[1.5, -1.5, NAN, INF])), j(&[1, -2, N, W])),
        (ceiling(f(&[1.5, -1.5])), j(&[2, -1])),
        (signum(j(&[-2, 0, 1, N])), i(&[-1, 0, 1, -1])),
        (signum(f(&[NAN, 0.5])), i(&[-1, 1])),
        (not(j(&[-1, 0, N])), b("010")),
        (sqrt(f(&[-1.0, NAN, 25.0])), f(&[NAN, NAN, 5.0])),
        (log(j(&[-2, N, 0, 1])), f(&[NAN, NAN, -INF, 0.0])),
        (xexp(K::Long(2), K::Long(3)), K::Float(7.999999999999998)),
        (xexp(j(&[0, 2]), K::Long(0)), f(&[1.0, 1.0])),
        (reciprocal(f(&[0.0, INF])), f(&[INF, 0.0])),
    ];
    for (n, (got, wanted)) in cases.into_iter().enumerate() {
        assert_eq!(got.expect("no case is an error"), wanted, "case {n}");
    }
    assert_eq!(word(not(K::symbol("a"))), "type");
}

#[test]
fn aggregates() {
    let matrix = K::list(vec![j(&[1, 2]), j(&[N, 4])]);
    let mixed = K::list(vec![K::Long(1), K::Float(NAN), K::Long(2), K::Long(3)]);
    let ab = |x: K| K::dict(K::symbols(names("a b")), x);
    let cases = [
        (sum(j(&[1, N, 3])), K::Long(4)),
        (sum(b("101")), K::Int(2)),
        (sum(i(&[1, 2])), K::Int(3)),
        (sum(K::empty()), K::Long(0)),
        (sum(matrix.clone()), j(&[N, 6])),
        (sum(t()), ab(j(&[34, 15]))),
        (prd(j(&[2, 3, N, 7])), K::Long(42)),
        (prd(b("101")), K::Int(0)),
        (prd(K::Long(7)), K::Long(7)),
        (avg(f(&[1.0, NAN, 2.0, 3.0])), K::Float(2.0)),
        (avg(f(&[-INF, INF])), K::Float(NAN)),
        (avg(mixed), K::Float(1.5)),
        (avg(matrix.clone()), f(&[NAN, 3.0])),
        (avg(K::Boolean(true)), K::Float(1.0)),
        (min(j(&[N, 5, N, 1, 3])), K::Long(1)),
        (min(j(&[N, N])), K::Long(W)),
        (max(j(&[])), K::Long(-W)),
        (min(matrix), j(&[N, 2])),
        (min(t()), ab(j(&[3, 4]))),
        (min(K::chars("genie")), K::Char(b'e')),
        (all(K::empty()), K::Boolean(true)),
        (any(K::empty()), K::Boolean(false)),
        (all(K::Date(0)), K::Boolean(false)),
        (any(j(&[0, N])), K::Boolean(true)),
        (med(j(&[10, 34, 23, 123, 5, 56])), K::Float(28.5)),
        (var(f(&[2.0, 3.0, 5.0, NAN, 7.0])), K::Float(3.6875)),
        (
            svar(K::list(vec![j(&[2, 3]), j(&[4, N]), j(&[0, 7])])),
            f(&[4.0, 8.0]),
        ),
        (cov(j(&[2, 3, 5, 7]), j(&[3, 3, 5, 9])), K::Float(4.5)),
        (scov(j(&[2, 3, 5, 7]), j(&[3, 3, 5, 9])), K::Float(6.0)),
        (cor(j(&[1, 3, N]), j(&[1, 3, 9])), K::Float(1.0)),
        (cor(j(&[1, 1, 1]), j(&[1, 3, 9])), K::Float(NAN)),
        (wavg(j(&[2, N, 4, 5]), j(&[1, 2, N, 8])), K::Float(6.0)),
        (wavg(K::Long(0), j(&[2, 3])), K::Float(NAN)),
        (wsum(j(&[2, 3, 4]), j(&[1, 2, 4])), K::Float(24.0)),
    ];
    for (n, (got, wanted)) in cases.into_iter().enumerate() {
        assert_eq!(got.expect("no case is an error"), wanted, "case {n}");
    }
    assert_eq!(word(prd(K::chars("abc"))), "type");
    assert_eq!(word(sum(K::symbols(names("a b")))), "type");
}

#[test]
fn running_and_moving() {
    let cases = [
        (sums(b("1101")), i(&[1, 2, 2, 3])),
        (prds(j(&[2, 3, N, 7])), j(&[2, 6, 6, 42])),
        (mins(j(&[N, 5, N, 1, 3])), j(&[W, 5, 5, 1, 1])),
        (maxs(K::chars("genie")), K::chars("ggnnn")),
        (
            avgs(f(&[1.0, 2.0, 3.0, NAN, 4.0, -INF, INF])),
            f(&[1.0, 1.5, 2.0, 2.0, 2.5, -INF, NAN]),
        ),
        (deltas(j(&[1, 4, 9, 16])), j(&[1, 3, 5, 7])),
        (deltas(b("01")), i(&[0, 1])),
        (ratios(j(&[10, 5])), f(&[10.0, 0.5])),
        (differ(f(&[96.10000000000001, 96.1, 1.0])), b("101")),
        (fills(j(&[N, 1, N, 2])), j(&[N, 1, 1, 2])),
        (xprev(K::Long(2), j(&[2, 7, 5, 3, 11])), j(&[N, N, 2, 7, 5])),
        (xprev(K::Long(-2), j(&[2, 7, 5])), j(&[5, N, N])),
        (prev(K::chars("abc")), K::chars(" ab")),
        (
            next(K::list(vec![j(&[1, 2]), K::chars("abc"), K::symbol("i")])),
            K::list(vec![K::chars("abc"), K::symbol("i"), j(&[])]),
        ),
        (
            mavg(K::Long(2), j(&[1, 2, 3, 5, 7, 10])),
            f(&[1.0, 1.5, 2.5, 4.0, 6.0, 8.5]),
        ),
        (
            mavg(K::Long(5), j(&[N, 2, N, 5, 7, N])),
            f(&[NAN, 2.0, 2.0, 3.5, 14.0 / 3.0, 14.0 / 3.0]),
        ),
        (mavg(K::Long(0), j(&[2, 3])), f(&[NAN, NAN])),
        (msum(K::Long(3), j(&[1, 2, 3, 4])), j(&[1, 3, 6, 9])),
        (mcount(K::Long(3), j(&[0, 1, N, 3])), i(&[1, 2, 2, 2])),
        (
            mmin(K::Long(3), j(&[N, -3, -2, 1, -W, 0])),
            j(&[N, N, N, -3, -W, -W]),
        ),
        (mmax(K::Long(2), j(&[1, 3, 2, 1])), j(&[1, 3, 3, 2])),
        (mdev(K::Long(2), j(&[1, 3, 3])), f(&[0.0, 1.0, 0.0])),
        (
            ema(K::Float(0.5), f(&[1.0, 2.0, 3.0])),
            f(&[1.0, 1.5, 2.25]),
        ),
    ];
    for (n, (got, wanted)) in cases.into_iter().enumerate() {
        assert_eq!(got.expect("no case is an error"), wanted, "case {n}");
    }
    let wide = mavg(K::Long(2), t()).unwrap();
    assert_eq!(wide.item(2).item(0), K::Float(12.0));
}

#[test]
fn grouped_agrees_with_each_group() {
    let column = f(&[1.0, NAN, 3.0, 5.0, -2.0]);
    let codes = [0, 1, 0, 1, 0];
    let groups = [f(&[1.0, 3.0, -2.0]), f(&[NAN, 5.0])];
    type Aggregate = fn(K) -> Result<K>;
    let each: [(&str, Aggregate); 8] = [
        ("sum", sum),
        ("avg", avg),
        ("min", min),
        ("max", max),
        ("var", var),
        ("dev", dev),
        ("med", med),
        ("svar", svar),
    ];
    for (name, aggregate) in each {
        let wanted = groups
            .iter()
            .map(|g| aggregate(g.clone()).unwrap())
            .collect();
        let got = crate::grouped::grouped(name, &column, &codes, 2).unwrap();
        assert_eq!(got, values::collect(wanted), "{name}");
    }
    let first = crate::grouped::grouped("first", &K::symbols(names("a b c d e")), &codes, 3);
    assert_eq!(first, Some(K::symbols(names("a b "))));
    assert_eq!(crate::grouped::grouped("prd", &column, &codes, 2), None);
}

#[test]
fn hash_and_matrices() {
    let hash = crate::hash::md5(K::chars("this is a not so secret message")).unwrap();
    assert_eq!(hash.item(0), K::Byte(0x6c));
    let a = K::list(vec![f(&[2.0, 4.0]), f(&[3.0, 5.0])]);
    let one = crate::matrix::mmu(a.clone(), crate::matrix::inv(a.clone()).unwrap()).unwrap();
    let eye = K::list(vec![b("10"), b("01")]);
    assert_eq!(equal(K::Long(1), one).unwrap(), eye);
    assert_eq!(
        crate::matrix::mmu(a, f(&[1.0, 1.0])).unwrap(),
        f(&[6.0, 8.0])
    );
}
