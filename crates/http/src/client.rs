//! Requests that we send, and the responses to them. Sockets are `worker`'s.

use values::{Result, Signal};

/// Where a request goes: `http://user:password@host:port/path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub host: String,
    pub port: u16,
    /// Host and port as the request names them.
    authority: String,
    path: String,
    credentials: Option<String>,
}

impl Address {
    /// Reads an address; a colon before it is left out.
    ///
    /// Errors: `'nyi` for `https`, `'domain` for what is no address.
    pub fn parse(text: &str) -> Result<Address> {
        let text = text.strip_prefix(':').unwrap_or(text);
        if text.starts_with("https://") {
            return Err(Signal::nyi().with_note("no TLS: an address begins with http://"));
        }
        let rest = text.strip_prefix("http://").unwrap_or(text);
        let rest = rest.trim_start_matches('/');
        let (place, path) = match rest.find('/') {
            Some(end) => rest.split_at(end),
            None => (rest, "/"),
        };
        let (credentials, authority) = match place.rsplit_once('@') {
            Some((credentials, authority)) => (Some(credentials.to_string()), authority),
            None => (None, place),
        };
        let bad = || Signal::domain().with_note(format!("`{text}` is no address"));
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| bad())?),
            None => (authority, 80),
        };
        if host.is_empty() {
            return Err(bad());
        }
        Ok(Address {
            host: host.to_string(),
            port,
            authority: authority.to_string(),
            path: path.to_string(),
            credentials,
        })
    }

    /// The bytes of a request; `content` is its type and text.
    pub fn request(&self, method: &str, content: Option<(&str, &[u8])>) -> Vec<u8> {
        let mut head = format!(
            "{method} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n",
            self.path, self.authority
        )
        .into_bytes();
        if let Some(credentials) = &self.credentials {
            head.extend(b"Authorization: Basic ");
            head.extend(text::base64::encode(credentials.as_bytes()));
            head.extend(b"\r\n");
        }
        let Some((kind, body)) = content else {
            head.extend(b"\r\n");
            return head;
        };
        let more = format!(
            "Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        head.extend(more.as_bytes());
        head.extend_from_slice(body);
        head
    }
}

/// A response: its head with the empty line, and its body with chunks joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    pub head: Vec<u8>,
    pub body: Vec<u8>,
}

/// The response in `bytes`; `None` while more has to come. After the peer has `closed`, what there is
/// is the body.
///
/// Errors: `'domain` for bytes that are no response.
pub fn response(bytes: &[u8], closed: bool) -> Result<Option<Response>> {
    let mut headers = [httparse::EMPTY_HEADER; 128];
    let mut parsed = httparse::Response::new(&mut headers);
    let bad = |why: &str| Signal::domain().with_note(format!("not a response of HTTP: {why}"));
    let start = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(start)) => start,
        Ok(httparse::Status::Partial) if closed => return Err(bad("cut short")),
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(e) => return Err(bad(&e.to_string())),
    };
    let header = |name: &str| {
        let found = parsed.headers.iter();
        let mut found = found.filter(|h| h.name.eq_ignore_ascii_case(name));
        found.next().and_then(|h| std::str::from_utf8(h.value).ok())
    };
    let (head, rest) = bytes.split_at(start);
    let of = |body: &[u8]| Response {
        head: head.to_vec(),
        body: body.to_vec(),
    };
    if header("transfer-encoding").is_some_and(|v| v.to_ascii_lowercase().contains("chunked")) {
        return match chunks(rest) {
            Some(body) => Ok(Some(of(&body))),
            None if closed => Err(bad("a chunk is cut short")),
            None => Ok(None),
        };
    }
    let size = header("content-length").and_then(|v| v.trim().parse::<usize>().ok());
    let none = matches!(parsed.code, Some(100..200 | 204 | 304));
    Ok(match size {
        _ if none => Some(of(b"")),
        Some(size) if rest.len() >= size => Some(of(&rest[..size])),
        _ if closed => Some(of(rest)),
        _ => None,
    })
}

/// The chunks of a body joined; `None` before the last one.
fn chunks(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = rest.windows(2).position(|w| w == b"\r\n")?;
        let digits = rest[..line].split(|&b| b == b';').next()?;
        let size = usize::from_str_radix(std::str::from_utf8(digits).ok()?.trim(), 16).ok()?;
        rest = &rest[line + 2..];
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(..size)?);
        rest = rest.get(size.checked_add(2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let a = Address::parse(":http://user:p@host:8080/a/b?c").expect("an address");
        assert_eq!((a.host.as_str(), a.port), ("host", 8080));
        let request = String::from_utf8(a.request("GET", None)).expect("text");
        assert!(request.starts_with("GET /a/b?c HTTP/1.1\r\nHost: host:8080\r\n"));
        assert!(request.contains("Authorization: Basic dXNlcjpw\r\n"));
        assert_eq!(Address::parse("http://host").expect("an address").port, 80);
        assert!(Address::parse("https://host").is_err());
        assert!(Address::parse("http://host:x").is_err());
        assert!(Address::parse("http://").is_err());
    }

    #[test]
    fn responses_end_by_length_chunk_or_close() {
        let body = |bytes: &[u8], closed| {
            let found = response(bytes, closed).expect("a response");
            found.map(|r| String::from_utf8(r.body).expect("text"))
        };
        let sized = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab";
        assert_eq!(body(sized, false).as_deref(), Some("ab"));
        assert_eq!(body(&sized[..sized.len() - 1], false), None);
        let chunked =
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n";
        assert_eq!(body(chunked, false).as_deref(), Some("abc"));
        assert_eq!(body(&chunked[..chunked.len() - 6], false), None);
        let open = b"HTTP/1.0 200 OK\r\n\r\nabc";
        assert_eq!(body(open, false), None);
        assert_eq!(body(open, true).as_deref(), Some("abc"));
        assert!(response(b"no", true).is_err());
        assert!(response(b"\x01\x02\x03\r\n\r\n", false).is_err());
    }
}
