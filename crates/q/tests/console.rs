//! The console with standard input that is no terminal: what scripts and pipes rely on.

use std::io::Write;
use std::process::{Command, Stdio};

/// Standard output (with standard error after it) and the exit code of `qolumn` given `input`.
fn run(arguments: &[&str], input: &str) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qolumn"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    (text, output.status.code())
}

#[test]
fn values_and_errors_are_echoed_without_a_prompt() {
    let (text, code) = run(&["-q"], "1+1\nx:5\nx\n1+`a\n`a`b\n::\n2+2");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..3], ["2", "5", "'type"]);
    assert_eq!(lines[lines.len() - 2..], ["`a`b", "4"]);
    assert!(lines.contains(&"  [0]  1+`a"), "{text}");
    assert_eq!(code, Some(0));
}

#[test]
fn flags_that_are_not_known_are_arguments() {
    let (text, _) = run(&["-q", "-name", "value", "-P", "3"], ".z.x\n2%3\n");
    assert_eq!(text, "\"-name\"\n\"value\"\n0.667\n");
}

/// A folder of this test's own.
fn folder(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("qolumn-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder for the test");
    path
}

#[test]
fn a_start_file_comes_before_the_script_and_home_is_searched() {
    let home = folder("home");
    std::fs::write(home.join("start.q"), "order:enlist`start").expect("written");
    std::fs::write(home.join("more.q"), "order,:`more").expect("written");
    std::fs::write(home.join("main.q"), "order,:`main").expect("written");
    let output = Command::new("/bin/sh")
        .arg("-c")
        .arg(format!(
            "printf '\\\\l more.q\\norder\\n' | {} {}/main.q -q",
            env!("CARGO_BIN_EXE_qolumn"),
            home.display()
        ))
        .env("QOLUMN_HOME", &home)
        .env("QOLUMN_INIT", home.join("start.q"))
        .output()
        .expect("the shell starts");
    let _ = std::fs::remove_dir_all(&home);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "`start`main`more\n"
    );
}

#[test]
fn writing_is_blocked_for_clients_only() {
    let (text, _) = run(&["-q", "-b"], "a:1\na\n\\_\n.z.r\n");
    assert_eq!(text, "1\n1b\n0b\n");
}

#[test]
fn exit_gives_its_code_after_the_handler() {
    let (text, code) = run(&["-q"], ".z.exit:{-1 \"bye \",string x;}\nexit 3\n");
    assert_eq!((text.as_str(), code), ("bye 3\n", Some(3)));
}

#[test]
fn a_flag_without_its_value_is_refused() {
    let (text, code) = run(&["-t"], "");
    assert_eq!(
        (text.as_str(), code),
        ("qolumn: -t takes a number\n", Some(2))
    );
}

#[test]
fn a_page_is_fetched_by_http() {
    use std::io::Read;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let server = std::thread::spawn(move || {
        let (mut peer, _) = listener.accept().expect("the client connects");
        let mut request = [0u8; 4096];
        let count = peer.read(&mut request).expect("the client asks");
        let chunks = "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n";
        write!(
            peer,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"
        )
        .expect("the client reads");
        String::from_utf8_lossy(&request[..count]).into_owned()
    });
    let (text, _) = run(
        &["-q"],
        &format!(".Q.hp[\"http://127.0.0.1:{port}/a?b\";.h.ty`txt;\"question\"]\n"),
    );
    assert_eq!(text, "\"abc\"\n");
    let request = server.join().expect("the server ends");
    assert!(request.starts_with("POST /a?b HTTP/1.1\r\n"), "{request}");
    assert!(
        request.ends_with("Content-Length: 8\r\n\r\nquestion"),
        "{request}"
    );
}
