//! Requests byte by byte: each rule at its limit and past it, whole and cut into single bytes.

use crate::{Decoder, Delivery, Event, Limits, Method, Refusal, Request};

const LIMITS: Limits = Limits {
    head_bytes: 1024,
    body_bytes: 100,
};

/// The requests of a stream, and the refusal that ended it.
fn decode(pieces: &[&[u8]]) -> (Vec<Request>, Option<Refusal>) {
    let mut decoder = Decoder::new(LIMITS);
    let mut requests = Vec::new();
    for piece in pieces {
        decoder.feed(piece);
        loop {
            match decoder.next_event() {
                Ok(Some(Event::Request(request))) => requests.push(*request),
                Ok(Some(Event::Expects)) => {}
                Ok(None) => break,
                Err(refusal) => return (requests, Some(refusal)),
            }
        }
    }
    (requests, None)
}

/// As `decode`, of bytes that must give the same in whatever pieces they come.
fn stream(bytes: &str) -> (Vec<Request>, Option<Refusal>) {
    let whole = decode(&[bytes.as_bytes()]);
    let singly: Vec<&[u8]> = bytes.as_bytes().chunks(1).collect();
    let pieces = decode(&singly);
    assert_eq!(format!("{whole:?}"), format!("{pieces:?}"));
    whole
}

fn one(bytes: &str) -> Request {
    let (mut requests, refusal) = stream(bytes);
    assert_eq!((requests.len(), refusal), (1, None), "{bytes}");
    requests.remove(0)
}

fn refusal(bytes: &str) -> Option<Refusal> {
    stream(bytes).1
}

fn text(request: &Request) -> String {
    String::from_utf8_lossy(&request.text).into_owned()
}

#[test]
fn a_request_is_its_text_and_headers() {
    let r = one("GET /t.csv?select%20from%20t HTTP/1.1\r\nHost: here:5000\r\nX-Own:  two \r\n\r\n");
    assert_eq!(r.method, Method::Get);
    assert_eq!(text(&r), "t.csv?select%20from%20t");
    assert!(r.keeps && !r.is_old);
    let (names, values) = match &r.headers {
        values::K::Dict(d) => (d.keys.as_symbols(), d.values.clone()),
        _ => (None, values::K::Nil),
    };
    let names = names.expect("header names are symbols");
    assert_eq!(names[0].text(), "Host");
    assert_eq!(names[1].text(), "X-Own");
    assert_eq!(values.item(0).as_text().as_deref(), Some("here:5000"));
    assert_eq!(values.item(1).as_text().as_deref(), Some("two"));
}

#[test]
fn a_target_loses_its_slash_and_host() {
    for (target, wanted) in [
        ("/", ""),
        ("/?1+1", "?1+1"),
        ("//a", "/a"),
        ("*", "*"),
        ("http://host:1/a?b", "a?b"),
        ("http://host", ""),
        ("/a?u=http://b/c", "a?u=http://b/c"),
    ] {
        let r = one(&format!("OPTIONS {target} HTTP/1.1\r\n\r\n"));
        assert_eq!(text(&r), wanted);
        assert_eq!(r.method, Method::Other("OPTIONS"));
    }
}

#[test]
fn requests_come_in_order_with_or_without_bodies() {
    let (all, refusal) = stream(concat!(
        "GET /a HTTP/1.1\r\n\r\n",
        "POST /b HTTP/1.1\r\nContent-Length: 5\r\n\r\nbody\n",
        "\r\nPOST / HTTP/1.1\r\n\r\n",
        "PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n",
        "DELETE /d HTTP/1.1\n\n",
    ));
    assert_eq!(refusal, None);
    let texts: Vec<String> = all.iter().map(text).collect();
    assert_eq!(texts, ["a", "b body\n", " ", "c abc0123456789", "d"]);
}

#[test]
fn what_keeps_a_connection() {
    let keeps = |rest: &str| one(&format!("GET / HTTP/{rest}\r\n\r\n")).keeps;
    assert!(keeps("1.1"));
    assert!(!keeps("1.1\r\nConnection: close"));
    assert!(!keeps("1.1\r\nconnection: x, Close"));
    assert!(!keeps("1.0"));
    assert!(keeps("1.0\r\nConnection: Keep-Alive"));
}

#[test]
fn limits_hold_at_the_limit_and_one_past_it() {
    let head = |bytes: usize| {
        let rest = bytes - "GET / HTTP/1.1\r\nA: \r\n\r\n".len();
        format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(rest))
    };
    assert_eq!(refusal(&head(1024)), None);
    assert_eq!(refusal(&head(1025)), Some(Refusal::HeadTooLarge));
    assert_eq!(refusal(&"x".repeat(1025)), Some(Refusal::HeadTooLarge));
    let headers = |n: usize| format!("GET / HTTP/1.1\r\n{}\r\n", "A:1\r\n".repeat(n));
    assert_eq!(refusal(&headers(100)), None);
    assert_eq!(refusal(&headers(101)), Some(Refusal::HeadTooLarge));
    let body = |n: usize| format!("POST / HTTP/1.1\r\nContent-Length: {n}\r\n\r\n");
    assert_eq!(refusal(&body(100)), None);
    assert_eq!(refusal(&body(101)), Some(Refusal::BodyTooLarge));
    let chunk = |n: &str| format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{n}\r\n");
    assert_eq!(refusal(&chunk("64")), None);
    assert_eq!(refusal(&chunk("65")), Some(Refusal::BodyTooLarge));
    assert_eq!(
        refusal(&chunk("fffffffffffffffff")),
        Some(Refusal::Malformed)
    );
    let half = format!("{}{}\r\n", chunk("32"), "y".repeat(50));
    assert_eq!(refusal(&format!("{half}32\r\n")), None);
    assert_eq!(
        refusal(&format!("{half}33\r\n")),
        Some(Refusal::BodyTooLarge)
    );
}

#[test]
fn what_is_no_request_is_refused() {
    let with = |header: &str| refusal(&format!("POST / HTTP/1.1\r\n{header}\r\n\r\n"));
    assert_eq!(refusal("GET /\r\n\r\n"), Some(Refusal::Malformed));
    assert_eq!(refusal("GET / HTTP/3.0\r\n\r\n"), Some(Refusal::Version));
    assert_eq!(
        refusal("BREW / HTTP/1.1\r\n\r\n"),
        Some(Refusal::NotImplemented)
    );
    assert_eq!(with("no colon"), Some(Refusal::Malformed));
    assert_eq!(with("Content-Length: +5"), Some(Refusal::Malformed));
    assert_eq!(with("Content-Length: 5, 5"), Some(Refusal::Malformed));
    assert_eq!(
        with("Content-Length: 99999999999999999999"),
        Some(Refusal::Malformed)
    );
    assert_eq!(
        with("Content-Length: 1\r\nContent-Length: 2"),
        Some(Refusal::Malformed)
    );
    assert_eq!(
        with("Transfer-Encoding: gzip"),
        Some(Refusal::NotImplemented)
    );
    let both = "Transfer-Encoding: chunked\r\nContent-Length: 1";
    assert_eq!(with(both), Some(Refusal::Malformed));
    let chunks = |c: &str| with(&format!("Transfer-Encoding: chunked\r\n\r\n{c}"));
    assert_eq!(chunks("x\r\n"), Some(Refusal::Malformed));
    assert_eq!(chunks("1\r\nabc\r\n"), Some(Refusal::Malformed));
    assert_eq!(chunks(&"0".repeat(5000)), Some(Refusal::Malformed));
}

#[test]
fn basic_credentials_are_taken_apart() {
    let of =
        |value: &str| one(&format!("GET / HTTP/1.1\r\nAuthorization: {value}\r\n\r\n")).credentials;
    let pair = Some(("user".to_string(), "p:w".to_string()));
    assert_eq!(of("Basic dXNlcjpwOnc="), pair);
    assert_eq!(of("basic  dXNlcjpwOnc="), pair);
    assert_eq!(of("Basic !"), None);
    assert_eq!(of("Bearer dXNlcjpwOnc="), None);
    assert_eq!(of("B"), None);
}

#[test]
fn a_client_that_waits_before_its_body_is_told_to_go_on() {
    let mut decoder = Decoder::new(LIMITS);
    decoder.feed(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    assert!(matches!(decoder.next_event(), Ok(Some(Event::Expects))));
    assert!(matches!(decoder.next_event(), Ok(None)));
    decoder.space()[..2].copy_from_slice(b"ok");
    decoder.fill(2);
    assert!(matches!(decoder.next_event(), Ok(Some(Event::Request(r))) if r.text == b" ok"));
}

#[test]
fn an_answer_says_whether_the_connection_stays() {
    let request = one("GET / HTTP/1.1\r\n\r\n");
    let old = one("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    let of = |answer: &str| Delivery::of(answer.as_bytes(), &request, false).keeps;
    let line = "HTTP/1.1 200 OK\r\n";
    let sized = format!("{line}Content-Length: 2\r\n");
    assert!(of(&format!("{sized}\r\nok")));
    assert!(of(&format!("{sized}Connection : keep-alive\r\n\r\nok")));
    assert!(of(&format!(
        "{line}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    )));
    assert!(of("HTTP/1.1 204 No Content\r\n\r\n"));
    assert!(!of(&format!("{sized}Connection: close\r\n\r\nok")));
    assert!(!of(&format!("{sized}\r\nmore")));
    assert!(!of(&format!("{line}\r\nok")));
    assert!(!of("ok"));
    let to_old = |answer: &str| Delivery::of(answer.as_bytes(), &old, false).keeps;
    assert!(!to_old(&format!("{sized}\r\nok")));
    assert!(to_old(&format!("{sized}Connection: keep-alive\r\n\r\nok")));
    let answer = format!("{sized}\r\nok");
    let bodiless = Delivery::of(answer.as_bytes(), &request, true);
    assert_eq!((bodiless.bytes, bodiless.keeps), (answer.len() - 2, true));
}
