//! Steps on atoms and cells that are done here, without the primitive's own dispatch over types.
//!
//! Everything answers `None` for what it does not know, having changed nothing; the primitive is called then, so that a
//! result never depends on which way was taken. Comparison of floats has a tolerance and is left to the primitives.

use std::sync::Arc;

use kernels::Number;
use primitives::append;
use values::{Attribute, Data, K, Operation, Primitive, Result, Run, Type};

use crate::Evaluator;
use crate::code::{Change, Code, Fused, Operand, Quick};
use crate::machine::is_true;

impl Quick {
    /// The quick operator that a primitive is.
    pub(crate) fn of(p: &Primitive) -> Option<Quick> {
        Some(match (p.name, p.word) {
            ("+", _) => Quick::Add,
            ("-", _) => Quick::Subtract,
            ("*", _) => Quick::Multiply,
            ("&", _) => Quick::Least,
            ("|", _) => Quick::Most,
            ("<", _) => Quick::Less,
            (">", _) => Quick::Greater,
            ("<=", _) => Quick::AtMost,
            (">=", _) => Quick::AtLeast,
            ("=", _) => Quick::Equal,
            ("<>", _) => Quick::Unequal,
            (_, "div") => Quick::Quotient,
            (_, "mod") => Quick::Remainder,
            _ => return None,
        })
    }

    /// The arithmetic of two longs.
    #[inline(always)]
    fn of_longs(self, x: i64, y: i64) -> Option<i64> {
        Some(match self {
            Quick::Add => x.plus(y),
            Quick::Subtract => x.minus(y),
            Quick::Multiply => x.times(y),
            Quick::Least => x.min(y),
            Quick::Most => x.max(y),
            Quick::Quotient if is_plain(x) && is_divisor(y) => x.div_euclid(y),
            Quick::Remainder if is_plain(x) && is_divisor(y) => x.rem_euclid(y),
            _ => return None,
        })
    }

    #[inline(always)]
    fn of_floats(self, x: f64, y: f64) -> Option<f64> {
        Some(match self {
            Quick::Add => x + y,
            Quick::Subtract => x - y,
            Quick::Multiply => x * y,
            _ => return None,
        })
    }

    /// The comparison of two longs.
    #[inline(always)]
    fn holds(self, x: i64, y: i64) -> Option<bool> {
        Some(match self {
            Quick::Less => x < y,
            Quick::Greater => x > y,
            Quick::AtMost => x <= y,
            Quick::AtLeast => x >= y,
            Quick::Equal => x == y,
            Quick::Unequal => x != y,
            _ => return None,
        })
    }

    fn atoms(self, x: &K, y: &K) -> Option<K> {
        match (x, y) {
            (K::Long(x), K::Long(y)) => self.of_longs(*x, *y).map(K::Long),
            (K::Float(x), K::Float(y)) => self.of_floats(*x, *y).map(K::Float),
            _ => None,
        }
    }
}

/// Neither null nor infinite.
fn is_plain(x: i64) -> bool {
    x > -i64::MAX && x < i64::MAX
}

fn is_divisor(y: i64) -> bool {
    y > 0 && y < i64::MAX
}

/// Writes a number to a place. What is a number already keeps its tag: a processor that reads a value as a whole, right
/// after its tag and its number were written apart, waits until both have arrived.
#[inline(always)]
fn write(place: &mut K, n: i64) {
    match place {
        K::Long(old) => *old = n,
        other => *other = K::Long(n),
    }
}

/// Pushes a number. Not inlined, or the compiler makes the value elsewhere and copies it as a whole (see `write`).
#[inline(never)]
pub(crate) fn push_long(stack: &mut Vec<K>, n: i64) {
    stack.push(K::Long(n));
}

impl Evaluator {
    /// Pushes a copy of a local. Longs, the most common, are copied by their number (see `write`).
    #[inline(always)]
    pub(crate) fn push_local(&mut self, place: usize) {
        if let K::Long(n) = self.stack[place] {
            push_long(&mut self.stack, n);
        } else {
            let k = self.stack[place].clone();
            self.stack.push(k);
        }
    }

    /// Pushes a local that is not used again.
    #[inline(always)]
    pub(crate) fn push_last_use(&mut self, place: usize) {
        if let K::Long(n) = self.stack[place] {
            push_long(&mut self.stack, n);
        } else {
            let k = std::mem::replace(&mut self.stack[place], K::Nil);
            self.stack.push(k);
        }
    }

    /// Pushes an item of a list; of longs, without making the value first.
    #[inline(always)]
    pub(crate) fn push_item(&mut self, list: &K, i: usize) {
        if let K::Vector(v) = list
            && v.ty == Type::Long
            && let Data::I64(cells) = &v.data
        {
            push_long(&mut self.stack, cells[i]);
        } else {
            self.stack.push(list.item(i));
        }
    }

    /// `"c"$n` and the like of the long below the letter on top of the stack; false when it is something else.
    #[inline(always)]
    pub(crate) fn quick_cast(&mut self, f: &K) -> bool {
        let top = self.stack.len() - 1;
        let (K::Primitive(p), K::Char(letter), K::Long(n)) =
            (f, &self.stack[top], &self.stack[top - 1])
        else {
            return false;
        };
        if !matches!(p.run, Run::Evaluator(Operation::Dollar)) {
            return false;
        }
        let cast = match letter {
            b'c' => u8::try_from(*n).ok().map(K::Char),
            b'i' if is_plain(*n) => i32::try_from(*n)
                .ok()
                .filter(|i| *i > -i32::MAX)
                .map(K::Int),
            b'f' if is_plain(*n) => Some(K::Float(*n as f64)),
            b'j' => Some(K::Long(*n)),
            _ => None,
        };
        let Some(cast) = cast else { return false };
        std::mem::forget(self.stack.pop());
        self.stack[top - 1] = cast;
        true
    }

    /// Pops into a local.
    #[inline(always)]
    pub(crate) fn pop_to(&mut self, place: usize) {
        if let Some(&K::Long(n)) = self.stack.last() {
            std::mem::forget(self.stack.pop());
            write(&mut self.stack[place], n);
        } else {
            self.stack[place] = self.pop();
        }
    }

    /// Pushes the result of a fused primitive; operands on the stack are taken from it.
    #[inline(always)]
    pub(crate) fn fused(&mut self, f: &Fused, code: &Code, base: usize) -> Result<()> {
        if let Some(quick) = f.quick {
            let top = self.stack.len();
            let below = if f.x == Operand::Stack { 2 } else { 1 };
            let x = self.operand(f.x, code, base, top.wrapping_sub(1));
            let y = self.operand(f.y, code, base, top.wrapping_sub(below));
            match (x, y) {
                (K::Long(x), K::Long(y)) => {
                    let (x, y) = (*x, *y);
                    if let Some(n) = quick.of_longs(x, y) {
                        self.drop_atoms(f);
                        push_long(&mut self.stack, n);
                        return Ok(());
                    }
                    if let Some(holds) = quick.holds(x, y) {
                        self.drop_atoms(f);
                        self.stack.push(K::Boolean(holds));
                        return Ok(());
                    }
                }
                (K::Float(x), K::Float(y)) => {
                    if let Some(r) = quick.of_floats(*x, *y) {
                        self.drop_atoms(f);
                        self.stack.push(K::Float(r));
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        let r = self.unfused(f, code, base)?;
        self.stack.push(r);
        Ok(())
    }

    /// The truth of a fused primitive's result.
    #[inline(always)]
    pub(crate) fn test(&mut self, f: &Fused, code: &Code, base: usize) -> Result<bool> {
        if let Some(quick) = f.quick
            && f.x != Operand::Stack
        {
            let top = self.stack.len().wrapping_sub(1);
            let x = self.operand(f.x, code, base, top);
            let y = self.operand(f.y, code, base, top);
            if let (K::Long(x), K::Long(y)) = (x, y)
                && let Some(holds) = quick.holds(*x, *y)
            {
                self.drop_atoms(f);
                return Ok(holds);
            }
        }
        self.fused(f, code, base)?;
        is_true(&self.pop())
    }

    /// Takes operands that were seen to be atoms from the stack: there is nothing in them to release.
    #[inline(always)]
    fn drop_atoms(&mut self, f: &Fused) {
        self.drop_stacked(f.x);
        self.drop_stacked(f.y);
    }

    #[inline(always)]
    fn drop_stacked(&mut self, operand: Operand) {
        if operand == Operand::Stack {
            std::mem::forget(self.stack.pop());
        }
    }

    #[inline(never)]
    fn unfused(&mut self, f: &Fused, code: &Code, base: usize) -> Result<K> {
        // In the order of the plain steps: y is pushed before x.
        let (x, y) = match f.x {
            Operand::Stack => {
                let x = self.pop();
                (x, self.pop())
            }
            x => {
                let y = self.take_operand(f.y, code, base);
                (self.take_operand(x, code, base), y)
            }
        };
        self.binary(f.primitive, x, y)
    }

    #[inline(always)]
    fn operand<'a>(&'a self, o: Operand, code: &'a Code, base: usize, stacked: usize) -> &'a K {
        match o {
            Operand::Stack => &self.stack[stacked],
            Operand::Local(slot) | Operand::Take(slot) => &self.stack[base + usize::from(slot)],
            Operand::Constant(n) => &code.constants[usize::from(n)],
        }
    }

    fn take_operand(&mut self, o: Operand, code: &Code, base: usize) -> K {
        match o {
            Operand::Stack => self.pop(),
            Operand::Local(slot) => self.stack[base + usize::from(slot)].clone(),
            Operand::Take(slot) => {
                std::mem::replace(&mut self.stack[base + usize::from(slot)], K::Nil)
            }
            Operand::Constant(n) => code.constants[usize::from(n)].clone(),
        }
    }

    /// `x op: y` on a local.
    #[inline(always)]
    pub(crate) fn update(&mut self, slot: u16, f: &Fused, code: &Code, base: usize) -> Result<()> {
        let place = base + usize::from(slot);
        let top = self.stack.len() - 1;
        if let Some(quick) = f.quick {
            match (&self.stack[place], self.operand(f.y, code, base, top)) {
                (K::Long(x), K::Long(y)) => {
                    if let Some(n) = quick.of_longs(*x, *y) {
                        self.drop_stacked(f.y);
                        write(&mut self.stack[place], n);
                        return Ok(());
                    }
                }
                (K::Float(x), K::Float(y)) => {
                    if let Some(r) = quick.of_floats(*x, *y) {
                        self.drop_stacked(f.y);
                        self.stack[place] = K::Float(r);
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        let y = self.take_operand(f.y, code, base);
        self.stack.push(y);
        self.modify_local(place, Some(f.primitive))
    }
}

/// The item of a list of longs, floats, chars or booleans at one long index.
#[inline(always)]
pub(crate) fn item(x: &K, i: &K) -> Option<K> {
    let (K::Vector(v), K::Long(i)) = (x, i) else {
        return None;
    };
    let i = usize::try_from(*i).ok()?;
    match (&v.data, v.ty) {
        (Data::I64(cells), Type::Long) => cells.get(i).map(|&c| K::Long(c)),
        (Data::F64(cells), Type::Float) => cells.get(i).map(|&c| K::Float(c)),
        (Data::U8(cells), Type::Char) => cells.get(i).map(|&c| K::Char(c)),
        (Data::U8(cells), Type::Boolean) => cells.get(i).map(|&c| K::Boolean(c != 0)),
        _ => None,
    }
}

/// `x[i]:y` and `x[i] op: y` in place, for one index into an unshared list, or of a key that a dictionary has.
///
/// Shapes: `x` a list of longs, floats, chars or booleans and `y` an atom of its type; or a dictionary with such values;
/// or a general list or dictionary of lists that grow by `,`.
pub(crate) fn change(x: &mut K, i: &K, how: Change, y: &K) -> Option<()> {
    match x {
        K::Vector(_) => change_cell(x, i, how, y),
        K::List(items) => {
            let K::Long(i) = i else { return None };
            let item = Arc::get_mut(items)?.get_mut(usize::try_from(*i).ok()?)?;
            grow(item, how, y)
        }
        K::Dict(d) => {
            let place = match (&d.keys, i) {
                (K::Vector(v), K::Long(key))
                    if v.ty == Type::Long && v.attribute == Attribute::None =>
                {
                    place_of(d.keys.cells::<i64>()?, key)?
                }
                (K::Vector(v), K::Symbol(key))
                    if v.ty == Type::Symbol && v.attribute == Attribute::None =>
                {
                    place_of(d.keys.cells::<values::Symbol>()?, key)?
                }
                _ => return None,
            };
            let values = &mut Arc::get_mut(d)?.values;
            match values {
                K::Vector(_) => change_cell(values, &K::Long(place as i64), how, y),
                K::List(items) => grow(Arc::get_mut(items)?.get_mut(place)?, how, y),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The first place of a key, looked for in runs that the processor compares at once.
fn place_of<T: PartialEq + Copy>(keys: &[T], key: &T) -> Option<usize> {
    const RUN: usize = 16;
    let runs = keys.chunks(RUN).enumerate();
    for (n, run) in runs {
        if run.iter().fold(false, |found, k| found | (k == key)) {
            return run.iter().position(|k| k == key).map(|i| n * RUN + i);
        }
    }
    None
}

fn change_cell(x: &mut K, i: &K, how: Change, y: &K) -> Option<()> {
    let new = match how {
        Change::Set => y.clone(),
        Change::Quick(quick) => quick.atoms(&item(x, i)?, y)?,
        Change::Append | Change::Other => return None,
    };
    let (K::Vector(v), K::Long(i)) = (x, i) else {
        return None;
    };
    let v = Arc::get_mut(v)?;
    if v.attribute != Attribute::None || v.domain.is_some() {
        return None;
    }
    let i = usize::try_from(*i).ok()?;
    match (&mut v.data, v.ty, new) {
        (Data::I64(cells), Type::Long, K::Long(n)) => *cells.to_mut().get_mut(i)? = n,
        (Data::F64(cells), Type::Float, K::Float(n)) => *cells.to_mut().get_mut(i)? = n,
        (Data::U8(cells), Type::Char, K::Char(n)) => *cells.to_mut().get_mut(i)? = n,
        (Data::U8(cells), Type::Boolean, K::Boolean(n)) => {
            *cells.to_mut().get_mut(i)? = u8::from(n)
        }
        _ => return None,
    }
    Some(())
}

/// `x,:y` for a list `x` that certainly takes `y`.
pub(crate) fn grow(x: &mut K, how: Change, y: &K) -> Option<()> {
    let comma = how == Change::Append;
    if let (true, K::Vector(v)) = (comma, &mut *x)
        && append::push_in_place(v, y)
    {
        return Some(());
    }
    let fits = match &*x {
        K::Vector(v) => v.domain.is_none() && y.type_number() == -v.ty.number(),
        K::List(items) => !items.is_empty() && y.is_atom() && !y.is_function(),
        _ => false,
    };
    if !comma || !fits || matches!(y, K::Enum(_) | K::Nil) {
        return None;
    }
    let old = std::mem::replace(x, K::Nil);
    *x = append::append(old, y.clone()).expect("an atom of a vector's type is appended to it");
    Some(())
}
