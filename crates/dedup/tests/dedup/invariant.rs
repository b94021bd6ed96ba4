//! Records in = records kept + removed + not compared, and every file of the inputs is in the result: for generated corpora of every
//! format, in every mode, with and without damage. A case ends with an error and without a result, or everything adds up. What is in the
//! files is counted by other readers than those of the program.
//!
//! Cases are numbered, and a number always makes the same case. `DEDUP_CASES` says how many there are of all modes together.

use crate::common::{Random, files, options};
use crate::made::{self, OTHERS, PICTURE, Records, TABLES, TextColumn};
use crate::reread::{self, Record};
use lookalike_corpus::ShardFormat;
use lookalike_dedup::{Dedup, DedupOptions, DedupOutput, Granularity, ParagraphOptions, SubstringOptions};
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Cases of all modes in a usual run.
const CASES: u64 = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Documents,
    Annotate,
    Paragraphs,
    Substrings,
}

impl Mode {
    fn is_cut(self) -> bool {
        matches!(self, Self::Paragraphs | Self::Substrings)
    }

    fn options(self) -> DedupOptions {
        options(|options| match self {
            Self::Documents => {}
            Self::Annotate => options.annotate = true,
            Self::Paragraphs => options.granularity = Granularity::Paragraphs(ParagraphOptions::default()),
            Self::Substrings => options.granularity = Granularity::Substrings(SubstringOptions { min_tokens: 15 }),
        })
    }
}

/// How a file was damaged after it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damage {
    Truncated,
    Flipped,
    ZeroPage,
    NoBytes,
}

/// A file of the inputs.
struct Made {
    bytes: Vec<u8>,
    /// Its records, if it was not damaged and has some.
    rows: Option<usize>,
    damage: Option<Damage>,
}

/// A corpus and how it is read.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch")]
struct Case {
    mode: Mode,
    made: BTreeMap<PathBuf, Made>,
    /// Files that are not to be in the result.
    left_out: BTreeMap<PathBuf, Vec<u8>>,
    link: bool,
    /// The run may end with an error.
    may_fail: bool,
    allow_damaged: bool,
    /// Files are named one by one.
    is_named: bool,
    /// One of them is named twice.
    is_named_twice: bool,
    /// A pattern names what is in the folder.
    is_pattern: bool,
    follow_links: bool,
}

/// Texts of which some are the same, some nearly the same.
fn texts(random: &mut Random, shared: &[Vec<String>], count: usize, first: usize, has_paragraphs: bool) -> Records {
    let mut records = Records::new();
    for at in first..first + count {
        let mut words = match random.below(4) {
            0 => random.words(25),
            _ => shared[random.below(shared.len())].clone(),
        };
        if random.below(3) == 0 {
            let at = random.below(words.len());
            words[at] = "changed".into();
        }
        let text = match random.below(12) {
            0 => None,
            1 => Some(String::new()),
            2 => Some("too short".into()),
            3 if has_paragraphs => Some(format!("{}\n\n{}", words.join(" "), random.words(12).join(" "))),
            _ => Some(words.join(" ")),
        };
        records.push((format!("d{at}"), text));
    }
    records
}

impl Case {
    fn new(mode: Mode, seed: u64) -> Self {
        let random = &mut Random::new(seed ^ 0x5eed_0000);
        let (made, left_out) = (BTreeMap::new(), BTreeMap::new());
        let mut case = Self {
            mode,
            made,
            left_out,
            link: false,
            may_fail: false,
            allow_damaged: false,
            is_named: false,
            is_named_twice: false,
            is_pattern: false,
            follow_links: false,
        };
        let shared: Vec<Vec<String>> = (0..6).map(|_| random.words(30)).collect();
        let mut next = 0;
        for at in 0..=random.below(3) {
            let format = case.format(random);
            let mut count = 1 + random.below(20);
            if at == 0 {
                count += 4;
            }
            let mut records = texts(random, &shared, count, next, !format.contains("sv"));
            // each file has something to compare
            records[0].1 = Some(random.words(30).join(" "));
            next += count;
            let bytes = made::file(format, &records, TextColumn::Good);
            case.put(random, &format!("good{at}.{format}"), bytes, Some(count));
        }
        for at in 0..random.below(3) {
            case.put_odd(random, at, &mut next, &shared);
        }
        if !mode.is_cut() {
            for at in 0..random.below(3) {
                let text = shared[random.below(shared.len())].join(" ");
                case.put(random, &format!("page{at}.txt"), text.into_bytes(), None);
            }
        }
        if random.below(3) == 0 {
            case.damage(random);
        }
        case.is_named = random.below(4) == 0;
        // what is named itself must have a document
        case.is_named_twice = case.is_named && random.below(2) == 0;
        case.is_pattern = !case.is_named && random.below(4) == 0;
        case.follow_links = random.below(2) == 0;
        case.may_fail |=
            (case.is_named || case.is_pattern) && case.made.keys().any(|path| path.to_string_lossy().contains("odd"));
        if !(case.is_named || case.is_pattern) && random.below(3) == 0 {
            case.left_out.insert(".hidden.txt".into(), b"a hidden text\n".to_vec());
            case.left_out.insert("ignored.txt".into(), b"an ignored text\n".to_vec());
            case.left_out.insert(".gitignore".into(), b"ignored.txt\n".to_vec());
            case.link = true;
        }
        case
    }

    fn format(&self, random: &mut Random) -> &'static str {
        if self.mode.is_cut() || random.below(3) > 0 {
            return TABLES[random.below(TABLES.len())];
        }
        let format = OTHERS[random.below(OTHERS.len())];
        // the records of web archives cannot be annotated
        if self.mode == Mode::Annotate && format.starts_with("wa") { "zip" } else { format }
    }

    fn put(&mut self, random: &mut Random, name: &str, bytes: Vec<u8>, rows: Option<usize>) {
        let folder = ["", "", "more", "more/deep"][random.below(4)];
        self.made.insert(Path::new(folder).join(name), Made { bytes, rows, damage: None });
    }

    /// A file that has no document, for some reason that is no damage.
    fn put_odd(&mut self, random: &mut Random, number: usize, next: &mut usize, shared: &[Vec<String>]) {
        let count = random.below(10);
        let records = texts(random, shared, count, *next, false);
        *next += count;
        let format = TABLES[random.below(TABLES.len())];
        let columns = [TextColumn::Missing, TextColumn::Numbers, TextColumn::Nested, TextColumn::Nulls];
        let column = columns[random.below(columns.len())];
        let (bytes, format, rows) = match random.below(9) {
            0..4 => {
                // some shard must have the column
                let has_fields = |path: &PathBuf| ShardFormat::of_name(path).is_some();
                let is_good = |path: &&PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("good");
                self.may_fail |= !self.made.keys().filter(is_good).any(has_fields) && column == TextColumn::Missing;
                (made::file(format, &records, column), format, Some(count))
            }
            4 => (made::unreadable_codec(&records), "parquet", Some(count)),
            5 => (made::file(format, &Records::new(), TextColumn::Good), format, Some(0)),
            6 => {
                let format = ["zip", "tar", "tar.gz", "wacz"][random.below(4)];
                let (kind, packing) = format.split_once('.').unwrap_or((format, ""));
                let empty = if kind == "tar" { made::tar(&[]) } else { made::zip(&[]) };
                (made::packed(empty, packing), format, None)
            }
            7 => {
                let files = [("a.png", PICTURE), ("b/c.png", PICTURE)];
                let is_tar = random.below(2) == 0;
                self.may_fail |= self.mode.is_cut();
                let (bytes, format) = if is_tar { (made::tar(&files), "tar") } else { (made::zip(&files), "zip") };
                (bytes, format, Some(2))
            }
            _ => {
                self.may_fail |= self.mode.is_cut();
                (PICTURE.to_vec(), "png", None)
            }
        };
        self.put(random, &format!("odd{number}.{format}"), bytes, rows);
    }

    fn damage(&mut self, random: &mut Random) {
        let all = [Damage::Truncated, Damage::Flipped, Damage::Flipped, Damage::ZeroPage, Damage::NoBytes];
        let damage = all[random.below(all.len())];
        let at = random.below(self.made.len());
        let Some(made) = self.made.values_mut().nth(at) else { return };
        let bytes = &mut made.bytes;
        let len = bytes.len();
        match damage {
            _ if len == 0 => return,
            Damage::Truncated => bytes.truncate(random.below(len)),
            Damage::Flipped => {
                for _ in 0..=random.below(3) {
                    bytes[random.below(len)] ^= 1 << random.below(8);
                }
            }
            Damage::ZeroPage => {
                let page = [8, 512][random.below(2)];
                let start = random.below(len);
                let end = (start + page).min(len);
                bytes[start..end].fill(0);
            }
            Damage::NoBytes => bytes.clear(),
        }
        made.damage = Some(damage);
        self.may_fail = true;
        self.allow_damaged = random.below(2) == 0;
    }

    /// Runs it in a folder.
    fn check(&self, dir: &Path) {
        let (input, out) = (dir.join("in"), dir.join("out"));
        let all = self.made.iter().map(|(path, made)| (path, &made.bytes)).chain(&self.left_out);
        for (path, bytes) in all {
            let path = input.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        if self.link {
            #[cfg(unix)]
            std::os::unix::fs::symlink("elsewhere", input.join("link.jsonl")).unwrap();
        }
        let twice = self.made.keys().take(usize::from(self.is_named_twice)).map(|path| input.join(".").join(path));
        let named = self.made.keys().map(|path| input.join(path)).chain(twice);
        let inputs: Vec<PathBuf> = match (self.is_named, self.is_pattern) {
            (true, _) => named.collect(),
            (_, true) => vec![input.join("*")],
            _ => vec![input.clone()],
        };
        let mut options = self.mode.options();
        options.scan.corpus.follow_links = self.follow_links;
        options.allow_damaged = self.allow_damaged;
        options.scan.resources.threads = 2;
        options.scan.resources.tmp = Some(dir.to_owned());
        match Dedup::new(options).run(&inputs, Some(&out)) {
            Err(error) => {
                assert!(self.may_fail, "it failed: {error}");
                assert!(!out.exists() && !dir.join("out.partial").exists(), "an error left a result: {error}");
            }
            Ok(output) => self.check_result(&input, &out, &output),
        }
    }

    fn check_result(&self, input: &Path, out: &Path, output: &DedupOutput) {
        let summary: Value = serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap();
        let written = &summary["written"];
        let count = |counts: &Value, name: &str| counts[name].as_u64().unwrap_or_else(|| panic!("{name} in {counts}"));
        let gone = removed_ids(out);
        let result = files(&out.join("corpus"));
        let root = self.root();
        let shards = written["shards"].as_array().unwrap();
        let shards: BTreeMap<&str, &Value> =
            shards.iter().map(|shard| (shard["file"].as_str().unwrap(), shard)).collect();
        let (mut removed_files, mut in_result) = (0, BTreeSet::new());
        for (path, made) in &self.made {
            let target = path.strip_prefix(&root).unwrap();
            let id = input.join(path).display().to_string();
            let Some(after) = result.get(target) else {
                assert!(
                    gone.contains(&id) && self.mode == Mode::Documents,
                    "{} is not in the result",
                    target.display()
                );
                assert!(made.rows.is_none(), "{}: rows were removed with it", target.display());
                removed_files += 1;
                continue;
            };
            in_result.insert(target.to_owned());
            match shards.get(id.as_str()) {
                Some(counts) => self.check_file(path, made, after, counts),
                None => assert!(after == &made.bytes, "{} is not what it was", target.display()),
            }
        }
        assert_eq!(result.keys().cloned().collect::<BTreeSet<_>>(), in_result, "files that are in the result");
        assert_eq!(count(written, "files"), self.made.len() as u64);
        assert_eq!(count(written, "removed_files"), removed_files);
        let removed = count(written, "removed");
        let sum = count(written, "kept") + removed + count(written, "not_compared");
        assert!(written["uncounted"].is_array() || count(written, "records") == sum, "{written}");
        assert_eq!(count(written, "kept") + removed, count(&summary, "documents"));
        match output {
            DedupOutput::Documents(result) => {
                assert_eq!(gone.len() as u64, result.summary.removed);
                assert_eq!(removed, if self.mode == Mode::Annotate { 0 } else { result.summary.removed });
            }
            DedupOutput::Cuts(result) => assert_eq!(removed, result.summary.removed_documents),
        }
        let left_out: u64 = summary["left_out"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        let expected = self.left_out.len() + usize::from(self.link) + usize::from(self.is_named_twice);
        assert_eq!(left_out, expected as u64, "{}", summary["left_out"]);
    }

    /// A shard or an archive before and after.
    fn check_file(&self, path: &Path, made: &Made, after: &[u8], counts: &Value) {
        let count = |name: &str| counts[name].as_u64().unwrap() as usize;
        let name = path.file_name().unwrap().to_str().unwrap();
        let context = || format!("{} ({:?}): {counts}", path.display(), made.damage);
        if counts["records"].is_null() {
            assert!(made.damage.is_some() || name.contains("wacz"), "records are not counted: {}", context());
            assert!(counts["copied"] == true && after == made.bytes, "{}", context());
            return;
        }
        let records = count("records");
        // a web archive has other records too
        let is_all = |rows: usize| if name.contains("wa") { rows <= records } else { rows == records };
        assert!(made.damage.is_some() || made.rows.is_none_or(is_all), "{}", context());
        assert_eq!(records, count("kept") + count("removed") + count("not_compared"), "{}", context());
        let is_whole =
            Path::new(name).extension().is_some_and(|extension| extension == "wacz") || counts["copied"] == true;
        if is_whole {
            assert!(after == made.bytes, "copied, but not as it is: {}", context());
            assert_eq!(count("removed"), 0, "{}", context());
            return;
        }
        let removed = count("removed");
        let (Some(before), Some(now)) = (reread::records(name, &made.bytes), reread::records(name, after)) else {
            // a codec that is not read does not hide how many rows there are
            let rows = (reread::promised_rows(&made.bytes), reread::promised_rows(after));
            assert!(made.damage.is_some() || rows.0.is_some(), "it cannot be read again: {}", context());
            if let (Some(before), Some(now)) = rows {
                assert_eq!(before as usize, now as usize + removed, "{}", context());
            }
            assert!(made.rows.is_none_or(|rows| rows <= records), "records are not counted: {}", context());
            return;
        };
        // a quote that was damaged may join lines of a table to one record
        let is_joined = made.damage.is_some() && name.contains("sv");
        assert!(is_joined || before.len() == records, "{} records are there: {}", before.len(), context());
        if name.contains("warc") {
            assert_eq!(before.len(), now.len(), "{}", context());
            assert_eq!(now.iter().filter(|record| record.is_revisit).count(), removed, "{}", context());
            let is_same = |(a, b): (&Record, &Record)| a.name == b.name && (b.is_revisit || a == b);
            assert!(before.iter().zip(&now).all(is_same), "{}", context());
            return;
        }
        assert!(is_joined || before.len() == now.len() + removed, "{} are left: {}", now.len(), context());
        // the lines of such a record are no records: annotations follow the last one, and a cut may join two
        if is_joined && self.mode != Mode::Documents {
            return;
        }
        let mut rest = before.iter();
        for record in &now {
            let is_same = |other: &Record| if self.mode.is_cut() { other.name == record.name } else { other == record };
            assert!(rest.any(is_same), "{record:?} is new or out of order: {}", context());
        }
    }

    /// The folder that paths of the result count from, in the input.
    fn root(&self) -> PathBuf {
        if self.is_pattern {
            let first = |path: &PathBuf| (path.iter().next().map(PathBuf::from), path.iter().count() > 1);
            let matched: BTreeSet<(Option<PathBuf>, bool)> = self.made.keys().map(first).collect();
            // a single folder that matches is as if it had been named
            return match matched.into_iter().collect::<Vec<_>>().as_slice() {
                [(Some(folder), true)] => folder.clone(),
                _ => PathBuf::new(),
            };
        }
        if !self.is_named {
            return PathBuf::new();
        }
        let folder = |path: &PathBuf| path.parent().unwrap().to_owned();
        let common =
            |a: PathBuf, b: PathBuf| a.iter().zip(b.iter()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
        self.made.keys().map(folder).reduce(common).unwrap_or_default()
    }
}

/// The ids in the table of evidence.
fn removed_ids(out: &Path) -> Vec<String> {
    let table = SerializedFileReader::new(fs::File::open(out.join("duplicates.parquet")).unwrap()).unwrap();
    let rows = table.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().get_column_iter().next().unwrap().1.to_string().trim_matches('"').to_owned()).collect()
}

/// All cases of a mode; those of another number of cases are others, but for the first.
fn check(mode: Mode) {
    let cases = std::env::var("DEDUP_CASES").map_or(CASES, |cases| cases.parse().expect("a number of cases"));
    for seed in 0..cases / 4 {
        let case = Case::new(mode, seed * 4 + mode as u64);
        let dir = tempfile::tempdir().unwrap();
        let run = std::panic::AssertUnwindSafe(|| case.check(dir.path()));
        if let Err(panic) = std::panic::catch_unwind(run) {
            let made: Vec<_> = case.made.iter().map(|(path, made)| (path, made.bytes.len(), made.damage)).collect();
            let why = panic.downcast_ref::<String>().map_or("a panic without a message", String::as_str);
            panic!(
                "case {seed} of {mode:?}, damage allowed: {}, files: {made:?}, kept in {}: {why}",
                case.allow_damaged,
                dir.keep().display()
            );
        }
    }
}

#[test]
fn no_record_is_lost_when_documents_are_removed() {
    check(Mode::Documents);
}

#[test]
fn no_record_is_lost_when_records_are_annotated() {
    check(Mode::Annotate);
}

#[test]
fn no_record_is_lost_when_paragraphs_are_cut() {
    check(Mode::Paragraphs);
}

#[test]
fn no_record_is_lost_when_stretches_are_cut() {
    check(Mode::Substrings);
}
