//! Rows: what a server is told.

use super::{COUNT, FILE, FLAG, Flag, Kind, SIZE, of, path, text};
use crate::values;
use crate::verb::Verb::Serve;
use clap::builder::{PossibleValuesParser, ValueParser};
use std::net::SocketAddr;

const ACCESS: Flag = Flag { heading: "Who may ask", ..FLAG };
const LIMITS: Flag = Flag { heading: "Limits", rare: true, ..FLAG };
const LOG: Flag = Flag { heading: "Log", ..FLAG };

pub(super) const ROWS: &[Flag] = &[
    Flag {
        name: "served",
        kind: Kind::Positionals("INDEX", path),
        uses: &[of(&[Serve], "Indexes, stores of fingerprints, saved runs of chunks").required()],
        ..FLAG
    },
    Flag {
        name: "listen",
        kind: Kind::Value("ADDRESS", || clap::value_parser!(SocketAddr).into()),
        uses: &[of(&[Serve], "Address and port").default("127.0.0.1:7777").more("Port 0 takes any that is free")],
        ..ACCESS
    },
    Flag {
        name: "token-file",
        kind: FILE,
        uses: &[of(&[Serve], "Tokens, one a line: \"read TOKEN\" or \"write TOKEN\"").more(
            "Requests bring one as \"Authorization: Bearer TOKEN\". Needed for any address that others can reach",
        )],
        ..ACCESS
    },
    Flag {
        name: "host",
        kind: Kind::Value("NAME", text),
        repeats: true,
        uses: &[of(&[Serve], "A name by which the server is asked, beside localhost and addresses (may be repeated)")
            .more("Other names are refused: somebody else's page could pretend to be this server by its DNS")],
        ..ACCESS
    },
    Flag {
        name: "read-only",
        uses: &[of(&[Serve], "Change nothing, and take no lock: others may change what is served")
            .more("A store is served as it was when the server started")],
        ..ACCESS
    },
    Flag {
        name: "texts",
        uses: &[of(&[Serve], "Show texts of documents that can still be read where they were indexed, side by side")
            .more(
                "Whoever may ask may then read them. An index keeps no texts: what is gone or was changed is not shown",
            )],
        ..ACCESS
    },
    Flag {
        name: "insecure",
        conflicts: &["token-file"],
        uses: &[of(&[Serve], "Listen where others can reach it without tokens: everybody may ask and change")],
        rare: true,
        ..ACCESS
    },
    Flag {
        name: "max-body",
        kind: SIZE,
        uses: &[of(&[Serve], "Largest document or line of a batch").default("16M")],
        ..LIMITS
    },
    Flag {
        name: "max-upload",
        kind: SIZE,
        uses: &[of(&[Serve], "Largest upload of submissions; it goes to the disk").default("1G")],
        ..LIMITS
    },
    Flag {
        name: "max-requests",
        kind: COUNT,
        uses: &[of(&[Serve], "Requests at once; more are told to come back").default("512")],
        ..LIMITS
    },
    Flag {
        name: "request-time",
        kind: Kind::Value("SECONDS", || ValueParser::new(values::large_number)),
        uses: &[of(&[Serve], "How long a request may take").default("60")],
        ..LIMITS
    },
    Flag {
        name: "log-level",
        kind: Kind::Value("LEVEL", || PossibleValuesParser::new(["off", "error", "warn", "info", "debug"]).into()),
        uses: &[of(&[Serve], "What the log on standard error tells; debug: every request").default("info")],
        ..LOG
    },
    Flag { name: "log-json", uses: &[of(&[Serve], "The log as JSON, one object a line")], ..LOG },
];
