use super::*;
use caseless::Caseless;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// The definition of the canonical form, with no regard to speed. A combining mark that follows ASCII punctuation or
/// white space belongs to a word, not to the punctuation.
fn naive(text: &str) -> Vec<String> {
    let plain: String = text.chars().map(unicode::fold_punctuation).nfkc().default_case_fold().collect();
    let seen = plain.chars().filter(|c| !unicode::is_invisible(*c));
    let folded: String = seen.map(unicode::fold_punctuation).nfkc().collect();
    let punctuation = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_';
    folded.unicode_words().map(|word| word.trim_start_matches(punctuation).to_owned()).collect()
}

fn check(text: &str) {
    let fp = FeatureHasher::default();
    let expected: Vec<u64> = naive(text).iter().map(|w| fp.word(w.as_bytes())).collect();
    let words = words(text, &fp);
    let got: Vec<u64> = words.iter().map(|w| w.hash).collect();
    assert_eq!(got, expected, "{text:?}: {:?}", naive(text));
    let mut last = 0;
    for word in words {
        assert!(word.span.start >= last || text.get(word.span.clone()).is_some(), "{text:?}");
        assert!(text.get(word.span.clone()).is_some_and(|s| !s.is_empty()), "{text:?}: {:?}", word.span);
        last = word.span.start;
    }
}

fn spans(text: &str) -> Vec<&str> {
    words(text, &FeatureHasher::default()).into_iter().map(|w| &text[w.span]).collect()
}

#[test]
fn words_by_unicode_rules() {
    assert_eq!(
        spans("Can't stop: it costs 3,500.75 (e.g. snake_case) -- __"),
        ["Can't", "stop", "it", "costs", "3,500.75", "e.g", "snake_case"]
    );
    assert_eq!(spans("Die Größe, naïve Fußgänger"), ["Die", "Größe", "naïve", "Fußgänger"]);
    assert_eq!(spans("don’t"), ["don’t"]);
}

#[test]
fn case_form_and_invisible_characters_do_not_matter() {
    assert_eq!(naive("STRASSE ﬁle １２ Ⅳ"), naive("straße FILE 12 iv"));
    let fp = FeatureHasher::default();
    let hashes = |t: &str| words(t, &fp).into_iter().map(|w| w.hash).collect::<Vec<_>>();
    assert_eq!(hashes("STRASSE ﬁle １２ Ⅳ"), hashes("straße FILE 12 iv"));
    assert_eq!(hashes("exam\u{ad}ple pass\u{200b}word \u{202e}x"), hashes("example password x"));
    assert_eq!(hashes("cafe\u{301}"), hashes("café"));
    // found by fuzzing: an invisible character between a letter and its accent hid the word
    for blocked in ["cafe\u{34f}\u{301}", "cafe\u{200b}\u{301}", "c\u{200d}afe\u{301}\u{fe0f}"] {
        assert_eq!(hashes(blocked), hashes("café"), "{blocked:?}");
    }
    assert_eq!(hashes("ᄀ\u{200b}ᅡ"), hashes("가"));
}

/// Each line is one text in several typographies.
#[test]
fn typography_does_not_matter() {
    for variants in [
        &[
            "It's ... don't",
            "It’s … don’t",
            "Itʼs … donʼt",
            "It‘s ... don‘t",
            "It＇s … don＇t",
            "It´s … don´t",
            "It′s … don‛t",
        ][..],
        &["Hawai'i", "Hawai‘i", "Hawaiʻi", "hawai\u{a78c}i"],
        &["l'été", "l’été", "L´ÉTÉ"],
        &["'n man", "ŉ man", "‘n man", "’n man"],
        &[
            "\"quoted\" and 'quoted'",
            "“quoted” and ‘quoted’",
            "„quoted“ and ‚quoted‘",
            "«quoted» and ‹quoted›",
            "quoted, and quoted",
        ],
        &["well-known", "well‐known", "well‑known", "well–known", "well — known"],
        &["1/2 cup", "½ cup", "1⁄2 cup", "1∕2 cup"],
        &["צה\"ל", "צה״ל", "צה”ל"],
        &["ג'ירפה", "ג׳ירפה", "ג’ירפה"],
        &["col·lega", "col‧lega", "co\u{140}lega", "col⋅lega"],
        &["1,000", "1،000", "1٬000", "1，000"],
        &["5' 3\"", "5′ 3″", "5’ 3”"],
    ] {
        for variant in variants {
            check(variant);
            assert_eq!(canonical(variant), canonical(variants[0]), "{variant}");
        }
    }
}

/// Of all blocks of punctuation, only these stand inside words besides what is in ASCII or becomes that.
#[test]
fn no_other_punctuation_is_part_of_a_word() {
    let blocks = ['\u{80}'..='\u{bf}', '\u{2000}'..='\u{206f}', '\u{2e00}'..='\u{2e7f}', '\u{3000}'..='\u{3029}'];
    let joins = |c: &char| ["a b", "1 2", "א ב"].iter().any(|two| spans(&two.replace(' ', &c.to_string())).len() == 1);
    let is_plain = |c: &char| c.is_alphanumeric() || unicode::is_invisible(*c) || unicode::fold_punctuation(*c) != *c;
    let left: String = blocks.into_iter().flatten().filter(|c| !is_plain(c) && joins(c)).collect();
    // the second is a full stop by NFKC
    assert_eq!(left, "·․‿⁀⁔");
}

#[test]
fn scripts_without_spaces_give_small_tokens() {
    assert_eq!(spans("网络连接失败。"), ["网", "络", "连", "接", "失", "败"]);
    assert!(spans("ネットワークに接続できません").len() > 6);
    assert!(spans("การเชื่อมต่อเครือข่ายล้มเหลว").len() > 8);
    assert_eq!(spans("版本 2.4 已发布"), ["版", "本", "2.4", "已", "发", "布"]);
}

#[test]
fn canonical_text_is_readable() {
    assert_eq!(canonical("The  Größe,\nof “X”!"), "the grösse of x");
}

#[test]
fn hard_cases() {
    for text in [
        "a.é",
        "1.é",
        "é.b",
        "a'é'b",
        "x_é",
        "_é",
        "__é__",
        "½",
        "a½b",
        "5㎏",
        "㎏",
        "a①b",
        "א\"ב",
        "a\"b",
        "é\"b",
        "´a",
        "a´",
        "\u{301}a",
        "a \u{301}b",
        "-\u{301}b",
        "=\u{338}a",
        "ﷺ",
        "각",
        "\u{ac00}\u{11a8}",
        "ｶﾞｷﾞ",
        "İstanbul",
        "ǅ",
        "ΐ",
        "a\u{345}",
        "1⁄2",
        "🇩🇪a",
        "👩\u{200d}👧",
        "a\u{200d}b",
        "e\u{fe0f}f",
        "a:é",
        "a:b",
        "1:2",
        "a:1",
        "1;2",
        "1,a",
        "a,1",
        "a.1",
        "1.a",
        "a_1.b",
        "a__b",
        "a_._b",
    ] {
        check(text);
    }
}

#[test]
fn very_long_words() {
    for length in [2047, 2048, 2049, 5000, 70_000] {
        check(&"x".repeat(length));
        check(&format!("a {}é b", "1.".repeat(length)));
        check(&format!("{} {}", "_".repeat(length), "y".repeat(length)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn fast_equals_naive_on_ascii(text in "[ -~\\n\\t]{0,60}") { check(&text); }

    #[test]
    fn fast_equals_naive_on_word_soup(text in "([a-c1-2_.':;,\" éßא中カ\u{301}\u{ad}’ﬁ½-]){0,24}") { check(&text); }

    /// Words, stops and wide characters at every place of a block, and at the end of a chunk.
    #[test]
    fn fast_equals_naive_across_blocks(
        filler in prop_oneof![0usize..140, 1900usize..2200],
        soup in "([a-c1_.':;\" é’“–…\u{a0}\u{301}-]){0,90}",
    ) {
        check(&format!("{}{soup}", &"some words. ".repeat(190)[..filler]));
        check(&format!("{}{soup}", "x".repeat(filler)));
    }

    #[test]
    fn fast_equals_naive_on_typeset_text(
        text in "([a-c.' “”„–—…•«»¶§©®←→−◆☰❱🔬👎🏽🏾🄰🇩\u{a0}\u{301}\u{345}\u{200d}\u{fe0f}é]){0,60}",
    ) {
        check(&text);
    }

    /// The same words, whichever way each mark is set.
    #[test]
    fn typographic_variants_are_the_same_words(
        pieces in prop::collection::vec(("[a-c1-2éא]{1,3}", 0usize..6, any::<prop::sample::Index>()), 1..20),
    ) {
        const WAYS: [&[&str]; 6] = [
            &["'", "’", "‘", "ʼ", "＇", "´", "′", "ʻ", "\u{ad}'", "’\u{200d}"],
            &["\"", "“", "”", "„", "‟", "＂", "״"],
            &[" - ", " – ", " — ", "\u{a0}−\u{2009}", " ‒ "],
            &["... ", "… ", "。", "․․․\u{202f}"],
            &[",", "，", "،", "‚"],
            &[":", "：", "∶", "꞉"],
        ];
        let plain: String = pieces.iter().flat_map(|(word, mark, _)| [word, WAYS[*mark][0]]).collect();
        let set: String = pieces.iter().flat_map(|(word, mark, way)| [word.as_str(), *way.get(WAYS[*mark])]).collect();
        check(&set);
        prop_assert_eq!(canonical(&set), canonical(&plain), "{} {}", set, plain);
    }

    #[test]
    fn fast_equals_naive_on_anything(text in "\\PC{0,40}") { check(&text); }

    #[test]
    fn fast_equals_naive_on_all_code_points(text: String) { check(&text); }

    #[test]
    fn canonical_form_is_a_fixed_point(text in "\\PC{0,30}") {
        prop_assert_eq!(canonical(&canonical(&text)), canonical(&text));
    }
}
