//! What `qolumn ctl` can ask of a running supervisor.

use std::time::Instant;

use sockets::os::Watch;

use crate::control::Client;
use crate::limits;
use crate::options;
use crate::os;
use crate::process::Stage;
use crate::serve::{Supervisor, log};
use crate::slot::Slot;
use crate::status::status;

impl Supervisor {
    pub fn on_client(&mut self) {
        while let Some(client) = Client::accept(&self.control) {
            if self.clients.len() >= limits::CLIENTS_MAX {
                continue;
            }
            if self.poll.add(client.descriptor(), Watch::Reading).is_ok() {
                self.clients.push(client);
            }
        }
    }

    /// A client says something; false when the descriptor is no client's.
    pub fn on_command(&mut self, descriptor: i32) -> bool {
        let Some(place) = self
            .clients
            .iter()
            .position(|c| c.descriptor() == descriptor)
        else {
            return false;
        };
        match self.clients[place].command() {
            Ok(None) => {}
            Err(()) => {
                self.poll.remove(descriptor);
                self.clients.remove(place);
            }
            Ok(Some(words)) => {
                let mut client = self.clients.remove(place);
                self.obey(&mut client, &words);
                match client.follows {
                    true => self.clients.push(client),
                    false => self.poll.remove(descriptor),
                }
            }
        }
        true
    }

    fn obey(&mut self, client: &mut Client, words: &[String]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let outcome = match words.as_slice() {
            ["status"] => {
                client.say(&status(&self.group, &self.slots).to_string());
                Ok(())
            }
            ["scale", n] => options::workers(n).and_then(|n| self.scale(n)),
            ["roll"] => self.follow(client, None),
            ["drain", w] => self.worker(w).and_then(|w| self.follow(client, Some(w))),
            ["restart", w] => self.worker(w).map(|w| self.restart(w)),
            ["stop"] => {
                client.follows = true;
                self.stop();
                Ok(())
            }
            _ => Err(format!(
                "`{}` is not a command; see `qolumn ctl --help`",
                words.join(" ")
            )),
        };
        if let Err(reason) = outcome {
            client.say(&format!("error: {reason}"));
        } else if !client.follows && words != ["status"] {
            client.say("done");
        }
    }

    fn worker(&self, word: &str) -> Result<usize, String> {
        let worker = word.parse().ok().filter(|&w: &usize| w < self.wanted);
        worker.ok_or_else(|| format!("`{word}` is not a worker: 0 to {}", self.wanted - 1))
    }

    fn follow(&mut self, client: &mut Client, only: Option<usize>) -> Result<(), String> {
        if self.roll.is_some() {
            return Err("workers are being replaced already".into());
        }
        self.start_roll(only);
        client.follows = self.roll.is_some();
        Ok(())
    }

    /// Tells all that wait for the end of something; those that are gone are forgotten.
    pub fn say_to_followers(&mut self, line: &str) {
        self.clients.retain_mut(|c| !c.follows || c.say(line));
    }

    /// Those that waited have heard all.
    pub fn dismiss_followers(&mut self) {
        let poll = &self.poll;
        self.clients.retain(|c| {
            if c.follows {
                poll.remove(c.descriptor());
            }
            !c.follows
        });
    }

    /// Runs another number of workers.
    fn scale(&mut self, workers: usize) -> Result<(), String> {
        if self.roll.is_some() {
            return Err("workers are being replaced; try again when that is done".into());
        }
        let before = self.group.size();
        self.group
            .grow(workers)
            .map_err(|e| sockets::os::reason(&e))?;
        for new in before..workers {
            let (line, descriptors) = self.group.introduction(new);
            self.tell_all(&line, &descriptors);
        }
        self.wanted = workers;
        self.tell_all(&format!("workers {workers}"), &[]);
        for slot in &mut self.slots {
            slot.crashes = 0;
        }
        self.fill();
        log(&format!("{workers} workers from now on"));
        Ok(())
    }

    fn tell_all(&mut self, line: &str, descriptors: &[i32]) {
        for process in self.slots.iter_mut().flat_map(Slot::processes) {
            if process.stage != Stage::Draining {
                let _ = sockets::os::send(&process.control, line.as_bytes(), descriptors);
            }
        }
    }

    /// Ends a worker at once; it is started again.
    fn restart(&mut self, index: usize) {
        self.slots[index].crashes = 0;
        match &self.slots[index].current {
            Some(process) => os::send_signal(process.pid, libc::SIGKILL),
            None => self.slots[index].restart_at = Some(Instant::now()),
        }
    }

    /// Drains all workers; then the loop ends.
    pub fn stop(&mut self) {
        if self.stopping {
            // Told twice: at once.
            for process in self.slots.iter_mut().flat_map(Slot::processes) {
                os::send_signal(process.pid, libc::SIGKILL);
            }
            return;
        }
        log("stopping");
        self.stopping = true;
        self.wanted = 0;
        for index in 0..self.slots.len() {
            self.slots[index].restart_at = None;
            if let Some(successor) = self.slots[index].successor.take() {
                os::send_signal(successor.pid, libc::SIGKILL);
            }
            self.drain(index);
        }
    }
}
