//! `-N!x`: the internal functions that the manual documents.

use std::sync::Arc;

use values::{Data, K, Result, Signal, Symbol, Type};

use crate::Evaluator;
use crate::value::text_list;

impl Evaluator {
    /// `n!y` for a negative `n` or the null.
    pub(crate) fn internal(&mut self, n: i64, y: K) -> Result<K> {
        match n {
            i64::MIN => {
                let shown = self.one_line(&y);
                self.host.print(1, format!("{shown}\n").as_bytes());
                Ok(y)
            }
            -1 => Ok(hsym_of(&y)),
            -2 => primitives::attribute::attr(y),
            -3 => Ok(K::chars(self.one_line(&y))),
            -4 => self.tokens(&y),
            -5 => self.parse_text(&y),
            -6 => self.eval(y),
            -7 => self.hcount(&y),
            -8 => self.serialize(&y, 3),
            -9 => self.deserialize(&y),
            -10 => Ok(K::Boolean(self.is_free_type(&y)?)),
            -11 => self.replay(y),
            -12 => self.host_of(&y),
            -13 => self.address_of(&y),
            -14 => Ok(K::chars(quoted(y.as_chars().ok_or_else(Signal::ty)?))),
            -15 => primitives::hash::md5(y),
            -16 => Ok(K::Int(holders(&y))),
            -18 => self.serialize_compressed(&y),
            -19 => self.compress_file(&y),
            -20 => Ok(K::Long(0)),
            -21 => self.compression_of(&y),
            -22 => self.serialized_size(&y),
            -23 => self.touch(y),
            -24 => self.reval(y),
            -25 => self.broadcast(&y),
            -27 => fixed(&y),
            -29 => self.read_json(&y),
            -30 => self.deferred_answer(&y),
            -31 => self.to_json(&y, false),
            -33 => primitives::hash::sha1(y),
            -38 => self.sockets(&y),
            -120 => Ok(K::Long(0)),
            _ => Err(Signal::nyi().with_note(format!("`{n}!` is not supported"))),
        }
    }

    pub(crate) fn one_line(&self, y: &K) -> String {
        text::s1(y, self.settings.precision)
    }

    fn tokens(&mut self, y: &K) -> Result<K> {
        let text = y.as_text().ok_or_else(|| Signal::ty().given(&[y]))?;
        Ok(text_list(syntax::tokens(&text)))
    }

    /// `reval`: evaluates a tree with writing forbidden.
    pub(crate) fn reval(&mut self, y: K) -> Result<K> {
        let before = std::mem::replace(&mut self.restricted, true);
        let depth = self.mark();
        let result = self.eval(y);
        self.unwind(depth);
        self.restricted = before;
        result
    }

    pub(crate) fn serialize(&mut self, y: &K, capability: u8) -> Result<K> {
        Ok(K::bytes(self.message(y, capability)?))
    }

    /// A whole message (async, little-endian) with its header.
    fn message(&mut self, y: &K, capability: u8) -> Result<Vec<u8>> {
        let y = self.loaded(y.clone())?;
        let body = serial::encode(&y, capability)?;
        let total = body.len() + 8;
        let mut bytes = Vec::with_capacity(total);
        bytes.extend([1, 0, 0, (total >> 32) as u8]);
        bytes.extend((total as u32).to_le_bytes());
        bytes.extend(body);
        Ok(bytes)
    }

    fn serialize_compressed(&mut self, y: &K) -> Result<K> {
        let plain = self.message(y, 3)?;
        Ok(K::bytes(serial::compress(&plain).unwrap_or(plain)))
    }

    fn deserialize(&mut self, y: &K) -> Result<K> {
        let bytes = match y {
            K::Vector(v) if v.ty == Type::Byte => y.cells::<u8>().unwrap_or_default(),
            _ => return Err(Signal::ty().given(&[y])),
        };
        let bad = || Signal::badmsg().with_note("not a serialized message");
        if bytes.len() < 9 {
            return Err(bad());
        }
        let plain;
        let message = if bytes[2] != 0 {
            plain = serial::decompress(bytes, crate::limits::MESSAGE_BYTES_MAX)?;
            &plain[..]
        } else {
            bytes
        };
        let little = message[0] == 1;
        match serial::decode(&message[8..], little, &primitives::by_wire)? {
            serial::Decoded::Value(k) => Ok(k),
            serial::Decoded::Error(word) => Err(Signal::new(word)),
        }
    }

    fn serialized_size(&mut self, y: &K) -> Result<K> {
        let y = self.loaded(y.clone())?;
        Ok(K::Long(serial::encode(&y, 3)?.len() as i64 + 8))
    }

    /// `-23!`: reads a value through, so that its pages are in memory.
    fn touch(&mut self, y: K) -> Result<K> {
        if let K::Vector(v) = &y {
            values::each_storage!(&v.data, cells => read_pages(cells));
        }
        Ok(y)
    }

    /// `-25!(handles;message)`: one async message to many.
    fn broadcast(&mut self, y: &K) -> Result<K> {
        let K::List(parts) = y else {
            return Err(Signal::ty().given(&[y]));
        };
        let [handles, message] = parts.as_slice() else {
            return Err(Signal::length().given(&[y]));
        };
        let handle = |h: &K| {
            h.as_long()
                .and_then(|h| i32::try_from(h.abs()).ok())
                .ok_or_else(|| Signal::ty().given(&[handles]))
        };
        let listed = crate::value::listed(handles);
        let targets: Vec<i32> = listed.iter().map(handle).collect::<Result<_>>()?;
        if let Some(h) = targets.iter().find(|h| !self.is_open(**h)) {
            return Err(Signal::new(format!("{h} is not an ipc handle")));
        }
        for h in targets {
            self.host.send(h, message)?;
        }
        Ok(K::Nil)
    }

    /// `-30!(::)` defers the answer; `-30!(h;isError;value)` gives it.
    fn deferred_answer(&mut self, y: &K) -> Result<K> {
        if crate::value::is_identity(y) {
            self.deferred = true;
            return Ok(K::Nil);
        }
        let parts = y.items();
        let [handle, failed, value] = parts.as_slice() else {
            return Err(Signal::length().given(&[y]));
        };
        let handle = handle
            .as_long()
            .and_then(|h| i32::try_from(h).ok())
            .ok_or_else(|| Signal::ty().given(&[handle]))?;
        if !self.is_open(handle) {
            return Err(Signal::new(format!(
                "Handle {handle} was not expecting a response msg"
            )));
        }
        let answer = if crate::machine::is_true(failed)? {
            Err(crate::machine::raise(value))
        } else {
            Ok(value.clone())
        };
        self.host.respond(handle, answer)?;
        Ok(K::Nil)
    }

    fn is_open(&self, handle: i32) -> bool {
        self.host.peers().iter().any(|p| p.handle == handle)
    }

    /// `-38!h`: of a handle its protocol and family, whether it is encrypted, and how many messages and
    /// bytes wait to be sent.
    fn sockets(&mut self, y: &K) -> Result<K> {
        let peers = self.host.peers();
        let row = |handle: i64| {
            let found = peers.iter().find(|p| i64::from(p.handle) == handle);
            let protocol = found.map_or(b' ', |p| p.protocol);
            let is_unix = found.is_some_and(|p| p.address == 0);
            let queued = found.map_or(&[][..], |p| &p.queued);
            K::dict(
                K::symbols(["p", "f", "z", "n", "m"].map(Symbol::new).to_vec()),
                K::list(vec![
                    K::Char(protocol),
                    K::Char(if is_unix { b'u' } else { b't' }),
                    K::Boolean(false),
                    K::Long(queued.len() as i64),
                    K::Long(queued.iter().sum()),
                ]),
            )
        };
        match y {
            _ if y.is_list() => Ok(values::collect(
                y.items()
                    .iter()
                    .map(|h| row(h.as_long().unwrap_or(-1)))
                    .collect(),
            )),
            _ => Ok(row(y.as_long().ok_or_else(|| Signal::ty().given(&[y]))?)),
        }
    }

    /// `-10!`: whether no enumeration has a type number. All of ours have 20.
    fn is_free_type(&self, y: &K) -> Result<bool> {
        match y.as_long() {
            Some(20) => Ok(self.domains.is_empty()),
            Some(21..77) => Ok(true),
            _ => Err(Signal::domain().given(&[y]).with_hint("types 20 to 76")),
        }
    }

    fn host_of(&mut self, y: &K) -> Result<K> {
        let address = y.as_long().ok_or_else(|| Signal::ty().given(&[y]))? as i32;
        Ok(K::symbol(self.host.name_of(address).unwrap_or_default()))
    }

    fn address_of(&mut self, y: &K) -> Result<K> {
        let name = y.as_text().ok_or_else(|| Signal::ty().given(&[y]))?;
        match self.host.resolve(&name) {
            Some(address) => Ok(K::Int(address)),
            None => Err(Signal::new(name).with_note("no such host")),
        }
    }

    /// JSON text of a value; infinities are null when asked for.
    pub(crate) fn to_json(&self, y: &K, infinity_is_null: bool) -> Result<K> {
        let format = text::JsonFormat {
            precision: self.settings.precision,
            infinity_is_null,
        };
        text::to_json(y, &format).map(K::chars)
    }

    pub(crate) fn read_json(&mut self, y: &K) -> Result<K> {
        let joined;
        let text = match y {
            K::List(lines) => {
                joined = lines
                    .iter()
                    .map(|l| l.as_chars().ok_or_else(|| Signal::ty().given(&[y])))
                    .collect::<Result<Vec<&[u8]>>>()?
                    .concat();
                &joined[..]
            }
            _ => y.as_chars().ok_or_else(|| Signal::ty().given(&[y]))?,
        };
        text::from_json(text)
    }
}

/// How many hold a value besides this call: 1 for what is not counted.
fn holders(y: &K) -> i32 {
    let count = match y {
        K::Vector(v) => Arc::strong_count(v),
        K::List(l) => Arc::strong_count(l),
        K::Dict(d) => Arc::strong_count(d),
        K::Table(t) => Arc::strong_count(t),
        K::Lambda(l) => Arc::strong_count(l),
        _ => return 1,
    };
    i32::try_from(count - 1).unwrap_or(i32::MAX).max(1)
}

/// Reads a cell of each page.
fn read_pages<T: values::Element>(cells: &[T]) {
    for cell in cells.iter().step_by(4096 / size_of::<T>()) {
        std::hint::black_box(*cell);
    }
}

fn hsym_of(y: &K) -> K {
    match y.as_text() {
        Some(text) => K::symbol(format!(":{}", text.trim_start_matches(':'))),
        None => y.clone(),
    }
}

/// `-14!`: doubles the quotes of a csv field.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    for &b in text {
        out.push(b);
        if b == b'"' {
            out.push(b);
        }
    }
    out
}

/// `-27!(places;x)`: floats as text with that many decimals.
fn fixed(y: &K) -> Result<K> {
    let parts = y.items();
    let [places, x] = parts.as_slice() else {
        return Err(Signal::length().given(&[y]));
    };
    let places = places
        .as_long()
        .and_then(|p| usize::try_from(p).ok())
        .filter(|p| *p < 100)
        .ok_or_else(|| Signal::ty().given(&[places]))?;
    let one = |f: f64| K::chars(format!("{f:.places$}"));
    match x {
        K::Float(f) => Ok(one(*f)),
        K::Vector(v) => match &v.data {
            Data::F64(cells) => Ok(K::list(cells.iter().map(|&f| one(f)).collect())),
            _ => Err(Signal::ty().given(&[x])),
        },
        _ => Err(Signal::ty().given(&[x])),
    }
}
