//! Bytes as text of 64 letters, as RFC 4648 has them: `.Q.btoa`, and credentials of HTTP.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Four letters for every three bytes, filled up with `=`.
pub fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .chain([0u8, 0].iter())
            .take(3)
            .fold(0u32, |g, &b| g << 8 | u32::from(b));
        for place in 0..4 {
            out.push(if place <= chunk.len() {
                LETTERS[(group >> (18 - 6 * place) & 63) as usize]
            } else {
                b'='
            });
        }
    }
    out
}

/// The bytes of such text; `None` for other characters.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut bits) = (0u32, 0);
    for b in text.iter().filter(|&&b| b != b'=') {
        let digit = LETTERS.iter().position(|a| a == b)?;
        group = group << 6 | digit as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((group >> bits) as u8);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (plain, text) in [("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj")] {
            assert_eq!(encode(plain.as_bytes()), text.as_bytes());
            assert_eq!(decode(text.as_bytes()), Some(plain.as_bytes().to_vec()));
        }
        assert_eq!(decode(b"Y*=="), None);
    }
}
