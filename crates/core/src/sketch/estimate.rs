//! The theorem's estimators and their 95% intervals.

use super::{Sampling, Sketch, survivors};
use crate::sets;
use serde::Serialize;

/// An estimate with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The unbiased estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// `hits` of `of` samples; Wilson's interval, which stays honest near 0 and 1 and for few samples.
    pub fn of(hits: u32, of: u32) -> Self {
        const Z: f64 = 1.959_964;
        if of == 0 {
            return Self { value: 0.0, low: 0.0, high: 1.0 };
        }
        // more hits than samples are none of ours: a sketch was forged
        let (n, p) = (f64::from(of), f64::from(hits.min(of)) / f64::from(of));
        let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let reach = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        Self { value: p, low: (middle - reach).clamp(0.0, p), high: (middle + reach).clamp(p, 1.0) }
    }

    /// A number that was counted, not estimated.
    pub fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }
}

/// What two samples of the same modulus share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleOverlap {
    /// Features of the first that the estimate looks at.
    pub a: u32,
    /// Features of the second that the estimate looks at.
    pub b: u32,
    /// Features in both.
    pub shared: u32,
    /// The samples are the whole feature sets: nothing is estimated.
    pub is_exhaustive: bool,
}

impl SampleOverlap {
    /// Compares two sketches as the theorem says.
    pub fn of(sampling: Sampling, a: &Sketch, b: &Sketch) -> Self {
        match sampling {
            Sampling::Min(s) => Self::of_smallest(s as usize, a, b),
            Sampling::Mod(m) => Self {
                a: a.features.len() as u32,
                b: b.features.len() as u32,
                shared: sets::shared(&a.features, &b.features) as u32,
                is_exhaustive: m == 1,
            },
            Sampling::Nested(_) => {
                let level = a.level.max(b.level);
                Self {
                    a: survivors(&a.features, level),
                    b: survivors(&b.features, level),
                    // whatever both have is of the higher level by itself
                    shared: sets::shared(&a.features, &b.features) as u32,
                    is_exhaustive: level == 0,
                }
            }
        }
    }

    /// `MIN_s(F(A) ∪ F(B))`, and how much of it is in both. Nothing is known of a full sketch beyond its largest feature; that
    /// matters only where frequent features were taken out of it.
    fn of_smallest(s: usize, a: &Sketch, b: &Sketch) -> Self {
        let ceiling = |sketch: &Sketch| match sketch.level {
            0 => u64::MAX,
            _ => sketch.features.last().copied().unwrap_or(0),
        };
        let highest = ceiling(a).min(ceiling(b));
        let is_exhaustive = a.level == 0 && b.level == 0;
        let limit = if is_exhaustive { usize::MAX } else { s };
        let (a, b) = (&a.features, &b.features);
        let (mut i, mut j) = (0, 0);
        let mut found = Self { a: 0, b: 0, shared: 0, is_exhaustive };
        while found.union() < limit && (i < a.len() || j < b.len()) {
            let in_a = j == b.len() || (i < a.len() && a[i] <= b[j]);
            let in_b = i == a.len() || (j < b.len() && b[j] <= a[i]);
            if (if in_a { a[i] } else { b[j] }) > highest {
                break;
            }
            found.a += u32::from(in_a);
            found.b += u32::from(in_b);
            found.shared += u32::from(in_a && in_b);
            i += usize::from(in_a);
            j += usize::from(in_b);
        }
        found
    }

    /// The same seen from the other document.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a, ..self }
    }

    fn union(self) -> usize {
        (self.a + self.b - self.shared) as usize
    }

    /// The estimates for the two documents.
    pub fn estimate(self, sampling: Sampling) -> PairEstimate {
        let of = |hits: u32, n: u32| {
            let estimate = Estimate::of(hits, n);
            if self.is_exhaustive && n > 0 { Estimate::exact(estimate.value) } else { estimate }
        };
        let containment = |n: u32| (self.is_exhaustive || sampling.estimates_containment()).then(|| of(self.shared, n));
        PairEstimate {
            resemblance: of(self.shared, self.union() as u32),
            a_in_b: containment(self.a),
            b_in_a: containment(self.b),
        }
    }
}

/// Estimated resemblance and containment of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairEstimate {
    /// Resemblance.
    pub resemblance: Estimate,
    /// Containment of the first in the second; `MIN_s` cannot tell.
    pub a_in_b: Option<Estimate>,
    /// Containment of the second in the first.
    pub b_in_a: Option<Estimate>,
}
