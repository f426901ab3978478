//! Wider instructions where the processor has them: a loop compiled twice, chosen when it runs.
//!
//! The baseline is SSE2. `wide` runs a loop with AVX2 when there is AVX2; the arithmetic is the
//! same operation for operation, so that results never depend on the processor.
#![allow(unsafe_code)]

/// Runs `f`, compiled for AVX2 if the processor has it.
///
/// `f` should be one whole loop: what it calls without inlining stays baseline code.
#[inline(always)]
pub fn wide<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor was just asked for AVX2.
        return unsafe { with_avx2(f) };
    }
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(test)]
mod tests {
    #[test]
    fn wide_gives_what_the_loop_gives() {
        let x: Vec<f64> = (0..1000).map(f64::from).collect();
        let plain: Vec<f64> = x.iter().map(|v| v * 0.1 + 1.0).collect();
        let wide: Vec<f64> = super::wide(|| x.iter().map(|v| v * 0.1 + 1.0).collect());
        assert_eq!(plain, wide);
    }
}
