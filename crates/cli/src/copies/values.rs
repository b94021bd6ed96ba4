//! Values of flags: languages, shares, and how many may share a passage.

use crate::numbers;
use lookalike::copies::{MaxShare, Reading};

/// A value of --lang.
pub(super) fn reading(text: &str) -> Result<Reading, String> {
    match text {
        "" => Err("expected auto, text, bytes or a language such as python, found nothing".to_owned()),
        "auto" => Ok(Reading::Auto),
        "text" => Ok(Reading::Prose),
        "bytes" => Ok(Reading::Bytes),
        name => Ok(Reading::Language(name.to_lowercase())),
    }
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

/// A value of --max-share.
pub(super) fn max_share(text: &str) -> Result<MaxShare, String> {
    if text == "off" {
        return Ok(MaxShare::Off);
    }
    if text.ends_with('%') {
        return numbers::percent(text).map(MaxShare::Share);
    }
    // what two share is what is looked for
    let most = text.parse().ok().filter(|most| *most >= 2);
    most.map(MaxShare::Submissions).ok_or_else(|| {
        format!("expected a number of submissions of at least 2, a percentage such as 10%, or off, found {text:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings() {
        assert_eq!(["auto", "text", "bytes"].map(reading), [Ok(Reading::Auto), Ok(Reading::Prose), Ok(Reading::Bytes)]);
        assert_eq!(reading("Python"), Ok(Reading::Language("python".into())));
        assert!(reading("").is_err());
    }

    #[test]
    fn shares() {
        assert_eq!(["0", "0.25", "1"].map(share), [Ok(0.0), Ok(0.25), Ok(1.0)]);
        for wrong in ["-0.1", "1.1", "nan", "inf", "half", "", "%", "200%"] {
            assert!(share(wrong).is_err_and(|e| !e.contains("write")), "{wrong}");
        }
        assert!(share("25%").is_err_and(|e| e.ends_with("write 0.25")));
    }

    #[test]
    fn how_many_may_share_a_passage() {
        assert_eq!(
            ["off", "2", "10", "10%", "0.5%"].map(max_share),
            [
                Ok(MaxShare::Off),
                Ok(MaxShare::Submissions(2)),
                Ok(MaxShare::Submissions(10)),
                Ok(MaxShare::Share(0.1)),
                Ok(MaxShare::Share(0.005))
            ]
        );
        for wrong in ["0", "1", "-3", "0.1", "101%", "0%", "many", "", "%"] {
            assert!(max_share(wrong).is_err(), "{wrong}");
        }
    }
}
