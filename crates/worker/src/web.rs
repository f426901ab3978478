//! Connections that speak HTTP: requests to the handlers, answers back.
//!
//! What comes in one read is answered by one write, in order, and the connection stays open as the answers
//! say. `.z.po` and `.z.pc` are not told: a handle of HTTP takes no messages. Parsing is `http`'s, what the
//! handlers are given `evaluator`'s work.

use evaluator::Access;
use http::{Decoder, Delivery, Event, Limits, Method, Request};
use values::{Signal, Symbol};

use crate::connection::{Connection, State};
use crate::event_loop::Worker;
use crate::limits::{
    HTTP_BODY_BYTES_MAX, HTTP_DRAIN_BYTES_MAX, HTTP_HEAD_BYTES_MAX, HTTP_QUEUE_BYTES_MAX,
};

const LIMITS: Limits = Limits {
    head_bytes: HTTP_HEAD_BYTES_MAX,
    body_bytes: HTTP_BODY_BYTES_MAX,
};

impl Worker {
    /// Takes up a connection whose first bytes are HTTP.
    pub(crate) fn start_web(&mut self, handle: i32, bytes: &[u8]) {
        if let Some(connection) = self.shared.borrow_mut().connections.get_mut(&handle) {
            let mut decoder = Decoder::new(LIMITS);
            decoder.feed(bytes);
            connection.state = State::Web(decoder);
        }
        self.answer_web(handle);
    }

    /// Reads once, and answers the requests that are whole.
    pub(crate) fn read_web(&mut self, handle: i32) {
        let alive = {
            let mut shared = self.shared.borrow_mut();
            match shared.connections.get_mut(&handle) {
                Some(connection) => connection.read_web(),
                None => return,
            }
        };
        if alive {
            self.answer_web(handle);
        } else {
            self.shared.borrow_mut().close_after_writing(handle);
        }
    }

    /// Answers all whole requests in order; sends what they give at once.
    pub(crate) fn answer_web(&mut self, handle: i32) {
        let mut answers = Vec::new();
        let keeps = loop {
            let event = match self.shared.borrow_mut().connections.get_mut(&handle) {
                Some(Connection {
                    state: State::Web(decoder),
                    ..
                }) => decoder.next_event(),
                _ => return,
            };
            match event {
                Ok(None) => break true,
                Ok(Some(Event::Expects)) => answers.extend_from_slice(http::continued()),
                Ok(Some(Event::Request(mut request))) => {
                    // A worker that drains sends its clients elsewhere.
                    request.keeps &= self.drain.is_none();
                    if !self.answer_request(handle, &request, &mut answers) {
                        break false;
                    }
                }
                Err(refusal) => {
                    answers.extend(http::refused(refusal));
                    break false;
                }
            }
            if answers.len() > HTTP_QUEUE_BYTES_MAX {
                let gathered = std::mem::take(&mut answers);
                let mut shared = self.shared.borrow_mut();
                shared.send_bytes(handle, gathered);
                let queued = shared
                    .connections
                    .get(&handle)
                    .map(Connection::queued_bytes);
                if queued.is_some_and(|bytes| bytes > HTTP_QUEUE_BYTES_MAX) {
                    return shared.stop_reading(handle);
                }
            }
        };
        let mut shared = self.shared.borrow_mut();
        if !answers.is_empty() {
            shared.send_bytes(handle, answers);
        }
        if !keeps {
            if let Some(connection) = shared.connections.get_mut(&handle) {
                connection.drain(HTTP_DRAIN_BYTES_MAX);
            }
            shared.close_after_writing(handle);
        }
    }

    /// Adds the answer to one request; false when the connection ends with it.
    fn answer_request(&mut self, handle: i32, request: &Request, answers: &mut Vec<u8>) -> bool {
        if let Some(said) = self.operators_page(&request.text) {
            return add(
                &http::plain("200 OK", &said, request.keeps),
                request,
                answers,
            );
        }
        if request.upgrades {
            let said = "WebSocket is not supported\n";
            return add(
                &http::plain("501 Not Implemented", said, false),
                request,
                answers,
            );
        }
        if let Err(refused) = self.authorize(handle, request) {
            return add(&refused, request, answers);
        }
        let method = request.method.name();
        let (text, headers) = (&request.text, request.headers.clone());
        let result = self.guarded(|e| e.on_http(handle, method, text, headers, request.keeps));
        let idle_ms = self.evaluator.end_http();
        self.shared.borrow_mut().set_idle(handle, idle_ms);
        match result {
            Ok(Some(answer)) => add(answer.cells::<u8>().unwrap_or_default(), request, answers),
            Ok(None) => {
                let said = format!("no handler of {method} is defined\n");
                let answer = http::plain("501 Not Implemented", &said, request.keeps);
                add(&answer, request, answers)
            }
            Err(signal) => add(&failure(&signal, request.keeps), request, answers),
        }
    }

    /// What operators ask for, which no handler has a part in.
    fn operators_page(&self, text: &[u8]) -> Option<String> {
        match text {
            b"health" | b"ready" => Some("ok\n".into()),
            b"metrics" => Some(crate::metrics::text(&self.shared.borrow().membership)),
            _ => None,
        }
    }

    /// Whether the request may be answered: `.z.ac`, else user and password as for any connection.
    ///
    /// Errors: what to answer instead.
    fn authorize(&mut self, handle: i32, request: &Request) -> Result<(), Vec<u8>> {
        let access = match self.evaluator.handler("ac") {
            None => Ok(Access::Basic),
            Some(f) => {
                self.guarded(|e| e.http_access(handle, &f, &request.text, request.headers.clone()))
            }
        };
        let user = match access {
            Ok(Access::User(user)) => user,
            Ok(Access::Answer(bytes)) => return Err(bytes),
            Ok(Access::Denied) => return Err(http::unauthorized(request.keeps)),
            Ok(Access::Basic) => {
                let (user, password) = request.credentials.clone().unwrap_or_default();
                if !self.is_allowed(&user, &password) {
                    return Err(http::unauthorized(request.keeps));
                }
                user
            }
            Err(signal) => return Err(failure(&signal, request.keeps)),
        };
        if let Some(connection) = self.shared.borrow_mut().connections.get_mut(&handle)
            && connection.user.bytes() != user.as_bytes()
        {
            connection.user = Symbol::new(user);
        }
        Ok(())
    }
}

/// Adds an answer as far as the request wants it; false when the connection ends with it.
fn add(answer: &[u8], request: &Request, answers: &mut Vec<u8>) -> bool {
    let delivery = Delivery::of(answer, request, request.method == Method::Head);
    answers.extend_from_slice(&answer[..delivery.bytes]);
    delivery.keeps
}

/// A signal as an answer.
fn failure(signal: &Signal, keeps: bool) -> Vec<u8> {
    let said = match signal.note() {
        Some(note) => format!("'{}\n  {note}\n", signal.word()),
        None => format!("'{}\n", signal.word()),
    };
    http::plain("400 Bad Request", &said, keeps)
}
