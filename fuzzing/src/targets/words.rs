//! Arbitrary text cut into words: the fast walk over ASCII and wide stretches against the definition.

use caseless::Caseless;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::shingle::Batches;
use lookalike_core::text::{canonical, words};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

pub(crate) fn fuzz(bytes: &[u8]) {
    check(&String::from_utf8_lossy(bytes));
    // as UTF-16 a changed byte is another character of the same or another script, hardly ever a broken one
    let units = bytes.as_chunks().0.iter().map(|unit| u16::from_be_bytes(*unit));
    check(&char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>());
}

fn check(text: &str) {
    let fp = FeatureHasher::default();
    let found = words(text, &fp);
    // what compare and reports slice the text by
    let mut last = 0;
    for word in &found {
        assert!(text.get(word.span.clone()).is_some_and(|s| !s.is_empty()), "{text:?}: {:?}", word.span);
        assert!(word.span.start >= last, "{text:?}: {:?} after {last}", word.span);
        last = word.span.start;
    }
    // what sketches are made of
    let hashes: Vec<u64> = found.iter().map(|word| word.hash).collect();
    let mut streamed: Vec<u64> = Vec::new();
    Batches::default().for_each(text, &fp, |hashes| streamed.extend(hashes));
    assert_eq!(streamed, hashes, "{text:?}");
    let naive = naive(text);
    assert_eq!(naive.iter().map(|word| fp.word(word.as_bytes())).collect::<Vec<_>>(), hashes, "{text:?}: {naive:?}");
    let once = canonical(text);
    assert_eq!(once, naive.join(" "), "{text:?}");
    assert_eq!(canonical(&once), once, "{text:?}");
}

/// The definition of a word, as in the tests of the core, with no regard to speed.
fn naive(text: &str) -> Vec<String> {
    let plain = text.chars().map(fold_punctuation).nfkc().default_case_fold();
    let folded: String = plain.filter(|c| !is_invisible(*c)).map(fold_punctuation).nfkc().collect();
    let punctuation = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_';
    folded.unicode_words().map(|word| word.trim_start_matches(punctuation).to_owned()).collect()
}

/// `Default_Ignorable_Code_Point` of Unicode, taken from its tables and not from the core.
fn is_invisible(c: char) -> bool {
    const RANGES: [(u32, u32); 17] = [
        (0xad, 0xad),
        (0x34f, 0x34f),
        (0x61c, 0x61c),
        (0x115f, 0x1160),
        (0x17b4, 0x17b5),
        (0x180b, 0x180f),
        (0x200b, 0x200f),
        (0x202a, 0x202e),
        (0x2060, 0x206f),
        (0x3164, 0x3164),
        (0xfe00, 0xfe0f),
        (0xfeff, 0xfeff),
        (0xffa0, 0xffa0),
        (0xfff0, 0xfff8),
        (0x1bca0, 0x1bca3),
        (0x1d173, 0x1d17a),
        (0xe0000, 0xe0fff),
    ];
    RANGES.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(c)))
}

/// What Unicode's list of confusables says of punctuation that stands inside words.
fn fold_punctuation(c: char) -> char {
    const FORMS: [(char, &str); 8] = [
        ('\'', "´ʹʻʼʽʾʿˈˊˋ˴\u{374}΄՚׳ߴߵ᾽᾿\u{1ffd}῾‘’‛′‵Ꞌꞌ"),
        ('"', "ʺ˝ˮ˶״“”„‟″‶"),
        (',', "¸،؍٫٬߸‚⸲"),
        (';', "؛⸵"),
        (':', "˸։׃܃܄᛬᠃᠉⁚∶꞉"),
        ('·', "‧∙⋅⸱"),
        ('-', "˗֊"),
        ('/', "⁄"),
    ];
    FORMS.iter().find(|(_, forms)| forms.contains(c)).map_or(c, |(plain, _)| *plain)
}
