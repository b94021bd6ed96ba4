//! Rows: what one verb alone asks.

use super::{DATE, DIR, FILE, FLAG, Flag, Kind, of, path, text};
use crate::verb::Verb::{
    Copies, IndexAdd, IndexBuild, IndexList, IndexRemove, Lost, Moss, Query, Sketch, TemplatesMark,
};
use crate::{moss_languages, values};
use clap::builder::ValueParser;
use std::ffi::OsString;

const SUBMISSIONS: Flag = Flag { heading: "Submissions", ..FLAG };
#[cfg(unix)]
const ACTION: Flag = Flag { heading: "Action, one of", group: "action", ..FLAG };

pub(super) const ROWS: &[Flag] = &[
    // copies
    Flag {
        name: "per-folder",
        uses: &[of(&[Copies], "Each folder (or zip or tar file) directly below a PATH is one submission")
            .more("It has all the files in it; otherwise each file is one submission")],
        ..SUBMISSIONS
    },
    Flag {
        name: "base",
        kind: Kind::Value("PATH", path),
        repeats: true,
        uses: &[of(&[Copies], "Code that was given to all: it does not count (may be repeated)")
            .more("It is shown in grey")],
        ..SUBMISSIONS
    },
    Flag {
        name: "archive",
        kind: Kind::Value("PATH", path),
        repeats: true,
        uses: &[of(
            &[Copies],
            "Submissions of earlier years: compared with these, not with each other (may be repeated)",
        )],
        ..SUBMISSIONS
    },
    Flag {
        name: "owner",
        kind: Kind::Value("REGEX", text),
        uses: &[of(&[Copies], "Regular expression whose first group, in the name of a submission, is its owner")
            .more("Submissions of one owner are not compared")],
        ..SUBMISSIONS
    },
    Flag {
        name: "info",
        kind: FILE,
        uses: &[of(&[Copies], "Names, labels and dates of submissions, as Dolos reads them")
            .without("info.csv in a PATH, if there is one")],
        ..SUBMISSIONS
    },
    // moss: the letters of its own script
    Flag {
        name: "moss-language",
        short: Some('l'),
        kind: Kind::Short("LANGUAGE", || ValueParser::new(moss_languages::reading)),
        uses: &[of(&[Moss], "Language, by MOSS's names (c, cc, java, python, ascii …) or ours")
            .hidden_default("auto")
            .more("Without it, by the name of each file")],
        ..FLAG
    },
    Flag {
        name: "moss-by-folder",
        short: Some('d'),
        kind: Kind::ShortSwitch,
        uses: &[of(&[Moss], "The files of one folder are one program")],
        ..FLAG
    },
    Flag {
        name: "moss-base",
        short: Some('b'),
        kind: Kind::Short("FILE", path),
        repeats: true,
        uses: &[of(&[Moss], "Code that was given to all: it does not count (may be repeated)")],
        ..FLAG
    },
    Flag {
        name: "moss-most",
        short: Some('m'),
        kind: Kind::Short("N", || clap::value_parser!(u32).range(2..).into()),
        uses: &[of(&[Moss], "Ignore what more programs than this share").default("10")],
        ..FLAG
    },
    Flag {
        name: "moss-number",
        short: Some('n'),
        kind: Kind::Short("N", || ValueParser::new(values::at_least_one)),
        uses: &[of(&[Moss], "Pairs to list").default("250")],
        ..FLAG
    },
    Flag {
        name: "moss-comment",
        short: Some('c'),
        kind: Kind::Short("TEXT", text),
        uses: &[of(&[Moss], "Title of the answer")],
        ..FLAG
    },
    Flag {
        name: "moss-experimental",
        short: Some('x'),
        kind: Kind::ShortSwitch,
        uses: &[of(&[Moss], "MOSS's experimental server; there is no server here")],
        ..FLAG
    },
    // index, query and what is asked of the past
    Flag {
        name: "sweep",
        kind: DATE,
        uses: &[
            of(&[IndexBuild, IndexAdd], "The date on which the documents were seen, such as 2026-05-01")
                .more("For lookalike lost and changes"),
            of(&[IndexRemove], "Remove what was seen in this sweep only"),
            of(&[IndexList], "List what was seen in this sweep only, as it was then"),
        ],
        ..FLAG
    },
    Flag {
        name: "all",
        requires: &["sweep"],
        conflicts: &["urls", "stdin", "address", "at", "limit"],
        uses: &[
            of(&[IndexRemove], "Remove the whole sweep"),
            of(&[Lost], "All URLs that are not in the last sweep: the redirect map")
                .more("certain: one URL has the same content; likely: several have it, or one has half of it and more; possible: less"),
        ],
        ..FLAG
    },
    Flag {
        name: "gone",
        conflicts: &["sweep"],
        uses: &[of(&[IndexList], "List only what is not in the last sweep")],
        ..FLAG
    },
    Flag {
        name: "url",
        kind: Kind::Value("NAME", text),
        group: "question",
        conflicts: &["text-field", "id-field", "features-field", "threads", "stats"],
        uses: &[of(&[Query], "Ask for a document of the index, by its name: a URL or an id")],
        ..FLAG
    },
    Flag {
        name: "batch",
        kind: FILE,
        group: "question",
        uses: &[of(&[Query], "Ask for every line of a JSONL file (also .gz or .zst); - is standard input")
            .more("One JSON object a line comes back, in the same order. Each line of standard input is answered at once; one that is no JSON \
                   object is the name of a document of the index, or else a text")],
        ..FLAG
    },
    Flag {
        name: "at",
        kind: DATE,
        uses: &[of(&[Lost], "Look for what the URL had on this date, such as 2026-05-01")],
        ..FLAG
    },
    // sketch
    Flag {
        name: "names",
        kind: Kind::Value("FORM", values::names_form),
        uses: &[of(&[Sketch], "What files are called in the exchange file").default("plain")],
        ..FLAG
    },
    // templates mark
    Flag {
        name: "cluster",
        kind: Kind::Value("N", || clap::value_parser!(u64).into()),
        group: "marked",
        uses: &[of(&[TemplatesMark], "The chunks that all files of this cluster share")],
        ..FLAG
    },
    Flag {
        name: "chunk",
        kind: Kind::Value("HASH", text),
        group: "marked",
        uses: &[of(&[TemplatesMark], "One chunk, by its hash or the beginning of it")],
        ..FLAG
    },
    Flag {
        name: "file",
        kind: FILE,
        group: "marked",
        uses: &[of(&[TemplatesMark], "All chunks of this file")],
        ..FLAG
    },
    Flag {
        name: "name",
        kind: Kind::Value("NAME", text),
        uses: &[of(&[TemplatesMark], "What to call it").without("made up")],
        ..FLAG
    },
    // act
    #[cfg(unix)]
    Flag {
        name: "hardlink",
        uses: &[of(
            ACT,
            "Duplicates become hard links to the kept file, with its rights and time; never to another device",
        )],
        ..ACTION
    },
    #[cfg(unix)]
    Flag { name: "symlink", uses: &[of(ACT, "Duplicates become relative symbolic links to the kept file")], ..ACTION },
    #[cfg(unix)]
    Flag {
        name: "move",
        kind: DIR,
        uses: &[of(ACT, "Move duplicates below this folder, with their paths; nothing there is overwritten")],
        ..ACTION
    },
    #[cfg(unix)]
    Flag {
        name: "reflink",
        uses: &[of(ACT, "Duplicates share their blocks on the disk with the kept file, and stay files of their own (Linux)")
            .more("Where the file system can: Btrfs, XFS, bcachefs")],
        ..ACTION
    },
    #[cfg(unix)]
    Flag {
        name: "trash",
        uses: &[of(ACT, "Put duplicates in the trash of the desktop, from where they can be restored there, too")],
        ..ACTION
    },
    #[cfg(unix)]
    Flag { name: "remove", uses: &[of(ACT, "Remove duplicates")], ..ACTION },
    #[cfg(unix)]
    Flag {
        name: "undo",
        kind: Kind::Value("LOG", path),
        conflicts: &["report", "keep", "reference", "root", "min-size", "log"],
        uses: &[of(ACT, "Undo what this log says was done, as far as files have not changed since")],
        ..ACTION
    },
    #[cfg(unix)]
    Flag {
        name: "keep",
        kind: Kind::Pair("RULE", || clap::value_parser!(OsString)),
        uses: &[of(ACT, "Which file of a set is kept: newest, oldest, shortest-path, or under DIR")
            .without("shortest-path")
            .more("With under DIR, sets with no file there are left alone")],
        ..FLAG
    },
    #[cfg(unix)]
    Flag {
        name: "reference",
        kind: DIR,
        repeats: true,
        uses: &[of(
            ACT,
            "Never touch files below this folder, and keep one of them where a set has any (may be repeated)",
        )],
        ..FLAG
    },
    #[cfg(unix)]
    Flag {
        name: "root",
        kind: DIR,
        repeats: true,
        uses: &[of(
            ACT,
            "Files below this folder may be touched, though the report was made elsewhere (may be repeated)",
        )
        .more("Without it only files below the folder where the report was made: its ids may lead anywhere")],
        ..FLAG
    },
    #[cfg(unix)]
    Flag { name: "log", kind: FILE, uses: &[of(ACT, "The log, for --undo").without("REPORT.act.jsonl")], ..FLAG },
    #[cfg(unix)]
    Flag { name: "yes", uses: &[of(ACT, "Do it; without this nothing is touched")], ..FLAG },
];

#[cfg(unix)]
const ACT: &[crate::verb::Verb] = &[crate::verb::Verb::Act];
