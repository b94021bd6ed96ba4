//! Hexadecimal or decimal: decided once for the whole file, and every line held to it.
//!
//! The rule, in this order, over the lines at the beginning of the file (1 MiB of them):
//! 1. What the caller says, or the extension `.hex` or `.dec`, decides.
//! 2. A fingerprint with `0x` makes the file hexadecimal; then every one must have it.
//! 3. One of the letters a–f makes it hexadecimal.
//! 4. More digits than the hexadecimal form can have (16, or 32 for 128 bits), or a minus sign, make it decimal.
//! 5. If all have exactly that many digits, it is hexadecimal; then every one must.
//! 6. All else could be either and is an error that asks the caller.
//!
//! Whatever was decided, no later line changes it: one that does not fit is an error.

use super::error::{ExpectedDigits, FileProblem, Position, shown};
use super::layout::Digits;
use lookalike_core::bits::FingerprintBits;

/// How the fingerprints of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DigitRule {
    pub(super) digits: Digits,
    /// Whether all have `0x`, or none; `None` if both will do.
    prefix: Option<bool>,
    /// Whether all have all digits.
    full: bool,
}

impl DigitRule {
    /// What the user says.
    pub(super) fn given(digits: Digits) -> DigitRule {
        DigitRule { digits, prefix: None, full: false }
    }

    /// Hexadecimal with all its digits: what a column of text is taken for.
    #[cfg(feature = "tables")]
    pub(super) fn full() -> DigitRule {
        DigitRule { digits: Digits::Hex, prefix: None, full: true }
    }

    /// The rule that the fingerprints at the beginning of a file follow.
    pub(super) fn decide<'a, P: FingerprintBits>(
        head: impl Iterator<Item = (Position, &'a [u8])>,
    ) -> Result<DigitRule, FileProblem> {
        let (mut prefixed, mut letters, mut decimal) = (false, false, false);
        let mut odd = None;
        for (at, word) in head {
            let (negative, rest) = strip(word, b"-");
            let (prefix, rest) = strip_prefix(rest);
            if rest.is_empty() || !rest.iter().all(u8::is_ascii_hexdigit) || (negative && prefix) {
                return Err(FileProblem::NotAFingerprint { at, digits: ExpectedDigits::Either, found: shown(word) });
            }
            prefixed |= prefix;
            letters |= !rest.iter().all(u8::is_ascii_digit);
            decimal |= negative || rest.len() > P::DIGITS;
            if rest.len() != P::DIGITS {
                odd.get_or_insert((at, word));
            }
        }
        let rule = |digits, full| DigitRule { digits, prefix: Some(prefixed), full };
        match odd {
            _ if prefixed || letters => Ok(rule(Digits::Hex, false)),
            _ if decimal => Ok(rule(Digits::Decimal, false)),
            None => Ok(rule(Digits::Hex, true)),
            Some((at, word)) => Err(FileProblem::Ambiguous { at, found: shown(word) }),
        }
    }

    /// One fingerprint, written as all the others.
    #[inline]
    pub(super) fn parse<P: FingerprintBits>(self, at: impl Fn() -> Position, word: &[u8]) -> Result<P, FileProblem> {
        match self.digits {
            Digits::Hex => {
                let (prefix, digits) = strip_prefix(word);
                let fits = digits.len() == P::DIGITS || (!self.full && (1..P::DIGITS).contains(&digits.len()));
                if fits
                    && self.prefix.is_none_or(|all| all == prefix)
                    && let Some(fingerprint) = P::from_hex(digits)
                {
                    return Ok(fingerprint);
                }
            }
            Digits::Decimal => {
                let (negative, digits) = strip(word, b"-");
                if digits.iter().all(u8::is_ascii_digit)
                    && let Ok(digits) = std::str::from_utf8(digits)
                    && let Some(fingerprint) = P::from_decimal(digits, negative)
                {
                    return Ok(fingerprint);
                }
            }
        }
        Err(self.refuse::<P>(at(), word))
    }

    /// Why this is none.
    #[cold]
    fn refuse<P: FingerprintBits>(self, at: Position, word: &[u8]) -> FileProblem {
        let (found, digits) = (shown(word), self.digits);
        let (prefix, hex) = strip_prefix(word);
        let is_number = |digits: &[u8], is_digit: fn(&u8) -> bool| !digits.is_empty() && digits.iter().all(is_digit);
        match digits {
            Digits::Hex if !is_number(hex, u8::is_ascii_hexdigit) => {}
            Digits::Hex if hex.len() > P::DIGITS => return FileProblem::TooWide { at, digits, found, bits: P::WIDTH },
            Digits::Hex if self.prefix.is_some_and(|all| all != prefix) => {
                let expected = if prefix { "no 0x" } else { "a number with 0x" };
                return FileProblem::Mixed { at, found, expected };
            }
            Digits::Hex => return FileProblem::Mixed { at, found, expected: "all digits, with zeros in front," },
            Digits::Decimal if !is_number(strip(word, b"-").1, u8::is_ascii_digit) => {}
            Digits::Decimal => return FileProblem::TooWide { at, digits, found, bits: P::WIDTH },
        }
        FileProblem::NotAFingerprint { at, digits: ExpectedDigits::Known(digits), found }
    }
}

fn strip<'a>(word: &'a [u8], prefix: &[u8]) -> (bool, &'a [u8]) {
    word.strip_prefix(prefix).map_or((false, word), |rest| (true, rest))
}

#[inline]
fn strip_prefix(word: &[u8]) -> (bool, &[u8]) {
    match word {
        [b'0', b'x' | b'X', rest @ ..] => (true, rest),
        _ => (false, word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<P: FingerprintBits>(text: &str) -> Result<Vec<P>, FileProblem> {
        let words = || text.split(' ').zip(1..).map(|(word, line)| (Position::Line(line), word.as_bytes()));
        let rule = DigitRule::decide::<P>(words())?;
        words().map(|(at, word)| rule.parse(|| at, word)).collect()
    }

    #[test]
    fn the_rule() {
        assert_eq!(read::<u64>("0x10 0X2"), Ok(vec![16, 2]));
        assert_eq!(read::<u64>("10 2 fF"), Ok(vec![16, 2, 255]));
        assert_eq!(read::<u64>("12345678901234567 10"), Ok(vec![12_345_678_901_234_567, 10]));
        assert_eq!(read::<u64>("-1 10"), Ok(vec![u64::MAX, 10]));
        assert_eq!(read::<u64>("0000000000000010 1000000000000000"), Ok(vec![16, 1 << 60]), "all 16 digits: hex");
        assert_eq!(read::<u128>("00000000000000000000000000000010"), Ok(vec![16]));
        assert_eq!(read::<u128>("340282366920938463463374607431768211455"), Ok(vec![u128::MAX]));
        let ambiguous =
            |line, found: &str| Err(FileProblem::Ambiguous { at: Position::Line(line), found: found.into() });
        assert_eq!(read::<u64>("0000000000000010 5"), ambiguous(2, "5"));
        assert_eq!(read::<u128>("12345678901234567"), ambiguous(1, "12345678901234567").map(|_| Vec::new()));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (at, found) = (Position::Line(2), String::from);
        assert_eq!(
            read::<u64>("0x10 2"),
            Err(FileProblem::Mixed { at, found: found("2"), expected: "a number with 0x" })
        );
        let wide = |digits, word| Err(FileProblem::TooWide { at, digits, found: found(word), bits: 64 });
        assert_eq!(read::<u64>("a 12345678901234567"), wide(Digits::Hex, "12345678901234567"));
        assert_eq!(read::<u64>("-1 18446744073709551616"), wide(Digits::Decimal, "18446744073709551616"));
        assert_eq!(read::<u64>("-1 -9223372036854775809"), wide(Digits::Decimal, "-9223372036854775809"));
        let none = |digits, word| Err(FileProblem::NotAFingerprint { at, digits, found: found(word) });
        for word in ["", "-", "0x", "id", "-0x1", "+1", "1.5"] {
            assert_eq!(read::<u64>(&format!("a {word}")), none(ExpectedDigits::Either, word));
        }
        assert_eq!(read::<u64>("a -1"), none(ExpectedDigits::Known(Digits::Hex), "-1"));
        let later = |rule: DigitRule, word: &str| rule.parse::<u64>(|| at, word.as_bytes());
        assert_eq!(
            later(DigitRule::given(Digits::Decimal), "ff"),
            none(ExpectedDigits::Known(Digits::Decimal), "ff").map(|_| 0)
        );
        assert!(matches!(later(DigitRule::full(), "ff"), Err(FileProblem::Mixed { .. })));
        let sixteen = DigitRule::decide::<u64>([(Position::Line(1), &b"0000000000000010"[..])].into_iter()).unwrap();
        assert!(
            matches!(later(sixteen, "5"), Err(FileProblem::Mixed { .. })),
            "it was taken for hex for its 16 digits alone"
        );
        assert!(matches!(later(sixteen, "12345678901234567"), Err(FileProblem::TooWide { .. })));
    }
}
