//! HTTP against a real process, byte by byte: what clients, proxies and load generators rely on.

mod server;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

use server::Server;

/// An answer, taken apart.
#[derive(Debug)]
struct Answer {
    status: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    fn keeps(&self) -> bool {
        self.header("Connection") == Some("keep-alive")
    }
}

/// Reads one answer, of a request whose answer has a body or not.
fn answer_to(method: &str, stream: &mut TcpStream) -> Answer {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        assert_eq!(
            stream.read(&mut byte).expect("an answer comes"),
            1,
            "{head:?}"
        );
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).expect("a head is text");
    let mut lines = head.lines();
    let status = lines.next().expect("a status line comes first");
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let mut answer = Answer {
        status: status.trim_start_matches("HTTP/1.1 ").to_string(),
        headers,
        body: String::new(),
    };
    let length = answer
        .header("Content-Length")
        .map_or(0, |n| n.parse().expect("digits"));
    if method != "HEAD" {
        let mut body = vec![0; length];
        stream
            .read_exact(&mut body)
            .expect("a body is as long as its head says");
        answer.body = String::from_utf8_lossy(&body).into_owned();
    }
    answer
}

fn send(stream: &mut TcpStream, bytes: &str) {
    stream.write_all(bytes.as_bytes()).expect("it reads");
}

/// Sends a request and reads its answer.
fn ask(stream: &mut TcpStream, head: &str, body: &str) -> Answer {
    send(stream, &format!("{head}\r\n\r\n{body}"));
    answer_to(head.split(' ').next().unwrap_or_default(), stream)
}

/// The answer to a GET on a connection of its own.
fn get(server: &Server, target: &str) -> Answer {
    ask(&mut server.connect(), &format!("GET {target} HTTP/1.1"), "")
}

/// True when the other side has closed.
fn is_closed(stream: &mut TcpStream) -> bool {
    matches!(stream.read(&mut [0]), Ok(0))
}

/// A server with these lines of q evaluated.
fn server(lines: &[&str]) -> Server {
    server_with(&[], lines)
}

fn server_with(arguments: &[&str], lines: &[&str]) -> Server {
    let mut server = Server::start(arguments);
    for line in lines {
        assert_eq!(server.ask(&format!("{line};-1\"done\";")), "done");
    }
    server
}

const OK: &str = ".z.ph:{.h.hy[`txt;\"OK\"]}";
const ECHO: &str = ".z.ph:.z.pp:.z.pm:{.h.hy[`txt;-3!x]}";

#[test]
fn a_connection_is_kept_as_client_and_answer_say() {
    let server = server(&[OK]);
    let mut stream = server.connect();
    for _ in 0..3 {
        let answer = ask(&mut stream, "GET / HTTP/1.1", "");
        assert_eq!(
            (answer.status.as_str(), answer.body.as_str()),
            ("200 OK", "OK")
        );
        assert!(answer.keeps());
    }
    let last = ask(&mut stream, "GET / HTTP/1.1\r\nConnection: close", "");
    assert!(!last.keeps() && is_closed(&mut stream));
    let mut old = server.connect();
    assert!(ask(&mut old, "GET / HTTP/1.0\r\nConnection: keep-alive", "").keeps());
    assert!(!ask(&mut old, "GET / HTTP/1.0", "").keeps());
    assert!(is_closed(&mut old));
}

#[test]
fn requests_in_one_write_are_answered_in_order() {
    let server = server(&[".z.ph:{.h.hy[`txt;x 0]}"]);
    let mut stream = server.connect();
    let all: String = (0..500)
        .map(|i| format!("GET /{i} HTTP/1.1\r\n\r\n"))
        .collect();
    send(&mut stream, &all);
    for i in 0..500 {
        assert_eq!(answer_to("GET", &mut stream).body, i.to_string());
    }
    // A request that is cut anywhere is one request.
    for piece in ["GE", "T /cut HTTP/1.1\r", "\n\r", "\n"] {
        send(&mut stream, piece);
    }
    assert_eq!(answer_to("GET", &mut stream).body, "cut");
    // What was asked before the client shut its side is answered.
    send(&mut stream, "GET /last HTTP/1.1\r\n\r\n");
    stream.shutdown(Shutdown::Write).expect("it is open");
    assert_eq!(answer_to("GET", &mut stream).body, "last");
    assert!(is_closed(&mut stream));
}

#[test]
fn a_client_that_reads_late_gets_all_of_its_answers() {
    let server = server(&[".z.ph:{.h.hy[`txt;(\"J\"$x 0)#\"x\"]}"]);
    let mut stream = server.connect();
    let all: String = (0..40).map(|_| "GET /1000000 HTTP/1.1\r\n\r\n").collect();
    send(&mut stream, &all);
    assert_eq!(get(&server, "/2").body, "xx", "others are served meanwhile");
    for _ in 0..40 {
        assert_eq!(answer_to("GET", &mut stream).body.len(), 1_000_000);
    }
    assert_eq!(ask(&mut stream, "GET /1 HTTP/1.1", "").body, "x");
}

#[test]
fn handlers_are_given_text_and_headers() {
    let server = server(&[ECHO]);
    let mut stream = server.connect();
    let text = |stream: &mut TcpStream, head: &str, body: &str| ask(stream, head, body).body;
    let of = "GET /a?b=1%20c HTTP/1.1\r\nHost: h\r\nX-Two: w x";
    let given = "(\"a?b=1%20c\";`Host`X-Two!(,\"h\";\"w x\"))";
    assert_eq!(text(&mut stream, of, ""), given);
    let of = "POST /p HTTP/1.1\r\nContent-Length: 4";
    assert_eq!(
        text(&mut stream, of, "a=\"1"),
        "(\"p a=\\\"1\";(,`Content-Length)!,,\"4\")"
    );
    let of = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked";
    let chunks = "2\r\nab\r\n3;e\r\ncde\r\n0\r\nT: t\r\n\r\n";
    assert_eq!(
        text(&mut stream, of, chunks),
        "(\" abcde\";(,`Transfer-Encoding)!,\"chunked\")"
    );
    let empty = ask(&mut stream, "OPTIONS * HTTP/1.1", "");
    assert_eq!(empty.body, "(`OPTIONS;,\"*\";(`symbol$())!())");
    for method in ["PUT", "PATCH", "DELETE"] {
        let of = format!("{method} /x HTTP/1.1\r\nContent-Length: 2");
        let given = format!("(`{method};\"x yz\";(,`Content-Length)!,,\"2\")");
        assert_eq!(text(&mut stream, &of, "yz"), given);
    }
    let head = ask(&mut stream, "HEAD /h HTTP/1.1", "");
    assert_eq!(
        (head.header("Content-Length"), head.body.as_str()),
        (Some("22"), "")
    );
    assert_eq!(ask(&mut stream, "GET /health HTTP/1.1", "").body, "ok\n");
}

#[test]
fn a_client_that_waits_is_told_to_send_its_body() {
    let server = server(&[".z.pp:{.h.hy[`txt;string count x 0]}"]);
    let mut stream = server.connect();
    let head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3000000";
    assert_eq!(ask(&mut stream, head, "").status, "100 Continue");
    send(&mut stream, &"x".repeat(3_000_000));
    assert_eq!(answer_to("POST", &mut stream).body, "3000001");
}

#[test]
fn what_is_no_request_gets_a_clear_last_answer() {
    let server = server(&[OK]);
    let refused = |bytes: &str| {
        let mut stream = server.connect();
        send(&mut stream, bytes);
        let answer = answer_to("GET", &mut stream);
        assert!(!answer.keeps() && is_closed(&mut stream), "{answer:?}");
        answer.status[..3].to_string()
    };
    let long = |bytes: usize| format!("GET / HTTP/1.1\r\nA: {}", "x".repeat(bytes - 19));
    assert_eq!(refused("GET /\r\n\r\n"), "400");
    assert_eq!(refused("GET / HTTP/1.1\r\nno colon\r\n\r\n"), "400");
    assert_eq!(refused("GET / HTTP/7.1\r\n\r\n"), "505");
    assert_eq!(refused("TRACE / HTTP/1.1\r\n\r\n"), "501");
    assert_eq!(
        refused("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        "400"
    );
    assert_eq!(
        refused("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n"),
        "413"
    );
    assert_eq!(
        refused("POST / HTTP/1.1\r\nTransfer-Encoding: br\r\n\r\n"),
        "501"
    );
    assert_eq!(refused(&long((64 << 10) + 1)), "431");
    let many: String = (0..101).map(|i| format!("H{i}: 1\r\n")).collect();
    assert_eq!(refused(&format!("GET / HTTP/1.1\r\n{many}\r\n")), "431");
    let mut stream = server.connect();
    let limit = long((64 << 10) - 4);
    assert_eq!(ask(&mut stream, &limit, "").status, "200 OK");
    // After a request that was fine, the next is refused and the connection ends.
    send(&mut stream, "GET / HTTP/1.1\r\n\r\nrubbish\r\n\r\n");
    assert_eq!(answer_to("GET", &mut stream).status, "200 OK");
    assert_eq!(answer_to("GET", &mut stream).status, "400 Bad Request");
    assert!(is_closed(&mut stream));
}

#[test]
fn errors_of_handlers_are_answered() {
    let server =
        server(&[".z.ph:{$[x[0]~enlist\"n\"; 42; x[0]~enlist\"h\"; hclose .z.w; '`oops]}"]);
    let mut stream = server.connect();
    let answer = ask(&mut stream, "GET / HTTP/1.1", "");
    assert_eq!(
        (answer.status.as_str(), answer.body.as_str()),
        ("400 Bad Request", "'oops\n")
    );
    assert!(
        ask(&mut stream, "GET /n HTTP/1.1", "")
            .body
            .starts_with("'type\n")
    );
    let missing = ask(&mut stream, "POST / HTTP/1.1", "");
    assert_eq!(missing.status, "501 Not Implemented");
    send(&mut stream, "GET /h HTTP/1.1\r\n\r\n");
    assert!(is_closed(&mut stream));
    assert_eq!(get(&server, "/").body, "'oops\n");
}

#[test]
fn an_answer_without_its_end_ends_the_connection() {
    let server =
        server(&[".z.ph:{$[\"raw\"~x 0; \"just text\"; \"HTTP/1.1 200 OK\\r\\n\\r\\nrest\"]}"]);
    for (target, wanted) in [("raw", "just text"), ("", "HTTP/1.1 200 OK\r\n\r\nrest")] {
        let mut stream = server.connect();
        send(&mut stream, &format!("GET /{target} HTTP/1.1\r\n\r\n"));
        let mut all = String::new();
        stream
            .read_to_string(&mut all)
            .expect("it is closed after the answer");
        assert_eq!(all, wanted);
    }
}

#[test]
fn keep_alive_ends_when_it_was_said_to() {
    let answer = "\"HTTP/1.1 200 OK\\r\\nConnection: \",.h.ka[\"I\"$x 0],\"\\r\\nContent-Length: 0\\r\\n\\r\\n\"";
    let server = server(&[&format!(".z.ph:{{{answer}}}")]);
    let mut stream = server.connect();
    assert!(ask(&mut stream, "GET /60000 HTTP/1.1", "").keeps());
    assert!(ask(&mut stream, "GET /50 HTTP/1.1", "").keeps());
    assert!(is_closed(&mut stream), "idle for 50 ms");
    let mut stream = server.connect();
    assert!(!ask(&mut stream, "GET /0 HTTP/1.1", "").keeps());
    assert!(is_closed(&mut stream));
    let mut stream = server.connect();
    let closes = "GET /9000 HTTP/1.1\r\nConnection: close";
    assert!(!ask(&mut stream, closes, "").keeps());
}

#[test]
fn the_pages_of_a_process() {
    let folder = std::env::temp_dir().join(format!("qolumn-pages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("a.css"), "b{}").expect("a file can be written");
    let home = format!(".h.HOME:\"{}\"", folder.display());
    let server = server(&[&home, "t:([]a:1 2;b:`x`y)", "big:([]i:til 1000)", "v:1"]);
    let body = |target: &str| get(&server, target).body;
    assert!(body("/").contains("<frame src=?>"));
    assert!(body("/?").contains("<a target=v href=\"?t\">t</a>\n<a target=v href=\"?v\">v</a>"));
    assert!(body("/?1+1").contains("<pre>2\n</pre>"));
    assert!(body("/?select%20from%20t").contains("<pre>a b\n---\n1 x\n2 y\n</pre>"));
    assert!(body("/?big").contains("<a href=\"?[968\">end</a> 1000[0]"));
    assert!(body("/?[968").contains("\n999\n"));
    assert_eq!(body("/t.csv?t"), "a,b\n1,x\n2,y\n");
    assert_eq!(body("/csv?t"), "a,b\n1,x\n2,y\n");
    assert_eq!(body("/t.txt?select%20a%20from%20t"), "a\n1\n2\n");
    assert_eq!(body("/t.json?1%23t"), "{\"a\":1,\"b\":\"x\"}\n");
    let failed = get(&server, "/?nowhere");
    assert_eq!(
        (failed.status.as_str(), failed.body.as_str()),
        ("400 Bad Request", "'nowhere")
    );
    assert_eq!(get(&server, "/t.none?t").status, "400 Bad Request");
    let file = get(&server, "/a.css");
    assert_eq!(
        (file.header("Content-Type"), file.body.as_str()),
        (Some("text/css"), "b{}")
    );
    for target in ["/none.css", "/../a.css", "/%2e%2e/a.css", "//etc/passwd"] {
        assert_eq!(get(&server, target).status, "404 Not Found", "{target}");
    }
    let packed = "GET /big.csv?big HTTP/1.1\r\naccept-encoding: gzip, deflate";
    let packed = ask(&mut server.connect(), packed, "");
    assert_eq!(packed.header("Content-Encoding"), Some("gzip"));
    std::fs::remove_dir_all(&folder).expect("it was made");
}

#[test]
fn the_default_page_comes_back_and_uses_its_valuation() {
    let mut server = server(&["t:1 2", ".z.ph:{.h.hy[`txt;\"mine\"]}"]);
    assert_eq!(get(&server, "/?t").body, "mine");
    assert_eq!(server.ask("system\"x .z.ph\";-1\"done\";"), "done");
    assert!(get(&server, "/?t").body.contains("<pre>1 2\n</pre>"));
    assert_eq!(server.ask(".h.val:{'`closed};-1\"done\";"), "done");
    assert_eq!(get(&server, "/?t").body, "'closed");
    assert_eq!(get(&server, "/t.csv?t").body, "'closed");
}

#[test]
fn clients_that_may_not_write_still_see_pages() {
    let server = server_with(&["-b"], &["t:([]i:til 100)"]);
    assert!(get(&server, "/?t").body.contains("100[0]"));
    assert!(get(&server, "/?[68").body.contains("\n99\n"));
    assert!(get(&server, "/?t:1").body.starts_with("'noupdate"));
}

#[test]
fn users_are_checked_as_for_any_connection() {
    let file = std::env::temp_dir().join(format!("qolumn-users-{}", std::process::id()));
    std::fs::write(&file, "me:secret\n").expect("a file can be written");
    let path = file.display().to_string();
    let server = server_with(&["-u", &path], &[".z.ph:{.h.hy[`txt;string .z.u]}"]);
    let with =
        |stream: &mut TcpStream, given: &str| ask(stream, &format!("GET / HTTP/1.1{given}"), "");
    let mut stream = server.connect();
    let refused = with(&mut stream, "");
    assert_eq!(refused.status, "401 Unauthorized");
    assert!(
        refused
            .header("WWW-Authenticate")
            .is_some_and(|v| v.starts_with("Basic "))
    );
    let wrong = with(&mut stream, "\r\nAuthorization: Basic bWU6d3Jvbmc=");
    assert_eq!(wrong.status, "401 Unauthorized");
    let right = with(&mut stream, "\r\nAuthorization: Basic bWU6c2VjcmV0");
    assert_eq!(
        (right.status.as_str(), right.body.as_str()),
        ("200 OK", "me")
    );
    std::fs::remove_file(&file).expect("it was made");
}

#[test]
fn handlers_decide_who_comes_in() {
    let codes = "\"d\"; (0;\"\"); \"u\"; (1;\"bob\"); \"a\"; (2;.h.hn[\"403 No\";`txt;\"go\"])";
    let codes = codes.replace("\"; (", "\"~p; (");
    let server = server(&[
        ".z.ph:{.h.hy[`txt;string .z.u]}",
        ".z.pw:{(x=`ann)and y~\"pw\"}",
        &format!(".z.ac:{{p:first x 0; $[{codes}; (4;\"\")]}}"),
    ]);
    let mut stream = server.connect();
    let mut of = |target: &str, given: &str| {
        let answer = ask(&mut stream, &format!("GET /{target} HTTP/1.1{given}"), "");
        (answer.status, answer.body)
    };
    assert_eq!(of("d", "").0, "401 Unauthorized");
    assert_eq!(of("u", ""), ("200 OK".to_string(), "bob".to_string()));
    assert_eq!(of("b", "").0, "401 Unauthorized");
    let ann = "\r\nAuthorization: Basic YW5uOnB3";
    assert_eq!(of("b", ann), ("200 OK".to_string(), "ann".to_string()));
    assert_eq!(of("a", ""), ("403 No".to_string(), "go".to_string()));
}

#[test]
fn a_handle_of_http_is_known_while_it_is_answered() {
    let mut server = server(&[
        "told:()",
        ".z.po:.z.pc:{told,:x}",
        ".z.ph:{w::.z.w; .h.hy[`txt;-3!(.z.w>0i;.z.a;@[neg .z.w;1;{7#x}];.z.H)]}",
    ]);
    let mut stream = server.connect();
    let said = ask(&mut stream, "GET / HTTP/1.1", "").body;
    assert_eq!(said, "(1b;2130706433i;\"Cannot \";`int$())");
    drop(stream);
    assert_eq!(get(&server, "/health").body, "ok\n");
    assert_eq!(server.ask("-1 string count told;"), "0");
}
