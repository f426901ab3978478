//! Buffers of cells: owned, or a window on cells that something else keeps alive.
//!
//! A window is how a mapped column, a slice or a parted group is a vector without a copy. Windows
//! are read-only: `to_mut` is the only way to mutate, and it copies a window first.
#![allow(unsafe_code)]

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::vector::{Data, Element, Vector};
use crate::{Attribute, each_storage};

/// Cells of one storage.
pub enum Buf<T: Element> {
    Owned(Vec<T>),
    Window(Window<T>),
}

/// A read-only run of cells inside memory that `owner` keeps alive and unchanged.
pub struct Window<T: Element> {
    pointer: *const T,
    count: usize,
    owner: Arc<dyn Any + Send + Sync>,
}

// SAFETY: a window is a shared reference to plain cells; its owner is Send and Sync.
unsafe impl<T: Element> Send for Window<T> {}
// SAFETY: as above; nothing can be written through a window.
unsafe impl<T: Element> Sync for Window<T> {}

impl<T: Element> Buf<T> {
    /// A window of `count` cells at `pointer`.
    ///
    /// # Safety
    /// `pointer` is aligned for `T`, `count` cells from it are initialised with values valid for
    /// `T`, and they stay so and unwritten for as long as `owner` lives.
    pub unsafe fn window(
        pointer: *const T,
        count: usize,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Buf<T> {
        assert!(pointer.is_aligned(), "a window is aligned for its cells");
        Buf::Window(Window {
            pointer,
            count,
            owner,
        })
    }

    /// The cells from `start`, `count` of them, as a window; `owner` is what holds `self`.
    ///
    /// # Safety
    /// `owner` keeps `self` alive and unwritten (it is the counted vector that contains `self`).
    pub unsafe fn part(
        &self,
        start: usize,
        count: usize,
        owner: &Arc<dyn Any + Send + Sync>,
    ) -> Buf<T> {
        let cells = &self[start..start + count];
        let owner = match self {
            Buf::Owned(_) => owner,
            Buf::Window(w) => &w.owner,
        };
        Buf::Window(Window {
            pointer: cells.as_ptr(),
            count,
            owner: owner.clone(),
        })
    }

    /// The cells for writing; a window is copied to owned memory first.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if let Buf::Window(w) = self {
            *self = Buf::Owned(w.cells().to_vec());
        }
        match self {
            Buf::Owned(cells) => cells,
            Buf::Window(_) => unreachable!("a window was just made owned"),
        }
    }

    /// The cells as an owned vector, without a copy when they are owned already.
    pub fn into_vec(self) -> Vec<T> {
        match self {
            Buf::Owned(cells) => cells,
            Buf::Window(w) => w.cells().to_vec(),
        }
    }

    /// True when the cells are this buffer's own heap memory.
    pub fn is_owned(&self) -> bool {
        matches!(self, Buf::Owned(_))
    }
}

impl<T: Element> Window<T> {
    fn cells(&self) -> &[T] {
        // SAFETY: `Buf::window` and `Buf::part` state that the cells are valid while `owner` lives,
        // and `self` holds `owner`.
        unsafe { std::slice::from_raw_parts(self.pointer, self.count) }
    }
}

impl Vector {
    /// A window of `count` cells from `start`. Sorted and unique stay true of a part.
    pub fn slice(this: &Arc<Vector>, start: usize, count: usize) -> Vector {
        let owner: Arc<dyn Any + Send + Sync> = this.clone();
        // SAFETY: `owner` is the counted vector that holds the buffer. A counted vector is written
        // only when its count is one, which it is not while the window lives.
        let data = each_storage!(&this.data, b => wrap(unsafe { b.part(start, count, &owner) }));
        let kept = match this.attribute {
            Attribute::Sorted | Attribute::Unique => this.attribute,
            _ => Attribute::None,
        };
        this.with_data(data).with_attribute(kept)
    }
}

fn wrap<T: Element>(cells: Buf<T>) -> Data {
    T::wrap(cells)
}

impl<T: Element> Deref for Buf<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self {
            Buf::Owned(cells) => cells,
            Buf::Window(w) => w.cells(),
        }
    }
}

impl<T: Element> Clone for Buf<T> {
    fn clone(&self) -> Buf<T> {
        match self {
            Buf::Owned(cells) => Buf::Owned(cells.clone()),
            Buf::Window(w) => Buf::Window(Window {
                pointer: w.pointer,
                count: w.count,
                owner: w.owner.clone(),
            }),
        }
    }
}

impl<T: Element> From<Vec<T>> for Buf<T> {
    fn from(cells: Vec<T>) -> Buf<T> {
        Buf::Owned(cells)
    }
}

impl<T: Element> fmt::Debug for Buf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Data, K, Type, Vector};

    #[test]
    fn a_window_outlives_its_vector_and_is_copied_on_write() {
        let x = K::longs((0..100).collect());
        let part = x.slice(10, 5);
        drop(x);
        assert_eq!(part, K::longs(vec![10, 11, 12, 13, 14]));
        let K::Vector(mut v) = part.clone() else {
            panic!("a slice of a vector is a vector");
        };
        let v: &mut Vector = std::sync::Arc::make_mut(&mut v);
        if let Data::I64(cells) = &mut v.data {
            cells.to_mut()[0] = 99;
        }
        assert_eq!(v.ty, Type::Long);
        assert_eq!(part.item(0), K::Long(10));
    }
}
