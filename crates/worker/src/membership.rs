//! This worker among its siblings: cells, letters, and who should take a connection.
//!
//! A process that came alone is a group of one, so that everything counts the same way.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sockets::{Cell, Cells, Inherited, InheritedListener, Letter, Mailbox, os};

/// A worker's place in its group.
#[derive(Debug)]
pub struct Membership {
    pub worker: usize,
    pub workers: usize,
    /// Where this process counts: its own memory until it serves and once it drains, as a
    /// predecessor or a successor has the place in the group's.
    pub cells: Arc<Cells>,
    group_cells: Option<Arc<Cells>>,
    /// Letters to this worker; `None` alone.
    pub mail: Option<Mailbox>,
    /// Where to write to each worker.
    pub siblings: Arc<Vec<Mailbox>>,
    /// The supervisor.
    pub control: Option<OwnedFd>,
}

impl Membership {
    /// A group of one.
    pub fn alone() -> io::Result<Membership> {
        Ok(Membership {
            worker: 0,
            workers: 1,
            cells: Arc::new(Cells::new()?),
            group_cells: None,
            mail: None,
            siblings: Arc::new(Vec::new()),
            control: None,
        })
    }

    /// Takes up what a supervisor has left open for us.
    ///
    /// Errors: a descriptor that is not there.
    pub fn inherited(
        given: &Inherited,
    ) -> io::Result<(Membership, Vec<(OwnedFd, InheritedListener)>)> {
        let mailbox = |fd: &i32| os::inherit(*fd).map(Mailbox::of);
        let siblings: io::Result<Vec<Mailbox>> = given.siblings.iter().map(mailbox).collect();
        let membership = Membership {
            worker: given.worker,
            workers: given.workers,
            cells: Arc::new(Cells::new()?),
            group_cells: Some(Arc::new(Cells::of(os::inherit(given.cells)?)?)),
            mail: Some(mailbox(&given.mail)?),
            siblings: Arc::new(siblings?),
            control: Some(os::inherit(given.control)?),
        };
        let listener = |l: &InheritedListener| os::inherit(l.descriptor).map(|fd| (fd, *l));
        let listeners: io::Result<Vec<_>> = given.listeners.iter().map(listener).collect();
        Ok((membership, listeners?))
    }

    /// Takes the place in the group's cells.
    pub fn enter(&mut self) {
        if let Some(cells) = &self.group_cells {
            self.cells = cells.clone();
        }
        self.cell().clear();
        let process = u64::from(std::process::id());
        self.cell().process().store(process, Ordering::Relaxed);
        self.cell().serving().store(1, Ordering::Relaxed);
    }

    /// Leaves the place to a successor; the connections that are still open are counted apart.
    ///
    /// Errors: no memory for a cell of its own.
    pub fn leave(&mut self) -> io::Result<()> {
        let open = self.cell().connections().load(Ordering::Relaxed);
        self.cell().clear();
        self.cells = Arc::new(Cells::new()?);
        self.cell().connections().store(open, Ordering::Relaxed);
        Ok(())
    }

    /// This worker's own counters.
    pub fn cell(&self) -> Cell<'_> {
        self.cells.cell(self.worker)
    }

    /// Another worker's mailbox, the next in order.
    pub fn meet(&mut self, mailbox: OwnedFd) {
        let known = self
            .siblings
            .iter()
            .filter_map(|m| m.descriptor().try_clone().ok());
        let all = known.chain([mailbox]).map(Mailbox::of).collect();
        self.siblings = Arc::new(all);
    }

    /// True when a listener's connections are this worker's to take first.
    pub fn owns(&self, shard: usize) -> bool {
        shard % self.workers == self.worker
    }

    /// The idle sibling with the fewest connections, when it has fewer than this worker.
    pub fn emptier_sibling(&self) -> Option<usize> {
        let count = |w: usize| self.cells.cell(w).connections().load(Ordering::Relaxed);
        let own = count(self.worker);
        let emptiest = (0..self.workers)
            .filter(|&w| w != self.worker && self.cells.cell(w).is_idle())
            .min_by_key(|&w| count(w))?;
        (count(emptiest) < own).then_some(emptiest)
    }

    /// Gives a connection to a sibling, and counts it there; gives it back when it cannot be sent.
    pub fn pass(&self, connection: OwnedFd, sibling: usize) -> Result<(), OwnedFd> {
        let Some(mailbox) = self.siblings.get(sibling) else {
            return Err(connection);
        };
        let theirs = self.cells.cell(sibling);
        theirs.connections().fetch_add(1, Ordering::Relaxed);
        let letter = Letter::Connection(connection);
        match (mailbox.send(&letter), letter) {
            (Err(_), Letter::Connection(connection)) => {
                theirs.connections().fetch_sub(1, Ordering::Relaxed);
                Err(connection)
            }
            _ => {
                self.cell().passed().fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}
