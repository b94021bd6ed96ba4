//! Styles and shares, as a terminal shows them.

use crate::units::percent;
use anstyle::{AnsiColor, Color, Style};
use lookalike::Estimate;
use lookalike::index::Role;
use lookalike::report::Class;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const RED: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red)));
pub(crate) const GREEN: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green)));
pub(crate) const BLUE: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Blue)));

/// `61.5% (50.1–71.8%)`; without the interval where there is no doubt.
pub(crate) fn estimate(e: Estimate) -> String {
    if e.low >= e.high {
        return percent(e.value);
    }
    format!("{} ({}–{})", percent(e.value), percent(e.low).trim_end_matches('%'), percent(e.high))
}

/// A share that may not be known.
pub(crate) fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), percent)
}

/// The colour of a class; none where a document belongs to none.
pub(crate) fn class_style(class: Option<Class>) -> Style {
    let colour = match class {
        Some(Class::Identical) => AnsiColor::Green,
        Some(Class::Lexical | Class::Shingle) => AnsiColor::Cyan,
        Some(Class::Near) => AnsiColor::Yellow,
        Some(Class::Contained) => AnsiColor::Blue,
        Some(Class::Chained) => AnsiColor::Magenta,
        None => return DIM,
    };
    Style::new().fg_color(Some(colour.into()))
}

/// The colour of a role.
pub(crate) fn role_style(role: Role) -> Style {
    class_style(match role {
        Role::Copy => Some(Class::Identical),
        Role::Near => Some(Class::Near),
        Role::Whole => Some(Class::Contained),
        Role::Part => None,
    })
}
