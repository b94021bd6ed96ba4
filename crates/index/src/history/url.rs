//! What a URL tells by itself: the host it is on, and how much it looks like another.

use rustc_hash::FxHashSet;

/// The host and port of a URL, without a user's name; nothing for a path or an id.
pub(crate) fn host(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else { return "" };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    rest[..end].rsplit('@').next().unwrap_or("")
}

/// Whether two URLs are on one host; those without any are.
pub(crate) fn same_host(a: &str, b: &str) -> bool {
    host(a).eq_ignore_ascii_case(host(b))
}

/// Whether only the last part of the path differs.
pub(crate) fn same_folder(a: &str, b: &str) -> bool {
    let folder = |url: &str| url.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
    same_host(a, b) && a[..folder(a)] == b[..folder(b)]
}

/// Splits the versions (`v2`, `v2x`, `3.11`) out of a path: what is left, and their numbers. None if there are none.
pub(crate) fn versions(url: &str) -> Option<(String, Vec<u64>)> {
    let mut numbers = Vec::new();
    let mut page = String::with_capacity(url.len());
    for part in url.split('/') {
        page.push('/');
        if is_version(part) {
            let digits = part.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
            numbers.extend(digits.map(|n| n.parse().unwrap_or(u64::MAX)));
        } else {
            page.push_str(part);
        }
    }
    (!numbers.is_empty()).then_some((page, numbers))
}

/// Digits, dots and `x`, behind a `v` or with a dot between: a plain number may be anything.
fn is_version(part: &str) -> bool {
    let rest = part.strip_prefix(['v', 'V']).unwrap_or(part);
    let marked = rest.len() < part.len() || rest.contains('.');
    marked
        && rest.starts_with(|c: char| c.is_ascii_digit())
        && rest.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'x'))
}

/// How much two URLs look alike. More is more alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likeness {
    /// They end with the same name.
    pub(crate) name: bool,
    /// Share of the words of both names that are in both.
    pub(crate) name_words: f64,
    /// Share of all words that are in both.
    pub(crate) words: f64,
}

impl Likeness {
    pub(crate) fn of(a: &str, b: &str) -> Self {
        let (names, whole) = ([name(a), name(b)], [a, b]);
        Self { name: names[0] == names[1], name_words: shared(names), words: shared(whole) }
    }
}

/// The last part of the path; for an index page, which is named like all others, with the folder before it.
fn name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/');
    let last = path.rfind('/').map_or(0, |at| at + 1);
    let stem = path[last..].split('.').next().unwrap_or("");
    if last == 0 || !["index", "readme", "default", "successor"].iter().any(|n| stem.eq_ignore_ascii_case(n)) {
        return &path[last..];
    }
    &path[path[..last - 1].rfind('/').map_or(0, |at| at + 1)..]
}

/// The words of both among the words of either.
fn shared([a, b]: [&str; 2]) -> f64 {
    let words = |text: &str| -> FxHashSet<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
    };
    let (a, b) = (words(a), words(b));
    let both = a.intersection(&b).count();
    if both == 0 { 0.0 } else { both as f64 / (a.len() + b.len() - both) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        assert_eq!(host("https://user:word@Example.org:8080/a/b?c=://d"), "Example.org:8080");
        assert_eq!(host("http://example.org?q=a@b"), "example.org");
        assert_eq!([host("docs/a.md"), host("/a/b")], ["", ""]);
        assert!(same_host("http://A.org/x", "https://a.org/y") && !same_host("http://a.org/x", "http://b.org/x"));
        assert!(same_folder("http://a.org/x/1.html", "http://a.org/x/2.html"));
        assert!(!same_folder("http://a.org/x/1.html", "http://a.org/y/1.html"));
        assert!(same_folder("a.md", "b.md") && !same_folder("a.md", "x/a.md"));
    }

    #[test]
    fn versions_of_a_page() {
        let of = versions;
        assert_eq!(of("docs/v2x/a.md"), Some(("/docs//a.md".to_owned(), vec![2])));
        assert_eq!(of("http://a.org/3.11/b").map(|v| v.1), Some(vec![3, 11]));
        assert_eq!(of("a/v1.2/b/v3").map(|v| v.1), Some(vec![1, 2, 3]));
        for url in ["posts/123/a", "video/a", "v/a", "vx/a", "1.html", "10.0.0.beta", "a.b/c"] {
            assert_eq!(of(url), None, "{url}");
        }
    }

    #[test]
    fn names() {
        assert_eq!(name("http://a.org/x/install-guide.html?v=2#top"), "install-guide.html");
        assert_eq!(name("content/actions/guides/index.md"), "guides/index.md");
        assert_eq!([name("README.md"), name("http://a.org/docs/")], ["README.md", "docs"]);
        let likeness = Likeness::of("a/install-guide.md", "b/install-help.md");
        assert!(
            !likeness.name && (likeness.name_words - 0.5).abs() < 1e-9 && (likeness.words - 1.0 / 3.0).abs() < 1e-9
        );
        assert!(Likeness::of("a/b/c.md", "d/c.md").name && !Likeness::of("a/index.md", "b/index.md").name);
        assert!(name("").is_empty() && name("/").is_empty());
    }
}
