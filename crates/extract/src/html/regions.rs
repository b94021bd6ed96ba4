//! Which text of a page counts: not that of its frame, nor what selectors drop; where selectors select, only that.
//!
//! There is no tree, so the end of an element is found by counting elements of its name. An element whose end tag may be left out ends with
//! the next of its name beside it, or with the list or table around it.

use super::attributes::Attributes;
use super::boilerplate::{Frame, role};
use super::foreign::Foreign;
use super::selector::Selectors;
use super::tags::{Element, LONG, Name, element, pack};

/// What counts of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageRules {
    /// Menus, headers, footers and sidebars count.
    pub keep_boilerplate: bool,
    /// Only what is in such elements counts; if there are none, everything.
    pub select: Selectors,
    /// Nothing that is in such elements counts.
    pub drop: Selectors,
}

impl PageRules {
    /// All of a page counts.
    pub const WHOLE: Self = Self { keep_boilerplate: true, select: Selectors::NONE, drop: Selectors::NONE };

    /// Whether nobody said what counts.
    pub(super) fn has_defaults(&self) -> bool {
        self.select.is_empty() && self.drop.is_empty()
    }
}

/// Elements whose end tags may be left out.
const OPEN_ENDED: &[Name] = &[
    pack("li"),
    pack("p"),
    pack("td"),
    pack("th"),
    pack("tr"),
    pack("dt"),
    pack("dd"),
    pack("option"),
    pack("tbody"),
    pack("thead"),
    pack("tfoot"),
];
/// What holds those.
const HOLDERS: &[Name] =
    &[pack("ul"), pack("ol"), pack("dl"), pack("table"), pack("select"), pack("menu"), pack("div")];

/// How an element ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// With its end tag.
    Tag,
    /// With a block.
    Block,
    /// With the next of its name, or what is around it.
    Next,
}

/// An element that is open.
#[derive(Clone, Copy, Debug)]
struct Region {
    name: Name,
    ending: Ending,
    /// Elements of its name that are open, itself included.
    depth: u32,
    /// Lists and tables that are open inside.
    holders: u32,
}

impl Region {
    fn new(name: Name) -> Self {
        let ending = match name {
            _ if name == pack("p") => Ending::Block,
            _ if OPEN_ENDED.contains(&name) => Ending::Next,
            _ => Ending::Tag,
        };
        Self { name, ending, depth: 1, holders: 0 }
    }

    /// Takes a start tag; whether the element has ended before it.
    fn start(&mut self, name: Name) -> bool {
        match self.ending {
            Ending::Block => element(name).is_block(),
            Ending::Next => {
                self.holders += u32::from(HOLDERS.contains(&name));
                name == self.name && self.holders == 0
            }
            Ending::Tag => {
                self.depth += u32::from(name == self.name);
                false
            }
        }
    }

    /// Takes an end tag; whether the element has ended with it.
    fn end(&mut self, name: Name) -> bool {
        match self.ending {
            Ending::Block => element(name).is_block(),
            Ending::Next if HOLDERS.contains(&name) => {
                let was_inside = self.holders > 0;
                self.holders = self.holders.saturating_sub(1);
                !was_inside
            }
            Ending::Next => name == self.name && self.holders == 0,
            Ending::Tag => {
                self.depth -= u32::from(name == self.name);
                self.depth == 0
            }
        }
    }
}

/// What is open of the elements that matter.
#[derive(Debug, Default)]
pub(super) struct Regions<'r> {
    rules: Option<&'r PageRules>,
    /// Whether any element may be selected or dropped.
    watches_all: bool,
    /// What is left out, where it began, and what the tokenizer knew there.
    hidden: Option<(Region, usize, Foreign)>,
    selected: Option<Region>,
    /// The main content: its headers and footers are its own.
    content: Option<Region>,
    pub(super) left_out: usize,
    /// Bytes that were left out before what is hidden now.
    left_out_before: usize,
    pub(super) has_text: bool,
    /// Something that was to be left out did not end: nothing more is.
    gave_up: bool,
}

impl<'r> Regions<'r> {
    pub(super) fn new(rules: &'r PageRules) -> Self {
        let keeps_all = rules.keep_boilerplate && rules.has_defaults();
        Self { rules: (!keeps_all).then_some(rules), watches_all: !rules.has_defaults(), ..Self::default() }
    }

    /// Whether the tags of an element matter. Without selectors only some elements are left out or hold the main content, and those that are
    /// open end by counting their own.
    #[inline]
    pub(super) fn watch(&self, element: &Element) -> bool {
        element.may_be_region() && self.rules.is_some() || self.watches_all
    }

    /// Follows all tags, whatever they mean.
    #[cfg(test)]
    pub(super) fn watch_all(&mut self) {
        self.watches_all = true;
    }

    /// Takes a start tag of HTML.
    pub(super) fn start(
        &mut self,
        name: Name,
        element: &Element,
        attributes: Attributes<'_>,
        at: usize,
        foreign: Foreign,
    ) {
        let Some(rules) = self.rules.filter(|_| name != LONG) else { return };
        if let Some((hidden, ..)) = &mut self.hidden {
            if !hidden.start(name) {
                return;
            }
            self.hidden = None;
        }
        self.selected.take_if(|selected| selected.start(name));
        self.content.take_if(|content| content.start(name));
        if element.is_void() {
            return;
        }
        let role = role(element, &attributes, name);
        if self.content.is_none() && role.is_content {
            self.content = Some(Region::new(name));
        }
        let is_frame = match role.frame {
            Some(Frame::Navigation) => true,
            Some(Frame::Margin) => self.content.is_none(),
            None => false,
        };
        let is_dropped = || !rules.drop.is_empty() && rules.drop.fit(name, &attributes);
        if !self.gave_up && (!rules.keep_boilerplate && is_frame || is_dropped()) {
            self.hidden = Some((Region::new(name), at, foreign));
            self.left_out_before = self.left_out;
        } else if self.selected.is_none() && !rules.select.is_empty() && rules.select.fit(name, &attributes) {
            self.selected = Some(Region::new(name));
        }
    }

    /// Takes an end tag of HTML.
    pub(super) fn end(&mut self, name: Name) {
        if self.rules.is_none() {
            return;
        }
        if let Some((hidden, ..)) = &mut self.hidden {
            // the end of a list around it is the end of more than what is hidden
            let is_around = hidden.name != name;
            if !hidden.end(name) {
                return;
            }
            self.hidden = None;
            if !is_around {
                return;
            }
        }
        self.selected.take_if(|selected| selected.end(name));
        self.content.take_if(|content| content.end(name));
    }

    /// Whether text counts. The title of a page does, and does not show that there is anything else.
    #[inline]
    pub(super) fn count(&mut self, text: &[u8], is_title: bool) -> bool {
        let Some(rules) = self.rules else { return true };
        let is_selected = rules.select.is_empty() || self.selected.is_some();
        if self.hidden.is_some() || !is_selected {
            self.left_out += text.trim_ascii().len();
            return false;
        }
        self.has_text = self.has_text || !is_title && !text.trim_ascii().is_empty();
        true
    }

    /// At the end of a page: where an element began that was left out and has not ended, and what the tokenizer knew there. From there on
    /// everything is read again, and nothing is taken for frame.
    pub(super) fn give_up(&mut self) -> Option<(usize, Foreign)> {
        let (_, at, foreign) = self.hidden.take()?;
        self.left_out = self.left_out_before;
        self.gave_up = true;
        Some((at, foreign))
    }
}
