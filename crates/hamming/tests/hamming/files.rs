//! Files of fingerprints: what is written is read, in every layout, and what is wrong is said.

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{Read, at, problem, read, read_all};
use lookalike_hamming::FingerprintBits;
use lookalike_hamming::file::{
    Digits, ExpectedDigits, FileOptions, FileProblem, FingerprintReader, FingerprintWriter, IdKind, Layout,
    NameSelection, Position,
};
use proptest::prelude::*;

fn text(content: &str) -> Result<Read<u64>, FileProblem> {
    stream(content.as_bytes(), &FileOptions::default())
}

fn stream<P: FingerprintBits>(content: &[u8], options: &FileOptions) -> Result<Read<P>, FileProblem> {
    FingerprintReader::from_reader(Cursor::new(content.to_vec()), "-", options).and_then(read_all).map_err(problem)
}

fn saying(layout: Layout) -> FileOptions {
    FileOptions { layout: Some(layout), ..FileOptions::default() }
}

fn written<P: FingerprintBits>(mut writer: FingerprintWriter<Vec<u8>, P>, fingerprints: &[P], ids: &[u64]) -> Vec<u8> {
    let half = fingerprints.len() / 2;
    writer.write(&fingerprints[..half], &ids[..half.min(ids.len())]).unwrap();
    writer.write(&fingerprints[half..], &ids[half.min(ids.len())..]).unwrap();
    writer.finish().unwrap()
}

type Make<P> = fn(Vec<u8>) -> FingerprintWriter<Vec<u8>, P>;

/// Every layout gives back what was written, with ids or without.
fn round_trip<P: FingerprintBits>(fingerprints: &[P], ids: &[u64]) {
    let digits = |digits| FileOptions { digits: Some(digits), ..saying(Layout::Text) };
    let all: [(Make<P>, FileOptions, bool, bool); 4] = [
        (FingerprintWriter::raw, saying(Layout::Raw), true, false),
        (FingerprintWriter::raw_ids, saying(Layout::RawIds), false, true),
        (|out| FingerprintWriter::text(out, Digits::Hex), saying(Layout::Text), true, true),
        (|out| FingerprintWriter::text(out, Digits::Decimal), digits(Digits::Decimal), true, true),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (writer, options, without, with) in all {
        for ids in [&[], ids].into_iter().zip([without, with]).filter(|it| it.1).map(|it| it.0) {
            let bytes = written(writer(Vec::new()), fingerprints, ids);
            let streamed = stream(&bytes, &options).unwrap();
            assert_eq!((&streamed.fingerprints[..], &streamed.ids[..]), (fingerprints, ids), "{options:?}");
            let path = folder.path().join("fingerprints");
            fs::write(&path, bytes).unwrap();
            assert_eq!(read::<P>(&path, &options).unwrap(), streamed, "a file is read as a stream is");
        }
    }
}

proptest! {
    #[test]
    fn every_layout_gives_the_same(pairs in prop::collection::vec((any::<u64>(), any::<u64>()), 0..200)) {
        let (fingerprints, ids): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
        round_trip(&fingerprints, &ids);
    }

    #[test]
    fn in_both_widths(pairs in prop::collection::vec((any::<u128>(), any::<u64>()), 0..200)) {
        let (fingerprints, ids): (Vec<u128>, Vec<u64>) = pairs.into_iter().unzip();
        round_trip(&fingerprints, &ids);
    }

    #[test]
    fn any_spelling_reads_the_same(fingerprints in prop::collection::vec(any::<u64>(), 2..50)) {
        // One that leaves no doubt of either base.
        let fingerprints: Vec<u64> = fingerprints.into_iter().chain([u64::MAX]).collect();
        let spelled = |spell: fn(&u64) -> String| fingerprints.iter().map(spell).collect::<Vec<_>>();
        for (lines, end) in [
            (spelled(|fingerprint| format!("{fingerprint:016x}")), "\n"),
            (spelled(|fingerprint| format!("{fingerprint:X}")), "\r\n"),
            (spelled(|fingerprint| format!("0x{fingerprint:x}")), "\n"),
            (spelled(|fingerprint| format!("{fingerprint}")), "\n"),
            (spelled(|fingerprint| format!("\u{feff}{fingerprint}").trim_start_matches('\u{feff}').to_owned()), " \n"),
        ] {
            prop_assert_eq!(&text(&lines.join(end)).unwrap().fingerprints, &fingerprints);
            prop_assert_eq!(&text(&(lines.join(end) + end + end)).unwrap().fingerprints, &fingerprints, "with lines at the end");
        }
        let signed: Vec<String> = fingerprints.iter().map(|&fingerprint| fingerprint.cast_signed().to_string()).collect();
        prop_assert_eq!(&text(&signed.join("\n")).unwrap().fingerprints, &fingerprints);
    }

    #[test]
    fn arbitrary_text_is_read_or_refused(content in "[0-9a-f x,\\-\t\r\n]{0,60}", digits in 0usize..3) {
        let digits = [None, Some(Digits::Hex), Some(Digits::Decimal)][digits];
        if let Ok(read) = stream::<u64>(content.as_bytes(), &FileOptions { digits, ..FileOptions::default() }) {
            let lines = content.lines().filter(|line| !line.trim().is_empty()).count();
            prop_assert_eq!(read.fingerprints.len(), lines);
            prop_assert!(read.ids.is_empty() || read.ids.len() == lines);
        }
    }
}

#[test]
fn sixteen_digits_are_hex_even_without_letters() {
    let read = text("0000000000000010\n1234567890123456\n").unwrap();
    assert_eq!(read.fingerprints, [0x10, 0x1234_5678_9012_3456]);
}

#[test]
fn a_file_is_not_read_by_two_rules() {
    assert_eq!(text("10\n20\n"), Err(FileProblem::Ambiguous { at: Position::Line(1), found: "10".into() }));
    // The letter that tells comes after the beginning that was looked at: an error, never another answer.
    let late = "0000000000000010\n".repeat(70_000) + "ff\n";
    assert!(
        matches!(text(&late), Err(FileProblem::Mixed { at: Position::Line(70_001), .. })),
        "{:?}",
        text(&late).map(|_| ())
    );
    let late = "18446744073709551615\n".repeat(60_000) + "00000000000000ff\n";
    assert!(matches!(text(&late), Err(FileProblem::NotAFingerprint { at: Position::Line(60_001), .. })));
    let folder = tempfile::tempdir().unwrap();
    for (name, expected) in [("a.hex", 16u64), ("a.dec", 10)] {
        let path = folder.path().join(name);
        fs::write(&path, "10\n").unwrap();
        assert_eq!(read::<u64>(&path, &FileOptions::default()).unwrap().fingerprints, [expected], "the name decides");
    }
    let read = stream::<u64>(b"10\n", &FileOptions { digits: Some(Digits::Hex), ..FileOptions::default() });
    assert_eq!(read.unwrap().fingerprints, [16], "the user decides");
}

#[test]
fn ids_are_numbers_or_names() {
    let read = text("0xa\t7\n0xb, 18446744073709551615\n0xc 0\n").unwrap();
    assert_eq!((read.ids, read.kind), (vec![7, u64::MAX, 0], IdKind::Numbers));
    let read = text("0xa\tx y\n0xb ,7,\n0xc  007\n").unwrap();
    assert_eq!(read.kind, IdKind::Names);
    assert_eq!(read.names, [(0, "x y".to_owned()), (1, "7,".to_owned()), (2, "007".to_owned())]);
    assert!(read.ids.is_empty());
    let with = |ids, content: &str| {
        stream::<u64>(content.as_bytes(), &FileOptions { ids: Some(ids), ..FileOptions::default() })
    };
    let read = with(IdKind::Names, "0xa 7\n").unwrap();
    assert_eq!(read.names, [(0, "7".to_owned())]);
    let read = with(IdKind::Rows, "0xa x\n0xb\n").unwrap();
    assert_eq!((read.fingerprints.len(), read.ids.len(), read.names.len(), read.kind), (2, 0, 0, IdKind::Rows));
    assert_eq!(with(IdKind::Numbers, "0xa\n"), Err(FileProblem::NoIds("numbers")));
    assert_eq!(
        with(IdKind::Numbers, "0xa 1\n0xb x\n"),
        Err(FileProblem::BadId { at: Position::Line(2), found: "x".into() })
    );
    assert_eq!(text("0xa 1\n0xb\n"), Err(FileProblem::SomeIds { line: 2, has: false }));
    assert_eq!(text("0xa\n0xb 1\n"), Err(FileProblem::SomeIds { line: 2, has: true }));
    assert_eq!(text("0xa 1\n0xb,\n"), Err(FileProblem::SomeIds { line: 2, has: false }));
    let late = "0xa 1\n".repeat(200_000) + "0xa b\n";
    assert_eq!(text(&late), Err(FileProblem::BadId { at: Position::Line(200_001), found: "b".into() }));
}

#[test]
fn names_are_read_again_for_a_few_rows() {
    let lines: Vec<String> = (0..100_000).map(|row| format!("{row:016x} name {row}")).collect();
    let content = lines.join("\n");
    let keeping = |keep| stream::<u64>(content.as_bytes(), &FileOptions { keep, ..FileOptions::default() });
    assert_eq!(keeping(NameSelection::None).unwrap().names, []);
    let read = keeping(NameSelection::Rows(vec![99_999, 5, 200_000])).unwrap();
    assert_eq!(read.names, [(5, "name 5".to_owned()), (99_999, "name 99999".to_owned())]);
    assert_eq!(keeping(NameSelection::All).unwrap().names.len(), 100_000);
    let tight = FileOptions { names_limit: 1000, ..FileOptions::default() };
    assert!(matches!(stream::<u64>(content.as_bytes(), &tight), Err(FileProblem::NamesLimit { limit: 1000, .. })));
}

#[test]
fn wrong_lines_are_named() {
    let line = |number, found: &str| FileProblem::NotAFingerprint {
        at: Position::Line(number),
        digits: ExpectedDigits::Either,
        found: found.into(),
    };
    assert_eq!(text("fingerprint,id\n0xa,1\n"), Err(line(1, "fingerprint")));
    assert_eq!(
        text("0xa\n,\n"),
        Err(FileProblem::NotAFingerprint {
            at: Position::Line(2),
            digits: ExpectedDigits::Known(Digits::Hex),
            found: String::new()
        })
    );
    assert_eq!(text("0xa\n\n0xb\n"), Err(FileProblem::Blank { line: 2 }));
    let wide = FileProblem::TooWide {
        at: Position::Line(2),
        digits: Digits::Hex,
        found: "10000000000000000".into(),
        bits: 64,
    };
    assert_eq!(text("a\n10000000000000000\n"), Err(wide));
    assert_eq!(text("").unwrap().fingerprints, [] as [u64; 0]);
    assert_eq!(text("\n \n").unwrap().fingerprints, [] as [u64; 0]);
    let error = FingerprintReader::<u64>::from_reader(Cursor::new(b"zz".to_vec()), "some.txt", &FileOptions::default())
        .err()
        .unwrap();
    let said = error.to_string();
    assert_eq!(
        said,
        "some.txt: line 1: expected a fingerprint in hex or decimal digits, found \"zz\"; correct or remove it"
    );
}

/// So many bytes, none of them a line break, and never in memory; remembers the largest piece it was asked for.
struct Endless {
    left: usize,
    largest: Arc<AtomicUsize>,
}

impl io::Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.largest.fetch_max(out.len(), Ordering::Relaxed);
        let count = out.len().min(self.left);
        out[..count].fill(b'1');
        self.left -= count;
        Ok(count)
    }
}

#[test]
fn a_line_without_end_takes_no_memory() {
    let bytes = 100_000_000;
    let largest = Arc::new(AtomicUsize::new(0));
    let input = Endless { left: bytes, largest: Arc::clone(&largest) };
    let long = FingerprintReader::<u64>::from_reader(input, "-", &FileOptions::default()).map(drop).map_err(problem);
    assert_eq!(long, Err(FileProblem::LongLine { line: 1, bytes: bytes as u64, limit: 64 << 10 }));
    assert!(largest.load(Ordering::Relaxed) <= 4 << 20, "the buffer that is filled does not grow");
    // One that is within a block is found too.
    let line = "a\n".to_owned() + &"1".repeat(70_000) + "\nb\n";
    let problem = FileProblem::LongLine { line: 2, bytes: 70_000, limit: 64 << 10 };
    assert_eq!(text(&line), Err(problem));
}

#[test]
fn compressed_text_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let content = "0xa\tone\n0xb\ttwo\n".repeat(1000);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(content.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let path = folder.path().join("a.txt.gz");
    fs::write(&path, &gzip).unwrap();
    assert_eq!(read::<u64>(&path, &FileOptions::default()).unwrap(), text(&content).unwrap());
    fs::write(&path, &gzip[..gzip.len() - 9]).unwrap();
    assert!(matches!(read::<u64>(&path, &FileOptions::default()).map_err(problem), Err(FileProblem::Damaged(_))));
}

#[test]
fn raw_files_that_are_cut_or_of_another_kind_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: usize| at(folder.path(), name, &vec![7; bytes]);
    let open = |path: &Path| FingerprintReader::<u64>::open(path, &FileOptions::default()).map(drop).map_err(problem);
    assert_eq!(open(&file("a.u64", 17)), Err(FileProblem::Length { bytes: 17, record: 8 }));
    assert_eq!(open(&file("a.u64id", 24)), Err(FileProblem::Length { bytes: 24, record: 16 }));
    assert_eq!(open(&file("a.u128", 16)), Err(FileProblem::Width { named: 128, asked: 64 }));
    assert_eq!(open(&file("a.xyz", 16)), Err(FileProblem::NoLayout));
    assert!(matches!(open(&folder.path().join("none.u64")), Err(FileProblem::Unreadable(_))));
    assert!(matches!(open(folder.path()), Err(FileProblem::Unreadable(_))));
    assert_eq!(stream::<u64>(&[0; 17], &saying(Layout::Raw)), Err(FileProblem::Length { bytes: 17, record: 8 }));
    assert_eq!(stream::<u128>(&[0; 40], &saying(Layout::RawIds)), Err(FileProblem::Length { bytes: 40, record: 24 }));
    assert_eq!(stream::<u64>(&[0; 16], &saying(Layout::Parquet)), Err(FileProblem::NoStream));
    let ids = |ids, layout| stream::<u64>(&[0; 16], &FileOptions { ids: Some(ids), ..saying(layout) });
    assert_eq!(ids(IdKind::Numbers, Layout::Raw), Err(FileProblem::NoIds("numbers")));
    assert_eq!(ids(IdKind::Names, Layout::RawIds), Err(FileProblem::NoIds("names")));
    assert_eq!(ids(IdKind::Rows, Layout::RawIds).unwrap().ids, [] as [u64; 0]);
    assert_eq!(read::<u64>(&file("empty.u64", 0), &FileOptions::default()).unwrap().fingerprints, [] as [u64; 0]);
}

#[test]
fn a_raw_file_that_shrinks_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(folder.path(), "a.u64", &vec![1; 4 << 20]);
    let mut fingerprints = FingerprintReader::<u64>::open(&path, &FileOptions::default()).unwrap();
    assert_eq!(fingerprints.len(), Some(4 << 17));
    let (mut batch, mut ids) = (Vec::new(), Vec::new());
    let first = fingerprints.next_batch(&mut batch, &mut ids).unwrap();
    let cut = first as u64 * 8 + 20;
    fs::File::options().write(true).open(&path).unwrap().set_len(cut).unwrap();
    let shrunk = FileProblem::Shrunk { found: cut, expected: 4 << 20 };
    for _ in 0..2 {
        assert_eq!(fingerprints.next_batch(&mut batch, &mut ids).map_err(problem), Err(shrunk.clone()), "it stays so");
        assert!(batch.is_empty());
    }
}

#[test]
fn parts_are_the_whole() {
    fn is_send<T: Send>(_: &T) {}
    let folder = tempfile::tempdir().unwrap();
    let numbers: Vec<u64> = (0..300_001).map(|row: u64| row.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let ids: Vec<u64> = numbers.iter().map(|number| !number).collect();
    let raw = at(folder.path(), "a.u64", &written(FingerprintWriter::raw(Vec::new()), &numbers, &[]));
    let with = at(folder.path(), "a.u64id", &written(FingerprintWriter::raw_ids(Vec::new()), &numbers, &ids));
    for (path, ids) in [(&raw, &[][..]), (&with, &ids)] {
        for count in [0, 1, 2, 7, 64] {
            let parts = FingerprintReader::<u64>::parts(path, count, &FileOptions::default()).unwrap();
            assert_eq!(parts.len(), count.max(1));
            let (mut seen, mut seen_ids) = (Vec::new(), Vec::new());
            for part in parts {
                is_send(&part);
                assert_eq!(part.first_row(), seen.len() as u64);
                let len = part.len();
                let part = read_all(part).unwrap();
                assert_eq!(len, Some(part.fingerprints.len() as u64));
                seen.extend(part.fingerprints);
                seen_ids.extend(part.ids);
            }
            assert_eq!((&seen, &seen_ids[..]), (&numbers, ids));
        }
        let some = read_all(FingerprintReader::<u64>::open_rows(path, 1000..200_000, &FileOptions::default()).unwrap())
            .unwrap();
        assert_eq!(some.fingerprints, numbers[1000..200_000]);
    }
    let few = at(folder.path(), "b.u64", &[0; 16]);
    assert_eq!(FingerprintReader::<u64>::parts(&few, 9, &FileOptions::default()).unwrap().len(), 2);
    let rows =
        |rows| FingerprintReader::<u64>::open_rows(&few, rows, &FileOptions::default()).map(drop).map_err(problem);
    assert_eq!(rows(1..3), Err(FileProblem::Rows { from: 1, to: 3, rows: 2 }));
    assert_eq!(rows(u64::MAX - 1..u64::MAX), Err(FileProblem::Rows { from: u64::MAX - 1, to: u64::MAX, rows: 2 }));
    let text = at(folder.path(), "b.txt", b"a\n");
    assert_eq!(FingerprintReader::<u64>::parts(&text, 9, &FileOptions::default()).unwrap().len(), 1);
    let middle = FingerprintReader::<u64>::open_rows(&text, 0..1, &FileOptions::default()).map(drop).map_err(problem);
    assert_eq!(middle, Err(FileProblem::NoMiddle(Layout::Text)));
}

#[test]
fn the_bytes_are_pinned() {
    let (fingerprints, ids) = ([0x0123_4567_89ab_cdef_u64, 1], [2, 0xff00]);
    let raw = written(FingerprintWriter::raw(Vec::new()), &fingerprints[..1], &[]);
    assert_eq!(raw, [0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]);
    let with = written(FingerprintWriter::raw_ids(Vec::new()), &fingerprints[1..], &ids[1..]);
    assert_eq!(with, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0]);
    let wide = written(FingerprintWriter::raw(Vec::new()), &[1u128 << 64], &[]);
    assert_eq!(wide, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let text = written(FingerprintWriter::text(Vec::new(), Digits::Hex), &fingerprints, &ids);
    assert_eq!(text, b"0123456789abcdef\t2\n0000000000000001\t65280\n");
    let text = written(FingerprintWriter::text(Vec::new(), Digits::Decimal), &fingerprints, &[]);
    assert_eq!(text, b"81985529216486895\n1\n");
}

#[test]
fn the_writer_refuses_what_would_not_come_back() {
    let refused = |result: io::Result<()>| assert_eq!(result.unwrap_err().kind(), io::ErrorKind::InvalidInput);
    refused(FingerprintWriter::raw(Vec::new()).write(&[1u64], &[1]));
    refused(FingerprintWriter::raw_ids(Vec::new()).write(&[1u64], &[]));
    refused(FingerprintWriter::raw_ids(Vec::new()).write(&[1u64, 2], &[1]));
    refused(FingerprintWriter::raw(Vec::new()).write_named(1u64, "a"));
    let mut text = FingerprintWriter::text(Vec::new(), Digits::Hex);
    text.write_named(10u64, "a, b").unwrap();
    for name in ["", " a", "a\t", ",a", "a\nb", "a\r"] {
        refused(text.write_named(10, name));
    }
    refused(text.write(&[1], &[]));
    text.write(&[11], &[7]).unwrap();
    let read = stream::<u64>(&text.finish().unwrap(), &FileOptions::default()).unwrap();
    assert_eq!(read.fingerprints, [10, 11]);
    assert_eq!(read.names, [(0, "a, b".to_owned()), (1, "7".to_owned())]);
}
