//! Recorded and printed byte vectors, both ways, and bytes that must be refused.

use std::sync::{Arc, OnceLock};

use values::{
    Attribute, Composition, Dict, K, Lambda, Primitive, Projection, Result, Run, Signal, Symbol,
    Table, Type, Vector,
};

use crate::*;

fn refuse(_: K) -> Result<K> {
    Err(Signal::nyi())
}

static PLUS: Primitive = Primitive {
    name: "+",
    word: "",
    kind: 102,
    wire: Some(1),
    run: Run::Unary(refuse),
};
static WORD: Primitive = Primitive {
    name: "reverse",
    word: "reverse",
    kind: 101,
    wire: None,
    run: Run::Unary(refuse),
};

fn lookup(kind: i8, code: u8) -> Option<&'static Primitive> {
    ((kind, code) == (102, 1)).then_some(&PLUS)
}

fn from_hex(text: &str) -> Vec<u8> {
    let text: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let digit = |b: u8| (b as char).to_digit(16).unwrap() as u8;
    text.chunks(2)
        .map(|c| digit(c[0]) * 16 + digit(c[1]))
        .collect()
}

fn value(bytes: &[u8]) -> K {
    match decode(bytes, true, &lookup).unwrap() {
        Decoded::Value(k) => k,
        Decoded::Error(e) => panic!("an error: {e}"),
    }
}

fn lambda(namespace: &str, source: &str) -> K {
    K::Lambda(Arc::new(Lambda {
        namespace: Symbol::new(namespace),
        source: source.into(),
        parameters: vec![],
        name: Symbol::NULL,
        origin: None,
        code: OnceLock::new(),
    }))
}

fn projection(arguments: Vec<Option<K>>) -> K {
    let function = lambda("", "{x+y}");
    K::Projection(Arc::new(Projection {
        function,
        arguments,
    }))
}

fn names(text: &str) -> Vec<Symbol> {
    text.split(' ').map(Symbol::from).collect()
}

fn sorted(k: K, attribute: Attribute) -> K {
    match k {
        K::Vector(v) => Vector::clone(&v).with_attribute(attribute).into(),
        other => other,
    }
}

fn table(attributed: bool) -> K {
    let a = if attributed {
        Attribute::Parted
    } else {
        Attribute::None
    };
    let mut t = Table::new(
        names("a b"),
        vec![sorted(K::ints(vec![2]), a), K::ints(vec![3])],
    );
    t.sorted = attributed;
    t.into()
}

fn dict(step: bool) -> K {
    let mut d = Dict::new(K::symbols(names("a b")), K::ints(vec![2, 3]));
    d.sorted = step;
    d.into()
}

fn vectors() -> Vec<(K, &'static str)> {
    let guid: [u8; 16] = from_hex("00112233445566778899aabbccddeeff")
        .try_into()
        .unwrap();
    vec![
        (K::Nil, "010000000a0000006500"),
        (K::Boolean(true), "010000000a000000ff01"),
        (K::Byte(15), "010000000a000000fc0f"),
        (K::Short(2), "010000000b000000fb0200"),
        (K::Int(1), "010000000d000000fa01000000"),
        (K::Long(4), "0100000011000000f90400000000000000"),
        (K::Long(i64::MIN), "0100000011000000f90000000000000080"),
        (K::Long(i64::MAX), "0100000011000000f9ffffffffffffff7f"),
        (K::Real(1.5), "010000000d000000f80000c03f"),
        (K::Float(2.5), "0100000011000000f70000000000000440"),
        (K::Char(b'c'), "010000000a000000f663"),
        (K::symbol("s"), "010000000b000000f57300"),
        (K::symbol(""), "010000000a000000f500"),
        (K::Timestamp(1), "0100000011000000f40100000000000000"),
        (K::Month(1), "010000000d000000f301000000"),
        (K::Date(1), "010000000d000000f201000000"),
        (K::Datetime(0.5), "0100000011000000f1000000000000e03f"),
        (K::Timespan(1), "0100000011000000f00100000000000000"),
        (K::Minute(1), "010000000d000000ef01000000"),
        (K::Second(1), "010000000d000000ee01000000"),
        (K::Time(1), "010000000d000000ed01000000"),
        (
            K::Guid(Arc::new(guid)),
            "0100000019000000fe00112233445566778899aabbccddeeff",
        ),
        (K::chars("abc"), "01000000110000000a0003000000616263"),
        (K::chars(""), "010000000e0000000a0000000000"),
        (
            K::symbols(names("a b")),
            "01000000120000000b000200000061006200",
        ),
        (K::empty(), "010000000e000000000000000000"),
        (
            sorted(K::longs(vec![1, 2]), Attribute::Sorted),
            "010000001e00000007010200000001000000000000000200000000000000",
        ),
        (
            lambda("", "{x+y}"),
            "010000001500000064000a00050000007b782b797d",
        ),
        (
            lambda("d", "{x+y}"),
            "01000000160000006464000a00050000007b782b797d",
        ),
        (K::Primitive(&PLUS), "010000000a0000006601"),
        (
            projection(vec![Some(K::Long(1))]),
            "0100000023000000680200000064000a00050000007b782b797df90100000000000000",
        ),
        (
            projection(vec![None, Some(K::Long(1))]),
            "0100000025000000680300000064000a00050000007b782b797d65fff90100000000000000",
        ),
        (
            K::Derived(Arc::new(values::Derived {
                iterator: values::Iterator::Over,
                function: K::Primitive(&PLUS),
            })),
            "010000000b0000006b6601",
        ),
        (
            dict(false),
            "0100000021000000630b0002000000610062000600020000000200000003000000",
        ),
        (
            dict(true),
            "01000000210000007f0b0102000000610062000600020000000200000003000000",
        ),
        (
            table(false),
            "010000002f0000006200630b00020000006100620000000200000006000100000002000000060001000000\
             03000000",
        ),
        (
            table(true),
            "010000002f0000006201630b00020000006100620000000200000006030100000002000000060001000000\
             03000000",
        ),
        (
            K::dict(
                K::table(names("a"), vec![K::ints(vec![2])]),
                K::table(names("b"), vec![K::ints(vec![3])]),
            ),
            "010000003f000000636200630b000100000061000000010000000600010000000200000062006\
             30b0001000000620000000100000006000100000003000000",
        ),
    ]
}

#[test]
fn byte_vectors_go_both_ways() {
    for (k, hex) in vectors() {
        let message = from_hex(hex);
        assert_eq!(encode(&k, 3).unwrap(), message[8..], "{k:?}");
        assert_eq!(
            u32::from_le_bytes(message[4..8].try_into().unwrap()),
            message.len() as u32
        );
        let back = value(&message[8..]);
        assert_eq!(back, k, "{hex}");
        assert_eq!(encode(&back, 3).unwrap(), message[8..], "{hex}");
    }
}

#[test]
fn big_endian_is_read() {
    let bytes = from_hex("0000000000030a00000000057b782b797df90000000000000001f90000000000000002");
    let k = K::list(vec![K::chars("{x+y}"), K::Long(1), K::Long(2)]);
    assert_eq!(decode(&bytes, false, &lookup).unwrap(), Decoded::Value(k));
}

#[test]
fn errors_are_not_values() {
    let bytes = from_hex("807479706500");
    assert_eq!(encode_signal("type"), bytes);
    assert_eq!(
        decode(&bytes, true, &lookup).unwrap(),
        Decoded::Error("type".into())
    );
}

#[test]
fn composed_and_derived_functions_round_trip() {
    let each = K::Composition(Arc::new(Composition {
        functions: vec![K::Primitive(&PLUS), lambda("", "{x}")],
    }));
    assert_eq!(value(&encode(&each, 3).unwrap()), each);
    let word = value(&encode(&K::Primitive(&WORD), 3).unwrap());
    assert_eq!(word, lambda("", "{reverse[x]}"));
}

#[test]
fn capability_limits_types() {
    assert_eq!(encode(&K::Timestamp(1), 0).unwrap_err().word(), "type");
    assert_eq!(
        encode(&K::null_of(Type::Guid), 2).unwrap_err().word(),
        "type"
    );
    assert!(encode(&K::Timespan(1), 1).is_ok());
}

#[test]
fn malformed_bytes_are_refused() {
    let mut deep = Vec::new();
    for _ in 0..100_000 {
        deep.extend([0, 0, 1, 0, 0, 0]);
    }
    let bad: Vec<Vec<u8>> = vec![
        vec![],
        vec![0x80],
        from_hex("0700ffffffff"),
        from_hex("0780ffffffffffffff7f"),
        from_hex("0000ffffff7f"),
        from_hex("0709010000000000000000000000"),
        from_hex("0b000200000061006200ff"),
        from_hex("0b00020000006100"),
        from_hex("ec01"),
        from_hex("14000000000000"),
        from_hex("6200f90100000000000000"),
        from_hex("63f90100000000000000f90100000000000000"),
        from_hex("66ee"),
        from_hex("6800000000"),
        from_hex("68ffffffff"),
        deep,
    ];
    for bytes in bad {
        let head = &bytes[..bytes.len().min(20)];
        assert_eq!(
            decode(&bytes, true, &lookup).unwrap_err().word(),
            "badmsg",
            "{head:02x?}"
        );
    }
    for (_, hex) in vectors() {
        let bytes = &from_hex(hex)[8..];
        for size in 0..bytes.len() {
            assert!(decode(&bytes[..size], true, &lookup).is_err());
        }
        for i in 0..bytes.len() {
            for b in [0, 1, 99, 104, 127, 255] {
                let mut changed = bytes.to_vec();
                changed[i] = b;
                let _ = decode(&changed, true, &lookup);
                let _ = decode(&changed, false, &lookup);
            }
        }
    }
}

fn message(k: &K) -> Vec<u8> {
    let mut bytes = vec![1, 2, 0, 0, 0, 0, 0, 0];
    encode_to(&mut bytes, k, 3).unwrap();
    let size = bytes.len() as u32;
    bytes[4..8].copy_from_slice(&size.to_le_bytes());
    bytes
}

#[test]
fn compression_of_the_worked_example() {
    let plain = message(&K::chars("ab".repeat(40)));
    let packed = compress(&plain).unwrap();
    let expected =
        from_hex("01 02 01 00 18 00 00 00 5e 00 00 00 00 0a 00 50 00 00 00 61 62 01 03 4c");
    assert_eq!(packed, expected);
    assert_eq!(decompress(&packed, 1000).unwrap(), plain);
    assert_eq!(decompress(&packed, 90).unwrap_err().word(), "limit");
}

#[test]
fn compression_of_til_1000() {
    let plain = message(&K::longs((0..1000).collect()));
    assert_eq!(plain.len(), 8014);
    let packed = compress(&plain).unwrap();
    assert_eq!(packed.len(), 3276);
    assert_eq!(decompress(&packed, 1 << 20).unwrap(), plain);
    let block = compress_block(&plain).unwrap();
    assert_eq!(decompress_block(&block, plain.len()).unwrap(), plain);
    for size in 0..packed.len() {
        assert!(decompress(&packed[..size], 1 << 20).is_err());
    }
    for i in 0..packed.len() {
        let mut changed = packed.clone();
        changed[i] ^= 0x55;
        let _ = decompress(&changed, 1 << 20);
    }
}

#[test]
fn noise_is_not_compressed() {
    let mut state = 1u64;
    let noise = (0..4000).map(|_| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 56) as u8
    });
    assert!(compress(&message(&K::bytes(noise.collect()))).is_none());
}

#[test]
fn symbols_past_their_count() {
    assert_eq!(
        symbols_to_end(b"a\0\0bc\0half"),
        vec![Symbol::new("a"), Symbol::NULL, Symbol::new("bc")]
    );
    assert_eq!(symbols_to_end(b""), Vec::<Symbol>::new());
}
