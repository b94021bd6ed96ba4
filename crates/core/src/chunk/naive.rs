//! The naive twin: the definition, word for word. The oracle of the fast chunker.

use super::hash::Keyed;
use super::{Parameters, WINDOW};

/// Where chunks end, by the definition: every window is summed from the beginning.
pub(super) fn naive_cuts(data: &[u8], parameters: &Parameters, key: &str) -> Vec<usize> {
    let keyed = Keyed::new(key);
    let fingerprint = |end: usize| {
        let window = &data[end.saturating_sub(WINDOW)..end];
        window
            .iter()
            .rev()
            .enumerate()
            .fold(0u64, |sum, (age, byte)| sum.wrapping_add(keyed.table[usize::from(*byte)] << age))
    };
    let (tmin, tmax) = (parameters.tmin as usize, parameters.tmax as usize);
    let (mut cuts, mut start) = (Vec::new(), 0);
    while start < data.len() {
        let longest = (start + tmax).min(data.len());
        let mut cut = None;
        let mut backup = None;
        for end in start + tmin..=longest {
            if fingerprint(end) < parameters.main_below() {
                cut = Some(end);
                break;
            }
            if fingerprint(end) < parameters.backup_below() {
                backup = Some(end);
            }
        }
        // the backup is for chunks that would be too long, not for the end of the file
        let backup = backup.filter(|_| longest == start + tmax);
        start = cut.or(backup).unwrap_or(longest);
        cuts.push(start);
    }
    cuts
}
