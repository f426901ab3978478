//! Objects and compressed messages of anybody: refused or read, and what is read is written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serial::Decoded;

const PLAIN_BYTES_MAX: usize = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    let lookup = |_: i8, _: u8| None;
    for little_endian in [true, false] {
        if let Ok(Decoded::Value(k)) = serial::decode(bytes, little_endian, &lookup) {
            let again = serial::encode(&k, 6).expect("what was read can be written");
            let back = serial::decode(&again, true, &lookup).expect("what was written can be read");
            let Decoded::Value(back) = back else {
                panic!("a value was written");
            };
            let third = serial::encode(&back, 6).expect("what was read can be written");
            assert_eq!(third, again, "an object survives a round");
        }
    }
    if let Ok(plain) = serial::decompress(bytes, PLAIN_BYTES_MAX) {
        assert!(plain.len() <= PLAIN_BYTES_MAX, "the limit holds");
    }
    if let Some(packed) = serial::compress_block(bytes) {
        let back = serial::decompress_block(&packed, bytes.len());
        assert_eq!(back.expect("what was packed can be unpacked"), bytes);
    }
});
