//! What became of the last content of a URL.

#[cfg(test)]
mod tests;

use crate::history::archive::{Archive, History};
use crate::history::lost::{LostOptions, LostResult, LostStatus, Version};
use crate::history::lost_search::{LostSearch, TracedCandidate};
use crate::history::search::MIN_REMAINING_SHARE;
use lookalike_engine::run::date::days;
use lookalike_engine::{Error, OptionName};

/// Where the last content of a URL lives now.
pub(crate) fn lost(archive: &dyn Archive, url: &str, options: &LostOptions) -> Result<LostResult, Error> {
    if let Some(at) = options.at.as_deref().filter(|at| days(at).is_none()) {
        return OptionName::VersionDate.refuse("a date such as 2026-05-01", format!("{at:?}"));
    }
    let observations = archive.find(url)?;
    let mut lost = LostResult {
        url: url.to_owned(),
        status: LostStatus::Unknown,
        content: None,
        last: None,
        last_seen: observations.last().and_then(|(sweep_index, _)| archive.date(*sweep_index)),
        now: archive.date(archive.present()),
        history: versions(archive, &observations)?,
        found: Vec::new(),
        more: 0,
        together: None,
    };
    let (Some(asked), Some(last)) = (asked(archive, &observations, options.at.as_deref())?, observations.last()) else {
        return Ok(lost);
    };
    lost.content = Some(archive.content(asked.1)?);
    lost.last = archive.date(asked.0);
    let search = LostSearch { archive, options, url, document: asked.1, sweep_index: asked.0 };
    if last.0 < archive.present() {
        let found = search.seek()?;
        return search.decide(lost, found);
    }
    let own = search.own(observations.first().map_or(0, |o| o.0), *last)?;
    if last.1 == asked.1 {
        lost.status = LostStatus::Unchanged;
    } else {
        lost.status = LostStatus::Changed;
        let held = own.query_in_document.unwrap_or(own.resemblance);
        if own.resemblance.value < options.near {
            let found = search.seek()?;
            let better = found.first().is_some_and(|TracedCandidate { candidate: c, .. }| {
                let clearly = c.arrived() && c.scores.held().low > held.high;
                search.is_current(c) && search.is_enough(c) && (held.value < MIN_REMAINING_SHARE || clearly)
            });
            // what is there now has nothing to do with it: the URL lives, the document does not
            if better || held.value < MIN_REMAINING_SHARE {
                return search.decide(lost, found);
            }
            // it kept a part; others may have taken the rest
            let arrived =
                found.into_iter().filter(|lead| lead.candidate.arrived() && search.is_current(&lead.candidate));
            let mut changed = search.list(lost, arrived.collect())?;
            changed.found.insert(0, own);
            return Ok(changed);
        }
    }
    lost.found = vec![own];
    Ok(lost)
}

/// The observation that is asked for: the last one with the content that the URL had on the date. Without a date it is what the URL had
/// last; but if it is still there, what it had before its last change, or before something else took its place, however long ago.
fn asked(archive: &dyn Archive, history: &History, at: Option<&str>) -> Result<Option<(u32, u32)>, Error> {
    let Some(last) = history.len().checked_sub(1) else { return Ok(None) };
    let chosen = match at {
        Some(at) => {
            history.iter().rposition(|(sweep_index, _)| archive.date(*sweep_index).is_none_or(|date| is_by(&date, at)))
        }
        None if history[last].0 >= archive.present() => Some(before_last_change(archive, history)?),
        None => Some(last),
    };
    let same = |chosen: usize| history[chosen..].iter().take_while(move |o| o.1 == history[chosen].1).last().copied();
    Ok(chosen.and_then(same))
}

/// Whether a date is not after another; a day lasts until its end.
fn is_by(date: &str, at: &str) -> bool {
    days(date).zip(days(at)).is_some_and(|(date, end)| date <= end || at.len() == 10 && date < end + 1.0)
}

fn before_last_change(archive: &dyn Archive, history: &History) -> Result<usize, Error> {
    let last = history.len() - 1;
    let Some(other) = history.iter().rposition(|o| o.1 != history[last].1) else { return Ok(last) };
    let kin = archive.resemblance(history[other].1, history[last].1)?;
    let replaced = kin.a_in_b.unwrap_or(kin.resemblance).value < MIN_REMAINING_SHARE;
    Ok(if replaced || other + 1 == last { other } else { last })
}

fn versions(archive: &dyn Archive, history: &History) -> Result<Vec<Version>, Error> {
    let mut before = None;
    let version = |(sweep_index, document): &(u32, u32)| {
        let changed = before.filter(|old| old != document);
        before = Some(*document);
        let resemblance = changed.map(|old| archive.resemblance(old, *document)).transpose()?;
        Ok(Version {
            date: archive.date(*sweep_index),
            content: archive.content(*document)?,
            changed: changed.is_some(),
            resemblance: resemblance.map(|e| e.resemblance),
        })
    };
    history.iter().map(version).collect()
}
