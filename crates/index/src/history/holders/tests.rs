#![expect(clippy::single_range_in_vec_init, reason = "a text is a list of ranges, often of one")]

use crate::history::archive::Archive;
use crate::history::holders::*;
use crate::history::memory_archive::MemoryArchive;
use crate::search::{Matches, ShingleMatches};

#[test]
fn roles_and_order() {
    let mut archive = MemoryArchive::new(&["2024-01-01", "2024-02-01"]);
    archive.saw("http://a.org/ruling", &[0, 1], &[0..100]);
    archive.saw("http://B.org/copy", &[1], &[0..100]);
    archive.saw("http://b.org/near", &[1], &[0..90, 200..210]);
    archive.saw("http://c.org/book", &[1], &[0..100, 1000..1500]);
    archive.saw("http://d.org/part", &[1], &[0..20, 2000..2300]);
    archive.saw("http://e.org/less", &[1], &[0..5, 3000..3100]);
    archive.saw("http://f.org/old", &[0], &[0..100]);
    // has another version now, which still holds a part
    archive.saw("http://g.org/both", &[0], &[0..100]).saw("http://g.org/both", &[1], &[0..30]);
    let options = HoldersOptions::default();
    let matches = archive.related(0, &options.query()).unwrap();
    let answer = SearchResult {
        query: "http://a.org/ruling".to_owned(),
        content: archive.content(0).unwrap(),
        known: true,
        more: 0,
        matches: Matches::Shingles(ShingleMatches { matches, ..ShingleMatches::default() }),
    };
    let found = holders(&answer, &options);
    let rows: Vec<_> = found.holders.iter().map(|h| (h.url.as_str(), h.host.as_str(), h.role, h.current)).collect();
    assert_eq!(
        rows,
        [
            ("http://B.org/copy", "b.org", Role::Copy, true),
            ("http://c.org/book", "c.org", Role::Whole, true),
            ("http://b.org/near", "b.org", Role::Near, true),
            ("http://g.org/both", "g.org", Role::Part, true),
            ("http://d.org/part", "d.org", Role::Part, true),
            ("http://f.org/old", "f.org", Role::Copy, false),
        ]
    );
    assert_eq!((found.current, found.more), (5, 0));
    let most = holders(&answer, &HoldersOptions { least: 0.5, ..options });
    assert_eq!(most.holders.len(), 5, "the old version of g.org/both counts again");
}
