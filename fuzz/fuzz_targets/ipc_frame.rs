//! A connection of anybody: what its first bytes are, and the messages in what follows.
//!
//! The first byte seeds the sizes of the pieces in which the rest arrives. However the bytes are
//! cut, the same messages come out; what is read is written, and what is written is read again.
#![no_main]

use ipc::{Decoder, First, Kind};
use libfuzzer_sys::fuzz_target;
use values::{K, Primitive};

const MESSAGE_BYTES_MAX: usize = 1 << 20;

/// What a stream gave: kinds and object bytes of its messages, and whether it ended in an error.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    messages: Vec<(u8, Vec<u8>)>,
    is_lost: bool,
}

fn lookup(kind: i8, code: u8) -> Option<&'static Primitive> {
    primitives::by_wire(kind, code)
}

/// All whole messages that the decoder has now.
fn drain(decoder: &mut Decoder, heard: &mut Heard) {
    while !heard.is_lost {
        match decoder.next(&lookup) {
            Ok(None) => return,
            Ok(Some(message)) => {
                let body = match message.body {
                    Ok(k) => written(message.kind, &k),
                    Err(signal) => ipc::encode_error(&signal.to_string()),
                };
                heard.messages.push((message.kind as u8, body));
            }
            Err((_, shown)) => {
                assert!(shown.len() <= 4096, "only the beginning is shown");
                heard.is_lost = true;
            }
        }
    }
}

/// The bytes of a message that is read back as itself; none for what only our own side can hold.
fn written(kind: Kind, k: &K) -> Vec<u8> {
    let Ok(bytes) = ipc::encode(kind, k, ipc::CAPABILITY, true) else {
        return Vec::new();
    };
    let mut decoder = Decoder::new(usize::MAX);
    decoder.feed(&bytes);
    let back = decoder.next(&lookup).expect("what was written can be read");
    let back = back.expect("it was written whole");
    assert_eq!(back.kind, kind);
    let back = back.body.expect("a value was written");
    let again = ipc::encode(kind, &back, ipc::CAPABILITY, true);
    assert_eq!(again.expect("it was written before"), bytes);
    bytes
}

fn in_pieces(bytes: &[u8], seed: u8) -> Heard {
    let mut decoder = Decoder::new(MESSAGE_BYTES_MAX);
    let mut heard = Heard::default();
    let mut rest = bytes;
    let mut state = u32::from(seed);
    while !rest.is_empty() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let size = (state >> 24) as usize % 48;
        let (piece, later) = rest.split_at(size.min(rest.len()));
        decoder.feed(piece);
        drain(&mut decoder, &mut heard);
        rest = later;
    }
    heard
}

fn whole(bytes: &[u8]) -> Heard {
    let mut decoder = Decoder::new(MESSAGE_BYTES_MAX);
    let mut heard = Heard::default();
    decoder.feed(bytes);
    drain(&mut decoder, &mut heard);
    heard
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&seed, rest)) = bytes.split_first() else {
        return;
    };
    let mut stream = rest;
    for ended in [false, true] {
        if let First::Ipc(credentials, used) = ipc::first(rest, ended) {
            assert!(credentials.capability <= ipc::CAPABILITY);
            stream = &rest[used..];
        }
    }
    assert_eq!(in_pieces(stream, seed), whole(stream));
    assert_eq!(in_pieces(rest, seed), whole(rest));
});
