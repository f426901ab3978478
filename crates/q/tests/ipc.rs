//! The wire against a real process, byte by byte: what published clients rely on and rarely test.

mod server;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;

use server::Server;

fn open(server: &Server, credentials: &[u8]) -> TcpStream {
    let mut stream = server.connect();
    stream.write_all(credentials).expect("it reads");
    let mut reply = [0];
    stream.read_exact(&mut reply).expect("it accepts");
    stream
}

fn message(kind: u8, object: &[u8]) -> Vec<u8> {
    let mut bytes = vec![1, kind, 0, 0];
    bytes.extend((object.len() as u32 + 8).to_le_bytes());
    bytes.extend(object);
    bytes
}

fn text(kind: u8, q: &str) -> Vec<u8> {
    let mut object = vec![10, 0];
    object.extend((q.len() as u32).to_le_bytes());
    object.extend(q.bytes());
    message(kind, &object)
}

fn receive(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let mut header = [0; 8];
    stream.read_exact(&mut header).expect("a whole header");
    let total = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    let mut object = vec![0; total - 8];
    stream.read_exact(&mut object).expect("a whole object");
    (header[1], object)
}

fn long(n: i64) -> Vec<u8> {
    let mut object = vec![0xf9];
    object.extend(n.to_le_bytes());
    object
}

#[test]
fn every_capability_is_answered_with_the_smaller_one() {
    let server = Server::start(&[]);
    for (asked, answered) in [(0, 0), (1, 1), (3, 3), (6, 6), (7, 6)] {
        let mut stream = server.connect();
        stream.write_all(&[b'u', b':', b'p', asked, 0]).unwrap();
        let mut reply = [99];
        stream.read_exact(&mut reply).unwrap();
        assert_eq!(reply[0], answered);
        stream.write_all(&text(1, "1+1")).unwrap();
        assert_eq!(receive(&mut stream), (2, long(2)));
    }
}

#[test]
fn big_endian_messages_and_errors() {
    let server = Server::start(&[]);
    let mut stream = open(&server, b"u:p\x03\0");
    let big = b"\x00\x01\x00\x00\x00\x00\x00\x11\x0a\x00\x00\x00\x00\x031+1";
    stream.write_all(big).unwrap();
    assert_eq!(receive(&mut stream), (2, long(2)));
    stream.write_all(&text(1, "1+`a")).unwrap();
    assert_eq!(receive(&mut stream), (2, b"\x80type\0".to_vec()));
    // Two requests in one segment are answered in their order.
    stream
        .write_all(&[text(1, "3"), text(1, "4")].concat())
        .unwrap();
    assert_eq!(receive(&mut stream), (2, long(3)));
    assert_eq!(receive(&mut stream), (2, long(4)));
}

#[test]
fn malformed_bytes_cost_their_sender_the_connection_only() {
    let mut server = Server::start(&[]);
    assert_eq!(
        server.ask(".z.bm:{`bad set count last x};.z.pc:{`gone set x};-1 \"set\";"),
        "set"
    );
    let mut good = open(&server, b"u:p\x03\0");
    let mut bad = open(&server, b"u:p\x03\0");
    // A list that says a billion items in a message of 14 bytes.
    let object = [7, 0, 0, 0xca, 0x9a, 0x3b];
    bad.write_all(&message(1, &object)).unwrap();
    let mut rest = Vec::new();
    assert_eq!(bad.read_to_end(&mut rest).unwrap_or(0), 0);
    good.write_all(&text(1, "(bad>0)&gone>0")).unwrap();
    assert_eq!(receive(&mut good), (2, vec![0xff, 1]));
}

#[test]
fn a_line_of_text_is_answered_as_the_console_shows_it() {
    let server = Server::start(&[]);
    for (line, shown) in [("1+1", "2\n"), ("`a`b!1 2", "a| 1\nb| 2\n")] {
        let mut stream = server.connect();
        stream
            .write_all(format!("u:p\0{line}\0").as_bytes())
            .unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(answer, shown);
    }
}

#[test]
fn asynchronous_and_deferred_answers() {
    let mut server = Server::start(&[]);
    let mut stream = open(&server, b"u:p\x03\0");
    stream.write_all(&text(0, "(neg .z.w)6*7")).unwrap();
    assert_eq!(receive(&mut stream), (0, long(42)));
    assert_eq!(server.ask(".z.pg:{w::.z.w;-30!(::)};-1 \"set\";"), "set");
    stream.write_all(&text(1, "anything")).unwrap();
    while server.ask("-1 string `w in key`.;") != "1" {}
    assert_eq!(server.ask("-30!(w;0b;77);-1 \"sent\";"), "sent");
    assert_eq!(receive(&mut stream), (2, long(77)));
}

#[test]
fn a_peer_that_shut_its_side_still_gets_its_answer() {
    let mut server = Server::start(&[]);
    assert_eq!(server.ask(".z.pc:{gone::1b};-1 \"set\";"), "set");
    let mut stream = open(&server, b"u:p\x03\0");
    stream.write_all(&text(1, "til 2000000")).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    // It is closed for q as soon as it is shut, long before all is read.
    while server.ask("-1 string `gone in key`.;") != "1" {}
    assert_eq!(receive(&mut stream).1.len(), 6 + 8 * 2_000_000);
    let mut rest = Vec::new();
    assert_eq!(stream.read_to_end(&mut rest).unwrap_or(0), 0);
}

#[test]
fn an_idle_worker_that_is_told_to_end_runs_its_exit_handler() {
    let mut server = Server::start(&[]);
    let handler = ".z.exit:{-1 string sum {x+y}/[til 100]};-1 \"set\";";
    assert_eq!(server.ask(handler), "set");
    let told = Command::new("/bin/sh")
        .args(["-c", &format!("kill -TERM {}", server.child.id())])
        .status();
    assert!(told.expect("there is a shell").success());
    assert_eq!(server.printed(), "4950");
    let status = server.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn passwords_of_a_file_let_in_or_not() {
    let file = std::env::temp_dir().join(format!("qolumn-users-{}", std::process::id()));
    std::fs::write(&file, "ann:secret\nbob:5ebe2294ecd0e0f08eab7690d2a6ee69\n").unwrap();
    let server = Server::start(&["-u", file.to_str().expect("a plain path")]);
    for credentials in [&b"ann:secret\x03\0"[..], b"bob:secret\x03\0"] {
        let mut stream = open(&server, credentials);
        stream.write_all(&text(1, ".z.u in`ann`bob")).unwrap();
        assert_eq!(receive(&mut stream), (2, vec![0xff, 1]));
    }
    for credentials in [&b"ann:wrong\x03\0"[..], b":\x03\0", b"eve:secret\x03\0"] {
        let mut stream = server.connect();
        stream.write_all(credentials).unwrap();
        let mut reply = Vec::new();
        assert_eq!(stream.read_to_end(&mut reply).unwrap_or(0), 0);
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn clients_stay_where_they_are_told_to_stay() {
    let server = Server::start(&["-u", "1"]);
    let mut stream = open(&server, b"u:p\x03\0");
    let mut refused = |q: &str| {
        stream.write_all(&text(1, q)).expect("it is read");
        receive(&mut stream).1 == b"\x80access\0"
    };
    for q in [
        "system\"cd\"",
        "\\ls",
        "exit 0",
        "read0`:/etc/hostname",
        "`:../x set 1",
        "hcount`:a/../../x",
        "system\"l /tmp\"",
        "hopen`:/etc/hostname",
        "hopen`:fifo:///etc/hostname",
    ] {
        assert!(refused(q), "{q}");
    }
    assert!(!refused("1+1"));
}
