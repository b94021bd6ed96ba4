//! Archives that are damaged, odd, or made to hurt: a reason for what is left out, and never more than is allowed.

use crate::common::packing::{directory, patched, tar_member, tar_of, zip_of};
use crate::common::{bytes, documents, gzip, ids, items_of, kinds, open, read, skipped, write, zstd};
use lookalike_corpus::{Input, Item, Options, Place, Step};
use proptest::prelude::*;
use tar::EntryType;
use tempfile::tempdir;

fn archives() -> Options {
    Options { archives: true, ..Options::default() }
}

/// What an archive gives: the ids of its documents, and the ids and reasons of what is skipped, without the folder.
fn given(name: &str, bytes: &[u8], options: Options) -> (Vec<String>, Vec<(String, String)>) {
    let dir = tempdir().unwrap();
    let path = dir.path().join(name);
    write(&path, bytes);
    let items = items_of(&path, options);
    let prefix = format!("{}/", dir.path().display());
    let reasons = skipped(&items).into_iter();
    let reasons = reasons.map(|skip| (skip.id.replace(&prefix, ""), skip.reason.to_string().replace(&prefix, "")));
    (ids(&items, dir.path()), reasons.collect())
}

fn reason(found: &[(String, String)], id: &str) -> String {
    found.iter().find(|(other, _)| other == id).unwrap_or_else(|| panic!("{id} is not in {found:?}")).1.clone()
}

#[test]
fn names_are_only_names() {
    let zip = zip_of(&[("../../etc/passwd", b"1"), ("/etc/shadow", b"2"), ("a//b/./c", b"3"), ("C:\\x.py", b"4")]);
    let expected = ["../../etc/passwd", "/etc/shadow", "a//b/./c", "C:\\x.py"].map(|name| format!("x.zip!/{name}"));
    assert_eq!(given("x.zip", &zip, archives()), (expected.to_vec(), vec![]));
    let members = [
        tar_member(b"../up.txt", EntryType::Regular, 1, b"u"),
        tar_member(b"/abs.txt", EntryType::Regular, 1, b"a"),
        tar_member(b"././caf\xe9.txt", EntryType::Regular, 1, b"c"),
    ];
    let found = given("x.tar", &members.concat(), archives()).0;
    assert_eq!(found, ["x.tar!/../up.txt", "x.tar!//abs.txt", "x.tar!/caf\\xE9.txt"]);
}

#[test]
fn names_of_old_systems() {
    // Code page 437, where 0x82 is é; and folders by backslashes, as some programs on Windows write them.
    let zip = patched(zip_of(&[("cafX.txt", b"1")]), b"cafX", b"caf\x82");
    assert_eq!(given("x.zip", &zip, archives()).0, ["x.zip!/café.txt"]);
    let mut zip = zip_of(&[("a\\b.txt", b"1")]);
    let entry = directory(&zip)[0];
    zip[entry + 5] = 0;
    assert_eq!(given("x.zip", &zip, archives()).0, ["x.zip!/a/b.txt"]);
}

#[test]
fn members_that_cannot_be_read_are_listed() {
    let files: [(&str, &[u8]); 5] = [("a", b"1"), ("secret", b"2"), ("lzma", b"3"), ("b", b"4"), ("link", b"5")];
    let mut zip = zip_of(&files);
    let entries = directory(&zip);
    zip[entries[1] + 8] |= 1;
    zip[entries[2] + 10] = 14;
    zip[entries[4] + 40..entries[4] + 42].copy_from_slice(&0o120_777u16.to_le_bytes());
    let zip = patched(zip, b"b", b"a");
    let (found, left) = given("x.zip", &zip, archives());
    assert_eq!(found, ["x.zip!/a"]);
    assert!(reason(&left, "x.zip!/secret").contains("encrypted"), "{left:?}");
    assert!(reason(&left, "x.zip!/lzma").contains("compression"), "{left:?}");
    assert!(reason(&left, "x.zip!/a").contains("same name"), "{left:?}");
    assert!(reason(&left, "x.zip!/link").contains("symbolic link"), "{left:?}");
    assert_eq!(left.len(), 4);
}

#[test]
fn what_is_no_file_in_a_tar_is_listed() {
    let mut link = tar_member(b"hard", EntryType::Link, 0, b"");
    link[157..160].copy_from_slice(b"a.c");
    let mut header = tar::Header::from_byte_slice(&link[..512]).clone();
    header.set_cksum();
    link[..512].copy_from_slice(header.as_bytes());
    let long = "n".repeat(5000);
    let members = [
        tar_member(b"a.c", EntryType::Regular, 2, b"ok"),
        tar_member(b"d/", EntryType::Directory, 0, b""),
        tar_member(b"soft", EntryType::Symlink, 0, b""),
        link,
        tar_member(b"dev", EntryType::Char, 0, b""),
        tar_member(b"disk", EntryType::Block, 0, b""),
        tar_member(b"fifo", EntryType::Fifo, 0, b""),
        tar_member(b"odd", EntryType::new(b'V'), 0, b""),
        tar_member(b"a.c", EntryType::Regular, 3, b"two"),
        tar_of(&[(&long, b"3")]),
    ];
    let (found, left) = given("x.tar", &members.concat(), archives());
    assert_eq!(found, ["x.tar!/a.c"]);
    let names: Vec<&str> = left.iter().map(|(id, _)| id.strip_prefix("x.tar!/").unwrap()).collect();
    assert_eq!(names[..7], ["soft", "hard", "dev", "disk", "fifo", "odd", "a.c"]);
    assert_eq!(reason(&left, "x.tar!/hard"), "same file as x.tar!/a.c");
    assert!(reason(&left, "x.tar!/dev").contains("a device"));
    assert!(reason(&left, "x.tar!/a.c").contains("same name"));
    assert!(left[7].1.contains("5000 bytes") && left[7].0.len() < 4200);
}

#[test]
fn nesting_ends_somewhere() {
    let mut zip = zip_of(&[("x.py", b"deep")]);
    for depth in (0..6).rev() {
        zip = zip_of(&[("in.zip", &zip), (&format!("{depth}.py"), b"beside")]);
    }
    let (found, left) = given("x.zip", &zip, archives());
    let inner = "x.zip!/in.zip!/in.zip!/in.zip!/";
    assert_eq!(found.first().unwrap(), &format!("{inner}3.py"));
    assert_eq!(found.len(), 4);
    assert_eq!(left.len(), 1);
    assert!(reason(&left, &format!("{inner}in.zip")).contains("inside 4 others"));
}

/// A zip of one member with many names in its directory, all of which share its bytes.
fn overlapping(size: usize, names: usize) -> Vec<u8> {
    let zip = zip_of(&[("000", &vec![0; size])]);
    let start = directory(&zip)[0];
    let end = zip.len() - 22;
    let mut bomb = zip[..start].to_vec();
    for name in 0..names {
        bomb.extend(patched(zip[start..end].to_vec(), b"000", format!("{name:03}").as_bytes()));
    }
    let length = (bomb.len() - start) as u32;
    bomb.extend_from_slice(&zip[end..]);
    let record = bomb.len() - 22;
    for at in [8, 10] {
        bomb[record + at..record + at + 2].copy_from_slice(&(names as u16).to_le_bytes());
    }
    bomb[record + 12..record + 16].copy_from_slice(&length.to_le_bytes());
    bomb
}

#[test]
fn bombs_are_cut() {
    let limit = |bomb: &[u8]| (64 << 20) + 200 * bomb.len();
    // One member many times.
    let bomb = overlapping(16 << 20, 100);
    assert!(bomb.len() < 64 << 10);
    let (found, left) = given("x.zip", &bomb, archives());
    assert_eq!(found.len(), limit(&bomb) / (16 << 20));
    assert_eq!(left.len(), 1);
    assert!(reason(&left, "x.zip").contains("as bombs do"), "{left:?}");
    // The same inside others, which share what is allowed; told once.
    let nested = zip_of(&[("a.zip", &bomb), ("b.zip", &bomb), ("c.py", b"after")]);
    let (found, left) = given("x.zip", &nested, archives());
    assert!(found.len() <= limit(&nested) / (16 << 20));
    assert_eq!(left.len(), 1);
    assert!(reason(&left, "x.zip").contains("as bombs do"), "{left:?}");
    // A stream has to be read to be passed over.
    let head = tar_member(b"zero", EntryType::Regular, 150 << 20, b"");
    let zeros = vec![0; 150 << 20];
    let bomb = zstd(&[&head, &zeros[..], &tar_of(&[("after", b"1")])].concat());
    drop(zeros);
    let (found, left) = given("x.tar.zst", &bomb, archives());
    assert_eq!(found, [""; 0]);
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(reason(&left, "x.tar.zst!/zero").contains("too large"));
    assert!(reason(&left, "x.tar.zst").contains("as bombs do"));
}

#[test]
fn sizes_are_not_believed() {
    // The directory says 100 bytes where there are 5000, and the other way round.
    for (real, claimed) in [(5000u32, 100u32), (100, 5000), (5000, u32::MAX - 1), (5000, 0)] {
        let mut zip = zip_of(&[("x", &vec![b'x'; real as usize]), ("y", b"fine")]);
        let entry = directory(&zip)[0];
        zip[entry + 24..entry + 28].copy_from_slice(&claimed.to_le_bytes());
        let (found, left) = given("x.zip", &zip, archives());
        assert_eq!(found, ["x.zip!/y"]);
        assert_eq!(left.len(), 1);
    }
    // A long name of gigabytes.
    let head = tar_member(b"././@LongLink", EntryType::GNULongName, 8 << 20, &vec![b'n'; 8 << 20]);
    let (found, left) = given("x.tgz", &gzip(&[head, tar_of(&[("x", b"1")])].concat()), archives());
    assert_eq!(found, [""; 0]);
    assert!(reason(&left, "x.tgz").contains("before a member"), "{left:?}");
    // A member as large as anything.
    let mut head = tar_member(b"x", EntryType::Regular, 0, b"");
    head[124..136].copy_from_slice(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
    let mut header = tar::Header::from_byte_slice(&head).clone();
    header.set_cksum();
    assert_eq!(given("x.tar", header.as_bytes(), archives()).1.len(), 1);
}

#[test]
fn what_is_no_archive_says_so() {
    for (name, bytes) in
        [("x.zip", &b""[..]), ("x.zip", b"PK\x03\x04"), ("x.tar", b"hello"), ("x.tgz", b"\x1f\x8b\x08")]
    {
        let dir = tempdir().unwrap();
        write(&dir.path().join(name), bytes);
        let items = items_of(&dir.path().join(name), archives());
        assert_eq!(kinds(&items, dir.path()), [(name.to_owned(), "truncated")], "{bytes:?}");
        assert!(skipped(&items)[0].reason.is_damage());
    }
    assert_eq!(given("x.zip", &zip_of(&[]), archives()), (vec![], vec![]));
    assert_eq!(given("x.tar", &tar_of(&[]), archives()), (vec![], vec![]));
}

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let text = b"some words that repeat some words that repeat".repeat(20);
    let files: [(&str, &[u8]); 3] = [("a/one.txt", &text), ("two", b"2"), ("three", &text[..100])];
    let (zip, tar) = (zip_of(&files), tar_of(&files));
    let nested: [(&str, &[u8]); 3] = [("i.zip", &zip), ("t.tgz", &gzip(&tar)), ("x", b"x")];
    vec![
        ("a.zip", zip_of(&nested)),
        ("a.tar", tar_of(&nested)),
        ("a.tgz", gzip(&tar_of(&nested))),
        ("a.tar.zst", zstd(&tar_of(&nested))),
        ("b.zip", zip),
        ("b.tar", tar),
    ]
}

#[test]
fn cut_anywhere() {
    for (name, whole) in samples() {
        let dir = tempdir().unwrap();
        let path = dir.path().join(name);
        write(&path, &whole);
        let all = documents(&items_of(&path, archives()));
        for cut in (0..whole.len()).step_by(37) {
            write(&path, &whole[..cut]);
            let items = items_of(&path, archives());
            for document in documents(&items) {
                assert!(all.contains(&document), "{name} {cut}");
            }
            // The end of a tar is two empty blocks that need not be there.
            let lost = documents(&items).len() < all.len();
            assert!(!lost || !skipped(&items).is_empty() || (name.ends_with("tar") && cut % 512 == 0), "{name} {cut}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn flipped_anywhere(
        sample in 0usize..6,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let (name, mut bytes) = samples().swap_remove(sample);
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        check(name, &bytes)?;
    }

    /// Most of an archive is content; its structure is in the first bytes of a tar and the last of a zip.
    #[test]
    fn flipped_where_it_hurts(
        sample in 4usize..6,
        flips in prop::collection::vec((0usize..330, prop_oneof![any::<u8>(), Just(0), Just(0xff)]), 1..4),
        fix: bool,
    ) {
        let (name, mut bytes) = samples().swap_remove(sample);
        for (at, value) in flips {
            let at = if sample == 4 { bytes.len() - 1 - at % bytes.len() } else { at };
            bytes[at] = value;
        }
        if fix && sample == 5 {
            let mut header = tar::Header::from_byte_slice(&bytes[..512]).clone();
            header.set_cksum();
            bytes[..512].copy_from_slice(header.as_bytes());
        }
        check(name, &bytes)?;
    }

    #[test]
    fn places_that_lead_nowhere(
        sample in 0usize..6,
        steps in prop::collection::vec(
            prop_oneof![
                (0u64..3000, 0u64..3000).prop_map(|(at, len)| Step::Range { at, len }),
                any::<(u64, u64)>().prop_map(|(at, len)| Step::Range { at, len }),
                Just(Step::Inflate), Just(Step::Gunzip), Just(Step::Unzstd),
            ],
            0..6,
        ),
    ) {
        let (name, bytes) = samples().swap_remove(sample);
        let dir = tempdir().unwrap();
        let path = dir.path().join(name);
        write(&path, &bytes);
        let corpus = open(vec![Input::Path(path.clone())], archives());
        let mut count = 0;
        corpus.fetch(&Place::Member { path, steps, name: "n".into() }, &mut |_| count += 1);
        prop_assert_eq!(count, 1);
    }
}

/// Whatever an archive says, what is read from it can be read again; only where damage begins in a compressed stream
/// depends on how much is asked for at once.
fn check(name: &str, archive: &[u8]) -> Result<(), TestCaseError> {
    let dir = tempdir().unwrap();
    let path = dir.path().join(name);
    write(&path, archive);
    let corpus = open(vec![Input::Path(path)], archives());
    let items = read(&corpus);
    let damage = skipped(&items).iter().any(|skip| skip.reason.is_damage());
    for document in documents(&items) {
        let mut again = None;
        corpus.fetch(&document.place, &mut |item| again = Some(item.into_owned()));
        let again = match again.unwrap() {
            Item::Document(again) => again,
            Item::Skipped(skip) if damage && skip.reason.is_damage() => continue,
            Item::Skipped(skip) => panic!("{skip:?}"),
        };
        prop_assert_eq!(bytes(&again), bytes(&document));
        prop_assert_eq!(again.id, document.id);
    }
    Ok(())
}
