//! Cells of one storage as cells of another: null to null, numbers to the nearest number.
//!
//! Widening an integer keeps its number, so the infinity of a narrow type becomes a plain number.
//! Narrowing saturates, but for `u8`, which keeps the low byte. Floats round half up.

use crate::Number;

/// A cell that can be turned into a `T`.
pub trait Convert<T>: Copy {
    fn convert(self) -> T;
}

macro_rules! integer_to_integer {
    ($($from:ident $to:ident),*) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                if self.is_null() {
                    return $to::NULL;
                }
                (self as i64).clamp($to::LEAST as i64, $to::MOST as i64) as $to
            }
        }
    )*};
}
integer_to_integer!(
    u8 u8, u8 i16, u8 i32, u8 i64, i16 i16, i16 i32, i16 i64, i32 i16, i32 i32, i32 i64,
    i64 i16, i64 i32, i64 i64
);

macro_rules! integer_to_byte {
    ($($from:ident),*) => {$(
        impl Convert<u8> for $from {
            #[inline(always)]
            fn convert(self) -> u8 {
                self as u8
            }
        }
    )*};
}
integer_to_byte!(i16, i32);

impl Convert<u8> for i64 {
    /// By way of an int: a long beyond ints gives the byte of the int's infinity.
    #[inline(always)]
    fn convert(self) -> u8 {
        let int: i32 = self.convert();
        int as u8
    }
}

macro_rules! number_to_float {
    ($($from:ident $to:ident),*) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                if self.is_null() { $to::NAN } else { self as $to }
            }
        }
    )*};
}
number_to_float!(u8 f32, u8 f64, i16 f32, i16 f64, i32 f32, i32 f64, i64 f32, i64 f64, f32 f32, f32 f64, f64 f32, f64 f64);

macro_rules! float_to_integer {
    ($($from:ident $to:ident),*) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                if self.is_nan() {
                    return $to::NULL;
                }
                // The cast saturates; the lowest integer is null, so it is not the least.
                ((self + 0.5).floor() as $to).max($to::LEAST)
            }
        }
    )*};
}
float_to_integer!(f32 i16, f32 i32, f32 i64, f64 i16, f64 i32, f64 i64);

macro_rules! float_to_byte {
    ($($from:ident),*) => {$(
        impl Convert<u8> for $from {
            #[inline(always)]
            fn convert(self) -> u8 {
                (self + 0.5).floor() as i64 as u8
            }
        }
    )*};
}
float_to_byte!(f32, f64);

/// Fills `out` with the cells of `x`, which is as long.
#[inline]
pub fn fill<A: Convert<T>, T>(x: &[A], out: &mut [T]) {
    for (o, &a) in out.iter_mut().zip(x) {
        *o = a.convert();
    }
}

#[cfg(test)]
mod tests {
    use super::Convert;

    #[test]
    fn nulls_stay_and_numbers_saturate() {
        let wide: i64 = i16::MIN.convert();
        assert_eq!(wide, i64::MIN);
        let wide: i64 = i32::MAX.convert();
        assert_eq!(wide, 2147483647);
        let narrow: i16 = 100_000i64.convert();
        assert_eq!(narrow, i16::MAX);
        let rounded: i64 = 2.5f64.convert();
        assert_eq!(rounded, 3);
        let low: u8 = (-1i64).convert();
        assert_eq!(low, 255);
        let null: f64 = i64::MIN.convert();
        assert!(null.is_nan());
    }
}
