//! Rows: what only `calibrate` asks.

use super::{COUNT, FILE, FLAG, Flag, Kind, of};
use crate::values;
use crate::verb::Verb::Calibrate;
use clap::builder::ValueParser;

const SAMPLE: Flag = Flag { heading: "Sample", ..FLAG };
const POSITIVE_SHARE: Kind = Kind::Value("SHARE", || ValueParser::new(values::positive_share));

pub(super) const ROWS: &[Flag] = &[
    Flag {
        name: "explore",
        kind: POSITIVE_SHARE,
        uses: &[of(&[Calibrate], "Look at all pairs from this resemblance on, at most 0.95")
            .default("0.3")
            .more("Recall is the share of the same pairs from here on. Less takes longer: there are more such pairs")],
        ..SAMPLE
    },
    Flag {
        name: "per-stratum",
        kind: COUNT,
        uses: &[of(&[Calibrate], "Pairs to draw from each twentieth of resemblance")
            .default("100")
            .more("More make narrower intervals. A larger sample holds every pair of a smaller one")],
        ..SAMPLE
    },
    Flag {
        name: "judged",
        kind: FILE,
        repeats: true,
        uses: &[of(&[Calibrate], "What people said of the pairs: a file that the page exports (may be repeated)")
            .without("judged by how their words align")
            .more("JSON, or CSV with the columns a, b and judgement. Two people who disagree leave a pair unsure")],
        ..SAMPLE
    },
    Flag {
        name: "precision",
        kind: POSITIVE_SHARE,
        uses: &[of(&[Calibrate], "Suggest the lowest threshold at which at least this share of the pairs is the same")
            .default("0.95")
            .more("By the lower end of its 95% interval")],
        ..SAMPLE
    },
];
