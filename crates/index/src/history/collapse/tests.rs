#![expect(clippy::single_range_in_vec_init, reason = "a text is a list of ranges, often of one")]

use crate::history::collapse::*;
use crate::history::memory_archive::MemoryArchive;

#[test]
fn order_is_kept() {
    let mut archive = MemoryArchive::new(&["2024-01-01"]);
    archive.saw("a", &[0], &[0..100]).saw("b", &[0], &[500..600]).saw("c", &[0], &[0..90]).saw("d", &[0], &[0..100]);
    let ranked = ["c", "nowhere", "b", "a", "d", "c", "nowhere"].map(str::to_owned);
    let collapsed = collapse(&archive, ranked).unwrap();
    assert_eq!((collapsed.results, collapsed.unknown), (7, 2));
    let groups: Vec<_> = collapsed.groups.iter().map(|g| (g.rank, g.url.as_str(), g.known, g.others.len())).collect();
    assert_eq!(groups, [(1, "c", true, 3), (2, "nowhere", false, 0), (3, "b", true, 0), (7, "nowhere", false, 0)]);
    let others: Vec<_> =
        collapsed.groups[0].others.iter().map(|o| (o.rank, o.url.as_str(), o.identical, o.resemblance.value)).collect();
    assert_eq!(others, [(4, "a", false, 0.9), (5, "d", false, 0.9), (6, "c", true, 1.0)]);
}

#[test]
fn the_latest_content_counts() {
    let mut archive = MemoryArchive::new(&["2024-01-01", "2024-02-01"]);
    archive.saw("a", &[0, 1], &[0..100]).saw("b", &[0], &[0..100]).saw("b", &[1], &[500..600]);
    let collapsed = collapse(&archive, ["a", "b"].map(str::to_owned)).unwrap();
    assert_eq!(collapsed.groups.len(), 2);
}
