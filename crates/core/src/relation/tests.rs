//! Each rule has an example on both sides of its border, and no rule depends on which document comes first.

use super::*;
use proptest::prelude::*;

/// Two documents of a thousand letters, words and bytes with nothing in common.
fn strangers() -> Evidence {
    Evidence {
        chunks: ChunkEvidence { bytes: [1000, 1000], shared: 0 },
        shingles: Some(ShingleEvidence { shingles: [100, 100], shared: 0 }),
        simhash: Some(SimhashEvidence { distance: 31, bits: 64 }),
        passages: Some(PassageEvidence { tokens: [200, 200], ..PassageEvidence::default() }),
        alignment: Some(AlignmentEvidence { letters: [1000, 1000], ..AlignmentEvidence::default() }),
        ..Evidence::default()
    }
}

fn relation(change: impl FnOnce(&mut Evidence)) -> Relation {
    let mut evidence = strangers();
    change(&mut evidence);
    let found = classify(&evidence, &Rules::default());
    assert!(sentence(found, &evidence).ends_with('.'), "{found}");
    found
}

fn aligned(letters: [u64; 2], equal: u64, respelled: u64, errors: u64) -> AlignmentEvidence {
    AlignmentEvidence { letters, equal: [equal; 2], respelled: [respelled; 2], errors }
}

#[test]
fn rules_in_their_order() {
    assert_eq!(relation(|_| {}), Relation::Unrelated);
    assert_eq!(relation(|e| e.identical = true), Relation::Identical);
    assert_eq!(relation(|e| e.same_words = true), Relation::SameText);
    assert_eq!(relation(|e| e.too_little = true), Relation::TooLittle);
    assert_eq!(relation(|e| e.alignment = Some(aligned([1000; 2], 1000, 0, 0))), Relation::SameText);
    assert_eq!(
        relation(|e| e.alignment = Some(aligned([1000; 2], 990, 10, 0))),
        Relation::SameText,
        "words were split"
    );
    assert_eq!(relation(|e| e.alignment = Some(aligned([1000; 2], 960, 0, 0))), Relation::Version);
    let formats = |e: &mut Evidence| {
        e.other_format = true;
        e.alignment = Some(aligned([1000; 2], 960, 0, 0));
    };
    assert_eq!(relation(formats), Relation::SameText);
    assert_eq!(relation(|e| e.alignment = Some(aligned([1000; 2], 680, 0, 0))), Relation::Version);
    assert_eq!(relation(|e| e.alignment = Some(aligned([1000; 2], 660, 0, 0))), Relation::Unrelated);
    assert_eq!(relation(|e| e.alignment = Some(aligned([100, 1000], 95, 0, 0))), Relation::AInB);
    assert_eq!(relation(|e| e.alignment = Some(aligned([1000, 100], 95, 0, 0))), Relation::BInA);
    assert_eq!(relation(|e| e.alignment = Some(aligned([1000, 100], 85, 0, 0))), Relation::Unrelated);
}

#[test]
fn errors_are_many_and_most_of_what_differs() {
    assert_eq!(relation(|e| e.alignment = Some(aligned([1000; 2], 900, 100, 20))), Relation::SmallErrors);
    assert_eq!(
        relation(|e| e.alignment = Some(aligned([1000; 2], 985, 15, 5))),
        Relation::Version,
        "a few typing errors"
    );
    assert_eq!(relation(|e| e.alignment = Some(aligned([1000; 2], 800, 50, 10))), Relation::Version, "new words too");
}

#[test]
fn passages_are_running_text_and_templates_are_not() {
    let shared = |shared: u32, frame: u32| {
        relation(|e| {
            let passages = e.passages.as_mut().unwrap();
            (passages.shared, passages.frame, passages.passages) = ([shared; 2], [frame; 2], 1);
            passages.running = [shared - frame; 2];
        })
    };
    assert_eq!(shared(40, 0), Relation::Passages);
    assert_eq!(shared(40, 30), Relation::Template);
    assert_eq!(shared(8, 8), Relation::Unrelated);
    assert_eq!(relation(|e| e.chunks.shared = 300), Relation::Template, "near by bytes, far by words");
    assert_eq!(relation(|e| e.chunks.shared = 100), Relation::Unrelated);
}

#[test]
fn without_text_bytes_decide() {
    let bytes = |bytes: [u64; 2], shared: u64| {
        let chunks = ChunkEvidence { bytes, shared };
        classify(&Evidence { chunks, ..Evidence::default() }, &Rules::default())
    };
    assert_eq!(bytes([1000, 1000], 800), Relation::Version);
    assert_eq!(bytes([100, 1000], 95), Relation::AInB);
    assert_eq!(bytes([1000, 1000], 300), Relation::Passages);
    assert_eq!(bytes([1000, 1000], 10), Relation::Unrelated);
}

#[test]
fn what_moved_and_renamed_programs_are_versions() {
    assert_eq!(relation(|e| e.shingles.as_mut().unwrap().shared = 90), Relation::Version);
    let renamed = |e: &mut Evidence| {
        let passages = e.passages.as_mut().unwrap();
        (passages.code, passages.shared, passages.running) = (true, [190; 2], [190; 2]);
    };
    assert_eq!(relation(renamed), Relation::Version);
}

#[test]
fn names_are_those_of_the_json() {
    for relation in Relation::ALL {
        assert_eq!(format!("{:?}", relation.name()), serde_json_name(relation));
        assert_eq!(relation.mirrored().mirrored(), relation);
    }
}

/// As serde writes it, without a dependency on JSON.
fn serde_json_name(relation: Relation) -> String {
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, StrDeserializer};
    let name = relation.name();
    let deserializer: StrDeserializer<'_, Error> = name.into_deserializer();
    assert_eq!(Relation::deserialize(deserializer).as_ref(), Ok(&relation));
    format!("{name:?}")
}

fn evidence() -> impl Strategy<Value = Evidence> {
    let flags = (prop::bool::weighted(0.05), prop::bool::weighted(0.05), any::<bool>(), prop::bool::weighted(0.05));
    let chunks = (1u64..2000, 1u64..2000, 0u64..2000)
        .prop_map(|(a, b, shared)| ChunkEvidence { bytes: [a, b], shared: shared.min(a).min(b) });
    let shingles = (1u32..200, 1u32..200, 0u32..200)
        .prop_map(|(a, b, shared)| ShingleEvidence { shingles: [a, b], shared: shared.min(a).min(b) });
    let passages = (any::<bool>(), [1u32..300, 1..300], [0u32..300, 0..300], [0u32..60, 0..60]).prop_map(
        |(code, tokens, shared, frame)| {
            let shared = [shared[0].min(tokens[0]), shared[1].min(tokens[1])];
            let frame = [frame[0].min(shared[0]), frame[1].min(shared[1])];
            let running = [0, 1].map(|side| (shared[side] - frame[side]) / 2);
            PassageEvidence { code, tokens, shared, running, frame, passages: 1, longest: shared[0].min(shared[1]) }
        },
    );
    let alignment = ([0u64..500, 0..500], 0u64..1000, [0u64..200, 0..200], 0u64..50).prop_map(
        |(unmatched, equal, respelled, errors)| {
            let letters = [0, 1].map(|side| equal + respelled[side] + unmatched[side]);
            AlignmentEvidence { letters, equal: [equal; 2], respelled, errors }
        },
    );
    let lenses = (
        prop::option::weighted(0.9, shingles),
        prop::option::weighted(0.8, passages),
        prop::option::weighted(0.8, alignment),
    );
    (flags, chunks, lenses).prop_map(|(flags, chunks, (shingles, passages, alignment))| {
        let (identical, same_words, other_format, too_little) = flags;
        Evidence {
            identical,
            same_words,
            other_format,
            too_little,
            chunks,
            shingles,
            simhash: None,
            passages,
            alignment,
        }
    })
}

proptest! {
    #[test]
    fn the_mirrored_evidence_has_the_mirrored_relation(evidence in evidence()) {
        let (there, back) = (classify(&evidence, &Rules::default()), classify(&evidence.mirrored(), &Rules::default()));
        // two that are inside each other are versions, so no tie is left
        prop_assert_eq!(there.mirrored(), back);
        prop_assert_eq!(evidence.mirrored().mirrored(), evidence);
    }

    #[test]
    fn passages_change_only_what_they_can(evidence in evidence()) {
        let without = Evidence { passages: None, ..evidence.clone() };
        let rules = Rules::default();
        if !can_change_by_passages(&without, &rules) {
            prop_assert_eq!(classify(&evidence, &rules), classify(&without, &rules));
        }
    }

    #[test]
    fn the_fingerprint_decides_nothing(evidence in evidence(), distance in 0u32..=64) {
        let with = Evidence { simhash: Some(SimhashEvidence { distance, bits: 64 }), ..evidence.clone() };
        prop_assert_eq!(classify(&with, &Rules::default()), classify(&evidence, &Rules::default()));
    }
}
