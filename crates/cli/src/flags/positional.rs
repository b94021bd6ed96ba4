//! Rows: arguments without a name.

use super::{FLAG, Flag, Kind, of, path, text};
use crate::verb::Verb::{
    Calibrate, Changes, Collapse, Compare, Completions, Copies, Dedup, Files, Holders, IndexAdd, IndexBuild, IndexInfo,
    IndexList, IndexMerge, IndexRemove, IndexSnapshot, IndexVerify, Lost, Man, Moss, Query, Recluster, Scan,
    SimhashBatch, SimhashBuild, SimhashFingerprint, SimhashIdf, SimhashLookup, SimhashNear, SimhashOnline, Sketch,
    TemplatesList, TemplatesMark, TemplatesShow, TemplatesUnmark,
};
use clap_complete::Shell;

pub(super) const ROWS: &[Flag] = &[
    Flag {
        name: "index",
        own: true,
        kind: Kind::Positional("INDEX", path),
        uses: &[
            of(&[IndexBuild], "The new folder").required(),
            of(&[IndexSnapshot], "The index, or a store of fingerprints").required(),
            of(
                &[
                    IndexAdd,
                    IndexRemove,
                    IndexInfo,
                    IndexList,
                    IndexMerge,
                    IndexVerify,
                    Query,
                    Lost,
                    Holders,
                    Changes,
                    Collapse,
                ],
                "The index",
            )
            .required(),
        ],
        ..FLAG
    },
    Flag {
        name: "copy",
        kind: Kind::Positional("COPY", path),
        uses: &[of(&[IndexSnapshot], "The new folder").required()],
        ..FLAG
    },
    Flag {
        name: "path",
        kind: Kind::Positionals("PATH", path),
        uses: &[
            of(
                &[Scan, Files, Sketch, SimhashFingerprint, SimhashIdf, IndexBuild, IndexAdd],
                "Folders, files, JSONL files (also .gz or .zst); - is JSONL on standard input",
            )
            .required_unless(&["stdin"]),
            of(&[Dedup, Calibrate], "Folders of shards, shards (Parquet, JSONL, CSV, Arrow, WARC, also .gz or .zst), archives, and globs of them").required(),
            of(&[Copies], "Folders, files, zip and tar files, JSONL files; - is JSONL on standard input")
                .required_unless(&["stdin"]),
        ],
        ..FLAG
    },
    Flag {
        name: "a",
        kind: Kind::Positional("A", path),
        uses: &[of(&[Compare], "The first document; - is standard input").required()],
        ..FLAG
    },
    Flag {
        name: "b",
        kind: Kind::Positional("B", path),
        uses: &[of(&[Compare], "The second document").required()],
        ..FLAG
    },
    Flag {
        name: "run",
        kind: Kind::Positional("RUN", path),
        uses: &[
            of(&[Recluster], "Folder written by lookalike scan --save").required(),
            of(&[TemplatesMark], "Folder written by lookalike files --save").required(),
            of(&[TemplatesList, TemplatesShow, TemplatesUnmark], "Folder written by lookalike files --save")
                .required_unless(&["templates"]),
        ],
        ..FLAG
    },
    Flag {
        name: "template",
        kind: Kind::Positional("NAME", text),
        uses: &[of(&[TemplatesShow, TemplatesUnmark], "The template's name").required()],
        ..FLAG
    },
    Flag {
        name: "document",
        kind: Kind::Positional("FILE", path),
        group: "question",
        conflicts: &["text-field", "id-field", "features-field", "threads", "stats"],
        uses: &[of(&[Query], "The document to ask for; - is standard input")],
        ..FLAG
    },
    Flag {
        name: "held",
        kind: Kind::Positional("FILE|URL", path),
        uses: &[of(&[Holders], "A URL or id that the index knows, or a file; - is standard input").required()],
        ..FLAG
    },
    Flag {
        name: "address",
        kind: Kind::Positional("URL", text),
        uses: &[of(&[Lost], "The URL or id").required_unless(&["all"])],
        ..FLAG
    },
    Flag {
        name: "urls",
        kind: Kind::Positionals("NAME", text),
        uses: &[of(&[IndexRemove], "URLs or ids").required_unless(&["stdin", "all"])],
        ..FLAG
    },
    Flag {
        name: "fingerprints",
        kind: Kind::Positional("FINGERPRINTS", path),
        uses: &[
            of(&[SimhashNear, SimhashBuild], "The fingerprints; - is standard input").required(),
            of(&[SimhashBatch], "The fingerprints that are looked through").required(),
        ],
        ..FLAG
    },
    Flag {
        name: "asked",
        kind: Kind::Positional("QUERIES", path),
        uses: &[of(&[SimhashBatch], "The fingerprints that are asked about; - is standard input").required()],
        ..FLAG
    },
    Flag {
        name: "store",
        kind: Kind::Positional("DIR", path),
        uses: &[
            of(&[SimhashLookup], "The folder").required(),
            of(&[SimhashOnline], "The folder of the store; made if it is not there").required(),
        ],
        ..FLAG
    },
    Flag {
        name: "fingerprint",
        kind: Kind::Positionals("FINGERPRINT", text),
        conflicts: &["queries"],
        uses: &[of(&[SimhashLookup], "Fingerprints of 16 hexadecimal digits (32 with --bits 128)")
            .required_unless(&["queries"])],
        ..FLAG
    },
    Flag {
        name: "programs",
        kind: Kind::Positionals("FILE", path),
        uses: &[of(&[Moss], "Programs to compare").required()],
        ..FLAG
    },
    #[cfg(unix)]
    Flag {
        name: "report",
        kind: Kind::Positional("REPORT", path),
        uses: &[of(
            &[crate::verb::Verb::Act],
            "A report as lookalike files --json writes it, or a decisions file of a page; - is standard input",
        )],
        ..FLAG
    },
    Flag {
        name: "shell",
        kind: Kind::Positional("SHELL", || clap::value_parser!(Shell).into()),
        uses: &[of(&[Completions], "Which shell").required()],
        ..FLAG
    },
    Flag {
        name: "folder",
        kind: Kind::Positional("DIR", path),
        uses: &[of(&[Man], "Write lookalike.1, lookalike-scan.1 … into this new folder")],
        ..FLAG
    },
];
