//! Which elements of a page are its frame, not its content: menus, headers, footers, sidebars. By what they are, by their ARIA roles, and by
//! the names that sites and generators of documentation give them.

use super::attributes::Attributes;
use super::tags::{Element, Name, pack};

/// How an element is part of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// It leads to other pages, wherever it stands.
    Navigation,
    /// Only outside of the main content: an article has a header of its own.
    Margin,
}

/// Names that mean something here, and by their length which letters they begin with: most that are asked for are told by that.
struct Known {
    names: &'static [&'static str],
    first_letters: [u32; 32],
}

impl Known {
    const fn new(names: &'static [&'static str]) -> Self {
        let mut first_letters = [0; 32];
        let mut at = 0;
        while at < names.len() {
            let name = names[at].as_bytes();
            first_letters[name.len()] |= letter(name[0]);
            at += 1;
        }
        Self { names, first_letters }
    }

    #[inline]
    fn has(&self, name: &str) -> bool {
        let Some(first) = name.bytes().next() else { return false };
        self.first_letters.get(name.len()).is_some_and(|letters| letters & letter(first) != 0)
            && self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// The bit of a letter in any case; of some others too.
const fn letter(byte: u8) -> u32 {
    1 << (byte & 31)
}

static NAVIGATION_ROLES: Known = Known::new(&["navigation", "menu", "menubar", "toolbar", "search", "directory"]);
static MARGIN_ROLES: Known = Known::new(&["banner", "contentinfo", "complementary"]);

/// Last parts of a class or id: `main-nav`, `topNav`, `site_navigation`.
static NAVIGATION_ENDS: Known = Known::new(&[
    "nav",
    "navbar",
    "navigation",
    "navheader",
    "navfooter",
    "navpath",
    "navrow",
    "sidenav",
    "sidebar",
    "breadcrumb",
    "breadcrumbs",
    "menubar",
    "pagination",
    "pager",
    "prevnext",
    "tablist",
    "skiplinks",
]);
static MARGIN_ENDS: Known = Known::new(&["footer", "masthead", "topbar"]);

/// Whole names that generators of documentation use: Sphinx, its themes, mdBook, Doxygen, Javadoc.
static NAVIGATION_NAMES: Known = Known::new(&[
    "related",
    "sphinxsidebar",
    "sphinxsidebarwrapper",
    "wy-nav-side",
    "wy-nav-top",
    "rst-footer-buttons",
    "bd-sidebar-primary",
    "bd-sidebar-secondary",
    "menu-bar",
    "nav-tree",
    "nav-wrapper",
    "nav-wide-wrapper",
    "navrow1",
    "navrow2",
    "navrow3",
    "navrow4",
    "msearchbox",
    "msearchresultswindow",
]);
static MARGIN_NAMES: Known = Known::new(&["site-header", "titlearea"]);

/// Other parts that say what a page has, not what an element is: `has-sidebar`, `grid-for-nav`.
static DENIALS: Known = Known::new(&["has", "with", "for", "no", "without", "not", "hide", "show", "is", "layout"]);

/// Whether an element is part of the frame.
pub(super) fn frame(name: Name, element: &Element, attributes: &Attributes<'_>) -> Option<Frame> {
    if !element.is_container() {
        return (name == pack("nav") || name == pack("search")).then_some(Frame::Navigation);
    }
    let mut found = [pack("header"), pack("footer"), pack("aside")].contains(&name).then_some(Frame::Margin);
    for (attribute, value) in attributes.all() {
        let kind = if attribute.eq_ignore_ascii_case(b"role") {
            tokens(value).find_map(by_role)
        } else if attribute.eq_ignore_ascii_case(b"class") || attribute.eq_ignore_ascii_case(b"id") {
            // a list that is called menu is one; a block may be what a restaurant serves
            let is_list = name == pack("ul") || name == pack("ol");
            tokens(value).find_map(|token| by_name(token, is_list))
        } else {
            None
        };
        match kind {
            Some(Frame::Navigation) => return Some(Frame::Navigation),
            Some(Frame::Margin) => found = Some(Frame::Margin),
            None => {}
        }
    }
    found
}

/// Whether an element holds the main content.
pub(super) fn is_content(name: Name, attributes: &Attributes<'_>) -> bool {
    if name == pack("main") || name == pack("article") {
        return true;
    }
    let is_role = |(attribute, value): (&[u8], &[u8])| {
        attribute.eq_ignore_ascii_case(b"role")
            && tokens(value).any(|role| role.eq_ignore_ascii_case("main") || role.eq_ignore_ascii_case("article"))
    };
    (name == pack("div") || name == pack("section")) && attributes.all().any(is_role)
}

/// The words of an attribute. What is no UTF-8 is none of ours.
pub(super) fn tokens(value: &[u8]) -> impl Iterator<Item = &str> {
    value.split(|byte| super::attributes::is_space(*byte)).filter_map(|token| std::str::from_utf8(token).ok())
}

fn by_role(role: &str) -> Option<Frame> {
    if NAVIGATION_ROLES.has(role) { Some(Frame::Navigation) } else { MARGIN_ROLES.has(role).then_some(Frame::Margin) }
}

fn by_name(token: &str, is_list: bool) -> Option<Frame> {
    if NAVIGATION_NAMES.has(token) {
        return Some(Frame::Navigation);
    }
    if MARGIN_NAMES.has(token) {
        return Some(Frame::Margin);
    }
    let (before, last) = split_last(token);
    let kind = if NAVIGATION_ENDS.has(last) || is_list && last.eq_ignore_ascii_case("menu") {
        Frame::Navigation
    } else if MARGIN_ENDS.has(last) {
        Frame::Margin
    } else {
        return None;
    };
    (!parts(before).any(|part| DENIALS.has(part))).then_some(kind)
}

/// What comes before the last part of a name, and that part. Parts begin behind `-` and `_`, and with a capital behind a small letter.
fn split_last(token: &str) -> (&str, &str) {
    let bytes = token.as_bytes();
    let is_border = |at: &usize| {
        matches!(bytes[*at], b'-' | b'_') || bytes[*at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase()
    };
    let Some(border) = (1..bytes.len()).rev().find(is_border) else { return ("", token) };
    let last = if bytes[border].is_ascii_uppercase() { border } else { border + 1 };
    (&token[..border], &token[last..])
}

/// The parts of a name, the last one first.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let (before, last) = split_last(rest);
        let part = (!rest.is_empty()).then_some(last);
        rest = before;
        part
    })
}

#[cfg(test)]
mod tests {
    use super::super::tags::element;
    use super::*;

    fn frame_of(tag: &str) -> Option<Frame> {
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        frame(pack(name), element(pack(name)), &Attributes::new(format!("{attributes}>").as_bytes(), 0))
    }

    #[test]
    fn by_what_they_are_called() {
        for tag in [
            "nav",
            "div role=navigation",
            "div class='a main-nav b'",
            "div id=topNav",
            "ul class=menu",
            "div CLASS=\"sphinxsidebar\"",
            "table class=navbar",
            "div class=wy-nav-side",
            "aside class=sidebar",
        ] {
            assert_eq!(frame_of(tag), Some(Frame::Navigation), "{tag}");
        }
        for tag in ["header", "footer", "aside", "div role=contentinfo", "div id=footer", "div class=page_footer"] {
            assert_eq!(frame_of(tag), Some(Frame::Margin), "{tag}");
        }
        for tag in [
            "div",
            "main class=sidebar",
            "body class=nav",
            "div class='has-sidebar no-nav grid-for-nav'",
            "div class=navigate",
            "div class=menu",
            "div class=content data-class=nav",
            "li class=nav",
            "div class=header",
            "div class='größe-nävigation'",
        ] {
            assert_eq!(frame_of(tag), None, "{tag}");
        }
    }

    #[test]
    fn names_have_parts() {
        assert_eq!(split_last("topNav"), ("top", "Nav"));
        assert_eq!(split_last("a-b_c"), ("a-b", "c"));
        assert_eq!(split_last("nav"), ("", "nav"));
        assert_eq!(split_last(""), ("", ""));
        assert_eq!(split_last("-"), ("", "-"));
        assert_eq!(split_last("nav-"), ("nav", ""));
        assert_eq!(parts("wy-grid-forNav").collect::<Vec<_>>(), ["Nav", "for", "grid", "wy"]);
    }
}
