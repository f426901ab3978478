//! The listening sockets, cells and mailboxes of a group of workers: made once, never closed.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use sockets::{
    Address, Cells, Inherited, InheritedListener, Mailbox, Mode, Specification, attach_port_program,
};

use crate::os::FIRST_DESCRIPTOR;

/// An address and its sockets: one, or one for each worker.
#[derive(Debug)]
pub struct Listening {
    pub address: Address,
    pub mode: Mode,
    pub sockets: Vec<OwnedFd>,
}

/// What all workers share.
#[derive(Debug)]
pub struct Group {
    pub cells: Cells,
    pub listening: Vec<Listening>,
    /// Ends to read from and to write to, by worker.
    mailboxes: Vec<(Mailbox, Mailbox)>,
}

impl Group {
    /// Opens every listener for a number of workers.
    ///
    /// Errors: the address and what the system says of it.
    pub fn open(listen: &[(Specification, Mode)], workers: usize) -> Result<Group, String> {
        let cells = Cells::new().map_err(|e| format!("shared memory: {e}"))?;
        let mut listening = Vec::new();
        for (specification, mode) in listen {
            let count = if mode.has_socket_per_worker() {
                workers
            } else {
                1
            };
            let (address, sockets) = specification.open(count, mode.has_socket_per_worker())?;
            listening.push(Listening {
                address,
                mode: *mode,
                sockets,
            });
        }
        let mut group = Group {
            cells,
            listening,
            mailboxes: Vec::new(),
        };
        group.grow(workers).map_err(|e| sockets::os::reason(&e))?;
        Ok(group)
    }

    /// Workers that there are places for.
    pub fn size(&self) -> usize {
        self.mailboxes.len()
    }

    /// Makes places for more workers. What is there stays as it is: a socket that closed would lose
    /// its queue.
    pub fn grow(&mut self, workers: usize) -> io::Result<()> {
        while self.mailboxes.len() < workers {
            self.mailboxes.push(Mailbox::pair()?);
        }
        for listening in &mut self.listening {
            while listening.mode.has_socket_per_worker() && listening.sockets.len() < workers {
                let socket = sockets::os::listen(&listening.address, true)?;
                listening.sockets.push(socket);
            }
            if listening.mode == Mode::SourcePort {
                let count = listening.sockets.len() as u32;
                attach_port_program(&listening.sockets[0], count)?;
            }
        }
        Ok(())
    }

    /// What a worker of ours is given: the description, and the descriptors in its order.
    pub fn given(&self, worker: usize, workers: usize, control: RawFd) -> (Inherited, Vec<RawFd>) {
        let mut descriptors = Vec::new();
        let mut give = |descriptor: RawFd| {
            descriptors.push(descriptor);
            FIRST_DESCRIPTOR + descriptors.len() as RawFd - 1
        };
        let mut listeners = Vec::new();
        for listening in &self.listening {
            for (shard, socket) in listening.sockets.iter().enumerate() {
                let descriptor = give(socket.as_raw_fd());
                listeners.push(InheritedListener {
                    descriptor,
                    mode: listening.mode,
                    shard,
                });
            }
        }
        let inherited = Inherited {
            worker,
            workers,
            cells: give(self.cells.descriptor().as_raw_fd()),
            control: give(control),
            mail: give(self.mailboxes[worker].0.descriptor().as_raw_fd()),
            siblings: self
                .mailboxes
                .iter()
                .map(|(_, writer)| give(writer.descriptor().as_raw_fd()))
                .collect(),
            listeners,
        };
        (inherited, descriptors)
    }

    /// The sockets of a command that is not ours: its own of each address.
    pub fn sockets_of(&self, worker: usize) -> Vec<RawFd> {
        let own = |l: &Listening| l.sockets[worker % l.sockets.len()].as_raw_fd();
        self.listening.iter().map(own).collect()
    }

    /// The line and the descriptors that tell the others of a new worker.
    pub fn introduction(&self, worker: usize) -> (String, Vec<RawFd>) {
        let mut line = format!("join {worker}");
        let mut descriptors = vec![self.mailboxes[worker].1.descriptor().as_raw_fd()];
        for listening in self
            .listening
            .iter()
            .filter(|l| l.mode.has_socket_per_worker())
        {
            line.push_str(&format!(" {}", listening.mode.name()));
            descriptors.push(listening.sockets[worker].as_raw_fd());
        }
        (line, descriptors)
    }

    /// Connections that wait on the sockets that are a worker's own, and how many may.
    pub fn queue_of(&self, worker: usize) -> (u32, u32) {
        let own = self
            .listening
            .iter()
            .filter_map(|l| match l.mode.has_socket_per_worker() {
                true => l.sockets.get(worker),
                false => l.sockets.first().filter(|_| worker == 0),
            });
        own.map(sockets::os::accept_queue)
            .fold((0, 0), |sum, queue| (sum.0 + queue.0, sum.1 + queue.1))
    }
}
