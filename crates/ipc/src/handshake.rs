//! The first bytes of a connection: what protocol they are, and the credentials of IPC.

/// The highest capability that we take part in.
pub const CAPABILITY: u8 = 6;

/// Bytes of credentials, at most.
const CREDENTIALS_BYTES_MAX: usize = 64 << 10;

/// Who wants in, and what the peer can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    pub user: String,
    pub password: String,
    /// The common capability: the smaller of the peer's and ours.
    pub capability: u8,
    /// The peer sent a capability byte, so it waits for one.
    pub modern: bool,
}

/// What the first bytes of a connection are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    /// More bytes are needed.
    Incomplete,
    /// IPC credentials; that many bytes were used.
    Ipc(Credentials, usize),
    /// A line of a text console: credentials and the text to evaluate.
    Text(Credentials, String),
    /// An HTTP request (or WebSocket upgrade); all bytes are still to be read.
    Http,
    /// A TLS handshake.
    Tls,
    /// Nothing that we know.
    Unknown,
}

/// Looks at the first bytes. `ended` tells that the peer has shut its side.
pub fn first(bytes: &[u8], ended: bool) -> First {
    if bytes.starts_with(&[0x16, 3]) {
        return First::Tls;
    }
    let methods: [&[u8]; 9] = [
        b"GET ",
        b"POST ",
        b"PUT ",
        b"HEAD ",
        b"OPTIONS ",
        b"DELETE ",
        b"PATCH ",
        b"CONNECT ",
        b"TRACE ",
    ];
    if methods.iter().any(|m| bytes.starts_with(m)) {
        return First::Http;
    }
    let Some(nul) = bytes.iter().position(|&b| b == 0) else {
        return if bytes.len() > CREDENTIALS_BYTES_MAX || ended {
            First::Unknown
        } else {
            First::Incomplete
        };
    };
    let credentials = credentials(&bytes[..nul]);
    let rest = &bytes[nul + 1..];
    if credentials.modern {
        return First::Ipc(credentials, nul + 1);
    }
    // A capability byte of 0 is a NUL too.
    if rest.first() == Some(&0) {
        return First::Ipc(credentials, nul + 2);
    }
    // A console sends its text, and a NUL, right after the credentials.
    let is_message = rest.first() == Some(&1);
    match rest.iter().position(|&b| b == 0) {
        Some(end) if !is_message => {
            let text = String::from_utf8_lossy(&rest[..end]).into_owned();
            First::Text(credentials, text)
        }
        _ => First::Ipc(credentials, nul + 1),
    }
}

/// `user:password` and perhaps a capability byte.
fn credentials(bytes: &[u8]) -> Credentials {
    let (text, capability, modern) = match bytes.split_last() {
        Some((&last, head)) if last < 32 => (head, last.min(CAPABILITY), true),
        _ => (bytes, 0, false),
    };
    let text = String::from_utf8_lossy(text);
    let (user, password) = text.split_once(':').unwrap_or((&text, ""));
    Credentials {
        user: user.to_string(),
        password: password.to_string(),
        capability,
        modern,
    }
}

impl Credentials {
    /// The bytes that a client sends.
    pub fn bytes(user: &str, password: &str) -> Vec<u8> {
        let mut out = format!("{user}:{password}").into_bytes();
        out.push(CAPABILITY);
        out.push(0);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_the_protocol() {
        let modern = First::Ipc(
            Credentials {
                user: "user".into(),
                password: "pass".into(),
                capability: 3,
                modern: true,
            },
            11,
        );
        assert_eq!(first(b"user:pass\x03\0", false), modern);
        assert_eq!(first(b"user:pa", false), First::Incomplete);
        assert_eq!(first(b"GET / HTTP/1.1\r\n", false), First::Http);
        assert_eq!(first(&[0x16, 3, 1], false), First::Tls);
        let First::Text(who, text) = first(b"user:pass\x001+1\0", false) else {
            panic!("a console line");
        };
        assert_eq!((who.user.as_str(), text.as_str()), ("user", "1+1"));
        assert!(matches!(first(b"user:pass\0", false), First::Ipc(_, 10)));
    }
}
