//! A worker's place: the process that has it, the one that will, those that leave.

use std::time::{Duration, Instant};

use crate::limits;
use crate::process::{Process, Stage};

/// A place in the group. It outlives the processes that have it.
#[derive(Debug, Default)]
pub struct Slot {
    pub current: Option<Process>,
    pub successor: Option<Process>,
    pub leaving: Vec<Process>,
    /// When a process that died is started again.
    pub restart_at: Option<Instant>,
    /// Deaths in a row.
    pub crashes: u32,
}

impl Slot {
    /// All processes of the place.
    pub fn processes(&mut self) -> impl Iterator<Item = &mut Process> {
        let first = self.current.iter_mut().chain(self.successor.iter_mut());
        first.chain(self.leaving.iter_mut())
    }

    /// True when a process serves.
    pub fn is_serving(&self) -> bool {
        self.current
            .as_ref()
            .is_some_and(|p| p.stage == Stage::Serving)
    }

    /// True when no process is left.
    pub fn is_empty(&self) -> bool {
        self.current.is_none() && self.successor.is_none() && self.leaving.is_empty()
    }

    /// The current process has died: when to start it again; `None` when that has failed too often.
    pub fn after_death(&mut self, served: Duration) -> Option<Duration> {
        if served >= limits::STABLE_AFTER {
            self.crashes = 0;
        }
        self.crashes += 1;
        if self.crashes >= limits::CRASHES_MAX {
            return None;
        }
        let pause = limits::RESTART_PAUSE * 2u32.pow(self.crashes - 1);
        let pause = match self.crashes {
            1 => Duration::ZERO,
            _ => pause.min(limits::RESTART_PAUSE_MAX),
        };
        self.restart_at = Some(Instant::now() + pause);
        Some(pause)
    }

    /// The current process serves no more; it may finish what it has.
    pub fn retire(&mut self) {
        if let Some(mut process) = self.current.take() {
            process.enter(Stage::Draining);
            self.leaving.push(process);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_dies_again_and_again_is_given_up() {
        let mut slot = Slot::default();
        let pauses: Vec<Option<Duration>> = (0..limits::CRASHES_MAX)
            .map(|_| slot.after_death(Duration::ZERO))
            .collect();
        assert_eq!(
            pauses[0],
            Some(Duration::ZERO),
            "the first death costs no pause"
        );
        assert_eq!(pauses[1], Some(limits::RESTART_PAUSE * 2));
        assert_eq!(pauses.last(), Some(&None));
        assert_eq!(slot.after_death(limits::STABLE_AFTER), Some(Duration::ZERO));
    }
}
