//! Compressed JSONL: the same documents as plain, and what is whole before damage.

use std::io::{self, Read};

use crate::common::{documents, gzip, items_in, items_of, skipped, texts, write, zstd};
use lookalike_corpus::{Input, Options, Reason};
use proptest::prelude::*;
use tempfile::tempdir;

fn lines(count: usize) -> String {
    // Something that does not compress away, so that a cut falls in the middle.
    let word = |n: usize| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
    let line = |n| format!("{{\"id\": {n}, \"text\": \"{:x} {:x}\"}}\n", word(n), word(n + count));
    (0..count).map(line).collect::<Vec<_>>().concat()
}

fn small() -> Options {
    Options { batch_bytes: 500, ..Options::default() }
}

/// Damage is reported once, last, under the name of the stream.
fn assert_broken(items: &[lookalike_corpus::Item<'static>], id: &str) {
    let skipped = skipped(items);
    assert_eq!(skipped.len(), 1, "{skipped:?}");
    assert_eq!(skipped[0].id, id);
    assert!(matches!(skipped[0].reason, Reason::Truncated(_)) && skipped[0].reason.is_damage());
    assert!(matches!(items.last(), Some(lookalike_corpus::Item::Skipped(_))));
}

#[test]
fn members_and_frames_in_a_row_are_one_stream() {
    let all = lines(300);
    let (one, two) = all.split_at(all.len() / 3);
    let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let plain = texts(&items_in(all.as_bytes(), small()));
    assert_eq!(plain.len(), 300);
    for packed in [
        [gzip(one.as_bytes()), gzip(b""), gzip(two.as_bytes())].concat(),
        [skippable, zstd(one.as_bytes()), zstd(b""), zstd(two.as_bytes())].concat(),
    ] {
        let items = items_in(&packed, small());
        assert!(skipped(&items).is_empty());
        assert_eq!(texts(&items), plain);
        assert!(documents(&items).iter().all(|document| !document.place.is_readable()));
    }
}

#[test]
fn the_content_overrules_the_name() {
    let dir = tempdir().unwrap();
    let all = lines(20);
    let plain = texts(&items_in(all.as_bytes(), small()));
    for (name, content, again) in [
        ("a.jsonl", gzip(all.as_bytes()), false),
        ("b.jsonl", zstd(all.as_bytes()), false),
        ("c.jsonl.gz", zstd(all.as_bytes()), false),
        ("d.json.zst", gzip(all.as_bytes()), false),
        ("e.json.gz", all.clone().into_bytes(), true),
    ] {
        let path = dir.path().join(name);
        write(&path, &content);
        let items = items_of(&path, small());
        assert_eq!(texts(&items), plain, "{name}");
        assert!(documents(&items).iter().all(|document| document.place.is_readable() == again), "{name}");
    }
    for (name, content) in [("x.jsonl.gz", &b""[..]), ("y.jsonl.zst", b"\x28\xb5"), ("z.jsonl.gz", b"garbage")] {
        let path = dir.path().join(name);
        write(&path, content);
        assert_broken(&items_of(&path, small()), path.to_str().unwrap());
    }
}

#[test]
fn whole_lines_before_damage_are_delivered() {
    let all = lines(20_000);
    let plain = texts(&items_in(all.as_bytes(), Options::default()));
    for packed in [gzip(all.as_bytes()), zstd(all.as_bytes())] {
        for (cut, least) in [(packed.len() / 2, 5000), (packed.len() - 3, 15_000), (20, 0), (5, 0)] {
            for options in [small(), Options::default()] {
                let items = items_in(&packed[..cut], options);
                assert_broken(&items, "-");
                let read = texts(&items);
                assert!(read.len() >= least, "{} of {cut}", read.len());
                assert_eq!(read, plain[..read.len()]);
            }
        }
        // Damage in the middle: what comes may be wrong, but it ends and is reported.
        let mut wrong = packed.clone();
        let middle = wrong.len() / 2;
        wrong[middle..middle + 64].fill(0xff);
        let items = items_in(&wrong, small());
        assert!(skipped(&items).iter().any(|skipped| matches!(skipped.reason, Reason::Truncated(_))));
        assert_eq!(texts(&items)[..3000], plain[..3000]);
        // Something foreign behind the end.
        let items = items_in(&[&packed[..], b"foreign"].concat(), small());
        assert_broken(&items, "-");
        assert_eq!(texts(&items), plain);
    }
}

#[test]
fn a_long_line_in_a_small_file_is_read_over() {
    let bomb = format!("{{\"text\": \"{}\"}}\n{{\"text\": \"b\"}}\n", "x".repeat(20 << 20));
    for packed in [gzip(bomb.as_bytes()), zstd(bomb.as_bytes())] {
        assert!(packed.len() < 1 << 20);
        let items = items_in(&packed, Options { max_size: 1000, ..Options::default() });
        assert_eq!(texts(&items), [("-:2".into(), "b".into())]);
        assert_eq!(skipped(&items)[0].reason, Reason::TooLarge { bytes: (20 << 20) + 12, limit: 1000 });
    }
}

/// Gives its bytes one by one, with an interruption before each, and then fails.
struct Tiresome(Vec<u8>, bool);

impl Read for Tiresome {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.0.is_empty() {
            return Err(io::Error::other("the cable was pulled"));
        }
        out[0] = self.0.remove(0);
        Ok(1)
    }
}

#[test]
fn a_stream_that_fails_is_reported() {
    let all = lines(5);
    for content in [all.clone().into_bytes(), gzip(all.as_bytes()), zstd(all.as_bytes())] {
        let input = Input::Stream(Box::new(Tiresome(content, false)));
        let items = crate::common::items(vec![input], small());
        assert_broken(&items, "-");
        assert!(skipped(&items)[0].reason.to_string().contains("the cable was pulled"));
        assert_eq!(texts(&items).len(), 5);
    }
    let nothing = Input::Stream(Box::new(Tiresome(Vec::new(), false)));
    assert_broken(&crate::common::items(vec![nothing], small()), "-");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn plain_gz_and_zst_hold_the_same_documents(
        content in prop::collection::vec(prop_oneof![
            "\\{\"id\": [0-9]{1,3}, \"text\": \"[a-zé ]{0,40}\"\\}", "[a-z\\[{}]{0,8}", Just(String::new()),
        ], 0..30),
        batch_bytes in 1usize..300,
    ) {
        let content = content.join("\n");
        let options = Options { batch_bytes, ..Options::default() };
        let plain = items_in(content.as_bytes(), Options::default());
        prop_assert_eq!(&items_in(&gzip(content.as_bytes()), options.clone()), &plain);
        prop_assert_eq!(&items_in(&zstd(content.as_bytes()), options), &plain);
    }
}
