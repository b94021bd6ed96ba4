#![expect(clippy::single_range_in_vec_init, reason = "a text is a list of ranges, often of one")]

use crate::history::holders::*;
use crate::history::archive::Archive;
use crate::history::fake::Fake;

#[test]
fn roles_and_order() {
    let mut fake = Fake::new(&["2024-01-01", "2024-02-01"]);
    fake.saw("http://a.org/ruling", &[0, 1], &[0..100]);
    fake.saw("http://B.org/copy", &[1], &[0..100]);
    fake.saw("http://b.org/near", &[1], &[0..90, 200..210]);
    fake.saw("http://c.org/book", &[1], &[0..100, 1000..1500]);
    fake.saw("http://d.org/part", &[1], &[0..20, 2000..2300]);
    fake.saw("http://e.org/less", &[1], &[0..5, 3000..3100]);
    fake.saw("http://f.org/old", &[0], &[0..100]);
    // has another version now, which still holds a part
    fake.saw("http://g.org/both", &[0], &[0..100]).saw("http://g.org/both", &[1], &[0..30]);
    let options = HoldersOptions::default();
    let mut answer = fake.query_document(0, &options.query()).unwrap();
    answer.query = "http://a.org/ruling".to_owned();
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
