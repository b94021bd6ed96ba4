//! The redirect map: where the content of URLs that are gone lives now.

use super::rows::{Row, cell};
use crate::clean::clean;
use crate::style::{DIM, estimate, role_style};
use crate::words::{certainty_name, role_name, status_name};
use lookalike::index::Redirect;
use std::io::{self, Write};

impl Row for Redirect {
    const LIST: &'static str = "redirects";
    const COLUMNS: &'static str = "url to status certainty probability role held held_low held_high resemblance resemblance_low \
                                   resemblance_high last_seen";

    fn cells(&self) -> Vec<String> {
        let numbers = [self.held, self.resemblance];
        let numbers = numbers.iter().flat_map(|e| [e.map(|e| e.value), e.map(|e| e.low), e.map(|e| e.high)]).map(cell);
        let words = [
            cell(Some(&self.url)),
            cell(self.to.as_ref()),
            cell(Some(status_name(self.status))),
            cell(self.certainty.map(certainty_name)),
            cell(self.probability),
            cell(self.role.map(role_name)),
        ];
        words.into_iter().chain(numbers).chain([cell(self.last_seen.as_ref())]).collect()
    }

    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let status = status_name(self.status);
        let (Some(to), Some(role), Some(held)) = (&self.to, self.role, self.held) else {
            return writeln!(
                out,
                "  {DIM}{status:<7}  {:<8}  {:>4}  {:<23}{DIM:#}  {}",
                "–",
                "–",
                "–",
                clean(&self.url)
            );
        };
        let (style, certainty) = (role_style(role), self.certainty.map_or("–", certainty_name));
        let probability = self.probability.map_or_else(|| "–".to_owned(), |p| format!("{:.0}%", p * 100.0));
        let held = estimate(held);
        let (url, to) = (clean(&self.url), clean(to));
        writeln!(out, "  {style}{status:<7}  {certainty:<8}  {probability:>4}  {held:<23}{style:#}  {url} → {to}")
    }
}
