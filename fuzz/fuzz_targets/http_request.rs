//! A connection that says it is HTTP: the requests in what comes, and what an answer says of its end.
//!
//! The first byte seeds the sizes of the pieces in which the rest arrives. However the bytes are
//! cut, the same requests come out, and no more is kept than the limits allow.
#![no_main]

use http::{Decoder, Delivery, Event, Limits, Refusal, Request};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits = Limits {
    head_bytes: 2048,
    body_bytes: 4096,
};

/// All whole requests that the decoder has now; the refusal, if one ended the stream.
fn drain(decoder: &mut Decoder, requests: &mut Vec<Request>) -> Option<Refusal> {
    loop {
        match decoder.next_event() {
            Ok(Some(Event::Request(request))) => {
                let bytes = LIMITS.head_bytes + 1 + LIMITS.body_bytes;
                assert!(request.text.len() <= bytes, "a request within the limits");
                requests.push(*request);
            }
            Ok(Some(Event::Expects)) => {}
            Ok(None) => return None,
            Err(refusal) => return Some(refusal),
        }
    }
}

fn in_pieces(bytes: &[u8], seed: u8) -> (Vec<Request>, Option<Refusal>) {
    let mut decoder = Decoder::new(LIMITS);
    let mut requests = Vec::new();
    let mut rest = bytes;
    let mut state = u32::from(seed);
    while !rest.is_empty() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let size = (state >> 24) as usize % 48;
        let (piece, later) = rest.split_at(size.min(rest.len()));
        // Both ways in which bytes come.
        if state & 1 == 0 {
            decoder.feed(piece);
        } else {
            decoder.space()[..piece.len()].copy_from_slice(piece);
            decoder.fill(piece.len());
        }
        if let Some(refusal) = drain(&mut decoder, &mut requests) {
            return (requests, Some(refusal));
        }
        rest = later;
    }
    (requests, None)
}

fn whole(bytes: &[u8]) -> (Vec<Request>, Option<Refusal>) {
    let mut decoder = Decoder::new(LIMITS);
    let mut requests = Vec::new();
    decoder.feed(bytes);
    let refusal = drain(&mut decoder, &mut requests);
    (requests, refusal)
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&seed, rest)) = bytes.split_first() else {
        return;
    };
    let heard = whole(rest);
    let again = in_pieces(rest, seed);
    assert_eq!(format!("{heard:?}"), format!("{again:?}"));
    for request in &heard.0 {
        let delivery = Delivery::of(rest, request, seed & 1 == 1);
        assert!(delivery.bytes <= rest.len(), "no more is sent than there is");
    }
});
