//! Precision and recall by threshold as small plots side by side, in SVG that suits light and dark pages.

use super::metrics::Point;
use std::fmt::Write as _;

/// One small plot.
pub(crate) struct Panel<'a> {
    pub(crate) title: String,
    /// What the threshold is of.
    pub(crate) axis: &'static str,
    /// What stands at the beginning, the middle and the end of that axis.
    pub(crate) ticks: [&'static str; 3],
    pub(crate) points: &'a [Point],
}

/// The ticks of a share.
pub(crate) const SHARES: [&str; 3] = ["0", "0.5", "1"];

const COLUMNS: usize = 3;
/// Sides of the field between the axes.
const FIELD: (f64, f64) = (200.0, 130.0);
/// Sides of a panel with its title and axis.
const PANEL: (f64, f64) = (260.0, 205.0);
/// Room above all panels, for the legend.
const TOP: f64 = 44.0;
/// A class of the style, and the number it draws.
type Curve = (&'static str, fn(&Point) -> f64);
const CURVES: [Curve; 3] =
    [("precision", |point| point.precision), ("recall", |point| point.recall), ("f1", |point| point.f1)];

const STYLE: &str = "<style>
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; font-size: 13px; }
.small { font-size: 11px; fill: #57606a; }
.page { fill: #ffffff; }
.grid { stroke: #d0d7de; stroke-width: 1; }
.line { fill: none; stroke-width: 2; }
.precision { stroke: #0969da; } .recall { stroke: #bc4c00; } .f1 { stroke: #6e7781; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .small { fill: #9198a1; } .page { fill: #0d1117; } .grid { stroke: #3d444d; }
.precision { stroke: #58a6ff; } .recall { stroke: #f0883e; } .f1 { stroke: #9198a1; }
}
</style>
";

/// The whole picture.
pub(crate) fn plot(panels: &[Panel<'_>]) -> String {
    let rows = panels.len().div_ceil(COLUMNS);
    let (width, height) = (PANEL.0 * COLUMNS as f64 + 16.0, TOP + PANEL.1 * rows as f64 + 8.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>Precision, recall and F1 by threshold</title>\n{STYLE}<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    let mut x = 44.0;
    for (name, _) in CURVES {
        let (end, label) = (x + 26.0, if name == "f1" { "F1" } else { name });
        add(&mut svg, format_args!("<path class=\"line {name}\" d=\"M{x} 22H{end}\"/>"));
        add(&mut svg, format_args!("<text x=\"{}\" y=\"26\">{label}</text>", end + 6.0));
        x += 120.0;
    }
    for (at, one) in panels.iter().enumerate() {
        let (column, row) = (at % COLUMNS, at / COLUMNS);
        panel(&mut svg, one, 44.0 + PANEL.0 * column as f64, TOP + 24.0 + PANEL.1 * row as f64);
    }
    svg + "</svg>\n"
}

/// One panel, with the upper left corner of its field at x, y.
fn panel(svg: &mut String, panel: &Panel<'_>, x: f64, y: f64) {
    let (right, bottom) = (x + FIELD.0, y + FIELD.1);
    let title = panel.title.replace('&', "&amp;").replace('<', "&lt;");
    add(svg, format_args!("<text class=\"title\" x=\"{x}\" y=\"{}\">{title}</text>", y - 9.0));
    for (share, tick) in [0.0, 0.5, 1.0].into_iter().zip(panel.ticks) {
        let (across, up) = (x + share * FIELD.0, bottom - share * FIELD.1);
        add(svg, format_args!("<path class=\"grid\" d=\"M{x} {up}H{right}M{across} {y}V{bottom}\"/>"));
        let (label, beside) = (x - 6.0, up + 4.0);
        add(svg, format_args!("<text class=\"small\" text-anchor=\"end\" x=\"{label}\" y=\"{beside}\">{share}</text>"));
        let below = bottom + 15.0;
        add(
            svg,
            format_args!("<text class=\"small\" text-anchor=\"middle\" x=\"{across}\" y=\"{below}\">{tick}</text>"),
        );
    }
    // between the numbers 0.5 and 1 there is room for the name of the axis
    let (middle, below) = (x + FIELD.0 * 0.75, bottom + 15.0);
    let axis = panel.axis;
    add(svg, format_args!("<text class=\"small\" text-anchor=\"middle\" x=\"{middle}\" y=\"{below}\">{axis}</text>"));
    for (name, value) in CURVES.iter().rev() {
        let place = |point: &Point| {
            let (across, up) = (x + point.threshold * FIELD.0, bottom - value(point) * FIELD.1);
            format!("{across:.1} {up:.1}")
        };
        let path = panel.points.iter().map(place).collect::<Vec<_>>().join("L");
        add(svg, format_args!("<path class=\"line {name}\" d=\"M{path}\"/>"));
    }
}

fn add(svg: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(svg, "{line}").expect("a string takes all");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_panel_has_its_curves_inside() {
        let points = [Point::new(0.1, 4, 2, 4), Point::new(0.9, 1, 1, 4)];
        let panels: Vec<Panel<'_>> = ["a", "b & <c>", "d", "e"]
            .map(|title| Panel { title: title.into(), axis: "score", ticks: SHARES, points: &points })
            .into();
        let svg = plot(&panels);
        assert_eq!(svg.matches("class=\"title\"").count(), 4);
        assert_eq!(svg.matches("class=\"line precision\"").count(), 5, "four panels and the legend");
        assert!(svg.contains("b &amp; &lt;c>") && svg.trim_end().ends_with("</svg>"));
        // precision .5 at threshold .1 in the first panel
        assert!(svg.contains("M64.0 133.0L224.0 68.0"), "{svg}");
    }
}
