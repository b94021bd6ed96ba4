//! Values of flags, as people write them.

use crate::lens::Lens;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use lookalike::Linkage;
use lookalike::dedup::Preset;
use lookalike::hamming::MAX_DISTANCE;
use lookalike::relation::{Disagreement, Relation};
use lookalike::templates::{MAX_MEAN, MIN_MEAN};
use lookalike::{Reading, Selectors, TextRecipe};
use lookalike_report::FORMS;

/// From how many documents on a feature is too frequent to tell anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MaxDf {
    /// Never.
    Off,
    /// This many documents.
    Documents(u32),
    /// This share of all documents.
    Share(f64),
}

/// Which document of a cluster represents it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Longest,
    Newest,
    First,
    /// The first that matches.
    Glob(String),
}

/// What files are called in an exchange file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamesForm {
    Plain,
    Hash,
}

/// A choice of words, each with its help.
fn choice<T: Clone + Send + Sync + 'static>(choices: &'static [(&'static str, &'static str, T)]) -> ValueParser {
    let possible = choices.iter().map(|(name, help, _)| match *help {
        "" => PossibleValue::new(*name),
        help => PossibleValue::new(*name).help(help),
    });
    let value = |name: String| choices.iter().find(|(known, ..)| *known == name).map(|(.., value)| value.clone());
    PossibleValuesParser::new(possible).map(move |name| value(name).expect("one of the possible values")).into()
}

pub(crate) fn linkage() -> ValueParser {
    choice(&[
        ("star", "Every member is compared with the representative", Linkage::Star),
        ("single", "Connected components: chains join what does not resemble", Linkage::Single),
    ])
}

/// Forms of the report that have flags of their own.
const FORMS_WITH_FLAGS: [&str; 7] = ["terminal", "json", "ndjson", "csv", "xlsx", "html", "sarif"];

/// Any other form of the report.
pub(crate) fn report_format() -> ValueParser {
    let other = FORMS.iter().filter(|form| !FORMS_WITH_FLAGS.contains(&form.name));
    PossibleValuesParser::new(other.map(|form| PossibleValue::new(form.name).help(form.about))).into()
}

pub(crate) fn names_form() -> ValueParser {
    choice(&[
        ("plain", "By their paths", NamesForm::Plain),
        ("hash", "By a hash of each part of the path: folders can still be told apart", NamesForm::Hash),
    ])
}

/// Format of documents.
pub(crate) fn format() -> ValueParser {
    PossibleValuesParser::new(TextRecipe::FORMATS).into()
}

pub(crate) fn boilerplate() -> ValueParser {
    PossibleValuesParser::new(["drop", "keep"]).into()
}

/// CSS selectors, as they are written.
pub(crate) fn selectors() -> ValueParser {
    ValueParser::new(|text: &str| text.parse::<Selectors>().map(|selectors| selectors.to_string()))
}

pub(crate) fn candidates() -> ValueParser {
    use lookalike::report::Candidates;
    choice(&[
        ("shingles", "By counting common shingles of the sketches", Candidates::Shingles),
        ("super", "By one common super shingle: less work; misses containment and some near pairs", Candidates::Super),
    ])
}

/// Bits of a fingerprint.
pub(crate) fn bits() -> ValueParser {
    choice(&[("64", "", 64u32), ("128", "", 128)])
}

/// A lens; help lists those that a verb takes.
pub(crate) fn lens(taken: &[Lens]) -> ValueParser {
    let possible = Lens::ALL.map(|lens| {
        let value = PossibleValue::new(lens.name()).help(crate::lens::help(lens));
        value.hide(!taken.contains(&lens))
    });
    PossibleValuesParser::new(possible).map(|name| name.parse::<Lens>().expect("one of the possible values")).into()
}

/// What two documents are to each other.
pub(crate) fn relation() -> ValueParser {
    choice(&[
        ("identical", "The same bytes", Relation::Identical),
        ("same-text", "The same text in another form", Relation::SameText),
        ("small-errors", "The same text with many small errors: OCR, transcription", Relation::SmallErrors),
        ("version", "One is an updated version of the other", Relation::Version),
        ("a-in-b", "The first is inside the second", Relation::AInB),
        ("b-in-a", "The second is inside the first", Relation::BInA),
        ("passages", "They share passages", Relation::Passages),
        ("template", "They share only a template", Relation::Template),
        ("unrelated", "Nothing that tells, though a lens thought so", Relation::Unrelated),
    ])
}

/// How lenses disagree.
pub(crate) fn disagreement() -> ValueParser {
    choice(&[
        ("reformatted", "Near by words, far by bytes", Disagreement::Reformatted),
        ("template", "Near by bytes, far by words", Disagreement::Template),
        ("false-alarm", "Near by fingerprint, far by words", Disagreement::FalseAlarm),
        ("quotation", "Passages only", Disagreement::Quotation),
    ])
}

/// A number that is not zero.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| format!("expected a number of at least 1, found {text:?}"))
}

/// How many, such as 8e9.
pub(crate) fn large_number(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a number such as 100000000 or 8e9, found {text:?}");
    let number: f64 = text.replace('_', "").parse().map_err(|_| wrong())?;
    if (1.0..=1e15).contains(&number) { Ok(number as u64) } else { Err(wrong()) }
}

/// A share from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let wrong = || format!("expected a share from 0 to 1, such as 0.2, found {text:?}");
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| match text.strip_suffix('%') {
        Some(percent) => match percent.trim().parse::<f64>() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => format!("{}; write {}", wrong(), percent / 100.0),
            _ => wrong(),
        },
        None => wrong(),
    })
}

/// A share of more than nothing.
pub(crate) fn positive_share(text: &str) -> Result<f64, String> {
    let positive = share(text).ok().filter(|share| *share > 0.0);
    match (positive, share(text)) {
        (Some(share), _) => Ok(share),
        (None, Ok(_)) => Err(format!("expected a share of more than 0 and at most 1, found {text:?}")),
        (None, Err(wrong)) => Err(wrong),
    }
}

/// A share, or none: `off`.
pub(crate) fn share_or_off(text: &str) -> Result<Option<f64>, String> {
    if text == "off" {
        return Ok(None);
    }
    let hint =
        |wrong: String| wrong.rsplit_once("; write ").map_or_else(String::new, |(_, share)| format!("; write {share}"));
    positive_share(text)
        .map(Some)
        .map_err(|wrong| format!("expected off or a share such as 0.9, found {text:?}{}", hint(wrong)))
}

/// A whole number is a number of documents; with a dot it is a share of all.
pub(crate) fn max_df(text: &str) -> Result<MaxDf, String> {
    let wrong = || {
        format!(
            "expected a number of documents such as 1000, a share of them with a dot such as 0.1, or off, found {text:?}"
        )
    };
    match text {
        "off" => Ok(MaxDf::Off),
        _ if text.contains('.') => positive_share(text).map(MaxDf::Share).map_err(|_| wrong()),
        _ => text.parse().ok().filter(|n| *n > 0).map(MaxDf::Documents).ok_or_else(wrong),
    }
}

pub(crate) fn keep(text: &str) -> Result<Keep, String> {
    match text {
        "" => Err("expected longest, newest, first or a glob such as 'originals/**', found nothing".to_owned()),
        "longest" => Ok(Keep::Longest),
        "newest" => Ok(Keep::Newest),
        "first" => Ok(Keep::First),
        glob => Ok(Keep::Glob(glob.to_owned())),
    }
}

/// What is compared as one.
pub(crate) fn piece_unit() -> ValueParser {
    PossibleValuesParser::new(["paragraph", "line"]).into()
}

/// Pipelines that people know by name.
pub(crate) fn preset() -> ValueParser {
    PossibleValuesParser::new(Preset::ALL.map(|preset| preset.name)).into()
}

/// Threads; 0 is one for each core.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    const MAX_THREADS: usize = 1024;
    let wrong = || format!("expected a number from 0 to {MAX_THREADS}, found {text:?}");
    text.parse().ok().filter(|threads| *threads <= MAX_THREADS).ok_or_else(wrong)
}

/// A secret. An empty one is most likely a variable of the shell that is not set: nobody wants to work without a key by accident.
pub(crate) fn secret(text: &str) -> Result<String, String> {
    match text {
        "" => Err("expected a secret, found none; check the variable, or leave out the key".to_owned()),
        secret => Ok(secret.to_owned()),
    }
}

/// A number of bits in which two fingerprints differ.
pub(crate) fn distance(text: &str) -> Result<u32, String> {
    let wrong = || format!("expected a number from 0 to {MAX_DISTANCE}, found {text:?}");
    text.parse().ok().filter(|k| *k <= MAX_DISTANCE).ok_or_else(wrong)
}

/// A mean length of chunks.
pub(crate) fn mean_chunk(text: &str) -> Result<u32, String> {
    let range = u64::from(MIN_MEAN)..=u64::from(MAX_MEAN);
    let bytes = size(text)?;
    let mean = u32::try_from(bytes).ok().filter(|_| range.contains(&bytes));
    mean.ok_or_else(|| format!("expected a mean from {MIN_MEAN} to {MAX_MEAN} bytes, found {text:?}"))
}

/// What files of submissions are read as.
pub(crate) fn reading(text: &str) -> Result<Reading, String> {
    match text {
        "" => Err("expected auto, text, bytes or a language such as python, found nothing".to_owned()),
        "auto" => Ok(Reading::Auto),
        "text" => Ok(Reading::Prose),
        "bytes" => Ok(Reading::Bytes),
        name => Ok(Reading::Language(name.to_lowercase())),
    }
}

/// Bytes, such as `64M`, `2G` or `1500`; K, M, G and T are powers of 1024.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a size such as 64M or 2G, found {text:?}");
    let bare = text.trim().trim_end_matches(['b', 'B']).trim_end_matches(['i']);
    let (digits, shift) = match bare.char_indices().last() {
        Some((at, unit)) if unit.is_ascii_alphabetic() => {
            let shift = match unit.to_ascii_uppercase() {
                'K' => 10,
                'M' => 20,
                'G' => 30,
                'T' => 40,
                _ => return Err(wrong()),
            };
            (&bare[..at], shift)
        }
        _ => (bare, 0),
    };
    let number: f64 = digits.trim().parse().map_err(|_| wrong())?;
    let bytes = number * (1u64 << shift) as f64;
    if bytes.is_finite() && (0.0..1e18).contains(&bytes) { Ok(bytes as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(
            ["1500", "64M", "2g", "1.5K", "8GiB", "10 MB"].map(size),
            [Ok(1500), Ok(64 << 20), Ok(2 << 30), Ok(1536), Ok(8 << 30), Ok(10 << 20)]
        );
        for wrong in ["", "M", "-1", "12X", "1e300", "nan"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shares() {
        assert_eq!(["0", "0.25", "1"].map(share), [Ok(0.0), Ok(0.25), Ok(1.0)]);
        for wrong in ["-0.1", "1.1", "nan", "inf", "half", "", "%", "200%"] {
            assert!(share(wrong).is_err_and(|e| !e.contains("write")), "{wrong}");
        }
        assert!(share("25%").is_err_and(|e| e.ends_with("write 0.25")));
        assert_eq!(["off", "0.9", "1"].map(share_or_off), [Ok(None), Ok(Some(0.9)), Ok(Some(1.0))]);
        assert!(["0", "90", "some"].iter().all(|wrong| share_or_off(wrong).is_err()));
        assert!(share_or_off("90%").is_err_and(|e| e.ends_with("write 0.9")));
    }

    #[test]
    fn document_frequencies() {
        assert_eq!(
            ["off", "1", "1000", "0.1", "1.0"].map(max_df),
            [
                Ok(MaxDf::Off),
                Ok(MaxDf::Documents(1)),
                Ok(MaxDf::Documents(1000)),
                Ok(MaxDf::Share(0.1)),
                Ok(MaxDf::Share(1.0))
            ]
        );
        for wrong in ["0", "0.0", "-3", "1.5", "10%", "many", "", "1e3", "nan"] {
            assert!(max_df(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn means() {
        assert_eq!(["64", "1000", "1K", "1M"].map(mean_chunk), [Ok(64), Ok(1000), Ok(1024), Ok(1 << 20)]);
        for wrong in ["63", "10", "0", "1048577", "2M", "1T", "", "much"] {
            assert!(mean_chunk(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn readings() {
        assert_eq!(["auto", "text", "bytes"].map(reading), [Ok(Reading::Auto), Ok(Reading::Prose), Ok(Reading::Bytes)]);
        assert_eq!(reading("Python"), Ok(Reading::Language("python".into())));
        assert!(reading("").is_err());
    }

    #[test]
    fn who_represents() {
        assert_eq!(keep("newest"), Ok(Keep::Newest));
        assert_eq!(keep("originals/**"), Ok(Keep::Glob("originals/**".into())));
        assert!(keep("").is_err());
    }
}
