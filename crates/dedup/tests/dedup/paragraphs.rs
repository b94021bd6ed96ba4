//! Repeated paragraphs and lines go, and nothing else.

use crate::common::{Random, Text, options};
use crate::cut_common::{CutRow, cut, cut_all, evidence, odd_line, shard, summary};
use lookalike_core::text::canonical;
use lookalike_dedup::{DedupOptions, Error, Granularity, ParagraphOptions, PieceUnit};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::reader::SerializedFileReader;
use parquet::file::writer::SerializedFileWriter;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

fn paragraphs(change: impl FnOnce(&mut ParagraphOptions)) -> DedupOptions {
    let mut pieces = ParagraphOptions::default();
    change(&mut pieces);
    options(|o| o.granularity = Granularity::Paragraphs(pieces))
}

/// Texts of pieces that many share, some in other spelling.
fn texts(count: usize, seed: u64) -> Vec<Text> {
    let mut random = Random::new(seed);
    let mut pieces: Vec<String> = (0..count)
        .map(|_| {
            let length = 1 + random.below(25);
            random.words(length).join(" ")
        })
        .collect();
    pieces.push("漢字だけの文章はどこで切れるのかわからない".into());
    pieces.push("— … —".into());
    let blanks = ["\n", "\n\n", "\r\n\r\n", "\n \t\n", "\n\n\n"];
    let text = |random: &mut Random| {
        let mut text = String::new();
        for _ in 0..random.below(7) {
            let piece = &pieces[random.below(pieces.len())];
            match random.below(4) {
                0 => text.push_str(&piece.to_uppercase()),
                1 => text.extend(["  ", &piece.replace(' ', ", "), "!"]),
                _ => text.push_str(piece),
            }
            text.push_str(blanks[random.below(blanks.len())]);
        }
        if random.below(2) == 0 { text.trim_end().to_owned() } else { text }
    };
    (0..count).map(|number| (format!("d{number}"), text(&mut random))).collect()
}

/// What is left of the texts, and what goes: every piece is held against all before it.
fn naive(texts: &[Text], options: &ParagraphOptions) -> (Vec<Option<String>>, Vec<CutRow>) {
    let mut seen: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    let (mut left, mut rows) = (Vec::new(), Vec::new());
    for (document, (id, text)) in texts.iter().enumerate() {
        let (mut pieces, mut at, mut is_open) = (Vec::new(), 0, false);
        for line in text.split_inclusive('\n') {
            let is_blank = line.trim().is_empty();
            match pieces.last_mut() {
                Some((_, end)) if is_open && !is_blank && options.unit == PieceUnit::Paragraph => *end += line.len(),
                _ if is_blank => {}
                _ => pieces.push((at, at + line.len())),
            }
            (at, is_open) = (at + line.len(), !is_blank);
        }
        let (mut rest, mut last, mut words_left, mut words_gone) = (String::new(), 0, false, false);
        for (start, end) in pieces {
            let words = canonical(&text[start..end]);
            let count = words.split(' ').filter(|word| !word.is_empty()).count();
            let (kept, kept_start, copies) = seen.entry(words).or_insert((document, start, 0));
            *copies += 1;
            if count < options.min_words as usize || *copies <= options.max_copies as usize {
                words_left |= count > 0;
                continue;
            }
            words_gone = true;
            rest.push_str(&text[last..start]);
            last = end;
            let text = text[start..end].chars().take(80).collect();
            let (duplicate_of, duplicate_of_start) = (texts[*kept].0.clone(), *kept_start);
            rows.push(CutRow { id: id.clone(), start, end, words: count, duplicate_of, duplicate_of_start, text });
        }
        rest.push_str(&text[last..]);
        left.push((words_left || !words_gone).then_some(rest));
    }
    (left, rows)
}

#[test]
fn what_goes_is_what_the_definition_says() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = 0;
    for (seed, count) in [(1, 150), (2, 700)] {
        let texts = texts(count, seed);
        let input = dir.path().join(format!("in{seed}/corpus.jsonl"));
        shard(&input, &texts);
        for unit in [PieceUnit::Paragraph, PieceUnit::Line] {
            for (min_words, max_copies, threads, memory) in
                [(10, 1, 1, 16 << 20), (1, 1, 3, 1 << 30), (3, 2, 2, 20 << 20)]
            {
                run += 1;
                let out = dir.path().join(format!("out{run}"));
                let mut options = paragraphs(|o| *o = ParagraphOptions { unit, min_words, max_copies });
                (options.scan.resources.threads, options.scan.resources.memory) = (threads, memory);
                let pieces = ParagraphOptions { unit, min_words, max_copies };
                let (left, rows) = naive(&texts, &pieces);
                let result = cut(&input, Some(&out), &options).unwrap();
                let lines: String = texts
                    .iter()
                    .zip(&left)
                    .filter_map(|((id, _), left)| left.as_ref().map(|text| odd_line(id, text)))
                    .collect();
                assert_eq!(fs::read_to_string(out.join("corpus/corpus.jsonl")).unwrap(), lines);
                assert_eq!(evidence(&out), rows);
                assert!(rows.len() > 20, "{}", rows.len());
                let summary = summary(&out);
                let bytes: usize = rows.iter().map(|row| row.end - row.start).sum();
                let removed = left.iter().filter(|left| left.is_none()).count();
                assert_eq!(summary["cut_pieces"], rows.len());
                assert_eq!(summary["cut_bytes"], bytes);
                assert_eq!(summary["removed_documents"], removed);
                assert_eq!(summary["granularity"], if unit == PieceUnit::Line { "line" } else { "paragraph" });
                let mut counts: BTreeMap<(&str, usize), u64> = BTreeMap::new();
                for row in &rows {
                    *counts.entry((&row.duplicate_of, row.duplicate_of_start)).or_insert(u64::from(max_copies)) += 1;
                }
                let most = &result.summary.most_repeated;
                assert_eq!(most[0].count, *counts.values().max().unwrap());
                assert!(most.len() <= 20 && most.windows(2).all(|two| two[0].count >= two[1].count));
            }
        }
    }
}

#[test]
fn a_piece_goes_with_its_newline_and_documents_without_words_go() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in/a.jsonl");
    let (one, two) =
        ("one two three four five six seven eight nine ten", "zehn neun acht sieben sechs fünf vier drei zwei eins");
    let texts = [
        ("a", format!("{one}\nmore\n\n{two}\n")),
        ("b", format!("{}\nMore.\n\nnew", one.to_uppercase())),
        ("c", format!("{two}\n\n\n{two}\n\n * * *\n")),
        ("d", "short\n\nshort\n\nshort".to_owned()),
        ("e", "… ---".to_owned()),
    ];
    let texts: Vec<Text> = texts.map(|(id, text)| (id.to_owned(), text)).into();
    shard(&input, &texts);
    let mut lines = fs::read_to_string(&input).unwrap();
    lines += "\n{\"id\":\"n\",\"text\":null}\n{\"id\":\"m\"}\n{\"id\":\"z\",\"text\":\"\"}";
    fs::write(&input, &lines).unwrap();
    let out = dir.path().join("out");
    let result = cut(&input, Some(&out), &paragraphs(|_| {})).unwrap();
    let expected =
        lines.replace(&odd_line("b", &texts[1].1), &odd_line("b", "\nnew")).replace(&odd_line("c", &texts[2].1), "");
    assert_eq!(fs::read_to_string(out.join("corpus/a.jsonl")).unwrap(), expected);
    assert_eq!(result.summary.removed_documents, 1);
    assert_eq!(result.summary.uncompared.not_compared["empty"], 2);
    assert_eq!(result.summary.documents, 4);
    // asked without writing, the numbers are the same
    let dry = cut(&input, None, &paragraphs(|_| {})).unwrap();
    let mut written = serde_json::to_value(&result.summary).unwrap();
    assert_eq!(written.as_object_mut().unwrap().remove("written").unwrap()["removed"], 1);
    assert_eq!(serde_json::to_value(&dry.summary).unwrap(), written);
}

#[test]
fn documents_that_must_stay_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let text = "one two three four five six seven eight nine ten eleven";
    let texts: Vec<Text> = vec![("x".into(), format!("{text}\n\nmine")), ("y".into(), text.into())];
    let (new, old) = (dir.path().join("new/a.jsonl"), dir.path().join("old/a.jsonl"));
    shard(&new, &texts);
    shard(&old, &texts);
    let mut options = paragraphs(|_| {});
    options.scan.drop_only_from = vec!["new".into()];
    let out = dir.path().join("out");
    let inputs = [dir.path().join("new"), dir.path().join("old")];
    cut_all(&inputs, Some(&out), &options).unwrap();
    assert_eq!(fs::read(out.join("corpus/old/a.jsonl")).unwrap(), fs::read(&old).unwrap());
    assert_eq!(fs::read_to_string(out.join("corpus/new/a.jsonl")).unwrap(), odd_line("x", "\nmine"));
    let rows = evidence(&out);
    assert!(rows.len() == 2 && rows.iter().all(|row| row.duplicate_of == "x"));
}

#[test]
fn records_can_be_marked_instead() {
    let dir = tempfile::tempdir().unwrap();
    let text = "one two three four five six seven eight nine ten";
    let texts: Vec<Text> =
        vec![("a".into(), text.into()), ("b".into(), format!("{text}\n\n{text} more")), ("c".into(), text.into())];
    let input = dir.path().join("in/a.jsonl");
    shard(&input, &texts);
    let mut options = paragraphs(|_| {});
    options.annotate = true;
    let out = dir.path().join("out");
    cut(&input, Some(&out), &options).unwrap();
    let lines = fs::read_to_string(out.join("corpus/a.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (line, (_, text)) in lines.iter().zip(&texts) {
        assert_eq!(line["text"], *text);
    }
    assert!(lines[0]["lookalike_duplicate_of"].is_null());
    assert_eq!(lines[1]["lookalike_duplicate_of"], "a");
    assert_eq!(lines[1]["lookalike_containment"], 10.0 / 21.0);
    assert_eq!(lines[2]["lookalike_containment"], 1.0);
    assert_eq!(lines[2]["lookalike_class"], "paragraph");
}

#[test]
fn only_records_can_be_cut() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("in");
    shard(&folder.join("a.jsonl"), &[("a".into(), "some words".into())]);
    fs::write(folder.join("notes.txt"), "some words in a file").unwrap();
    let out = dir.path().join("out");
    let Err(Error::NotCuttable { id }) = cut(&folder, Some(&out), &paragraphs(|_| {})) else {
        panic!("a file was cut")
    };
    assert!(id.ends_with("notes.txt"));
    assert!(!out.exists() && !dir.path().join("out.partial").exists());
    let mut features = paragraphs(|_| {});
    features.scan.corpus.features_field = Some("f".into());
    fs::write(folder.join("a.jsonl"), "{\"id\":\"a\",\"f\":[1,2]}\n").unwrap();
    assert!(matches!(cut(&folder.join("a.jsonl"), None, &features), Err(Error::NotCuttable { .. })));
    let web = folder.join("b.warc");
    let record = "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
                  WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nContent-Type: text/plain\r\n\
                  Content-Length: 10\r\n\r\nsome words\r\n\r\n";
    fs::write(&web, record).unwrap();
    assert!(matches!(cut(&web, None, &paragraphs(|_| {})), Err(Error::NotCuttable { .. })));
    for options in [paragraphs(|o| o.min_words = 0), paragraphs(|o| o.max_copies = 0)] {
        assert!(matches!(cut(&folder.join("a.jsonl"), None, &options), Err(Error::WrongOption { .. })));
    }
}

#[test]
fn tables_are_cut_too() {
    let dir = tempfile::tempdir().unwrap();
    let text = "one two three four five six seven eight nine ten";
    let folder = dir.path().join("in");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.csv"), format!("id,text,n\na,\"{text}\n\nmore, \"\"too\"\"\",1.50\nb,{text},2\n"))
        .unwrap();
    parquet_table(&folder.join("b.parquet"), &[("c", Some(text)), ("d", None), ("e", Some(&format!("{text}\n\nnew")))]);
    let out = dir.path().join("out");
    let result = cut(&folder, Some(&out), &paragraphs(|_| {})).unwrap();
    let expected = format!("id,text,n\na,\"{text}\n\nmore, \"\"too\"\"\",1.50\n");
    assert_eq!(fs::read_to_string(out.join("corpus/a.csv")).unwrap(), expected);
    let file = fs::File::open(out.join("corpus/b.parquet")).unwrap();
    let rows: Vec<String> =
        SerializedFileReader::new(file).unwrap().into_iter().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(rows, ["{id: \"d\", text: null}", "{id: \"e\", text: \"\nnew\"}"]);
    assert_eq!((result.summary.cut_pieces, result.summary.removed_documents), (3, 2));
}

fn parquet_table(path: &std::path::Path, rows: &[(&str, Option<&str>)]) {
    let schema = "message rows { REQUIRED BINARY id (STRING); OPTIONAL BINARY text (STRING); }";
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let file = fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let ids: Vec<ByteArray> = rows.iter().map(|(id, _)| ByteArray::from(*id)).collect();
    column.typed::<ByteArrayType>().write_batch(&ids, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let texts: Vec<ByteArray> = rows.iter().filter_map(|(_, text)| text.map(ByteArray::from)).collect();
    let levels: Vec<i16> = rows.iter().map(|(_, text)| i16::from(text.is_some())).collect();
    column.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn indexes_and_benchmarks_are_for_whole_documents() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("a.jsonl");
    shard(&input, &[("a".into(), "some words".into())]);
    let mut options = paragraphs(|_| {});
    options.against = vec![dir.path().join("index")];
    assert!(matches!(cut(&input, None, &options), Err(Error::OnlyDocuments { what: "indexes" })));
}
