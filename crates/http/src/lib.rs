//! HTTP: requests to what they ask for, and responses to bytes. Nothing is evaluated here.

pub mod client;

/// The response to the head of a request: the worker is well, or there is no such page.
pub fn respond(head: &[u8]) -> Vec<u8> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    let path = match request.parse(head) {
        Ok(_) => request.path.unwrap_or("/").to_string(),
        Err(_) => return response("400 Bad Request", "malformed request\n"),
    };
    match path.as_str() {
        "/health" | "/ready" => response("200 OK", "ok\n"),
        _ => response("404 Not Found", "no such page\n"),
    }
}

fn response(status: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
