//! What was promised, what was measured, and by how much the one is better than the other.

use crate::table::table;
use serde::{Serialize, Serializer, ser::SerializeStruct};

/// A number with a limit.
#[derive(Clone, Debug)]
pub(crate) struct Bar {
    pub(crate) what: String,
    pub(crate) limit: Limit,
    pub(crate) measured: f64,
    pub(crate) unit: Unit,
}

/// On which side of the bar one has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

/// How the number is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unit {
    Times,
    Milliseconds,
    Seconds,
    Bytes,
    Mebibytes,
    Share,
    Count,
}

impl Bar {
    pub(crate) fn at_most(limit: f64, unit: Unit, what: impl Into<String>, measured: f64) -> Self {
        Self { what: what.into(), limit: Limit::AtMost(limit), measured, unit }
    }

    pub(crate) fn at_least(limit: f64, unit: Unit, what: impl Into<String>, measured: f64) -> Self {
        Self { what: what.into(), limit: Limit::AtLeast(limit), measured, unit }
    }

    pub(crate) fn is_met(&self) -> bool {
        match self.limit {
            Limit::AtMost(limit) => self.measured <= limit,
            Limit::AtLeast(limit) => self.measured >= limit,
        }
    }

    /// The distance to the limit: points of a share, else percent of the limit. Nothing where the limit is met exactly.
    fn margin(&self) -> String {
        let (Limit::AtMost(limit) | Limit::AtLeast(limit)) = self.limit;
        let side = if self.measured < limit { "below" } else { "above" };
        let by = (self.measured - limit).abs();
        match self.unit {
            _ if by == 0.0 => "–".to_owned(),
            Unit::Share => format!("{:.1} points {side}", by * 100.0),
            Unit::Count => format!("{by:.0} {side}"),
            _ => format!("{:.0} % {side}", by / limit * 100.0),
        }
    }

    fn row(&self) -> Vec<String> {
        let bar = match self.limit {
            Limit::AtMost(limit) => format!("≤ {}", self.unit.text(limit)),
            Limit::AtLeast(limit) => format!("≥ {}", self.unit.text(limit)),
        };
        let met = if self.is_met() { "yes" } else { "NO" };
        vec![self.what.clone(), bar, self.unit.text(self.measured), met.to_owned(), self.margin()]
    }
}

impl Unit {
    fn text(self, number: f64) -> String {
        match self {
            Self::Times => format!("{number:.2} times"),
            Self::Milliseconds => format!("{number:.2} ms"),
            Self::Seconds => format!("{number:.2} s"),
            Self::Bytes => format!("{number:.0} bytes"),
            Self::Mebibytes => format!("{number:.0} MiB"),
            Self::Share => format!("{:.1} %", number * 100.0),
            Self::Count => format!("{number:.0}"),
        }
    }
}

/// All bars as a table.
pub(crate) fn bars(bars: &[Bar]) -> String {
    table(&["", "bar", "measured", "met", "by"], &bars.iter().map(Bar::row).collect::<Vec<_>>())
}

impl Serialize for Bar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (side, limit) = match self.limit {
            Limit::AtMost(limit) => ("at_most", limit),
            Limit::AtLeast(limit) => ("at_least", limit),
        };
        let mut bar = serializer.serialize_struct("Bar", 5)?;
        bar.serialize_field("what", &self.what)?;
        bar.serialize_field(side, &limit)?;
        bar.serialize_field("measured", &self.measured)?;
        bar.serialize_field("unit", &format!("{:?}", self.unit).to_lowercase())?;
        bar.serialize_field("met", &self.is_met())?;
        bar.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_says_which_side_and_how_far() {
        let row = |bar: Bar| bar.row().join("|");
        assert_eq!(row(Bar::at_most(1.5, Unit::Times, "build", 1.2)), "build|≤ 1.50 times|1.20 times|yes|20 % below");
        assert_eq!(row(Bar::at_most(1.5, Unit::Times, "build", 1.8)), "build|≤ 1.50 times|1.80 times|NO|20 % above");
        assert_eq!(row(Bar::at_least(0.95, Unit::Share, "first", 0.93)), "first|≥ 95.0 %|93.0 %|NO|2.0 points below");
        assert_eq!(row(Bar::at_most(0.0, Unit::Count, "differ", 0.0)), "differ|≤ 0|0|yes|–");
        assert_eq!(row(Bar::at_most(0.0, Unit::Count, "differ", 3.0)), "differ|≤ 0|3|NO|3 above");
        let json = serde_json::to_value(Bar::at_least(0.95, Unit::Share, "first", 0.96)).unwrap();
        assert_eq!(
            json,
            serde_json::json!({"what": "first", "at_least": 0.95, "measured": 0.96, "unit": "share", "met": true})
        );
    }
}
