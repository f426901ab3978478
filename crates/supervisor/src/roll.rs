//! Replacing workers one at a time, without a gap: the successor loads while the old one serves.

use std::collections::VecDeque;
use std::time::Instant;

use crate::serve::{Supervisor, log};

/// A replacement of workers that goes on.
#[derive(Debug)]
pub struct Roll {
    waiting: VecDeque<usize>,
    /// The worker that is being replaced, and since when.
    step: Option<(usize, Instant)>,
    done: usize,
    began: Instant,
}

impl Supervisor {
    /// Begins to replace all workers, or one.
    pub fn start_roll(&mut self, only: Option<usize>) {
        if self.roll.is_some() || self.stopping {
            return log("workers are being replaced already");
        }
        self.generation += 1;
        self.roll = Some(Roll {
            waiting: match only {
                Some(worker) => [worker].into(),
                None => (0..self.wanted).collect(),
            },
            step: None,
            done: 0,
            began: Instant::now(),
        });
    }

    /// Takes the next step, when the last one is done.
    pub fn go_on_rolling(&mut self) {
        let Some(roll) = &mut self.roll else { return };
        if roll.step.is_some() {
            return;
        }
        let Some(index) = roll.waiting.pop_front() else {
            let (done, seconds) = (roll.done, roll.began.elapsed().as_secs_f64());
            self.roll = None;
            return self.tell_roll(&format!("{done} workers replaced in {seconds:.2} s"), true);
        };
        roll.step = Some((index, Instant::now()));
        let process = self.start(index);
        let slot = &mut self.slots[index];
        match (process, slot.is_serving()) {
            (None, _) => self.abort_roll(&format!("worker {index} could not be started")),
            (process, true) => slot.successor = process,
            // Nobody serves there: what is starting gives way to the new generation.
            (process, false) => {
                if let Some(old) = slot.current.take() {
                    crate::os::send_signal(old.pid, libc::SIGKILL);
                    slot.leaving.push(old);
                }
                slot.crashes = 0;
                slot.current = process;
            }
        }
    }

    /// A worker serves: the step that waited for it is done.
    pub fn roll_step_done(&mut self, index: usize) {
        let generation = self.generation;
        let current = self.slots[index].current.as_ref();
        if current.is_none_or(|p| p.generation != generation) {
            return;
        }
        let Some(roll) = &mut self.roll else { return };
        if let Some((worker, began)) = roll.step
            && worker == index
        {
            roll.step = None;
            roll.done += 1;
            let seconds = began.elapsed().as_secs_f64();
            self.tell_roll(&format!("worker {index} replaced in {seconds:.2} s"), false);
        }
    }

    /// The old generation stays.
    pub fn abort_roll(&mut self, reason: &str) {
        if let Some(roll) = self.roll.take() {
            let left = roll.waiting.len() + usize::from(roll.step.is_some());
            let line = format!("error: {reason}; {left} workers stay as they were");
            self.tell_roll(&line, true);
        }
    }

    fn tell_roll(&mut self, line: &str, is_last: bool) {
        log(line);
        self.say_to_followers(line);
        if is_last {
            self.dismiss_followers();
        }
    }
}
