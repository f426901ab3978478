//! Numbers as q computes with them: null-aware and wrapping, ordered with the null first.

/// A cell that arithmetic, order and folds work on.
///
/// `u8` has no null: booleans, bytes and chars are what they are. Integer arithmetic wraps, and a
/// null operand gives null. Floats compare with tolerance, as q's `=` and `<` do.
pub trait Number: Copy + Default + PartialEq + PartialOrd + Send + Sync + 'static {
    const NULL: Self;
    const ZERO: Self;
    const ONE: Self;
    /// Positive infinity, 0W: what the minimum of nothing is.
    const MOST: Self;
    /// Negative infinity: what the maximum of nothing is.
    const LEAST: Self;

    fn is_null(self) -> bool;
    fn plus(self, y: Self) -> Self;
    fn minus(self, y: Self) -> Self;
    fn times(self, y: Self) -> Self;
    fn negate(self) -> Self;
    /// The smaller; null is smallest.
    fn lesser(self, y: Self) -> Self;
    /// The greater; null is smallest.
    fn greater(self, y: Self) -> Self;
    /// Equal as q's `=` has it: within tolerance for floats, null equal to null.
    fn equal(self, y: Self) -> bool;
    /// Less as q's `<` has it: beyond tolerance for floats, null before everything.
    fn less(self, y: Self) -> bool;
    /// Floor of the quotient; null when dividing by zero.
    fn floor_divide(self, y: Self) -> Self;
    /// As a float; null becomes NaN.
    fn float(self) -> f64;
    fn from_usize(n: usize) -> Self;
}

/// Two floats are equal when they differ by less than this part of the greater.
const TOLERANCE: f64 = 1.0 / (1u64 << 43) as f64;

macro_rules! integers {
    ($($t:ty, $null:expr, $least:expr, $is_null:expr);*) => {$(
        impl Number for $t {
            const NULL: Self = $null;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MOST: Self = <$t>::MAX;
            const LEAST: Self = $least;

            #[inline(always)]
            fn is_null(self) -> bool {
                let is_null: fn($t) -> bool = $is_null;
                is_null(self)
            }
            #[inline(always)]
            fn plus(self, y: Self) -> Self {
                let sum = self.wrapping_add(y);
                if self.is_null() | y.is_null() { Self::NULL } else { sum }
            }
            #[inline(always)]
            fn minus(self, y: Self) -> Self {
                let difference = self.wrapping_sub(y);
                if self.is_null() | y.is_null() { Self::NULL } else { difference }
            }
            #[inline(always)]
            fn times(self, y: Self) -> Self {
                let product = self.wrapping_mul(y);
                if self.is_null() | y.is_null() { Self::NULL } else { product }
            }
            #[inline(always)]
            fn negate(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn lesser(self, y: Self) -> Self {
                Ord::min(self, y)
            }
            #[inline(always)]
            fn greater(self, y: Self) -> Self {
                Ord::max(self, y)
            }
            #[inline(always)]
            fn equal(self, y: Self) -> bool {
                self == y
            }
            #[inline(always)]
            fn less(self, y: Self) -> bool {
                self < y
            }
            #[inline(always)]
            fn floor_divide(self, y: Self) -> Self {
                if self.is_null() | y.is_null() | (y == 0) {
                    return Self::NULL;
                }
                let quotient = self.wrapping_div(y);
                let exact = self.wrapping_rem(y) == 0;
                #[allow(unused_comparisons)]
                let opposite = (self < 0) != (y < 0);
                if !exact && opposite { quotient - 1 } else { quotient }
            }
            #[inline(always)]
            fn float(self) -> f64 {
                if self.is_null() { f64::NAN } else { self as f64 }
            }
            #[inline(always)]
            fn from_usize(n: usize) -> Self {
                n as Self
            }
        }
    )*};
}
integers!(
    u8, 0, 0, |_| false;
    i16, i16::MIN, -i16::MAX, |x| x == i16::MIN;
    i32, i32::MIN, -i32::MAX, |x| x == i32::MIN;
    i64, i64::MIN, -i64::MAX, |x| x == i64::MIN
);

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Number for $t {
            const NULL: Self = $t::NAN;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const MOST: Self = $t::INFINITY;
            const LEAST: Self = $t::NEG_INFINITY;

            #[inline(always)]
            fn is_null(self) -> bool {
                self.is_nan()
            }
            #[inline(always)]
            fn plus(self, y: Self) -> Self {
                self + y
            }
            #[inline(always)]
            fn minus(self, y: Self) -> Self {
                self - y
            }
            #[inline(always)]
            fn times(self, y: Self) -> Self {
                self * y
            }
            #[inline(always)]
            fn negate(self) -> Self {
                -self
            }
            #[inline(always)]
            fn lesser(self, y: Self) -> Self {
                if self.is_nan() | (self < y) { self } else { y }
            }
            #[inline(always)]
            fn greater(self, y: Self) -> Self {
                if y.is_nan() | (self > y) { self } else { y }
            }
            #[inline(always)]
            fn equal(self, y: Self) -> bool {
                let near = (self - y).abs() < TOLERANCE as $t * self.abs().max(y.abs());
                (self == y) | near | (self.is_nan() & y.is_nan())
            }
            #[inline(always)]
            fn less(self, y: Self) -> bool {
                ((self < y) & !self.equal(y)) | (self.is_nan() & !y.is_nan())
            }
            #[inline(always)]
            fn floor_divide(self, y: Self) -> Self {
                (self / y).floor()
            }
            #[inline(always)]
            fn float(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn from_usize(n: usize) -> Self {
                n as Self
            }
        }
    )*};
}
floats!(f32 f64);

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn nulls_and_wrapping() {
        assert_eq!(i64::MIN.plus(1), i64::MIN);
        assert_eq!(i64::MAX.plus(1), i64::MIN);
        assert_eq!(i32::MAX.plus(5), -2147483644);
        assert!((f64::NAN).less(f64::NEG_INFINITY));
        assert!((1.0f64 + 1e-13).equal(1.0));
        assert!(!1.0f64.equal(f64::INFINITY));
        assert!(!1e12f64.equal(1e12 - 1.0));
        assert_eq!((-7i64).floor_divide(2), -4);
        assert_eq!((-7i32).floor_divide(0), i32::MIN);
        assert_eq!(f64::NAN.greater(1.0), 1.0);
        assert!(1.0.lesser(f64::NAN).is_nan());
    }
}
