//! Sizes as people write them: `64M`, `2G`, `1500`.

/// Bytes; K, M, G and T are powers of 1024.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
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
    use super::parse;

    #[test]
    fn sizes() {
        assert_eq!(
            ["1500", "64M", "2g", "1.5K", "8GiB", "10 MB"].map(parse),
            [Ok(1500), Ok(64 << 20), Ok(2 << 30), Ok(1536), Ok(8 << 30), Ok(10 << 20)]
        );
        for wrong in ["", "M", "-1", "12X", "1e300", "nan"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
