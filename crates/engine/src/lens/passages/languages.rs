//! Whether the submissions of a cohort are of one language: those that are not are compared with nobody else.

use crate::report::passages::{SourceFile, Submission};
use lookalike_languages::Language;
use std::collections::BTreeMap;

/// Says how many submissions are of which language, if one has no file in the language that most are of. A copy that was saved under another
/// name or in another language would be found by nobody.
pub fn mixed_languages(submissions: &[Submission]) -> Option<String> {
    let mut groups: BTreeMap<&str, Vec<&Submission>> = BTreeMap::new();
    for submission in submissions.iter().filter(|submission| !submission.archive) {
        if let Some(language) = main_language(&submission.files) {
            groups.entry(language).or_default().push(submission);
        }
    }
    let main = groups
        .iter()
        .max_by_key(|(language, group)| (group.len(), is_code(language)))
        .map(|(language, _)| *language)?;
    // pages, styles and scripts in one folder: which is longest says little
    let has_main = |submission: &&Submission| submission.files.iter().any(|file| kind(file.language) == main);
    groups.iter_mut().filter(|(language, _)| **language != main).for_each(|(_, group)| group.retain(|s| !has_main(s)));
    groups.retain(|_, group| !group.is_empty());
    if groups.len() < 2 {
        return None;
    }
    let of_main = groups.remove(main).map_or(0, |group| group.len());
    let mut others: Vec<(&str, Vec<&Submission>)> = groups.into_iter().collect();
    others.sort_by_key(|(_, group)| std::cmp::Reverse(group.len()));
    let tell = |(language, group): &(&str, Vec<&Submission>)| {
        let more = if group.len() > 1 { format!(" and {} more", group.len() - 1) } else { String::new() };
        format!("{} as {language} ({}{more})", group.len(), group[0].name)
    };
    let others: Vec<String> = others.iter().map(tell).collect();
    Some(format!(
        "{of_main} submissions are read as {main}, {}; submissions of different languages are not compared with each other; if all are one \
         language, say which",
        others.join(", ")
    ))
}

/// What most tokens of a submission are of. Text beside code, such as a read-me, does not count, nor do notebooks, whose cells may be of any language.
fn main_language(files: &[SourceFile]) -> Option<&'static str> {
    let mut tokens: BTreeMap<&str, u64> = BTreeMap::new();
    for file in files.iter().filter(|file| file.language != "notebook") {
        *tokens.entry(kind(file.language)).or_default() += file.tokens;
    }
    tokens.into_iter().max_by_key(|(language, tokens)| (is_code(language), *tokens)).map(|(language, _)| language)
}

fn is_code(language: &str) -> bool {
    !["text", "bytes"].contains(&language)
}

/// Languages that are compared with each other are one.
fn kind(language: &'static str) -> &'static str {
    Language::by_name(language).map_or(language, Language::family)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(name: &str, files: &[(&'static str, u64)]) -> Submission {
        let file = |&(language, tokens): &(&'static str, u64)| SourceFile {
            name: language.into(),
            language,
            bytes: tokens,
            lines: 1,
            tokens,
            content: String::new(),
            degraded: None,
            excluded: Vec::new(),
            document: 0,
        };
        Submission {
            name: name.into(),
            owner: None,
            label: None,
            full_name: None,
            created_at: None,
            created: None,
            archive: name.starts_with("old"),
            files: files.iter().map(file).collect(),
            tokens: 0,
            excluded: 0,
            highest: 0.0,
            same_as: None,
        }
    }

    #[test]
    fn one_language_with_what_goes_with_it_is_no_warning() {
        for cohort in [
            vec![],
            vec![submission("a", &[("java", 9)]), submission("b", &[("java", 5), ("text", 90)])],
            vec![submission("a", &[("c", 9)]), submission("b", &[("cpp", 9)])],
            vec![submission("a", &[("python", 9)]), submission("b", &[("notebook", 9)])],
            vec![submission("a", &[("java", 9)]), submission("old", &[("python", 9)])],
            vec![submission("a", &[("html", 9), ("css", 5)]), submission("b", &[("html", 5), ("css", 9)])],
            vec![submission("a", &[("text", 9)]), submission("b", &[("text", 9)])],
        ] {
            assert_eq!(mixed_languages(&cohort), None);
        }
    }

    #[test]
    fn other_languages_are_counted() {
        let cohort = [
            submission("a", &[("java", 9)]),
            submission("b", &[("text", 9)]),
            submission("c", &[("java", 9)]),
            submission("d", &[("python", 9), ("text", 20)]),
            submission("e", &[("text", 9)]),
            submission("f", &[("java", 9)]),
        ];
        let said = mixed_languages(&cohort).unwrap();
        assert!(
            said.starts_with("3 submissions are read as java, 2 as text (b and 1 more), 1 as python (d); "),
            "{said}"
        );
    }
}
