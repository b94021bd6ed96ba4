//! Files of fingerprints: what is written is read, in every layout, and what is wrong is said.

mod common;

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::prints::{Read, at, fault, read, read_all};
use lookalike_corpus::prints::{At, Digits, Fault, Ids, Keep, Kind, Layout, Options, Print, Prints, PrintsWriter};
use proptest::prelude::*;

fn text(content: &str) -> Result<Read<u64>, Fault> {
    stream(content.as_bytes(), &Options::default())
}

fn stream<P: Print>(content: &[u8], options: &Options) -> Result<Read<P>, Fault> {
    Prints::from_reader(Cursor::new(content.to_vec()), "-", options).and_then(read_all).map_err(fault)
}

fn saying(layout: Layout) -> Options {
    Options { layout: Some(layout), ..Options::default() }
}

fn written<P: Print>(mut writer: PrintsWriter<Vec<u8>, P>, prints: &[P], ids: &[u64]) -> Vec<u8> {
    let half = prints.len() / 2;
    writer.write(&prints[..half], &ids[..half.min(ids.len())]).unwrap();
    writer.write(&prints[half..], &ids[half.min(ids.len())..]).unwrap();
    writer.finish().unwrap()
}

type Make<P> = fn(Vec<u8>) -> PrintsWriter<Vec<u8>, P>;

/// Every layout gives back what was written, with ids or without.
fn round_trip<P: Print>(prints: &[P], ids: &[u64]) {
    let digits = |digits| Options { digits: Some(digits), ..saying(Layout::Text) };
    let all: [(Make<P>, Options, bool, bool); 4] = [
        (PrintsWriter::raw, saying(Layout::Raw), true, false),
        (PrintsWriter::raw_ids, saying(Layout::RawIds), false, true),
        (|out| PrintsWriter::text(out, Digits::Hex), saying(Layout::Text), true, true),
        (|out| PrintsWriter::text(out, Digits::Decimal), digits(Digits::Decimal), true, true),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (writer, options, without, with) in all {
        for ids in [&[], ids].into_iter().zip([without, with]).filter(|it| it.1).map(|it| it.0) {
            let bytes = written(writer(Vec::new()), prints, ids);
            let streamed = stream(&bytes, &options).unwrap();
            assert_eq!((&streamed.prints[..], &streamed.ids[..]), (prints, ids), "{options:?}");
            let path = folder.path().join("prints");
            fs::write(&path, bytes).unwrap();
            assert_eq!(read::<P>(&path, &options).unwrap(), streamed, "a file is read as a stream is");
        }
    }
}

proptest! {
    #[test]
    fn every_layout_gives_the_same(pairs in prop::collection::vec((any::<u64>(), any::<u64>()), 0..200)) {
        let (prints, ids): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
        round_trip(&prints, &ids);
    }

    #[test]
    fn in_both_widths(pairs in prop::collection::vec((any::<u128>(), any::<u64>()), 0..200)) {
        let (prints, ids): (Vec<u128>, Vec<u64>) = pairs.into_iter().unzip();
        round_trip(&prints, &ids);
    }

    #[test]
    fn any_spelling_reads_the_same(prints in prop::collection::vec(any::<u64>(), 2..50)) {
        // One that leaves no doubt of either base.
        let prints: Vec<u64> = prints.into_iter().chain([u64::MAX]).collect();
        let spelled = |spell: fn(&u64) -> String| prints.iter().map(spell).collect::<Vec<_>>();
        for (lines, end) in [
            (spelled(|print| format!("{print:016x}")), "\n"),
            (spelled(|print| format!("{print:X}")), "\r\n"),
            (spelled(|print| format!("0x{print:x}")), "\n"),
            (spelled(|print| format!("{print}")), "\n"),
            (spelled(|print| format!("\u{feff}{print}").trim_start_matches('\u{feff}').to_owned()), " \n"),
        ] {
            prop_assert_eq!(&text(&lines.join(end)).unwrap().prints, &prints);
            prop_assert_eq!(&text(&(lines.join(end) + end + end)).unwrap().prints, &prints, "with lines at the end");
        }
        let signed: Vec<String> = prints.iter().map(|&print| print.cast_signed().to_string()).collect();
        prop_assert_eq!(&text(&signed.join("\n")).unwrap().prints, &prints);
    }

    #[test]
    fn arbitrary_text_is_read_or_refused(content in "[0-9a-f x,\\-\t\r\n]{0,60}", digits in 0usize..3) {
        let digits = [None, Some(Digits::Hex), Some(Digits::Decimal)][digits];
        if let Ok(read) = stream::<u64>(content.as_bytes(), &Options { digits, ..Options::default() }) {
            let lines = content.lines().filter(|line| !line.trim().is_empty()).count();
            prop_assert_eq!(read.prints.len(), lines);
            prop_assert!(read.ids.is_empty() || read.ids.len() == lines);
        }
    }
}

#[test]
fn sixteen_digits_are_hex_even_without_letters() {
    let read = text("0000000000000010\n1234567890123456\n").unwrap();
    assert_eq!(read.prints, [0x10, 0x1234_5678_9012_3456]);
}

#[test]
fn a_file_is_not_read_by_two_rules() {
    assert_eq!(text("10\n20\n"), Err(Fault::Ambiguous { at: At::Line(1), found: "10".into() }));
    // The letter that tells comes after the beginning that was looked at: an error, never another answer.
    let late = "0000000000000010\n".repeat(70_000) + "ff\n";
    assert!(matches!(text(&late), Err(Fault::Mixed { at: At::Line(70_001), .. })), "{:?}", text(&late).map(|_| ()));
    let late = "18446744073709551615\n".repeat(60_000) + "00000000000000ff\n";
    assert!(matches!(text(&late), Err(Fault::NotAPrint { at: At::Line(60_001), .. })));
    let folder = tempfile::tempdir().unwrap();
    for (name, expected) in [("a.hex", 16u64), ("a.dec", 10)] {
        let path = folder.path().join(name);
        fs::write(&path, "10\n").unwrap();
        assert_eq!(read::<u64>(&path, &Options::default()).unwrap().prints, [expected], "the name decides");
    }
    let read = stream::<u64>(b"10\n", &Options { digits: Some(Digits::Hex), ..Options::default() });
    assert_eq!(read.unwrap().prints, [16], "the user decides");
}

#[test]
fn ids_are_numbers_or_names() {
    let read = text("0xa\t7\n0xb, 18446744073709551615\n0xc 0\n").unwrap();
    assert_eq!((read.ids, read.kind), (vec![7, u64::MAX, 0], Ids::Numbers));
    let read = text("0xa\tx y\n0xb ,7,\n0xc  007\n").unwrap();
    assert_eq!(read.kind, Ids::Names);
    assert_eq!(read.names, [(0, "x y".to_owned()), (1, "7,".to_owned()), (2, "007".to_owned())]);
    assert!(read.ids.is_empty());
    let with =
        |ids, content: &str| stream::<u64>(content.as_bytes(), &Options { ids: Some(ids), ..Options::default() });
    let read = with(Ids::Names, "0xa 7\n").unwrap();
    assert_eq!(read.names, [(0, "7".to_owned())]);
    let read = with(Ids::Rows, "0xa x\n0xb\n").unwrap();
    assert_eq!((read.prints.len(), read.ids.len(), read.names.len(), read.kind), (2, 0, 0, Ids::Rows));
    assert_eq!(with(Ids::Numbers, "0xa\n"), Err(Fault::NoIds("numbers")));
    assert_eq!(with(Ids::Numbers, "0xa 1\n0xb x\n"), Err(Fault::BadId { at: At::Line(2), found: "x".into() }));
    assert_eq!(text("0xa 1\n0xb\n"), Err(Fault::SomeIds { line: 2, has: false }));
    assert_eq!(text("0xa\n0xb 1\n"), Err(Fault::SomeIds { line: 2, has: true }));
    assert_eq!(text("0xa 1\n0xb,\n"), Err(Fault::SomeIds { line: 2, has: false }));
    let late = "0xa 1\n".repeat(200_000) + "0xa b\n";
    assert_eq!(text(&late), Err(Fault::BadId { at: At::Line(200_001), found: "b".into() }));
}

#[test]
fn names_are_read_again_for_a_few_rows() {
    let lines: Vec<String> = (0..100_000).map(|row| format!("{row:016x} name {row}")).collect();
    let content = lines.join("\n");
    let keeping = |keep| stream::<u64>(content.as_bytes(), &Options { keep, ..Options::default() });
    assert_eq!(keeping(Keep::None).unwrap().names, []);
    let read = keeping(Keep::Rows(vec![99_999, 5, 200_000])).unwrap();
    assert_eq!(read.names, [(5, "name 5".to_owned()), (99_999, "name 99999".to_owned())]);
    assert_eq!(keeping(Keep::All).unwrap().names.len(), 100_000);
    let tight = Options { names_limit: 1000, ..Options::default() };
    assert!(matches!(stream::<u64>(content.as_bytes(), &tight), Err(Fault::NamesLimit { limit: 1000, .. })));
}

#[test]
fn wrong_lines_are_named() {
    let line =
        |number, found: &str| Fault::NotAPrint { at: At::Line(number), digits: Kind::Either, found: found.into() };
    assert_eq!(text("fingerprint,id\n0xa,1\n"), Err(line(1, "fingerprint")));
    assert_eq!(
        text("0xa\n,\n"),
        Err(Fault::NotAPrint { at: At::Line(2), digits: Kind::Known(Digits::Hex), found: String::new() })
    );
    assert_eq!(text("0xa\n\n0xb\n"), Err(Fault::Blank { line: 2 }));
    let wide = Fault::TooWide { at: At::Line(2), digits: Digits::Hex, found: "10000000000000000".into(), bits: 64 };
    assert_eq!(text("a\n10000000000000000\n"), Err(wide));
    assert_eq!(text("").unwrap().prints, [] as [u64; 0]);
    assert_eq!(text("\n \n").unwrap().prints, [] as [u64; 0]);
    let error = Prints::<u64>::from_reader(Cursor::new(b"zz".to_vec()), "some.txt", &Options::default()).err().unwrap();
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
    let long = Prints::<u64>::from_reader(input, "-", &Options::default()).map(drop).map_err(fault);
    assert_eq!(long, Err(Fault::LongLine { line: 1, bytes: bytes as u64, limit: 64 << 10 }));
    assert!(largest.load(Ordering::Relaxed) <= 4 << 20, "the buffer that is filled does not grow");
    // One that is within a block is found too.
    let line = "a\n".to_owned() + &"1".repeat(70_000) + "\nb\n";
    let fault = Fault::LongLine { line: 2, bytes: 70_000, limit: 64 << 10 };
    assert_eq!(text(&line), Err(fault));
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
    assert_eq!(read::<u64>(&path, &Options::default()).unwrap(), text(&content).unwrap());
    fs::write(&path, &gzip[..gzip.len() - 9]).unwrap();
    assert!(matches!(read::<u64>(&path, &Options::default()).map_err(fault), Err(Fault::Damaged(_))));
}

#[test]
fn raw_files_that_are_cut_or_of_another_kind_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: usize| at(folder.path(), name, &vec![7; bytes]);
    let open = |path: &Path| Prints::<u64>::open(path, &Options::default()).map(drop).map_err(fault);
    assert_eq!(open(&file("a.u64", 17)), Err(Fault::Length { bytes: 17, record: 8 }));
    assert_eq!(open(&file("a.u64id", 24)), Err(Fault::Length { bytes: 24, record: 16 }));
    assert_eq!(open(&file("a.u128", 16)), Err(Fault::Width { named: 128, asked: 64 }));
    assert_eq!(open(&file("a.xyz", 16)), Err(Fault::NoLayout));
    assert!(matches!(open(&folder.path().join("none.u64")), Err(Fault::Unreadable(_))));
    assert!(matches!(open(folder.path()), Err(Fault::Unreadable(_))));
    assert_eq!(stream::<u64>(&[0; 17], &saying(Layout::Raw)), Err(Fault::Length { bytes: 17, record: 8 }));
    assert_eq!(stream::<u128>(&[0; 40], &saying(Layout::RawIds)), Err(Fault::Length { bytes: 40, record: 24 }));
    assert_eq!(stream::<u64>(&[0; 16], &saying(Layout::Parquet)), Err(Fault::NoStream));
    let ids = |ids, layout| stream::<u64>(&[0; 16], &Options { ids: Some(ids), ..saying(layout) });
    assert_eq!(ids(Ids::Numbers, Layout::Raw), Err(Fault::NoIds("numbers")));
    assert_eq!(ids(Ids::Names, Layout::RawIds), Err(Fault::NoIds("names")));
    assert_eq!(ids(Ids::Rows, Layout::RawIds).unwrap().ids, [] as [u64; 0]);
    assert_eq!(read::<u64>(&file("empty.u64", 0), &Options::default()).unwrap().prints, [] as [u64; 0]);
}

#[test]
fn a_raw_file_that_shrinks_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(folder.path(), "a.u64", &vec![1; 4 << 20]);
    let mut prints = Prints::<u64>::open(&path, &Options::default()).unwrap();
    assert_eq!(prints.len(), Some(4 << 17));
    let (mut batch, mut ids) = (Vec::new(), Vec::new());
    let first = prints.next_batch(&mut batch, &mut ids).unwrap();
    let cut = first as u64 * 8 + 20;
    fs::File::options().write(true).open(&path).unwrap().set_len(cut).unwrap();
    let shrunk = Fault::Shrunk { found: cut, expected: 4 << 20 };
    for _ in 0..2 {
        assert_eq!(prints.next_batch(&mut batch, &mut ids).map_err(fault), Err(shrunk.clone()), "it stays so");
        assert!(batch.is_empty());
    }
}

#[test]
fn parts_are_the_whole() {
    fn is_send<T: Send>(_: &T) {}
    let folder = tempfile::tempdir().unwrap();
    let numbers: Vec<u64> = (0..300_001).map(|row: u64| row.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let ids: Vec<u64> = numbers.iter().map(|number| !number).collect();
    let raw = at(folder.path(), "a.u64", &written(PrintsWriter::raw(Vec::new()), &numbers, &[]));
    let with = at(folder.path(), "a.u64id", &written(PrintsWriter::raw_ids(Vec::new()), &numbers, &ids));
    for (path, ids) in [(&raw, &[][..]), (&with, &ids)] {
        for count in [0, 1, 2, 7, 64] {
            let parts = Prints::<u64>::parts(path, count, &Options::default()).unwrap();
            assert_eq!(parts.len(), count.max(1));
            let (mut seen, mut seen_ids) = (Vec::new(), Vec::new());
            for part in parts {
                is_send(&part);
                assert_eq!(part.first_row(), seen.len() as u64);
                let len = part.len();
                let part = read_all(part).unwrap();
                assert_eq!(len, Some(part.prints.len() as u64));
                seen.extend(part.prints);
                seen_ids.extend(part.ids);
            }
            assert_eq!((&seen, &seen_ids[..]), (&numbers, ids));
        }
        let some = read_all(Prints::<u64>::open_rows(path, 1000..200_000, &Options::default()).unwrap()).unwrap();
        assert_eq!(some.prints, numbers[1000..200_000]);
    }
    let few = at(folder.path(), "b.u64", &[0; 16]);
    assert_eq!(Prints::<u64>::parts(&few, 9, &Options::default()).unwrap().len(), 2);
    let rows = |rows| Prints::<u64>::open_rows(&few, rows, &Options::default()).map(drop).map_err(fault);
    assert_eq!(rows(1..3), Err(Fault::Rows { from: 1, to: 3, rows: 2 }));
    assert_eq!(rows(u64::MAX - 1..u64::MAX), Err(Fault::Rows { from: u64::MAX - 1, to: u64::MAX, rows: 2 }));
    let text = at(folder.path(), "b.txt", b"a\n");
    assert_eq!(Prints::<u64>::parts(&text, 9, &Options::default()).unwrap().len(), 1);
    let middle = Prints::<u64>::open_rows(&text, 0..1, &Options::default()).map(drop).map_err(fault);
    assert_eq!(middle, Err(Fault::NoMiddle(Layout::Text)));
}

#[test]
fn the_bytes_are_pinned() {
    let (prints, ids) = ([0x0123_4567_89ab_cdef_u64, 1], [2, 0xff00]);
    let raw = written(PrintsWriter::raw(Vec::new()), &prints[..1], &[]);
    assert_eq!(raw, [0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]);
    let with = written(PrintsWriter::raw_ids(Vec::new()), &prints[1..], &ids[1..]);
    assert_eq!(with, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0]);
    let wide = written(PrintsWriter::raw(Vec::new()), &[1u128 << 64], &[]);
    assert_eq!(wide, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let text = written(PrintsWriter::text(Vec::new(), Digits::Hex), &prints, &ids);
    assert_eq!(text, b"0123456789abcdef\t2\n0000000000000001\t65280\n");
    let text = written(PrintsWriter::text(Vec::new(), Digits::Decimal), &prints, &[]);
    assert_eq!(text, b"81985529216486895\n1\n");
}

#[test]
fn the_writer_refuses_what_would_not_come_back() {
    let refused = |result: io::Result<()>| assert_eq!(result.unwrap_err().kind(), io::ErrorKind::InvalidInput);
    refused(PrintsWriter::raw(Vec::new()).write(&[1u64], &[1]));
    refused(PrintsWriter::raw_ids(Vec::new()).write(&[1u64], &[]));
    refused(PrintsWriter::raw_ids(Vec::new()).write(&[1u64, 2], &[1]));
    refused(PrintsWriter::raw(Vec::new()).write_named(1u64, "a"));
    let mut text = PrintsWriter::text(Vec::new(), Digits::Hex);
    text.write_named(10u64, "a, b").unwrap();
    for name in ["", " a", "a\t", ",a", "a\nb", "a\r"] {
        refused(text.write_named(10, name));
    }
    refused(text.write(&[1], &[]));
    text.write(&[11], &[7]).unwrap();
    let read = stream::<u64>(&text.finish().unwrap(), &Options::default()).unwrap();
    assert_eq!(read.prints, [10, 11]);
    assert_eq!(read.names, [(0, "a, b".to_owned()), (1, "7".to_owned())]);
}
