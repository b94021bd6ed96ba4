//! Every recipe prints and parses back, and every text that parses prints as itself.

use super::*;
use crate::chunk::{MAX_MEAN, MIN_MEAN};
use crate::feature_hash::MAX_WINDOW;
use crate::passage::Family;
use crate::sketch::Sampling;
use proptest::prelude::*;

fn key() -> impl Strategy<Value = Option<String>> {
    prop::option::of("[0-9a-f]{8}")
}

fn shingles() -> impl Strategy<Value = Recipe> {
    (0..=MAX_WINDOW, "auto|html|markdown|text", 8u32..1000, 0usize..3, key()).prop_map(|(w, format, s, kind, key)| {
        let sampling = [Sampling::Min(s), Sampling::Mod(s), Sampling::Nested(s)][kind];
        let text = if w == 0 { TextRecipe::default() } else { format.parse().unwrap() };
        ShingleRecipe { text, w, sampling, key }.into()
    })
}

fn chunks() -> impl Strategy<Value = Recipe> {
    (MIN_MEAN..=MAX_MEAN, key())
        .prop_map(|(mean, key)| ChunkRecipe { key, ..ChunkRecipe::new(mean, "").unwrap() }.into())
}

fn simhash() -> impl Strategy<Value = Recipe> {
    let text = "(auto|html|text)\\|words\\|simhash:f=(64|128):n=([1-9]|1-[2-9])\\|weight=(tf|log|binary)(\\|idf=[0-9a-f]{8})?(\\|stop=(en|de|de,en))?(\\|key=[0-9a-f]{8})?\\|v=2";
    text.prop_map(|text| Recipe::Simhash(text.parse().unwrap()))
}

fn passages() -> impl Strategy<Value = Recipe> {
    let reading = prop_oneof![
        Just(Reading::Auto),
        Just(Reading::Prose),
        Just(Reading::Bytes),
        "python|c\\+\\+|c#|x-1".prop_map(Reading::Language)
    ];
    let tokens = (any::<bool>(), any::<bool>(), any::<bool>());
    (reading, prop::option::of(1u32..60), prop::option::of(60u32..500), tokens, "[a-z]{0,3}").prop_map(
        |(reading, k, t, (identifiers, literals, comments), key)| {
            let recipe = PassageRecipe::new(&reading, k, t).unwrap();
            recipe.with_code_tokens(CodeTokens { identifiers, literals, comments }).with_key(&key).into()
        },
    )
}

proptest! {
    #[test]
    fn prints_and_parses_back(recipe in prop_oneof![shingles(), chunks(), simhash(), passages()]) {
        let text = recipe.to_string();
        prop_assert_eq!(text.parse::<Recipe>(), Ok(recipe.clone()));
        prop_assert_eq!(text.contains("|key="), recipe.key_name().is_some());
        // and every other lens refuses it
        let refusals = [
            text.parse::<ShingleRecipe>().err(),
            text.parse::<ChunkRecipe>().err(),
            text.parse::<SimhashRecipe>().err(),
            text.parse::<PassageRecipe>().err(),
        ];
        for (lens, refusal) in Lens::ALL.into_iter().zip(refusals) {
            let expected = matches!(refusal, Some(RecipeError::WrongLens { found, .. }) if found == recipe.lens());
            prop_assert_eq!(expected, lens != recipe.lens());
        }
    }

    #[test]
    fn never_panics(text in "\\PC{0,60}") {
        let _ = text.parse::<Recipe>();
    }

    #[test]
    fn what_parses_prints_the_same(
        text in "(auto|text|bytes|c)\\|tokens\\|passages:((code|prose|bytes)=[0-9]{1,2}/[0-9]{1,2},?){1,2}(\\|count=(literals|comments,literals))?(\\|key=[0-9a-f]{8})?\\|v=[01]"
    ) {
        if let Ok(recipe) = text.parse::<Recipe>() {
            prop_assert_eq!(recipe.to_string(), text);
        }
    }
}

#[test]
fn passages_read_as_documented() {
    assert_eq!(PassageRecipe::default().to_string(), "auto|tokens|passages:code=9/11,prose=3/5|v=3");
    let all = CodeTokens { identifiers: true, literals: true, comments: true };
    let full = PassageRecipe::new(&Reading::Auto, Some(5), Some(8)).unwrap().with_code_tokens(all).with_key("a key");
    let key = FeatureHasher::key_name("a key");
    let text = format!("auto|tokens|passages:code=5/8,prose=5/8|count=identifiers,literals,comments|key={key}|v=3");
    assert_eq!(full.to_string(), text);
    assert!(full.feature_hasher("a key").is_some() && full.feature_hasher("").is_none());
    for (wrong, why) in [
        ("", "none of the lenses"),
        ("auto|tokens", "none of the lenses"),
        ("auto|words|passages:code=9/11,prose=3/5|v=3", "unknown part \"words\""),
        ("Auto|tokens|passages:code=9/11,prose=3/5|v=3", "the name of a language"),
        ("auto|tokens|passages:code=9/11|v=3|v=3", "parts are missing, repeated"),
        ("auto|tokens|passages:prose=3/5,code=9/11|v=3", "in another order"),
        ("auto|tokens|passages:code=9/11,prose=5/3|v=3", "1 <= k <= t"),
        ("auto|tokens|passages:code=9/11,prose=3/10001|v=3", "1 <= k <= t"),
        ("auto|tokens|passages:code=9/11,poem=3/5|v=3", "unknown part \"poem=3/5\""),
        ("auto|tokens|passages:code=9/11,prose=3/5|v=2", "makes version 3"),
        ("auto|tokens|passages:code=9/11,prose=3/5|key=xyz|v=3", "eight digits"),
        ("bytes|tokens|passages:bytes=50/149,prose=3/5|v=3", "parts are missing, repeated"),
        ("text|tokens|passages:prose=3/5|count=comments|v=3", "parts are missing, repeated"),
        ("auto|words|shingles:w=10|sample=nested:100|v=3", "it is of the shingles lens"),
    ] {
        let message = wrong.parse::<PassageRecipe>().unwrap_err().to_string();
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn what_cannot_matter_does_not_tell_recipes_apart() {
    let all = CodeTokens { identifiers: true, literals: true, comments: true };
    let plain = PassageRecipe::new(&Reading::Prose, None, None).unwrap();
    assert_eq!(PassageRecipe::new(&Reading::Prose, Some(3), Some(5)).unwrap().with_code_tokens(all), plain);
    assert_eq!(plain.winnowing(Family::Bytes), Family::Bytes.default_winnowing());
}

#[test]
fn a_value_of_its_own_moves_the_other() {
    // a larger noise threshold keeps the window of its family; a smaller guarantee takes the noise threshold along
    let of = |k, t| PassageRecipe::new(&Reading::Auto, k, t).map(|recipe| recipe.to_string());
    assert_eq!(of(Some(20), None).unwrap(), "auto|tokens|passages:code=20/22,prose=20/22|v=3");
    assert_eq!(of(None, Some(4)).unwrap(), "auto|tokens|passages:code=4/4,prose=3/4|v=3");
    for (k, t) in [(Some(0), None), (Some(5), Some(4)), (None, Some(10_001)), (Some(u32::MAX), None)] {
        assert!(matches!(of(k, t), Err(crate::Error::Winnowing { .. })), "{k:?} {t:?}");
    }
    assert!(PassageRecipe::new(&Reading::Language("a|b".into()), None, None).is_err());
}
