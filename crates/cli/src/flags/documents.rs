//! Rows: which documents are read, and what a run may use of the machine.

use super::{DIR, FIELD, FLAG, Flag, Kind, SIZE, of, text};
use crate::lens::Lens::{Chunks, Passages, Shingles, Simhash};
use crate::values;
use crate::verb::Verb::{
    self, Calibrate, Copies, Dedup, Files, IndexAdd, IndexBuild, IndexList, IndexMerge, IndexRemove, Moss, Query, Scan,
    SimhashBatch, SimhashBuild, SimhashFingerprint, SimhashIdf, SimhashLookup, SimhashNear, SimhashPlan, Sketch,
};
use clap::builder::ValueParser;

/// The verbs that read documents.
const READERS: &[Verb] =
    &[Scan, Dedup, Calibrate, Files, Copies, Sketch, SimhashFingerprint, SimhashIdf, IndexBuild, IndexAdd];
/// Those of them that take any paths, also on standard input.
const PATH_READERS: &[Verb] = &[Scan, Files, Copies, Sketch, SimhashFingerprint, SimhashIdf, IndexBuild, IndexAdd];
/// Those of them that read what people write, not any file.
const TEXT_READERS: &[Verb] =
    &[Scan, Dedup, Calibrate, Copies, Sketch, SimhashFingerprint, SimhashIdf, IndexBuild, IndexAdd];
/// The verbs that look through files of fingerprints.
const FINGERPRINT_FILES: &[Verb] = &[SimhashNear, SimhashBatch, SimhashBuild, SimhashLookup];
/// The verbs that can take long.
const RUNNERS: &[Verb] = &[
    Scan,
    Dedup,
    Calibrate,
    Files,
    Copies,
    Moss,
    Sketch,
    SimhashFingerprint,
    SimhashIdf,
    SimhashNear,
    SimhashBatch,
    SimhashBuild,
    IndexBuild,
    IndexAdd,
    IndexRemove,
    IndexMerge,
];

const INPUT: Flag = Flag { heading: "Input", ..FLAG };
const RUNNING: Flag = Flag { heading: "Running", transient: true, rare: true, ..FLAG };

pub(super) const ROWS: &[Flag] = &[
    Flag {
        name: "stdin",
        uses: &[
            of(PATH_READERS, "Read a list of paths from standard input, one a line"),
            of(&[IndexRemove], "Read names from standard input, one a line"),
        ],
        ..INPUT
    },
    Flag {
        name: "null",
        short: Some('0'),
        rare: true,
        requires: &["stdin"],
        uses: &[of(PATH_READERS, "With --stdin: paths end with NUL, as find -print0 writes them")],
        ..INPUT
    },
    Flag {
        name: "id-field",
        kind: FIELD,
        uses: &[
            of(READERS, "JSONL field with the document's id")
                .default("id")
                .more("Where it is missing the id is file:line. A field may be inside another: meta.url"),
            of(&[Query], "JSONL field with the id of a document of --batch").default("id"),
            of(FINGERPRINT_FILES, "Column of ids in Parquet").without("id"),
        ],
        ..INPUT
    },
    Flag {
        name: "text-field",
        kind: FIELD,
        uses: &[
            of(READERS, "JSONL field with the document's text").default("text"),
            of(&[Query], "JSONL field with the text of a document of --batch").default("text"),
        ],
        ..INPUT
    },
    Flag {
        name: "features-field",
        kind: FIELD,
        rare: true,
        conflicts: &["text-field", "format", "words"],
        uses: &[
            of(&[Scan, IndexBuild, IndexAdd], "JSONL field with an array of strings or numbers that are the features")
                .with(&[Shingles]),
            of(&[Query], "JSONL field with the features of --batch, for an index of features").with(&[Shingles]),
        ],
        ..INPUT
    },
    Flag {
        name: "category-field",
        kind: FIELD,
        uses: &[of(&[Scan], "Link only within the same value of this JSONL field")
            .with(&[Simhash])
            .more("Documents without it are linked only among themselves")],
        ..INPUT
    },
    Flag {
        name: "include",
        kind: Kind::Value("GLOB", text),
        repeats: true,
        uses: &[
            of(READERS, "Read only files that match (may be repeated, as --exclude)"),
            of(&[IndexList], "List only names that match; * is any text (may be repeated, as --exclude)"),
        ],
        ..INPUT
    },
    Flag {
        name: "exclude",
        kind: Kind::Value("GLOB", text),
        repeats: true,
        uses: &[
            of(READERS, "Leave out files and folders that match; wins over --include"),
            of(&[IndexList], "Leave out names that match; wins over --include"),
        ],
        ..INPUT
    },
    Flag { name: "hidden", rare: true, uses: &[of(READERS, "Read hidden files and folders too")], ..INPUT },
    Flag {
        name: "no-ignore",
        rare: true,
        uses: &[of(TEXT_READERS, "Do not obey .gitignore and .ignore files").with(&[Shingles, Simhash, Passages])],
        ..INPUT
    },
    Flag {
        name: "ignore-files",
        rare: true,
        uses: &[of(&[Scan, Files, Sketch, IndexBuild, IndexAdd], "Obey .gitignore and .ignore files").with(&[Chunks])],
        ..INPUT
    },
    Flag { name: "follow-links", rare: true, uses: &[of(READERS, "Follow symbolic links")], ..INPUT },
    Flag { name: "one-fs", rare: true, uses: &[of(READERS, "Stay on the file system of each folder")], ..INPUT },
    Flag {
        name: "min-size",
        kind: SIZE,
        rare: true,
        uses: &[
            of(READERS, "Leave out documents smaller than this").default("0"),
            of(&[IndexList], "Leave out documents smaller than this").default("0"),
            #[cfg(unix)]
            of(&[Verb::Act], "Leave files smaller than this alone").default("1"),
        ],
        ..INPUT
    },
    Flag {
        name: "max-size",
        kind: SIZE,
        rare: true,
        uses: &[
            of(READERS, "Leave out documents larger than this").default("64M"),
            of(&[IndexList], "Leave out documents larger than this"),
            of(&[Verb::Compare, Query, Verb::Holders, Verb::SimhashOnline], "Largest document that is read")
                .default("64M"),
        ],
        ..INPUT
    },
    Flag {
        name: "memory",
        kind: SIZE,
        uses: &[
            of(RUNNERS, "Memory to stay within").without("half of the machine's"),
            of(&[Verb::Compare], "Memory to stay within").without("half of the machine's"),
            of(&[Verb::Serve], "Memory to stay within: of requests, and of work in the background")
                .without("half of the machine's"),
            of(&[SimhashPlan], "Memory that the tables may take").without("half of the machine's"),
        ],
        ..RUNNING
    },
    Flag {
        name: "threads",
        short: Some('j'),
        kind: Kind::Value("N", || ValueParser::new(values::threads)),
        uses: &[
            of(RUNNERS, "Threads; 0 is one for each core").default("0"),
            of(&[Query], "Threads of --batch; 0 is one for each core").default("0"),
            of(&[Verb::Serve], "Threads for what is done in the background; 0 is one for each core").default("0"),
        ],
        ..RUNNING
    },
    Flag {
        name: "tmp",
        kind: DIR,
        uses: &[
            of(RUNNERS, "Folder for spill files").without("the system's"),
            of(&[Verb::Compare], "Folder for spill files").without("the system's"),
            of(&[Verb::Serve], "Folder for uploads and spill files").without("the system's"),
        ],
        ..RUNNING
    },
    Flag {
        name: "cache",
        own: true,
        kind: DIR,
        uses: &[of(
            &[Scan, Files],
            "Keep the chunks of files in this folder; the next scan reads only what has changed",
        )
        .with(&[Chunks])
        .more("A file is known by its path, size, times and inode. The report is the same")],
        ..RUNNING
    },
    Flag {
        name: "save",
        own: true,
        kind: Kind::Value("RUN", super::path),
        heading: "Output",
        rare: false,
        uses: &[
            of(&[Scan], "Keep sketches and pairs in this new folder, for lookalike recluster").with(&[Shingles]),
            of(&[Scan], "Keep the fingerprints in this new folder, for lookalike recluster").with(&[Simhash]),
            of(&[Scan, Files], "Keep the chunks in this new folder, for lookalike recluster").with(&[Chunks]),
        ],
        ..RUNNING
    },
];
