//! The relation of two documents as one sentence, with the number that decided.

use super::{Evidence, Relation};

/// One sentence for people: what documents `a` and `b` are to each other.
pub fn sentence(relation: Relation, evidence: &Evidence) -> String {
    let [a, b] = evidence.common().map(percent);
    match relation {
        Relation::Identical => "They are identical: the same bytes.".into(),
        Relation::SameText => "They are the same text in another form.".into(),
        Relation::SmallErrors => {
            let rate = evidence.alignment.map_or(0.0, |alignment| alignment.error_rate());
            format!(
                "They are the same text with many small errors (OCR, transcription): {} of the letters differ.",
                percent(rate)
            )
        }
        Relation::Version => format!("One is an updated version of the other: {a} of a is in b, {b} of b is in a."),
        Relation::AInB => format!("a is inside b: {a} of a is there, which is {b} of b."),
        Relation::BInA => format!("b is inside a: {b} of b is there, which is {a} of a."),
        Relation::Passages => match evidence.passages {
            Some(passages) if evidence.has_text() => {
                let [a, b] = passages.shares().map(percent);
                let noun = if passages.passages == 1 { "passage" } else { "passages" };
                format!("They share {} {noun}: {a} of a, {b} of b.", passages.passages)
            }
            _ => {
                let [a, b] = evidence.chunks.shares().map(percent);
                format!("They share bytes: {a} of a, {b} of b.")
            }
        },
        Relation::Template => {
            let [a, b] = evidence.chunks.shares().map(percent);
            format!("They share only a template: {a} of the bytes of a and {b} of those of b, but no running text.")
        }
        Relation::Unrelated => "They are unrelated: they share nothing that tells.".into(),
        Relation::TooLittle => "One of them has too little text to tell what they are to each other.".into(),
    }
}

fn percent(share: f64) -> String {
    // what is not all is not called all, and what is not nothing not nothing
    let share = if share < 1.0 { share.min(0.999) } else { share };
    let share = if share > 0.0 { share.max(0.001) } else { share };
    format!("{:.1}%", 100.0 * share)
}
