#![expect(clippy::single_range_in_vec_init, reason = "a text is a list of ranges, often of one")]

use crate::history::changes::PageChangeKind::{Born, Changed, Died, Moved, Returned};
use crate::history::changes::{ChangesOptions, Moves};
use crate::history::memory_archive::MemoryArchive;
use crate::history::tally::changes;

fn three_sweeps() -> MemoryArchive {
    let mut archive = MemoryArchive::new(&["", "2024-01-01", "2024-01-11", "2024-01-31"]);
    // stays as it is
    archive.saw("http://a.org/same", &[1, 2, 3], &[0..100]);
    // changes in each interval: 80 of 120, then 90 of 110 in common
    archive.saw("http://a.org/edited", &[1], &[1000..1100]);
    archive.saw("http://a.org/edited", &[2], &[1020..1120]);
    archive.saw("http://a.org/edited", &[3], &[1030..1130]);
    // renamed with a small change, moved to another host as it is, gone
    archive.saw("http://a.org/x/one", &[1], &[2000..2100]).saw("http://a.org/x/two", &[2, 3], &[2000..2095]);
    archive.saw("http://a.org/y", &[1, 2], &[3000..3100]).saw("http://b.org/y", &[3], &[3000..3100]);
    archive.saw("http://a.org/z", &[1], &[4000..4100]);
    // a copy that was there all along is no successor
    archive.saw("http://c.org/z", &[1, 2], &[4000..4100]).saw("http://c.org/z", &[3], &[4000..4100]);
    // is back after a while
    archive.saw("http://a.org/blinks", &[1, 3], &[5000..5100]);
    // only without a date
    archive.saw("http://a.org/undated", &[0], &[6000..6100]).saw("http://a.org/same", &[0], &[7000..7100]);
    archive
}

#[test]
fn three_sweeps_in_numbers() {
    let changes = changes(&three_sweeps(), &ChangesOptions { threshold: 0.5 }).unwrap();
    assert_eq!((changes.sweeps, changes.urls, changes.observations, changes.undated), (3, 9, 18, 2));
    let [first, second] = &changes.intervals[..] else { panic!("two intervals") };
    assert_eq!((first.from.as_str(), first.to.as_str(), first.days), ("2024-01-01", "2024-01-11", 10.0));
    assert_eq!((first.both, first.unchanged, first.changed), (4, 3, 1));
    assert_eq!((first.born, first.returned, first.died), (1, 0, 3));
    assert_eq!(first.moves, Moves { renamed: 1, within_host: 1, between_hosts: 0 });
    assert_eq!((second.both, second.unchanged, second.changed), (4, 3, 1));
    assert_eq!((second.born, second.returned, second.died), (1, 1, 1));
    assert_eq!(second.moves, Moves { renamed: 0, within_host: 0, between_hosts: 1 });
    assert_eq!(changes.moves, Moves { renamed: 1, within_host: 1, between_hosts: 1 });
    assert_eq!(first.resemblance.bins, [0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(second.resemblance.bins, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    let mean = f64::midpoint(80.0 / 120.0, 90.0 / 110.0);
    assert!((changes.resemblance.mean.unwrap() - mean).abs() < 1e-6);
    assert!((changes.resemblance.median.unwrap() - mean).abs() < 2e-3);
}

#[test]
fn rate_and_lifetimes() {
    let changes = changes(&three_sweeps(), &ChangesOptions { threshold: 0.5 }).unwrap();
    assert_eq!((changes.rate.repeated, changes.rate.changed), (9, 2));
    // same, edited, z and blinks 30 days each, two 20 days, y 10 days; the others were seen once
    assert!((changes.rate.days_per_change.unwrap() - 150.0 / 2.0).abs() < 1e-9);
    let by: Vec<_> = changes.rate.by_observations.iter().map(|c| (c.observations, c.urls, c.changes.clone())).collect();
    assert_eq!(by, [(1, 3, vec![3]), (2, 3, vec![3]), (3, 3, vec![2, 0, 1])]);
    let lives = &changes.lifetimes;
    assert_eq!((lives.born, lives.died, lives.alive), (2, 3, 6));
    assert_eq!((lives.mean_days, lives.median_days), (Some(10.0 / 3.0), Some(0.0)));
    // b.org/y was just born and is not followed; two of eight were missed after 10 days, one of five after 30
    let steps: Vec<_> = lives.survival.iter().map(|s| (s.days, s.at_risk, s.died)).collect();
    assert_eq!(steps, [(10.0, 8, 2), (30.0, 5, 1)]);
    let shares: Vec<f64> = lives.survival.iter().map(|s| s.share).collect();
    assert!((shares[0] - 0.75).abs() < 1e-9 && (shares[1] - 0.6).abs() < 1e-9);
}

/// What a sweep did not see is not gone if a part of it could not be read.
#[test]
fn a_sweep_that_was_not_read_as_a_whole() {
    let archive = |incomplete: bool| {
        let mut archive = MemoryArchive::new(&["2024-01-01", "2024-01-11", "2024-01-31"]);
        archive.saw("http://a.org/same", &[0, 1, 2], &[0..100]).saw("http://a.org/missed", &[0, 2], &[200..300]);
        archive.saw("http://a.org/last", &[0], &[400..500]);
        if incomplete {
            archive.cut(1);
        }
        changes(&archive, &ChangesOptions { threshold: 0.5 }).unwrap()
    };
    let died = |incomplete| archive(incomplete).intervals.iter().map(|interval| interval.died).collect::<Vec<_>>();
    assert_eq!(died(false), [2, 0]);
    assert_eq!(died(true), [1]);
    assert_eq!((archive(true).sweeps, archive(true).incomplete, archive(true).undated), (2, 1, 0));
}

#[test]
fn nothing_dated() {
    let mut archive = MemoryArchive::new(&["", "some day"]);
    archive.saw("a", &[0, 1], &[0..10]);
    let changes = changes(&archive, &ChangesOptions { threshold: 0.5 }).unwrap();
    assert_eq!((changes.sweeps, changes.urls, changes.undated, changes.intervals.len()), (0, 0, 2, 0));
    assert!(changes.lifetimes.survival.is_empty());
}

/// The pages behind the numbers: what moved tells where to, and each interval lists as many as it counts.
#[test]
fn the_pages_are_listed() {
    let changes = changes(&three_sweeps(), &ChangesOptions { threshold: 0.5 }).unwrap();
    let listed = |to: &str| -> Vec<_> {
        let of_interval = changes.pages.iter().filter(|page| page.to == to);
        of_interval.map(|page| (page.change, page.url.as_str(), page.moved_to.as_deref())).collect()
    };
    assert_eq!(
        listed("2024-01-11"),
        [
            (Moved, "http://a.org/x/one", Some("http://a.org/x/two")),
            (Died, "http://a.org/blinks", None),
            (Died, "http://a.org/z", None),
            (Born, "http://a.org/x/two", None),
            (Changed, "http://a.org/edited", None),
        ]
    );
    assert_eq!(
        listed("2024-01-31"),
        [
            (Moved, "http://a.org/y", Some("http://b.org/y")),
            (Born, "http://b.org/y", None),
            (Returned, "http://a.org/blinks", None),
            (Changed, "http://a.org/edited", None),
        ]
    );
    assert_eq!(changes.pages[0].to, "2024-01-31", "the latest come first");
    assert!((changes.pages[3].resemblance.unwrap().value - 90.0 / 110.0).abs() < 1e-9);
}

/// Two sweeps tell whether a page changed, not how often, and of those that died not how long they lived.
#[test]
fn two_sweeps_have_no_averages_over_time() {
    let mut archive = MemoryArchive::new(&["2024-01-01", "2026-06-03"]);
    archive.saw("http://a.org/edited", &[0], &[0..100]).saw("http://a.org/edited", &[1], &[20..120]);
    archive.saw("http://a.org/dead", &[0], &[500..600]);
    let changes = changes(&archive, &ChangesOptions { threshold: 0.5 }).unwrap();
    assert_eq!((changes.rate.changed, changes.lifetimes.died), (1, 1));
    assert_eq!(changes.rate.days_per_change, None);
    assert_eq!((changes.lifetimes.mean_days, changes.lifetimes.median_days), (None, None));
}

#[test]
fn a_sweep_that_is_not_there_is_damage() {
    let mut archive = MemoryArchive::new(&["2024-01-01", "2024-01-11"]);
    archive.saw("http://a.org/forged", &[1, u32::MAX], &[0..100]);
    let error = changes(&archive, &ChangesOptions { threshold: 0.5 }).unwrap_err().to_string();
    assert!(error.contains("sweep 4294967295, which is not there"), "{error}");
}

/// Found by fuzzing: it was taken for a page that died in the last sweep.
#[test]
fn two_observations_in_one_sweep_are_damage() {
    for sweep in 0..2 {
        let mut archive = MemoryArchive::new(&["2024-01-01", "2024-01-11"]);
        archive.saw("http://a.org/forged", &[sweep], &[0..100]).saw("http://a.org/forged", &[sweep], &[50..150]);
        let error = changes(&archive, &ChangesOptions { threshold: 0.5 }).unwrap_err().to_string();
        assert!(error.contains("two observations of a name in one sweep"), "{error}");
    }
}
