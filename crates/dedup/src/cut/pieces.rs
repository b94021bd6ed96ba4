//! The pieces of a text: its paragraphs or its lines.

use crate::cut::options::PieceUnit;
use std::ops::Range;

/// Calls `each` with the bytes of every piece, in order. A piece has its last newline; what is blank is between pieces.
pub(crate) fn for_each_piece(text: &str, unit: PieceUnit, mut each: impl FnMut(Range<usize>)) {
    let mut at = 0;
    let mut paragraph: Option<Range<usize>> = None;
    for line in text.split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        let is_blank = line.trim().is_empty();
        match unit {
            PieceUnit::Line if is_blank => {}
            PieceUnit::Line => each(span),
            PieceUnit::Paragraph if is_blank => paragraph.take().into_iter().for_each(&mut each),
            PieceUnit::Paragraph => paragraph.get_or_insert(span.clone()).end = span.end,
        }
    }
    paragraph.into_iter().for_each(each);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces(text: &str, unit: PieceUnit) -> Vec<&str> {
        let mut pieces = Vec::new();
        for_each_piece(text, unit, |span| pieces.push(&text[span]));
        pieces
    }

    #[test]
    fn paragraphs_are_between_blank_lines() {
        let text = "\n \t\none\ntwo\n\n\nthree\r\n\r\n\u{a0}\n猫\nfour";
        assert_eq!(pieces(text, PieceUnit::Paragraph), ["one\ntwo\n", "three\r\n", "猫\nfour"]);
        assert_eq!(pieces(text, PieceUnit::Line), ["one\n", "two\n", "three\r\n", "猫\n", "four"]);
        for unit in [PieceUnit::Paragraph, PieceUnit::Line] {
            assert!(pieces("", unit).is_empty() && pieces("\n \n", unit).is_empty());
        }
    }

    proptest! {
        #[test]
        fn what_is_in_no_piece_is_blank(text in "[a \n\r]{0,40}") {
            for unit in [PieceUnit::Paragraph, PieceUnit::Line] {
                let (mut at, mut pieces) = (0, 0);
                for_each_piece(&text, unit, |span| {
                    assert!(text[at..span.start].trim().is_empty() && !text[span.clone()].trim().is_empty());
                    (at, pieces) = (span.end, pieces + 1);
                });
                prop_assert!(text[at..].trim().is_empty());
                let lines: Vec<bool> = text.lines().map(|line| !line.trim().is_empty()).collect();
                let expected = match unit {
                    PieceUnit::Line => lines.iter().filter(|line| **line).count(),
                    PieceUnit::Paragraph => lines.split(|line| !line).filter(|run| !run.is_empty()).count(),
                };
                prop_assert_eq!(pieces, expected);
            }
        }
    }
}
