//! Small plots as inline SVG. They are drawn at the width of a telephone and never much larger, so their text stays legible.

use crate::units::commas;
use std::fmt::Write;

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 200.0;
/// Room for the labels.
const LEFT: f64 = 46.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 24.0;
/// Labels along the bottom; with more bars only some have one.
const LABELS: usize = 6;

/// Text that is safe in HTML, in attributes too.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in crate::clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The name of a page, to be followed where it is an address on the web. Others may mean anything, scripts too.
pub(crate) fn link(name: &str) -> String {
    let shown = escape(name);
    // what is spelled out for readers leads nowhere
    let plain = name == crate::clean(name) && !name.contains(char::is_whitespace);
    if plain && (name.starts_with("https://") || name.starts_with("http://")) {
        return format!("<a href=\"{shown}\" rel=\"noopener noreferrer\"><bdi>{shown}</bdi></a>");
    }
    format!("<bdi>{shown}</bdi>")
}

/// A bar: its label, what stands on the line and what hangs below it, each with its colour and name.
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) up: Vec<(u64, &'static str, &'static str)>,
    pub(crate) down: Vec<(u64, &'static str, &'static str)>,
}

/// A drawing with a name and a description for those who cannot see it.
fn frame(id: &str, title: &str, description: &str, inside: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">\
         <title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>{inside}</svg>",
        escape(title),
        escape(description)
    )
}

/// Upright bars.
pub(crate) fn bars(id: &str, title: &str, description: &str, bars: &[Bar]) -> String {
    let sum = |parts: &[(u64, &str, &str)]| parts.iter().map(|part| part.0).sum::<u64>();
    let most = |side: fn(&Bar) -> &[(u64, &'static str, &'static str)]| bars.iter().map(|b| sum(side(b))).max();
    let (up, down) = (most(|b| &b.up).unwrap_or(0), most(|b| &b.down).unwrap_or(0));
    let scale = (HEIGHT - TOP - BOTTOM) / (up + down).max(1) as f64;
    let zero = TOP + up as f64 * scale;
    let step = (WIDTH - LEFT - RIGHT) / bars.len().max(1) as f64;
    let width = (step * 0.72).min(44.0);
    let every = bars.len().div_ceil(LABELS).max(1);
    let mut out = String::new();
    axis(&mut out, zero, "0");
    if up > 0 {
        axis(&mut out, TOP, &commas(up));
    }
    if down > 0 {
        axis(&mut out, HEIGHT - BOTTOM, &commas(down));
    }
    for (at, bar) in bars.iter().enumerate() {
        let middle = LEFT + (at as f64 + 0.5) * step;
        for (parts, sign) in [(&bar.up, -1.0), (&bar.down, 1.0)] {
            let mut y = zero;
            for (n, colour, name) in parts {
                let height = *n as f64 * scale;
                let top = if sign < 0.0 { y - height } else { y };
                y += sign * height;
                let _ = write!(
                    out,
                    "<rect class=\"{colour}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\
                     <title>{}: {} {name}</title></rect>",
                    middle - width / 2.0,
                    escape(&bar.label),
                    commas(*n)
                );
            }
        }
        if at.is_multiple_of(every) {
            let (y, label) = (HEIGHT - 8.0, escape(&bar.label));
            let _ = write!(out, "<text class=\"mid\" x=\"{middle:.1}\" y=\"{y}\">{label}</text>");
        }
    }
    frame(id, title, description, &out)
}

/// A line across, with its number.
fn axis(out: &mut String, y: f64, label: &str) {
    let _ = write!(
        out,
        "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
         <text class=\"end\" x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
        WIDTH - RIGHT,
        LEFT - 6.0,
        y + 4.0
    );
}

/// Bars that lie, each with its name and number above it.
pub(crate) fn rows(id: &str, title: &str, description: &str, rows: &[(&str, u64, &str)]) -> String {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1) as f64;
    let step = (HEIGHT - TOP) / rows.len().max(1) as f64;
    let mut out = String::new();
    for (at, (name, n, colour)) in rows.iter().enumerate() {
        let y = TOP + at as f64 * step;
        let width = *n as f64 / most * WIDTH;
        let _ = write!(
            out,
            "<text x=\"0\" y=\"{:.1}\">{}</text><text class=\"end\" x=\"{WIDTH}\" y=\"{0:.1}\">{}</text>\
             <rect class=\"e\" x=\"0\" y=\"{:.1}\" width=\"{WIDTH}\" height=\"8\" rx=\"4\" opacity=\"0.4\"/>\
             <rect class=\"{colour}\" x=\"0\" y=\"{3:.1}\" width=\"{width:.1}\" height=\"8\" rx=\"4\"/>",
            y + 12.0,
            escape(name),
            commas(*n),
            y + 19.0
        );
    }
    frame(id, title, description, &out)
}

/// A curve that begins at 1 and goes down in steps; `last` is where the line ends.
pub(crate) fn steps(id: &str, title: &str, description: &str, steps: &[(f64, f64)], last: f64) -> String {
    let end = steps.last().map_or(last, |step| step.0.max(last)).max(1.0);
    let x = |days: f64| LEFT + days / end * (WIDTH - LEFT - RIGHT);
    let y = |share: f64| TOP + (1.0 - share) * (HEIGHT - TOP - BOTTOM);
    let mut out = String::new();
    for (share, label) in [(1.0, "100%"), (0.5, "50%"), (0.0, "0%")] {
        axis(&mut out, y(share), label);
    }
    let mut path = format!("M{:.1} {:.1}", x(0.0), y(1.0));
    for (days, share) in steps {
        let _ = write!(path, "H{:.1}V{:.1}", x(*days), y(*share));
    }
    let _ = write!(path, "H{:.1}", x(end));
    let _ = write!(out, "<path class=\"curve\" d=\"{path}\"/>");
    for part in [0.0, 0.5, 1.0] {
        let class = if part < 1.0 { "mid" } else { "end" };
        let unit = if part < 1.0 { "" } else { " days" };
        let (x, y) = (x(end * part), HEIGHT - 8.0);
        let _ = write!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y}\">{:.0}{unit}</text>", end * part);
    }
    frame(id, title, description, &out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_place() {
        assert_eq!(escape("<a href='x'>\"&\u{202e}"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\\u{202e}");
    }

    #[test]
    fn only_addresses_on_the_web_can_be_followed() {
        assert_eq!(
            link("https://a.org/?b&c"),
            "<a href=\"https://a.org/?b&amp;c\" rel=\"noopener noreferrer\"><bdi>https://a.org/?b&amp;c</bdi></a>"
        );
        for name in [
            "javascript:alert(1)",
            "docs/a.md",
            "data:text/html,x",
            "https://a.org/\u{202e}",
            " https://a.org",
            "https://a b",
        ] {
            assert!(!link(name).contains("href"), "{name}");
        }
    }

    #[test]
    fn plots_of_nothing() {
        for plot in [bars("a", "t", "d", &[]), rows("b", "t", "d", &[]), steps("c", "t", "d", &[], 0.0)] {
            assert!(plot.starts_with("<svg") && plot.ends_with("</svg>") && !plot.contains("NaN"), "{plot}");
        }
    }
}
