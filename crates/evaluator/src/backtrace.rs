//! Backtraces: what called what, for errors, `.Q.bt`, `.Q.trp` and `.Q.sbt`.
//!
//! An error collects a frame from each call that it leaves. Calls in progress are kept in
//! `Evaluator::calls`, each with the place in its caller. How a frame reads is in `text`.

use std::sync::Arc;

use values::{Frame, K, Lambda, Result, Signal};

use crate::Evaluator;

/// A call in progress.
pub(crate) struct Call {
    pub code: Caller,
    /// The place in the text of the code below that made this call.
    pub site: u32,
}

/// What runs.
pub(crate) enum Caller {
    Lambda(Arc<Lambda>),
    /// The function of the call below, which calls itself.
    Again,
    /// A statement of the console, a script or a message, with its file and line.
    Text(Arc<str>, Option<Arc<str>>),
    /// A function of the library that is not q.
    Native(&'static str),
}

/// The frame of a statement.
pub(crate) fn text_frame(text: &str, place: u32, origin: &Option<Arc<str>>) -> Frame {
    Frame {
        name: String::new(),
        source: text.to_string(),
        offset: (place as usize).min(text.len()),
        origin: origin.as_ref().map(ToString::to_string),
    }
}

/// The signal of an error in the text, with its place.
pub(crate) fn located(
    error: &syntax::SyntaxError,
    text: &str,
    origin: &Option<Arc<str>>,
) -> Signal {
    let mut signal = error.signal();
    signal.push_frame(text_frame(text, error.offset as u32, origin));
    signal
}

/// The frame of a function; the library's show their names only.
pub(crate) fn lambda_frame(lambda: &Lambda, offset: u32) -> Frame {
    let name = lambda.name.text();
    if lambda.origin.as_deref() == Some("") {
        return hidden(&name);
    }
    let source = lambda.shown();
    let offset = (offset as usize).min(source.len());
    let (file, line) = file_and_line(lambda.origin.as_deref());
    let above = source.as_bytes()[..offset].iter().filter(|&&b| b == b'\n');
    Frame {
        name: name.into_owned(),
        source: source.to_string(),
        offset,
        origin: (line >= 0).then(|| format!("{file}:{}", line + above.count() as i64)),
    }
}

/// The frame of a function whose source is not shown.
pub(crate) fn hidden(name: &str) -> Frame {
    Frame {
        name: format!("({name})"),
        source: String::new(),
        offset: 0,
        origin: None,
    }
}

/// File and line of `file:line`; no text and -1 when there is none.
pub(crate) fn file_and_line(origin: Option<&str>) -> (&str, i64) {
    let split = origin.and_then(|o| o.rsplit_once(':'));
    split
        .and_then(|(file, line)| Some((file, line.parse().ok()?)))
        .unwrap_or(("", -1))
}

impl Evaluator {
    /// The function that runs, past those of the library.
    pub(crate) fn innermost(&self) -> Option<Arc<Lambda>> {
        self.calls.iter().rev().find_map(|call| match &call.code {
            Caller::Lambda(l) => Some(l.clone()),
            _ => None,
        })
    }

    /// The frames of all calls in progress, innermost first.
    fn frames(&self) -> Vec<Frame> {
        let places = self.calls.iter().skip(1).map(|call| call.site);
        let places = places.chain([self.site]);
        let own = |l: &Lambda, place: u32| {
            let code = l.code.get();
            let start = code.and_then(|c| c.downcast_ref::<crate::code::Code>());
            lambda_frame(l, place.saturating_sub(start.map_or(0, |c| c.start)))
        };
        let mut last = None;
        let frame = |(call, place): (&Call, u32)| match &call.code {
            Caller::Text(text, origin) => text_frame(text, place, origin),
            Caller::Native(name) => hidden(name),
            Caller::Lambda(l) => own(last.insert(l.clone()), place),
            Caller::Again => own(last.as_ref().expect("a function called itself"), place),
        };
        let mut frames: Vec<Frame> = self.calls.iter().zip(places).map(frame).collect();
        frames.reverse();
        frames
    }

    /// `.Q.bt[]`: prints the backtrace, without the call of `.Q.bt`.
    pub(crate) fn print_backtrace(&mut self) -> K {
        let mut frames = self.frames();
        frames.remove(0);
        let mut out = String::new();
        let count = frames.len();
        for (i, frame) in frames.iter().enumerate() {
            text::frame_lines(&mut out, frame, count - 1 - i);
        }
        self.host.print(1, out.as_bytes());
        K::Nil
    }

    /// The backtrace object of an error that a trap has caught.
    fn handled(&mut self, result: Result<K>, handler: &K) -> Result<K> {
        result.or_else(|signal| {
            let mut frames = signal.frames().to_vec();
            frames.extend(self.frames());
            let count = frames.len();
            let levels = (0..count).rev();
            let frames = frames.iter().zip(levels).map(object).collect();
            self.apply(handler, vec![K::chars(signal.word()), K::list(frames)])
        })
    }
}

/// `.Q.trp[f;x;g]`: applies f to x; on a signal applies g to its text and the backtrace.
pub(crate) fn trap(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let result = e.apply_trapped(&x[0], vec![x[1].clone()]);
    e.handled(result, &x[2])
}

/// `.Q.trpd[f;args;g]`: the same for a list of arguments.
pub(crate) fn trap_list(e: &mut Evaluator, x: &[K]) -> Result<K> {
    let depth = e.mark();
    let result = e.apply_list(&x[0], &x[1]);
    e.unwind(depth);
    e.handled(result, &x[2])
}

/// A frame as q's backtrace object has it: (function;(name;file;line;text);offset;level).
fn object((frame, level): (&Frame, usize)) -> K {
    let (file, line) = file_and_line(frame.origin.as_deref());
    K::list(vec![
        K::chars(frame.source.as_str()),
        K::list(vec![
            K::chars(frame.name.as_str()),
            K::chars(file),
            K::Long(line),
            K::chars(frame.source.as_str()),
        ]),
        K::Long(frame.offset as i64),
        K::Long(level as i64),
    ])
}

/// `.Q.sbt`: a backtrace object, or the first frames of one, as text.
pub(crate) fn text(x: &K) -> K {
    let mut out = String::new();
    for object in x.items() {
        let part = |i: usize| object.item(1).item(i).as_text().unwrap_or_default();
        let line = object.item(1).item(2).as_long().unwrap_or(-1);
        let number = |i: usize| object.item(i).as_long().map_or(0, |n| n.max(0) as usize);
        let frame = Frame {
            name: part(0),
            source: part(3),
            offset: number(2),
            origin: (line >= 0).then(|| format!("{}:{line}", part(1))),
        };
        text::frame_lines(&mut out, &frame, number(3));
    }
    K::chars(out)
}
