//! The picture of the result: CPU seconds of lookalike, the peers and `wc -w` as bars, on a logarithmic scale.

use super::section::Section;
use crate::numbers::thousands;
use std::fmt::Write;

const LABELS: f64 = 290.0;
const BARS: f64 = 480.0;
const VALUES: f64 = 190.0;
const LINE: f64 = 26.0;
const TOP: f64 = 22.0;
const GAP: f64 = 46.0;

/// Colours that can be read on white and on black; a viewer that knows the user's choice takes the better ones.
const STYLE: &str = "
text { font: 14px system-ui, sans-serif; fill: #6e7781 }
.title { font-weight: 600; font-size: 15px }
.ours { fill: #0969da } .peer { fill: #8c959f } .yardstick { fill: #bf8700 }
.name-ours { font-weight: 600 }
.grid { stroke: #8c959f; stroke-opacity: .3 }
@media (prefers-color-scheme: dark) {
  text { fill: #adbac7 } .ours { fill: #539bf5 } .peer { fill: #768390 } .yardstick { fill: #c69026 }
}
";

/// One bar.
struct Bar<'a> {
    name: &'a str,
    cpu: f64,
    ratio: Option<f64>,
    score: Option<(f64, f64)>,
}

/// A panel for each section; nothing if no contender has a number.
pub(super) fn svg(sections: &[&Section]) -> Option<String> {
    let panels: Vec<(&Section, Vec<Bar>)> =
        sections.iter().map(|section| (*section, bars(section))).filter(|(_, bars)| !bars.is_empty()).collect();
    let all = || panels.iter().flat_map(|(_, bars)| bars.iter().map(|bar| bar.cpu));
    let least = 10f64.powf(all().reduce(f64::min)?.log10().floor());
    let most = 10f64.powf(all().reduce(f64::max)?.log10().ceil()).max(least * 10.0);
    let x = |cpu: f64| LABELS + (cpu / least).log10() / (most / least).log10() * BARS;

    let lines: usize = panels.iter().map(|(_, bars)| bars.len()).sum();
    let width = LABELS + BARS + VALUES;
    let height = TOP + lines as f64 * LINE + panels.len() as f64 * GAP - 10.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>CPU seconds to find near-duplicates</title>\n<style>{STYLE}</style>\n",
    );
    let mut y = TOP;
    for (section, bars) in &panels {
        let documents = section.documents.map(thousands).unwrap_or_default();
        let _ = writeln!(out, "<text class=\"title\" x=\"8\" y=\"{y:.0}\">CPU seconds, {documents} documents</text>");
        let _ = writeln!(out, "<text x=\"{:.0}\" y=\"{y:.0}\">recall, precision</text>", LABELS + BARS + 62.0);
        y += 12.0;
        grid(&mut out, least, most, y, bars.len() as f64 * LINE, x);
        for bar in bars {
            draw(&mut out, bar, y, x(bar.cpu), bar.name == section.base);
            y += LINE;
        }
        y += GAP - 12.0;
    }
    out += "</svg>\n";
    Some(out)
}

fn bars(section: &Section) -> Vec<Bar<'_>> {
    let mut bars: Vec<Bar> = section
        .rows
        .iter()
        .filter_map(|row| {
            let ratio = section.ratio(row).map(|ratio| ratio.median);
            let score = row.score.map(|score| (score.recall, score.precision));
            Some(Bar { name: &row.name, cpu: row.cpu()?.median, ratio, score })
        })
        .collect();
    bars.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
    bars
}

fn grid(out: &mut String, least: f64, most: f64, y: f64, height: f64, x: impl Fn(f64) -> f64) {
    let mut tick = least;
    while tick <= most * 1.001 {
        let (at, end) = (x(tick), y + height);
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{at:.1} {y:.1}V{end:.1}\"/>");
        let _ = writeln!(
            out,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{tick}</text>",
            end + 14.0
        );
        tick *= 10.0;
    }
}

fn draw(out: &mut String, bar: &Bar, y: f64, end: f64, base: bool) {
    let kind = match bar.name {
        name if name.starts_with("lookalike") => "ours",
        name if name.starts_with("wc") => "yardstick",
        _ => "peer",
    };
    let name = bar.name.replace('&', "&amp;").replace('<', "&lt;");
    let middle = y + LINE / 2.0 + 5.0;
    let _ = writeln!(
        out,
        "<text class=\"name-{kind}\" x=\"{:.0}\" y=\"{middle:.1}\" text-anchor=\"end\">{name}</text>",
        LABELS - 10.0
    );
    let _ = writeln!(
        out,
        "<rect class=\"{kind}\" x=\"{LABELS}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\"/>",
        y + 4.0,
        (end - LABELS).max(1.0),
        LINE - 8.0
    );
    let short = |x: f64| if x < 10.0 { format!("{x:.1}") } else { format!("{x:.0}") };
    let label = match bar.ratio.filter(|_| !base) {
        Some(ratio) => format!("{} s ({}×)", short(bar.cpu), short(ratio)),
        None => format!("{} s", short(bar.cpu)),
    };
    let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{middle:.1}\">{label}</text>", end + 6.0);
    if let Some((recall, precision)) = bar.score {
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{middle:.1}\">{recall:.3}, {precision:.3}</text>",
            LABELS + BARS + 62.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::section::tests::sample;

    #[test]
    fn bars_stand_in_order_and_on_the_scale() {
        let section = sample();
        let svg = svg(&[&section]).unwrap();
        let (ours, theirs) = (svg.find(">lookalike<").unwrap(), svg.find(">peer<").unwrap());
        assert!(ours < theirs, "the cheapest is on top");
        // from 1 to 100 seconds over 480 units: 2 s are 0.301 of a decade, that is 72 units
        assert!(svg.contains("class=\"ours\" x=\"290\" y=\"38.0\" width=\"72.2\""), "{svg}");
        assert!(svg.contains("30 s (10×)"), "{svg}");
        assert!(!svg.contains("absent"));
    }

    #[test]
    fn nothing_measured_is_no_picture() {
        assert!(svg(&[]).is_none());
    }
}
