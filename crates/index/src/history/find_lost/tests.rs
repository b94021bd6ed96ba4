#![expect(clippy::single_range_in_vec_init, reason = "a text is a list of ranges, often of one")]

use crate::history::find_lost::lost;
use crate::history::lost::*;
use crate::history::memory_archive::MemoryArchive;
use crate::history::role::Role;

const DATES: [&str; 3] = ["2024-01-01", "2024-02-01", "2024-03-01"];

fn ask(archive: &MemoryArchive, url: &str) -> LostResult {
    lost(archive, url, &LostOptions::default()).unwrap()
}

/// The status, and the URLs found in order.
fn outcome(archive: &MemoryArchive, url: &str) -> (LostStatus, Vec<String>) {
    let lost = ask(archive, url);
    (lost.status, lost.found.into_iter().map(|place| place.url).collect())
}

fn urls<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

#[test]
fn never_seen() {
    assert_eq!(outcome(&MemoryArchive::new(&DATES), "a"), (LostStatus::Unknown, vec![]));
    assert_eq!(outcome(&MemoryArchive::new(&[]), "a"), (LostStatus::Unknown, vec![]));
}

#[test]
fn unchanged() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0, 1, 2], &[0..100]).saw("b", &[2], &[200..300]);
    let lost = ask(&archive, "a");
    assert_eq!((lost.status, lost.found.len(), lost.found[0].role), (LostStatus::Unchanged, 1, Role::Copy));
    assert_eq!(lost.history.iter().filter(|v| v.changed).count(), 0);
    assert_eq!(outcome(&archive, "b"), (LostStatus::Unchanged, urls(["b"])));
}

#[test]
fn changed_in_place() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0, 1], &[0..100]).saw("a", &[2], &[0..80, 300..320]).saw("b", &[2], &[0..70]);
    let lost = ask(&archive, "a");
    assert_eq!((lost.status, lost.found[0].url.as_str()), (LostStatus::Changed, "a"));
    assert_eq!((lost.last.as_deref(), lost.last_seen.as_deref()), (Some("2024-02-01"), Some("2024-03-01")));
    let changed: Vec<bool> = lost.history.iter().map(|v| v.changed).collect();
    assert_eq!(changed, [false, false, true]);
    assert!((lost.history[2].resemblance.unwrap().value - 80.0 / 120.0).abs() < 1e-9);
}

#[test]
fn a_url_with_something_else_has_lost_what_it_had() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[1], &[0..100]).saw("a", &[2], &[500..600]).saw("b", &[2], &[700..800]);
    assert_eq!(outcome(&archive, "a"), (LostStatus::Gone, vec![]));
}

#[test]
fn however_long_ago_something_else_took_its_place() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0], &[0..100]).saw("a", &[1, 2], &[500..600]).saw("b", &[1, 2], &[0..100]);
    assert_eq!(outcome(&archive, "a"), (LostStatus::Moved, urls(["b"])));
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0], &[0..100]).saw("a", &[1, 2], &[0..90, 500..510]);
    assert_eq!(outcome(&archive, "a"), (LostStatus::Unchanged, urls(["a"])), "an edit is no loss");
}

#[test]
fn what_others_took_of_a_page_that_kept_a_part() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0, 1], &[0..100]).saw("a", &[2], &[0..45]).saw("b", &[2], &[50..95, 300..320]);
    archive.saw("c", &[0, 1, 2], &[80..100, 400..500]);
    assert_eq!(outcome(&archive, "a"), (LostStatus::Changed, urls(["a", "b"])));
}

#[test]
fn gone_from_its_url_and_from_where_it_was_after() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0], &[0..100]).saw("a", &[2], &[500..600]).saw("b", &[1], &[0..100]);
    assert_eq!(outcome(&archive, "a"), (LostStatus::Gone, urls(["b"])));
}

#[test]
fn moved_and_the_copy_is_first() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("x/a", &[0, 1], &[0..100]).saw("y/a", &[2], &[0..95, 200..205]).saw("z/b", &[2], &[0..100]);
    let lost = ask(&archive, "x/a");
    assert_eq!(lost.status, LostStatus::Moved);
    let found: Vec<_> = lost.found.iter().map(|p| (p.url.as_str(), p.role, p.new, p.current)).collect();
    assert_eq!(found, [("z/b", Role::Copy, true, true), ("y/a", Role::Near, true, true)]);
    assert_eq!(lost.found[0].last.as_deref(), Some("2024-03-01"));
}

#[test]
fn reused_for_something_else() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0, 1], &[0..100]).saw("a", &[2], &[500..600]).saw("b", &[2], &[5..110]);
    assert_eq!(outcome(&archive, "a"), (LostStatus::Moved, urls(["b"])));
}

#[test]
fn a_rest_stays_while_the_text_moves() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0, 1], &[0..100]).saw("a", &[2], &[0..15, 500..505]).saw("b", &[2], &[0..98]);
    assert_eq!(outcome(&archive, "a"), (LostStatus::Moved, urls(["b"])));
}

#[test]
fn ties_go_to_what_is_new_then_to_the_name() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("docs/setup.html", &[0, 1], &[0..100]);
    // slightly better, but it was there before
    archive.saw("old/mirror.html", &[0, 1, 2], &[0..97]);
    archive.saw("a/other.html", &[2], &[0..96]).saw("guide/setup.html", &[2], &[4..98]);
    let order = urls(["guide/setup.html", "a/other.html", "old/mirror.html"]);
    assert_eq!(outcome(&archive, "docs/setup.html"), (LostStatus::Moved, order));
}

#[test]
fn of_two_versions_that_are_ties_the_later_is_first() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("docs/setup.html", &[0, 1], &[0..100]);
    archive.saw("docs/v1x/setup.html", &[2], &[0..96]).saw("docs/v2x/setup.html", &[2], &[4..98]);
    let order = urls(["docs/v2x/setup.html", "docs/v1x/setup.html"]);
    assert_eq!(outcome(&archive, "docs/setup.html"), (LostStatus::Moved, order));
}

#[test]
fn clearly_better_text_beats_the_name() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("docs/setup.html", &[0, 1], &[0..100]);
    archive.saw("a/other.html", &[2], &[0..96]).saw("guide/setup.html", &[2], &[0..40, 300..360]);
    assert_eq!(outcome(&archive, "docs/setup.html").1[0], "a/other.html");
}

#[test]
fn split_in_two() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[1], &[0..100]).saw("a1", &[2], &[0..55]).saw("a2", &[2], &[50..100, 300..310]);
    let lost = ask(&archive, "a");
    assert_eq!(lost.status, LostStatus::Split);
    let found: Vec<_> = lost.found.iter().map(|p| (p.url.as_str(), p.role)).collect();
    assert_eq!(found, [("a1", Role::Near), ("a2", Role::Part)]);
    assert!(lost.together.is_some_and(|share| share > 0.9 && share <= 1.0));
}

#[test]
fn two_versions_of_the_same_part_are_no_split() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[1], &[0..100]).saw("v1/a", &[2], &[0..60]).saw("v2/a", &[2], &[3..63]);
    assert_eq!(ask(&archive, "a").status, LostStatus::Moved);
}

#[test]
fn a_sibling_that_always_shared_is_no_part_of_a_split() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[1], &[0..100]).saw("b", &[1, 2], &[60..100, 400..440]).saw("c", &[2], &[0..60]);
    let lost = ask(&archive, "a");
    assert_eq!((lost.status, lost.found[0].url.as_str()), (LostStatus::Moved, "c"));
}

#[test]
fn merged_into_a_larger_one() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[1], &[0..100]).saw("all", &[0, 1], &[1000..1400]).saw("all", &[2], &[0..100, 1000..1400]);
    let lost = ask(&archive, "a");
    assert_eq!((lost.status, lost.found[0].url.as_str()), (LostStatus::Merged, "all"));
    assert_eq!((lost.found[0].role, lost.found[0].new, lost.found[0].gained), (Role::Whole, false, true));
}

#[test]
fn a_page_that_grew_on_its_way_has_moved() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("x/a.html", &[1], &[0..100]).saw("y/a.html", &[2], &[0..100, 1000..1200]);
    assert_eq!(ask(&archive, "x/a.html").status, LostStatus::Moved);
}

#[test]
fn gone() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0], &[0..100]).saw("b", &[1], &[0..100]).saw("c", &[2], &[88..300]);
    let lost = ask(&archive, "a");
    assert_eq!(lost.status, LostStatus::Gone);
    let found: Vec<_> = lost.found.iter().map(|p| (p.url.as_str(), p.current, p.last.as_deref())).collect();
    assert_eq!(found, [("c", true, Some("2024-03-01")), ("b", false, Some("2024-02-01"))]);
}

#[test]
fn a_place_that_was_left_before_the_loss_is_no_place() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0, 1], &[0..100]).saw("b", &[0], &[0..100]).saw("c", &[2], &[500..600]);
    assert_eq!(outcome(&archive, "a"), (LostStatus::Gone, vec![]));
}

#[test]
fn moved_and_edited_since() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0], &[0..100]).saw("b", &[1], &[0..70, 200..230]).saw("b", &[2], &[200..230, 300..370]);
    let lost = ask(&archive, "a");
    assert_eq!((lost.status, lost.found[0].url.as_str()), (LostStatus::Moved, "b"));
    let place = &lost.found[0];
    assert!(place.current && place.resemblance.value == 0.0);
    assert_eq!(place.intermediate.as_ref().and_then(|t| t.date.as_deref()), Some("2024-02-01"));
}

#[test]
fn moved_twice() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0], &[0..100]).saw("b", &[1], &[0..40, 200..260]).saw("c", &[2], &[200..260, 300..340]);
    let lost = ask(&archive, "a");
    assert_eq!((lost.status, lost.found[0].url.as_str()), (LostStatus::Moved, "c"));
    assert_eq!(lost.found[0].intermediate.as_ref().map(|t| t.url.as_str()), Some("b"));
    assert_eq!(lost.found[1].url, "b");
}

#[test]
fn on_a_date() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0], &[0..100]).saw("a", &[1, 2], &[500..600]).saw("b", &[1, 2], &[0..100]);
    let now = LostOptions { at: Some("2024-03-01".to_owned()), ..LostOptions::default() };
    assert_eq!(lost(&archive, "a", &now).unwrap().status, LostStatus::Unchanged);
    let options = LostOptions { at: Some("2024-01-31".to_owned()), ..LostOptions::default() };
    let found = lost(&archive, "a", &options).unwrap();
    assert_eq!((found.status, found.found[0].url.as_str()), (LostStatus::Moved, "b"));
    let before = LostOptions { at: Some("2023-12-31".to_owned()), ..LostOptions::default() };
    assert_eq!(lost(&archive, "a", &before).unwrap().status, LostStatus::Unknown);
    let wrong = LostOptions { at: Some("2024-1-31".to_owned()), ..LostOptions::default() };
    assert!(lost(&archive, "a", &wrong).unwrap_err().to_string().contains("expected a date"));
}

#[test]
fn what_was_added_without_a_date_is_the_past() {
    let mut archive = MemoryArchive::new(&["", "2024-01-01"]);
    archive.saw("a", &[0], &[0..100]).saw("b", &[1], &[0..100]);
    assert_eq!(outcome(&archive, "a"), (LostStatus::Moved, urls(["b"])));
}

#[test]
fn places_beyond_the_limit_are_counted() {
    let mut archive = MemoryArchive::new(&DATES);
    archive.saw("a", &[0, 1], &[0..100]);
    for n in 0..30 {
        archive.saw(&format!("copy/{n:02}"), &[2], &[0..100]);
    }
    let lost = ask(&archive, "a");
    assert_eq!((lost.found.len(), lost.more), (20, 10));
    assert!(serde_json::to_string(&lost).unwrap().contains("\"status\":\"moved\""));
}
