//! Which pairs a page lists: all, if there are not too many, else those that resemble each other most.

use lookalike::{Compared, Error, Scan};

/// Pairs that a page lists. A browser regroups so many while the threshold is dragged.
const PAIRS: u64 = 300_000;
/// Steps of resemblance in which they are counted.
const STEPS: usize = 1000;

/// The pairs of a page.
pub(super) struct Listed {
    pub(super) pairs: Vec<Compared>,
    /// Every pair from this resemblance on is listed.
    pub(super) from: f64,
    /// How many there are, listed or not.
    pub(super) all: u64,
}

pub(super) fn list(scan: &Scan, visible: impl Fn(u32) -> bool) -> Result<Listed, Error> {
    let contained = scan.report.policy.contained;
    // who may lead is decided by the samples, so a pair matters if either number does
    let sample = |pair: &Compared| Compared { features: pair.sample, ..*pair };
    let resemblance = |pair: &Compared| pair.resemblance().max(sample(pair).resemblance());
    let inside =
        |pair: &Compared| contained.is_some_and(|least| pair.containment().max(sample(pair).containment()) >= least);
    let mut counts = vec![0u64; STEPS + 1];
    let mut contained = 0;
    scan.compared(|pair| {
        if inside(&pair) {
            contained += 1;
        } else {
            counts[(resemblance(&pair) * STEPS as f64) as usize] += 1;
        }
        Ok::<_, Error>(())
    })?;
    let (mut from, mut room) = (STEPS + 1, PAIRS.saturating_sub(contained));
    let lowest = (scan.explored() * STEPS as f64) as usize;
    while from > lowest && counts[from - 1] <= room {
        from -= 1;
        room -= counts[from];
    }
    let from = if from <= lowest { scan.explored() } else { from as f64 / STEPS as f64 };
    let (mut pairs, mut all) = (Vec::new(), 0);
    scan.compared(|pair| {
        all += u64::from(pair.resemblance() >= scan.explored());
        let wanted = resemblance(&pair) >= from || contained <= PAIRS && inside(&pair);
        if wanted && visible(pair.a) && visible(pair.b) {
            pairs.push(pair);
        }
        Ok::<_, Error>(())
    })?;
    Ok(Listed { pairs, from, all })
}
