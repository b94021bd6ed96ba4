//! Nothing of the inputs is lost, and what was done is said as it is.

use crate::common::{files, line, options, removed, run, shards, texts};
use crate::cut_common::summary;
use crate::made::{self, Records, TextColumn, records};
use lookalike_dedup::{Dedup, DedupOptions, Error, Granularity, ParagraphOptions, SubstringOptions};
use lookalike_store::{Progress, Unit};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// In every mode.
fn modes() -> [DedupOptions; 4] {
    [
        options(|_| {}),
        options(|options| options.annotate = true),
        options(|options| options.granularity = Granularity::Paragraphs(ParagraphOptions::default())),
        options(|options| options.granularity = Granularity::Substrings(SubstringOptions::default())),
    ]
}

#[test]
fn shards_without_a_readable_text_stay_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    fs::create_dir(&input).unwrap();
    let records = records(&texts(10));
    fs::write(input.join("good.parquet"), made::file("parquet", &records, TextColumn::Good)).unwrap();
    let mut odd: Vec<(String, Vec<u8>)> = Vec::new();
    for format in ["parquet", "arrow", "arrows", "feather"] {
        for column in [TextColumn::Missing, TextColumn::Numbers, TextColumn::Nested, TextColumn::Nulls] {
            odd.push((format!("{column:?}.{format}"), made::file(format, &records, column)));
        }
        odd.push((format!("no-rows.{format}"), made::file(format, &Records::new(), TextColumn::Good)));
    }
    odd.push(("codec.parquet".into(), made::unreadable_codec(&records)));
    odd.push(("empty.zip".into(), made::zip(&[])));
    odd.push(("empty.tar".into(), made::tar(&[])));
    odd.push(("empty.wacz".into(), made::zip(&[])));
    for (name, bytes) in &odd {
        fs::write(input.join(name), bytes).unwrap();
    }
    for (at, options) in modes().into_iter().enumerate() {
        let out = dir.path().join(format!("out{at}"));
        Dedup::new(options.clone()).run(std::slice::from_ref(&input), Some(&out)).unwrap();
        for (name, bytes) in &odd {
            let after = fs::read(out.join("corpus").join(name));
            let after = after.unwrap_or_else(|error| panic!("{name} in mode {at}: {error}"));
            // rows that could be read have their annotations
            let is_annotated = options.annotate && after != *bytes;
            assert!(is_annotated || after == *bytes, "{name} in mode {at} is not what it was");
        }
        let written = &summary(&out)["written"];
        assert_eq!(written["files"], odd.len() + 1, "{written}");
        assert_eq!(written["kept"].as_u64().unwrap() + written["removed"].as_u64().unwrap(), records.len() as u64);
    }
}

#[test]
fn files_that_are_no_table_of_texts_stay_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(10), 1);
    let records = records(&texts(3));
    let odd = [
        ("a.csv", made::file("csv", &records, TextColumn::Missing)),
        ("a.csv.gz", made::file("csv.gz", &records, TextColumn::Missing)),
        ("empty.csv", Vec::new()),
        ("empty.csv.gz", made::packed(Vec::new(), "gz")),
        ("pictures.zip", made::zip(&[("a.png", made::PICTURE)])),
        ("pictures.tar", made::tar(&[("a.png", made::PICTURE)])),
        ("picture.png", made::PICTURE.to_vec()),
    ];
    for (name, bytes) in &odd {
        fs::write(input.join(name), bytes).unwrap();
    }
    let out = dir.path().join("out");
    run(&input, Some(&out), &options(|_| {})).unwrap();
    for (name, bytes) in &odd {
        assert_eq!(&fs::read(out.join("corpus").join(name)).expect(name), bytes, "{name}");
    }
}

/// Nearly the same rows in two tables.
fn similar_tables(header: &str) -> [String; 2] {
    [0, 1].map(|table| {
        let row = |at: usize| {
            format!("{at},words of row {at} that both tables have {}\n", if at.is_multiple_of(30) { table } else { 7 })
        };
        format!("{header}\n{}", (0..1000).map(row).collect::<String>())
    })
}

#[test]
fn tables_without_the_text_are_no_documents() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    fs::create_dir(&input).unwrap();
    let [a, b] = similar_tables("id,content");
    fs::write(input.join("a.csv"), &a).unwrap();
    fs::write(input.join("b.csv"), &b).unwrap();
    let out = dir.path().join("out");
    let Err(Error::Engine(error)) = run(&input, Some(&out), &options(|_| {})) else { panic!("no table has the text") };
    assert!(error.to_string().contains("did you mean \"content\"?"), "{error}");
    assert!(!out.exists());
    let good = records(&texts(10));
    fs::write(input.join("good.jsonl"), made::file("jsonl", &good, TextColumn::Good)).unwrap();
    for (at, options) in modes().into_iter().enumerate() {
        let out = dir.path().join(format!("out{at}"));
        Dedup::new(options.clone()).run(std::slice::from_ref(&input), Some(&out)).unwrap();
        assert!(fs::read(out.join("corpus/a.csv")).unwrap() == a.as_bytes(), "mode {at}");
        assert!(fs::read(out.join("corpus/b.csv")).unwrap() == b.as_bytes(), "mode {at}");
        let written = &summary(&out)["written"];
        assert_eq!(written["not_compared"], 2000, "mode {at}: {written}");
        assert_eq!(written["records"], 2000 + good.len(), "mode {at}: {written}");
    }
}

#[test]
fn records_of_shards_that_cannot_be_compared_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let (input, texts) = (shards(dir.path(), &texts(10), 1), texts(3));
    let records = records(&texts);
    let mut all = 0;
    for format in made::TABLES {
        for column in [TextColumn::Missing, TextColumn::Numbers, TextColumn::Nulls] {
            fs::write(input.join(format!("{column:?}.{format}")), made::file(format, &records, column)).unwrap();
            all += 1;
        }
    }
    fs::write(input.join("codec.parquet"), made::unreadable_codec(&records)).unwrap();
    fs::write(input.join("pictures.zip"), made::zip(&[("a.png", made::PICTURE), ("b.png", made::PICTURE)])).unwrap();
    for (at, options) in modes().into_iter().take(2).enumerate() {
        let out = dir.path().join(format!("out{at}"));
        Dedup::new(options).run(std::slice::from_ref(&input), Some(&out)).unwrap();
        let written = &summary(&out)["written"];
        for shard in written["shards"].as_array().unwrap() {
            let file = shard["file"].as_str().unwrap();
            let expected = match file {
                file if file.ends_with("shard-0.jsonl") => continue,
                file if file.contains("pictures") => 2,
                // numbers are text there, and null is an empty text
                file if !file.contains("Missing") && file.contains("sv") => continue,
                _ => records.len(),
            };
            assert_eq!((&shard["records"], &shard["not_compared"]), (&expected.into(), &expected.into()), "{shard}");
        }
        assert_eq!(written["files"], all + 3, "{written}");
        assert!(written["uncounted"].is_null(), "{written}");
    }
}

#[test]
fn records_that_cannot_be_counted_are_not_claimed() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(10), 1);
    let broken = input.join("broken.parquet");
    fs::write(&broken, "no footer").unwrap();
    let out = dir.path().join("out");
    run(&input, Some(&out), &options(|o| o.allow_damaged = true)).unwrap();
    let written = &summary(&out)["written"];
    assert_eq!(written["uncounted"], serde_json::json!([broken.display().to_string()]), "{written}");
    assert!(written["records"].is_null() && written["shards"][0]["records"].is_null(), "{written}");
}

#[test]
fn shards_without_a_byte_stay_if_damage_is_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(10), 1);
    let names = ["a.parquet", "a.arrow", "a.arrows", "a.warc", "a.warc.gz", "a.jsonl.gz", "a.zip", "a.tar", "a.wacz"];
    for name in names {
        fs::write(input.join(name), "").unwrap();
    }
    let named: Vec<PathBuf> = files(&input).into_keys().map(|path| input.join(path)).collect();
    for (at, inputs) in [vec![input.clone()], named].into_iter().enumerate() {
        let out = dir.path().join(format!("out{at}"));
        Dedup::new(options(|options| options.allow_damaged = true)).run(&inputs, Some(&out)).unwrap();
        for name in names {
            assert_eq!(fs::read(out.join("corpus").join(name)).expect(name), b"", "{name}");
        }
    }
}

#[test]
fn every_shard_has_its_counts() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(60);
    let input = shards(dir.path(), &texts, 2);
    let mut shard = File::options().append(true).open(input.join("shard-1.jsonl")).unwrap();
    shard.write_all(b"\n{\"id\":\"null\",\"text\":null}\n \n").unwrap();
    fs::write(input.join("one.txt"), "a text of its own in a file of its own").unwrap();
    fs::write(input.join("same.txt"), "a text of its own in a file of its own").unwrap();
    let out = dir.path().join("out");
    let result = run(&input, Some(&out), &options(|_| {})).unwrap();
    let written = summary(&out)["written"].clone();
    assert_eq!((&written["files"], &written["removed_files"]), (&4.into(), &1.into()), "{written}");
    assert_eq!(written["records"], texts.len() + 3);
    assert_eq!(written["not_compared"], 1);
    assert_eq!(written["removed"], removed(&result).len());
    let shards = written["shards"].as_array().unwrap();
    assert_eq!(shards.len(), 2);
    for (at, shard) in shards.iter().enumerate() {
        let path = input.join(format!("shard-{at}.jsonl"));
        assert_eq!(shard["file"], path.display().to_string());
        let lines = |path: &Path| fs::read_to_string(path).unwrap().lines().filter(|l| !l.trim().is_empty()).count();
        let left = lines(&out.join(format!("corpus/shard-{at}.jsonl")));
        assert_eq!(shard["records"], lines(&path));
        assert_eq!(shard["kept"].as_u64().unwrap() + shard["not_compared"].as_u64().unwrap(), left as u64);
        assert_eq!(shard["not_compared"], at);
        assert_eq!(shard["removed"], lines(&path) - left);
    }
}

#[test]
fn the_id_of_a_record_names_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let secret = dir.path().join("secret");
    fs::write(&secret, "somebody else's").unwrap();
    let input = shards(dir.path(), &texts(5), 1);
    let record = serde_json::json!({ "id": secret.display().to_string(), "text": null });
    fs::write(input.join("hostile.jsonl"), format!("{record}\n")).unwrap();
    let out = dir.path().join("out");
    run(&input, Some(&out), &options(|_| {})).unwrap();
    let written: Vec<PathBuf> = files(&out.join("corpus")).into_keys().collect();
    assert_eq!(written, [Path::new("hostile.jsonl"), Path::new("shard-0.jsonl")]);
}

#[test]
fn nothing_is_taken_out_of_what_cannot_be_written_again() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    fs::create_dir(&input).unwrap();
    let text = "the same words in an archive, in an archive inside of it, and in a web archive";
    let inner = made::zip(&[("x.txt", text.as_bytes()), ("y.txt", text.as_bytes())]);
    let outer = made::zip(&[("inner.zip", &inner), ("z.txt", text.as_bytes())]);
    fs::write(input.join("outer.zip"), &outer).unwrap();
    let pages: Records = vec![("a".into(), Some(text.into())), ("b".into(), Some(text.into()))];
    fs::write(input.join("crawl.wacz"), made::file("wacz", &pages, TextColumn::Good)).unwrap();
    let out = dir.path().join("out");
    let result = run(&input, Some(&out), &options(|_| {})).unwrap();
    assert_eq!(fs::read(out.join("corpus/crawl.wacz")).unwrap(), fs::read(input.join("crawl.wacz")).unwrap());
    let mut zip = zip::ZipArchive::new(File::open(out.join("corpus/outer.zip")).unwrap()).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert_eq!(names, ["inner.zip"]);
    let mut kept = Vec::new();
    std::io::copy(&mut zip.by_name("inner.zip").unwrap(), &mut kept).unwrap();
    assert_eq!(kept, inner);
    assert_eq!((result.summary.removed, result.summary.held), (1, 3));
    assert_eq!(removed(&result).len(), 1);
    let written = result.summary.written.unwrap();
    assert_eq!((written.kept, written.removed, written.files), (4, 1, 2));
}

#[test]
fn a_file_that_a_hard_link_in_a_tar_leads_to_stays() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(5)[..1], 1);
    let text = "words that a file and two files of a tar have, one of which has a second name there";
    fs::write(input.join("first.txt"), text).unwrap();
    let mut tar = tar::Builder::new(File::create(input.join("x.tar")).unwrap());
    let header = |size: usize| {
        let mut header = tar::Header::new_gnu();
        header.set_size(size as u64);
        header.set_mode(0o644);
        header
    };
    for name in ["a.txt", "b.txt"] {
        tar.append_data(&mut header(text.len()), name, text.as_bytes()).unwrap();
    }
    let mut link = header(0);
    link.set_entry_type(tar::EntryType::Link);
    tar.append_link(&mut link, "link.txt", "a.txt").unwrap();
    tar.finish().unwrap();
    drop(tar);
    let out = dir.path().join("out");
    let summary = run(&input, Some(&out), &options(|_| {})).unwrap().summary;
    assert_eq!((summary.removed, summary.held), (1, 1));
    let counts = summary.written.unwrap();
    let tar_counts = counts.shards.iter().find(|shard| shard.file.ends_with("x.tar")).unwrap().counts;
    assert_eq!((tar_counts.records, tar_counts.kept, tar_counts.removed, tar_counts.not_compared), (Some(3), 1, 1, 1));
    let mut written = tar::Archive::new(File::open(out.join("corpus/x.tar")).unwrap());
    let names = written.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().display().to_string());
    assert_eq!(names.collect::<Vec<_>>(), ["a.txt", "link.txt"]);
}

#[test]
fn files_that_are_left_out_are_counted_apart() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(5), 1);
    for name in [".hidden.txt", "Thumbs.db", "__MACOSX/._a.jsonl"] {
        fs::create_dir_all(input.join(name).parent().unwrap()).unwrap();
        fs::write(input.join(name), "nothing of the corpus").unwrap();
    }
    fs::write(input.join("null.jsonl"), "{\"id\":1,\"text\":null}\n").unwrap();
    for one_fs in [false, true] {
        let out = dir.path().join(format!("out{one_fs}"));
        let summary = run(&input, Some(&out), &options(|o| o.scan.corpus.one_fs = one_fs)).unwrap().summary;
        let left_out = [("hidden".to_owned(), 1), ("system file".to_owned(), 2)];
        assert_eq!(summary.uncompared.left_out, left_out.into());
        assert!(!summary.uncompared.not_compared.contains_key("hidden"));
        assert!(summary.uncompared.not_compared.contains_key("no text"));
        assert!(!out.join("corpus/.hidden.txt").exists() && out.join("corpus/null.jsonl").exists());
    }
}

/// Does something when the files of the result are about to be written.
struct AtWrite<F>(F);

impl<F: Fn() + Sync> Progress for AtWrite<F> {
    fn begin(&self, phase: &'static str, _: Unit, _: Option<u64>) {
        if phase == "write" {
            self.0();
        }
    }

    fn advance(&self, _: u64) {}

    fn end(&self) {}
}

#[test]
fn a_shard_that_changes_while_it_is_written_is_an_error() {
    let more = line(&("late".into(), "a record that was not read".into()));
    for (at, options) in modes().into_iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let input = shards(dir.path(), &texts(20), 2);
        let changed = input.join("shard-1.jsonl");
        let grow = AtWrite(|| File::options().append(true).open(&changed).unwrap().write_all(more.as_bytes()).unwrap());
        let out = dir.path().join("out");
        let Err(error) = Dedup::new(options).progress(&grow).run(&[input], Some(&out)) else {
            panic!("mode {at}: a record was added in silence")
        };
        let Error::Miscounted { file, read, found, .. } = &error else { panic!("mode {at}: {error}") };
        assert!(file.ends_with("shard-1.jsonl") && found - read == 1, "mode {at}: {error}");
        assert!(!out.exists() && !dir.path().join("out.partial").exists(), "mode {at}");
    }
}

#[test]
fn a_file_that_changes_while_it_is_copied_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(20), 1);
    let changed = input.join("picture.png");
    fs::write(&changed, made::PICTURE).unwrap();
    let change = AtWrite(|| fs::write(&changed, "another picture").unwrap());
    let out = dir.path().join("out");
    let ran = Dedup::new(options(|_| {})).progress(&change).run(&[input], Some(&out));
    assert!(matches!(ran, Err(Error::Damaged { .. })));
    assert!(!out.exists());
}

#[test]
fn no_document_is_an_error_without_a_result() {
    let dir = tempfile::tempdir().unwrap();
    let records = records(&texts(3));
    let inputs = [
        ("missing.parquet", made::file("parquet", &records, TextColumn::Missing)),
        ("numbers.arrow", made::file("arrow", &records, TextColumn::Numbers)),
        ("codec.parquet", made::unreadable_codec(&records)),
        ("pictures.zip", made::zip(&[("a.png", made::PICTURE)])),
        ("null.jsonl", b"{\"id\":1,\"text\":null}\n".to_vec()),
    ];
    for (name, bytes) in inputs {
        let input = dir.path().join(name);
        fs::write(&input, bytes).unwrap();
        let out = dir.path().join(format!("{name}.out"));
        for out in [Some(&out), None] {
            let ran = run(&input, out.map(PathBuf::as_path), &options(|_| {}));
            assert!(matches!(ran, Err(Error::NoDocuments { .. } | Error::Damaged { .. } | Error::Engine(_))), "{name}");
        }
        assert!(!out.exists() && !dir.path().join(format!("{name}.out.partial")).exists(), "{name}");
    }
}

#[test]
fn what_is_empty_stays_empty() {
    let dir = tempfile::tempdir().unwrap();
    let none = Records::new();
    for format in ["jsonl", "jsonl.gz", "csv", "parquet", "arrow", "arrows", "zip", "tar"] {
        let name = format!("none.{format}");
        let input = dir.path().join(&name);
        fs::write(&input, made::file(format, &none, TextColumn::Good)).unwrap();
        let out = dir.path().join(format!("{format}.out"));
        let summary = run(&input, Some(&out), &options(|_| {})).expect(format).summary;
        assert_eq!((summary.documents, summary.written.unwrap().copied_files), (0, 1), "{format}");
        assert_eq!(fs::read(out.join("corpus").join(&name)).unwrap(), fs::read(&input).unwrap(), "{format}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(5), 1);
    let locked = input.join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read_dir(&locked).is_ok();
    let out = dir.path().join("out");
    let ran = run(&input, Some(&out), &options(|_| {}));
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    // root reads everything
    assert!(is_root || matches!(&ran, Err(Error::Damaged { id, .. }) if id.ends_with("locked")));
    assert_eq!(out.exists(), is_root);
}
