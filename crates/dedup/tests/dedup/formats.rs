//! Other formats than JSONL, from end to end.

use crate::common::{Text, files, options, removed, run, texts};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

fn gone_and_kept(input: &Path, out: &Path) -> (usize, Vec<u8>) {
    let result = run(input, Some(out), &options(|_| {})).unwrap();
    let name = input.file_name().unwrap();
    (removed(&result).len(), fs::read(out.join("corpus").join(name)).unwrap())
}

fn csv(texts: &[Text]) -> String {
    let row = |(id, text): &Text| format!("{id},\"{text}\",\"a \"\"quote\"\"\"\r\n");
    format!("id,text,more\r\n{}", texts.iter().map(row).collect::<Vec<_>>().concat())
}

#[test]
fn a_table_of_commas() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(60);
    let input = dir.path().join("corpus.csv");
    fs::write(&input, csv(&texts)).unwrap();
    let result = run(&input, Some(&dir.path().join("out")), &options(|_| {})).unwrap();
    let gone = removed(&result);
    assert!(gone.len() > 10);
    let staying: Vec<Text> = texts.into_iter().filter(|(id, _)| !gone.contains_key(id)).collect();
    assert_eq!(fs::read_to_string(dir.path().join("out/corpus/corpus.csv")).unwrap(), csv(&staying));
}

#[test]
fn an_archive_of_files() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("pages.zip");
    let mut zip = zip::ZipWriter::new(File::create(&input).unwrap());
    let texts = texts(40);
    for (id, text) in &texts {
        zip.start_file(format!("pages/{id}.txt"), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let (gone, kept) = gone_and_kept(&input, &dir.path().join("out"));
    assert!(gone > 5);
    let kept = zip::ZipArchive::new(std::io::Cursor::new(kept)).unwrap();
    assert_eq!(kept.len(), texts.len() - gone);
}

#[test]
fn a_folder_of_files() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("pages");
    fs::create_dir_all(input.join("more")).unwrap();
    let texts = texts(30);
    for (at, (id, text)) in texts.iter().enumerate() {
        let folder = if at % 2 == 0 { input.clone() } else { input.join("more") };
        fs::write(folder.join(format!("{id}.txt")), text).unwrap();
    }
    let out = dir.path().join("out");
    let gone = removed(&run(&input, Some(&out), &options(|_| {})).unwrap());
    assert!(gone.len() > 3);
    let mut expected = files(&input);
    expected.retain(|path, _| !gone.keys().any(|id| Path::new(id).ends_with(path)));
    assert_eq!(files(&out.join("corpus")), expected);
}

/// A web archive of pages.
fn warc(texts: &[Text]) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, (id, text)) in texts.iter().enumerate() {
        let page = format!("<html><body><p>{text}</p></body></html>");
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{at:012}>\r\n\
             WARC-Date: 2026-01-02T03:04:{:02}Z\r\nWARC-Target-URI: https://example.org/{id}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            at % 60,
            block.len()
        );
        out.extend(format!("{head}{block}\r\n\r\n").into_bytes());
    }
    out
}

#[test]
fn a_web_archive() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("crawl.warc");
    let texts = texts(40);
    fs::write(&input, warc(&texts)).unwrap();
    let (gone, kept) = gone_and_kept(&input, &dir.path().join("out"));
    assert!(gone > 5);
    let kept = String::from_utf8(kept).unwrap();
    let count = |what: &str| kept.matches(what).count();
    assert_eq!((count("WARC-Type: response"), count("WARC-Type: revisit")), (texts.len() - gone, gone));
    assert_eq!(count("WARC-Refers-To-Target-URI: https://example.org/"), gone);
    assert_eq!(count("WARC-Refers-To-Date: 2026-01-02T03:04:"), gone);
}

#[test]
fn shards_that_a_pattern_matches() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a-1.csv", "a-2.csv", "b-1.csv"] {
        fs::write(dir.path().join(name), csv(&texts(10))).unwrap();
    }
    let out = dir.path().join("out");
    run(&dir.path().join("a-*.csv"), Some(&out), &options(|_| {})).unwrap();
    let written: Vec<String> = files(&out.join("corpus")).keys().map(|path| path.display().to_string()).collect();
    assert_eq!(written, ["a-1.csv", "a-2.csv"]);
}
