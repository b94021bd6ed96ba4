//! Archives written again without some of their files.

use std::fs::{self, File};
use std::io::{Cursor, Read, Write};

use lookalike_corpus::{Copied, CopyError, Item, Options, Place, copy_archive};
use zip::write::SimpleFileOptions;

use crate::common::packing::{patched, tar_member, tar_of, zip_of};
use crate::common::{documents, gzip, items_of, write, zstd};

/// Writes an archive again; what it says, its bytes, and the files that were asked for.
fn copy(name: &str, content: &[u8], dropped: &[&str]) -> (Result<Copied, CopyError>, Vec<u8>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join(name), dir.path().join("out"));
    write(&from, content);
    let mut asked = Vec::new();
    let copied = copy_archive(&from, File::create(&to).unwrap(), &mut |name| {
        asked.push(name.to_owned());
        !dropped.contains(&name)
    });
    (copied, fs::read(to).unwrap(), asked)
}

/// The names of the documents that a reader finds.
fn names(name: &str, content: &[u8]) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join(name), content);
    let items = items_of(&dir.path().join(name), Options { archives: true, ..Options::default() });
    assert!(
        !items.iter().any(|item| matches!(item, Item::Skipped(skipped) if skipped.reason.is_damage())),
        "{items:?}"
    );
    let name = |place| match place {
        Place::Member { name, .. } => name,
        other => panic!("{other:?}"),
    };
    documents(&items).into_iter().map(|document| name(document.place)).collect()
}

const FILES: [(&str, &[u8]); 4] = [
    ("a.txt", b"some words and some words"),
    ("b/c.txt", b"short"),
    ("d.txt", b"words that go, words that go"),
    ("\u{e9}/last", b""),
];

fn long_name() -> String {
    format!("{}/{}", "folder".repeat(20), "name".repeat(20))
}

/// A tar with everything: folders, links, long names, attributes, an archive, and a name that comes twice.
fn odd_tar() -> (Vec<u8>, Vec<u8>) {
    let mut tar = tar::Builder::new(Vec::new());
    let header = |kind, size| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(0o640);
        header.set_mtime(1_700_000_000);
        header.set_size(size);
        header
    };
    tar.append_data(&mut header(tar::EntryType::Directory, 0), "./folder/", &b""[..]).unwrap();
    tar.append_data(&mut header(tar::EntryType::Regular, 5), long_name(), &b"12345"[..]).unwrap();
    tar.append_link(&mut header(tar::EntryType::Symlink, 0), "link", "elsewhere").unwrap();
    tar.append_data(&mut header(tar::EntryType::Regular, 600), "x.txt", &[b'x'; 600][..]).unwrap();
    let with = tar.into_inner().unwrap();
    let with = &with[..with.len() - 1024];
    // attributes that give the next file another name
    let pax = tar_member(b"pax", tar::EntryType::XHeader, 20, b"20 path=p\xc3\xa4x/name.t\n");
    let attributed = [pax, tar_member(b"other", tar::EntryType::Regular, 3, b"abc")].concat();
    let gone = [tar_member(b"gone", tar::EntryType::Regular, 3, b"abc"), {
        let mut tar = tar::Builder::new(Vec::new());
        tar.append_data(&mut header(tar::EntryType::Regular, 1), format!("gone-{}", long_name()), &b"g"[..]).unwrap();
        let tar = tar.into_inner().unwrap();
        tar[..tar.len() - 1024].to_vec()
    }]
    .concat();
    let inner = zip_of(&[("gone", b"it stays in here")]);
    let rest = [
        tar_member(b"y.zip", tar::EntryType::Regular, inner.len() as u64, &inner),
        tar_member(b"x.txt", tar::EntryType::Regular, 2, b"xy"),
        vec![0; 10240],
    ]
    .concat();
    ([with, &attributed, &gone, &rest].concat(), [with, &attributed, &rest].concat())
}

#[test]
fn tars_are_the_same_bytes() {
    let (whole, expected) = odd_tar();
    let gone = format!("gone-{}", long_name());
    let asked = [long_name(), "x.txt".into(), "p\u{e4}x/name.t".into(), "gone".into(), gone.clone()];
    for (name, packed) in [("a.tar", whole.clone()), ("a.TGZ", gzip(&whole)), ("a.tar.zst", zstd(&whole))] {
        for (dropped, left, written) in [(&[][..], &whole, 7), (&["gone", &gone][..], &expected, 5)] {
            let (copied, out, names) = copy(name, &packed, dropped);
            assert_eq!(copied.unwrap(), Copied { records: 7, blank: 0, written }, "{name}");
            assert_eq!(names, asked, "{name}");
            let mut plain = Vec::new();
            match name {
                "a.tar" => plain = out,
                "a.TGZ" => drop(flate2::read::MultiGzDecoder::new(&out[..]).read_to_end(&mut plain).unwrap()),
                _ => plain = zstd::decode_all(&out[..]).unwrap(),
            }
            assert!(plain == *left, "{name}: {} bytes, expected {}", plain.len(), left.len());
        }
    }
}

#[test]
fn members_are_asked_for_as_readers_call_them() {
    for (name, packed) in [("a.zip", zip_of(&FILES)), ("a.tar", tar_of(&FILES)), ("a.tar.gz", gzip(&tar_of(&FILES)))] {
        let all = names(name, &packed);
        let (copied, out, asked) = copy(name, &packed, &["b/c.txt", "d.txt"]);
        assert_eq!(copied.unwrap(), Copied { records: 4, blank: 0, written: 2 }, "{name}");
        assert_eq!(asked, all, "{name}");
        assert_eq!(names(name, &out), ["a.txt", "\u{e9}/last"], "{name}");
    }
}

#[test]
fn zips_are_not_compressed_again() {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let deflated = SimpleFileOptions::default().compression_level(Some(9)).unix_permissions(0o640);
    let time = zip::DateTime::from_date_and_time(2020, 2, 3, 4, 5, 6).unwrap();
    zip.set_comment("a comment").unwrap();
    zip.add_directory("folder/", deflated).unwrap();
    zip.start_file("folder/a.txt", deflated.last_modified_time(time)).unwrap();
    zip.write_all(&b"words and words ".repeat(100)).unwrap();
    zip.add_symlink("link", "folder/a.txt", deflated).unwrap();
    zip.start_file("gone", deflated).unwrap();
    zip.start_file("inner.zip", deflated).unwrap();
    zip.write_all(&zip_of(&FILES)).unwrap();
    let whole = zip.finish().unwrap().into_inner();
    let (copied, out, asked) = copy("a.zip", &whole, &["gone"]);
    assert_eq!(copied.unwrap(), Copied { records: 3, blank: 0, written: 2 });
    assert_eq!(asked, ["folder/a.txt", "gone"]);
    let entries = |bytes: &[u8]| {
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes.to_vec())).unwrap();
        assert_eq!(zip.comment(), b"a comment");
        let entries = (0..zip.len()).map(|index| {
            let mut member = zip.by_index_raw(index).unwrap();
            let mut raw = Vec::new();
            member.read_to_end(&mut raw).unwrap();
            let time = member.last_modified().map(|time| time.to_string());
            (member.name().unwrap().to_string(), member.unix_mode(), member.crc32(), time, member.is_symlink(), raw)
        });
        entries.collect::<Vec<_>>()
    };
    let mut expected = entries(&whole);
    expected.retain(|entry| entry.0 != "gone");
    assert_eq!(entries(&out), expected);
    assert_eq!(names("a.zip", &out).len(), 5);
}

#[test]
fn damage_is_an_error() {
    for (name, packed) in [("a.zip", zip_of(&FILES)), ("a.tar", tar_of(&FILES)), ("a.tar.gz", gzip(&tar_of(&FILES)))] {
        let is_tar = name == "a.tar";
        let step = if is_tar { 5 } else { 1 };
        for end in (0..packed.len()).step_by(step) {
            let (copied, _, _) = copy(name, &packed[..end], &[]);
            // of a plain tar some of the zeros at the end may be missing, or whole members
            assert!(
                is_tar && (end % 512 == 0 && end > 0 || end + 512 > packed.len()) || copied.is_err(),
                "{name} cut at {end}: {copied:?}"
            );
        }
        for at in (0..packed.len()).step_by(step) {
            let mut flipped = packed.clone();
            flipped[at] ^= 1 << (at % 8);
            // a plain tar has checksums for headers only
            if let (Ok(_), out, _) = copy(name, &flipped, &[])
                && !is_tar
            {
                assert!(names(name, &out).len() <= 4, "{name} flipped at {at}");
            }
        }
    }
}

#[test]
fn what_cannot_be_copied_is_said() {
    let twice = patched(zip_of(&[("a1", b"one"), ("a2", b"two")]), b"a2", b"a1");
    let (copied, _, _) = copy("a.zip", &twice, &[]);
    assert!(matches!(&copied, Err(CopyError::Unsupported { reason, .. }) if reason.contains("a1")), "{copied:?}");
    let (copied, _, _) = copy("a.rar", b"x", &[]);
    assert!(matches!(copied, Err(CopyError::Unsupported { .. })));
    let (copied, _, _) = copy("a.tar", b"", &[]);
    assert!(matches!(copied, Err(CopyError::Read { .. })));
    let endless = tar_member(b"long", tar::EntryType::GNULongName, 1 << 30, &vec![b'x'; 1 << 20]);
    let (copied, _, _) = copy("a.tar", &endless, &[]);
    assert!(copied.unwrap_err().to_string().contains("before a member"));
}
