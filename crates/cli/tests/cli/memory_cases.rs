//! Documents that take much memory for their size, one for each way in which a format can do that, and the most memory that a command had
//! with all its processes.

use crate::command::lookalike;
use crate::dir::Dir;
use crate::office_samples as office;
use crate::shard_samples::{self as shards, TextColumn};
use crate::words::{Random, sentences};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The names of all cases.
pub(crate) const CASES: [&str; 43] = [
    "text.txt",
    "latin.txt",
    "utf16.txt",
    "tags.html",
    "references.html",
    "latin.html",
    "prose.md",
    "emphasis.md",
    "brackets.md",
    "links.md",
    "lists.md",
    "definitions.md",
    "table.md",
    "parts.eml",
    "headers.eml",
    "text.pdf",
    "packed.pdf",
    "prose.docx",
    "packed.docx",
    "strings.xlsx",
    "slides.pptx",
    "prose.odt",
    "prose.epub",
    "code.rs",
    "cells.ipynb",
    // many records, and one that is as large as the file
    "rows.jsonl",
    "rows.jsonl.gz",
    "rows.jsonl.zst",
    "row.jsonl",
    "row.jsonl.gz",
    "rows.csv",
    "row.csv",
    "row.csv.gz",
    "rows.parquet",
    "row.parquet",
    "rows.arrow",
    "row.arrow",
    "rows.arrows",
    "rows.warc",
    "row.warc.gz",
    "rows.zip",
    "row.zip",
    "rows.tar.gz",
];

/// A document of about this many bytes; what is packed unpacks to more.
pub(crate) fn case(name: &str, bytes: usize) -> Vec<u8> {
    let repeated = |text: &str| text.repeat(bytes / text.len() + 1).into_bytes();
    let numbered = |line: &dyn Fn(usize) -> String| {
        let mut all = String::new();
        for at in 0.. {
            if all.len() >= bytes {
                break;
            }
            all += &line(at);
        }
        all
    };
    let prose = || {
        let mut random = Random(31);
        sentences(&random.words(bytes / 7))
    };
    let paragraphs = |text: &str| -> Vec<String> { text.split_inclusive(". ").map(str::to_owned).collect() };
    // a letter that takes one byte here and two in UTF-8
    let latin =
        |bytes: Vec<u8>| bytes.into_iter().map(|byte| if byte == b'#' { 0xE9 } else { byte }).collect::<Vec<u8>>();
    match name {
        "text.txt" => prose().into_bytes(),
        "latin.txt" => latin(repeated("w# ")),
        "utf16.txt" => {
            let text = "\u{FEFF}".to_owned() + &"中文字 ".repeat(bytes / 8);
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }
        "tags.html" => [b"<!doctype html>".to_vec(), repeated("<b>a")].concat(),
        "references.html" => [b"<!doctype html>".to_vec(), repeated("&nGt;")].concat(),
        "latin.html" => latin([b"<!doctype html>".to_vec(), repeated("<p>#")].concat()),
        "prose.md" => prose().replace(". ", ".\n\n*So* it is, as [it](was) said: ").into_bytes(),
        "emphasis.md" => repeated("*a "),
        "brackets.md" => repeated("["),
        "links.md" => repeated("[a](b)"),
        "lists.md" => repeated("- a\n"),
        "definitions.md" => numbered(&|at| format!("[{at:x}]: b\n")).into_bytes(),
        "table.md" => [b"|a|b|\n|-|-|\n".to_vec(), repeated("|a|b|\n")].concat(),
        "parts.eml" => [
            b"From: a@b\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n".to_vec(),
            repeated("--x\r\n\r\na\r\n"),
        ]
        .concat(),
        "headers.eml" => {
            let headers = numbered(&|at| format!("A{at:x}: b\r\n"));
            format!("From: a@b\r\nMIME-Version: 1.0\r\n{headers}\r\nSome words of a body\r\n").into_bytes()
        }
        "text.pdf" => office::pdf(&[&prose()]),
        "packed.pdf" => packed_pdf(bytes),
        "prose.docx" => {
            let text = prose();
            let all = paragraphs(&text);
            office::docx(&all.iter().map(String::as_str).collect::<Vec<_>>())
        }
        // a megabyte becomes a kilobyte
        "packed.docx" => office::docx_of(&format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", "many words ".repeat(bytes))),
        "strings.xlsx" => {
            let cells: Vec<String> = (0..bytes / 8).map(|at| format!("{at:x}")).collect();
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            office::xlsx(&cells.chunks(100).collect::<Vec<_>>())
        }
        "slides.pptx" => {
            let text = prose();
            office::pptx(&[&text, "end"], "notes")
        }
        "prose.odt" => {
            let text = prose();
            let all = paragraphs(&text);
            office::odt(&all.iter().map(String::as_str).collect::<Vec<_>>())
        }
        "prose.epub" => office::epub(&[&prose(), "end"]),
        "cells.ipynb" => {
            let cells: Vec<_> = (0..bytes / 120)
                .map(|at| serde_json::json!({ "cell_type": "code", "source": [format!("a{at} = b({at})\n")] }))
                .collect();
            serde_json::json!({ "cells": cells, "nbformat": 4 }).to_string().into_bytes()
        }
        _ if name.starts_with("rows.") => {
            let mut random = Random(32);
            let texts: Vec<_> = (0..bytes / 700).map(|at| (at.to_string(), random.text(100))).collect();
            shards::file(&name[5..], &shards::records(&texts), TextColumn::Good)
        }
        _ if name.starts_with("row.") => {
            shards::file(&name[4..], &shards::records(&[("one".to_owned(), prose())]), TextColumn::Good)
        }
        "code.rs" => {
            numbered(&|at| format!("fn f{at}(a: u32) -> u32 {{ let b = a + {at}; g{at}(b, \"x\") }}\n")).into_bytes()
        }
        _ => panic!("no such case: {name}"),
    }
}

/// A PDF whose content unpacks, twice, to forty times as many bytes.
fn packed_pdf(bytes: usize) -> Vec<u8> {
    let deflated = |bytes: &[u8]| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).expect("memory can be written");
        encoder.finish().expect("memory can be written")
    };
    let content = "BT /F1 12 Tf 72 720 Td (some words) Tj ET ".repeat(bytes);
    let packed = deflated(&deflated(content.as_bytes()));
    let mut digits = String::with_capacity(2 * packed.len());
    for byte in &packed {
        write!(digits, "{byte:02x}").expect("memory can be written");
    }
    let filters = "/Filter [/ASCIIHexDecode /FlateDecode /FlateDecode]";
    office::pdf_with(&format!("<< /Length {} {filters} >>\nstream\n{digits}\nendstream", digits.len()), &[])
}

/// How a command ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The most memory that no file backs, of the command and of the processes that it started, in bytes.
    pub(crate) peak: u64,
}

/// Runs the command and looks at its memory every other millisecond.
pub(crate) fn measured(arguments: &[String], folder: &Path) -> Ended {
    let mut command = lookalike(arguments);
    let mut child = command.current_dir(folder).spawn().expect("the command starts");
    let drain = |mut pipe: Box<dyn Read + Send>| {
        thread::spawn(move || {
            let mut all = Vec::new();
            pipe.read_to_end(&mut all).map(|_| String::from_utf8_lossy(&all).into_owned()).unwrap_or_default()
        })
    };
    let stdout = drain(Box::new(child.stdout.take().expect("piped")));
    let stderr = drain(Box::new(child.stderr.take().expect("piped")));
    let begun = Instant::now();
    let mut peak = 0;
    let status = loop {
        peak = peak.max(memory_of_group(child.id()));
        if let Some(status) = child.try_wait().expect("it is a child") {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_mins(10), "{arguments:?} does not end");
        thread::sleep(Duration::from_millis(2));
    };
    let read = |pipe: thread::JoinHandle<String>| pipe.join().expect("reading does not panic");
    Ended { code: status.code(), stdout: read(stdout), stderr: read(stderr), peak }
}

/// The peaks of all processes that are alive, without the pages of files that they map.
pub(crate) fn memory_of_group(leader: u32) -> u64 {
    let mut processes = vec![leader];
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)?.parse().ok());
        children.entry(parent.unwrap_or(0)).or_default().push(process);
    }
    let (mut at, mut sum) = (0, 0);
    while let Some(process) = processes.get(at).copied() {
        at += 1;
        processes.extend(children.get(&process).into_iter().flatten());
        // before it runs a program of its own, a child is shown with the memory of its parent
        let line = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        if process != leader && !line.contains("lookalike-parser") {
            continue;
        }
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) << 10
        };
        sum += field("VmHWM:").saturating_sub(field("RssFile:"));
    }
    sum
}

/// What a command wrote about memory that was missing: the least that it names, in MiB.
pub(crate) fn least(ended: &Ended) -> Option<u64> {
    let number = |text: &str, before: &str, after: &str| -> Option<u64> {
        text.split(before).skip(1).filter_map(|rest| rest.split(after).next()?.parse().ok()).max()
    };
    let refused = number(&ended.stderr, "use --memory ", "M ");
    let skipped = [&ended.stderr, &ended.stdout].map(|text| {
        let named = text.split("too much memory: ").skip(1);
        named.filter_map(|rest| rest.split(" MB or more").next()?.rsplit(' ').next()?.parse().ok()).max()
    });
    skipped.into_iter().flatten().chain(refused).max()
}

/// A folder with a case and two small documents.
pub(crate) fn folder(dir: &Dir, name: &str, bytes: usize) -> PathBuf {
    let folder = dir.folder(&format!("in-{name}"));
    fs::write(folder.join(name), case(name, bytes)).expect("a file can be written");
    for (name, words) in
        [("a.txt", "some words of a text that is small"), ("b.txt", "some other words of a small text")]
    {
        fs::write(folder.join(name), words.repeat(40)).expect("a file can be written");
    }
    folder
}
