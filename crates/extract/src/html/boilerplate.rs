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
    fn has(&self, name: &[u8]) -> bool {
        let Some(first) = name.first() else { return false };
        self.first_letters.get(name.len()).is_some_and(|letters| letters & letter(*first) != 0)
            && self.names.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name))
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
/// What a list is called.
const MENU: &str = "menu";
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

/// The last two letters of the names above: most classes end otherwise.
static LAST_LETTERS: [u32; 32] = {
    let mut letters = [0; 32];
    let all = [NAVIGATION_ENDS.names, MARGIN_ENDS.names, NAVIGATION_NAMES.names, MARGIN_NAMES.names, &[MENU]];
    let mut list = 0;
    while list < all.len() {
        let mut at = 0;
        while at < all[list].len() {
            if let [.., before, last] = all[list][at].as_bytes() {
                letters[(*before & 31) as usize] |= letter(*last);
            }
            at += 1;
        }
        list += 1;
    }
    letters
};

/// What an element is to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Role {
    /// It holds the main content.
    pub(super) is_content: bool,
    pub(super) frame: Option<Frame>,
}

/// By its name, and if it may be frame or content by its attributes.
pub(super) fn role(element: &Element, attributes: &Attributes<'_>, name: Name) -> Role {
    let mut role = Role { is_content: element.is_main(), frame: None };
    if element.is_navigation() {
        role.frame = Some(Frame::Navigation);
    } else if element.is_margin() {
        role.frame = Some(Frame::Margin);
    }
    if !element.is_container() {
        return role;
    }
    for (attribute, value) in attributes.all() {
        let is = |name: &[u8]| attribute.eq_ignore_ascii_case(name);
        let kind = match attribute.len() {
            4 if is(b"role") => {
                role.is_content |= element.is_section() && tokens(value).any(is_content_role);
                tokens(value).find_map(by_role)
            }
            2 | 5 if is(b"id") || is(b"class") => {
                // a list that is called menu is one; a block may be what a restaurant serves
                let is_list = || name == pack("ul") || name == pack("ol");
                tokens(value).find_map(|token| by_name(token, is_list))
            }
            _ => None,
        };
        if role.frame != Some(Frame::Navigation) {
            role.frame = kind.or(role.frame);
        }
    }
    role
}

fn is_content_role(role: &[u8]) -> bool {
    role.eq_ignore_ascii_case(b"main") || role.eq_ignore_ascii_case(b"article")
}

/// The words of an attribute.
pub(super) fn tokens(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| super::attributes::is_space(*byte))
}

fn by_role(role: &[u8]) -> Option<Frame> {
    if NAVIGATION_ROLES.has(role) { Some(Frame::Navigation) } else { MARGIN_ROLES.has(role).then_some(Frame::Margin) }
}

#[inline]
fn by_name(token: &[u8], is_list: impl Fn() -> bool) -> Option<Frame> {
    let [.., before, last] = token else { return None };
    if LAST_LETTERS[(before & 31) as usize] & letter(*last) == 0 {
        return None;
    }
    by_whole_name(token, is_list)
}

fn by_whole_name(token: &[u8], is_list: impl Fn() -> bool) -> Option<Frame> {
    if NAVIGATION_NAMES.has(token) {
        return Some(Frame::Navigation);
    }
    if MARGIN_NAMES.has(token) {
        return Some(Frame::Margin);
    }
    let (before, last) = split_last(token);
    let kind = if NAVIGATION_ENDS.has(last) || last.eq_ignore_ascii_case(MENU.as_bytes()) && is_list() {
        Frame::Navigation
    } else if MARGIN_ENDS.has(last) {
        Frame::Margin
    } else {
        return None;
    };
    (!parts(before).any(|part| DENIALS.has(part))).then_some(kind)
}

/// What comes before the last part of a name, and that part. Parts begin behind `-` and `_`, and with a capital behind a small letter.
fn split_last(token: &[u8]) -> (&[u8], &[u8]) {
    let is_border = |at: &usize| {
        matches!(token[*at], b'-' | b'_') || token[*at].is_ascii_uppercase() && token[at - 1].is_ascii_lowercase()
    };
    let Some(border) = (1..token.len()).rev().find(is_border) else { return (b"", token) };
    let last = if token[border].is_ascii_uppercase() { border } else { border + 1 };
    (&token[..border], &token[last..])
}

/// The parts of a name, the last one first.
fn parts(name: &[u8]) -> impl Iterator<Item = &[u8]> {
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
    use proptest::prelude::*;

    fn frame_of(tag: &str) -> Option<Frame> {
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        role(element(pack(name)), &Attributes::new(format!("{attributes}>").as_bytes(), 0), pack(name)).frame
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
        for (name, before, last) in [
            ("topNav", "top", "Nav"),
            ("a-b_c", "a-b", "c"),
            ("nav", "", "nav"),
            ("", "", ""),
            ("-", "", "-"),
            ("nav-", "nav", ""),
        ] {
            assert_eq!(split_last(name.as_bytes()), (before.as_bytes(), last.as_bytes()), "{name}");
        }
        assert!(parts(b"wy-grid-forNav").eq([&b"Nav"[..], b"for", b"grid", b"wy"]));
    }

    #[test]
    fn what_holds_the_content() {
        for (tag, expected) in [
            ("main", true),
            ("article", true),
            ("div", false),
            ("div class=nav role='x MAIN'", true),
            ("section role=article", true),
            ("ul role=main", false),
        ] {
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            let attributes = format!("{attributes}>");
            let role = role(element(pack(name)), &Attributes::new(attributes.as_bytes(), 0), pack(name));
            assert_eq!(role.is_content, expected, "{tag}");
        }
    }

    proptest! {
        #[test]
        fn last_letters_deny_nothing_that_is_known(
            parts in prop::collection::vec(prop::sample::select(vec!["nav", "Nav", "MENU", "top", "-", "_", "sidebar", "wrapper", "s", "has"]), 0..5),
            known in prop::sample::select([NAVIGATION_ENDS.names, MARGIN_ENDS.names, NAVIGATION_NAMES.names, MARGIN_NAMES.names].concat()),
            is_upper: bool,
            is_list: bool,
        ) {
            let known = if is_upper { known.to_ascii_uppercase() } else { known.to_owned() };
            for token in [parts.concat(), parts.concat() + &known, known] {
                prop_assert_eq!(by_name(token.as_bytes(), || is_list), by_whole_name(token.as_bytes(), || is_list), "{}", token);
            }
        }
    }
}
