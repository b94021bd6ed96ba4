//! Holders as rows of CSV.

use crate::shares::role_name;
use lookalike::index::{Holder, Holders};
use std::io::{self, Write};

const COLUMNS: &str = "url host role held resemblance low high document_in_query first last current content verified";

/// A row for each holder; `low` and `high` are the ends of the 95 % interval of the resemblance.
pub fn write_holders_csv(out: &mut dyn Write, holders: &Holders) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(COLUMNS.split(' '))?;
    holders.holders.iter().try_for_each(|holder| rows.write_record(row(holder)))?;
    rows.flush()
}

fn row(holder: &Holder) -> [String; 13] {
    let date = |date: &Option<String>| date.clone().unwrap_or_default();
    [
        holder.url.clone(),
        holder.host.clone(),
        role_name(holder.role).to_owned(),
        holder.held().to_string(),
        holder.resemblance.value.to_string(),
        holder.resemblance.low.to_string(),
        holder.resemblance.high.to_string(),
        holder.document_in_query.map_or_else(String::new, |share| share.value.to_string()),
        date(&holder.first),
        date(&holder.last),
        holder.current.to_string(),
        holder.content.clone(),
        holder.verified.to_string(),
    ]
}
