//! The redirect map: every URL that is gone, and where its content lives now.

use crate::history::archive::Archive;
use crate::history::find_lost::lost;
use crate::history::lost::{LostOptions, LostResult, LostStatus};
use crate::history::role::Role;
use lookalike_core::sketch::Estimate;
use lookalike_engine::Error;
use rayon::prelude::*;
use serde::Serialize;

/// URLs that are looked for together: the results of so many are held at once.
const BATCH: usize = 1024;
/// The share of a lost document from which on its place is likely.
const LIKELY_SHARE: f64 = 0.5;

/// A URL that is gone, and where its content lives now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Redirect {
    /// The URL.
    pub url: String,
    /// When it was last seen.
    pub last_seen: Option<String>,
    /// What became of its content.
    pub status: LostStatus,
    /// The URL that has it now, or the most of it; none if it is gone.
    pub to: Option<String>,
    /// What that has of it.
    pub role: Option<Role>,
    /// How sure that is.
    pub certainty: Option<Certainty>,
    /// The share of such redirects that were right where people know where pages went.
    pub probability: Option<f64>,
    /// Share of the content that is there.
    pub held: Option<Estimate>,
    /// Resemblance of what is there.
    pub resemblance: Option<Estimate>,
}

/// How sure one can be of a redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// One URL has the same bytes or words.
    Certain,
    /// Several URLs have the same, or one has half of it and more by all of the estimate's interval.
    Likely,
    /// Less is there, or the sketch is too small to tell.
    Possible,
}

/// Calls `each` with every URL that is not in the last sweep, in the order of the index. Only a batch of results is held at a time.
pub(crate) fn redirects(
    archive: &dyn Archive,
    options: &LostOptions,
    each: &mut dyn FnMut(Redirect) -> Result<(), Error>,
) -> Result<(), Error> {
    // the second place tells whether the first is the only one
    let options = LostOptions { at: None, limit: 2, ..options.clone() };
    let mut look_up = |urls: &[String]| {
        let found = urls.par_iter().map(|url| lost(archive, url, &options).map(Redirect::from));
        found.collect::<Result<Vec<_>, Error>>()?.into_iter().try_for_each(&mut *each)
    };
    let mut urls = Vec::with_capacity(BATCH);
    archive.for_each_history(&mut |url, history| {
        if history.last().is_some_and(|last| last.0 < archive.present()) {
            urls.push(url.to_owned());
        }
        if urls.len() < BATCH {
            return Ok(());
        }
        look_up(&urls)?;
        urls.clear();
        Ok(())
    })?;
    look_up(&urls)
}

impl From<LostResult> for Redirect {
    fn from(lost: LostResult) -> Self {
        let certainty = certainty(&lost);
        let place = lost.found.into_iter().next().filter(|_| certainty.is_some());
        let same_name = place.as_ref().is_some_and(|place| file_name(&place.url) == file_name(&lost.url));
        Self {
            url: lost.url,
            last_seen: lost.last_seen,
            status: lost.status,
            role: place.as_ref().map(|place| place.role),
            certainty,
            probability: place.as_ref().map(|place| probability(place.resemblance.value, same_name)),
            held: place.as_ref().map(|place| place.query_in_document.unwrap_or(place.resemblance)),
            resemblance: place.as_ref().map(|place| place.resemblance),
            to: place.map(|place| place.url),
        }
    }
}

/// How sure the first place is; none where the content is gone.
fn certainty(lost: &LostResult) -> Option<Certainty> {
    let place = lost.found.first().filter(|place| place.current && lost.status != LostStatus::Gone)?;
    let held = place.query_in_document.unwrap_or(place.resemblance);
    let again = lost.found.get(1).is_some_and(|other| other.current && other.role == Role::Copy);
    Some(match place.role {
        Role::Copy if !again => Certainty::Certain,
        Role::Copy => Certainty::Likely,
        _ if held.low >= LIKELY_SHARE => Certainty::Likely,
        _ => Certainty::Possible,
    })
}

/// How probable it is that a page went where a page is that resembles it so much, to two digits. Fitted on four pairs of snapshots of two
/// sites (`eval index --parts moved`), each counting alike. How many of a site's lost pages moved at all differs by site: where two thirds
/// did, a stated 0.6 was 0.4 to 0.6; where nearly all did, 0.8 and more. From 0.9 on it was right within a tenth everywhere.
fn probability(resemblance: f64, same_name: bool) -> f64 {
    const AT_NONE: f64 = -0.65;
    const OF_RESEMBLANCE: f64 = 3.63;
    const OF_NAME: f64 = 1.49;
    let odds = (AT_NONE + OF_RESEMBLANCE * resemblance + if same_name { OF_NAME } else { 0.0 }).exp();
    (odds / (1.0 + odds) * 100.0).round() / 100.0
}

/// The last part of a URL or path, without what follows it.
fn file_name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    path.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a text is a list of ranges, often of one")]
mod tests {
    use super::*;
    use crate::history::memory_archive::MemoryArchive;

    fn map(archive: &MemoryArchive) -> Vec<Redirect> {
        let mut all = Vec::new();
        let each = &mut |redirect| {
            all.push(redirect);
            Ok(())
        };
        redirects(archive, &LostOptions::default(), each).unwrap();
        all
    }

    #[test]
    fn every_url_that_is_gone() {
        let mut archive = MemoryArchive::new(&["2024-01-01", "2024-01-11"]);
        archive.saw("http://a.org/stays", &[0, 1], &[0..100]);
        archive.saw("http://a.org/moves", &[0], &[1000..1100]).saw("http://b.org/moves", &[1], &[1000..1100]);
        archive.saw("http://a.org/twice", &[0], &[2000..2100]).saw("http://b.org/x", &[1], &[2000..2100]);
        archive.saw("http://b.org/y", &[1], &[2000..2100]);
        archive.saw("http://a.org/edited", &[0], &[3000..3100]).saw("http://b.org/edited", &[1], &[3000..3090]);
        archive.saw("http://a.org/part", &[0], &[4000..4100]).saw("http://b.org/part", &[1], &[4000..4040]);
        archive.saw("http://a.org/dead", &[0], &[5000..5100]);
        let rows: Vec<_> = map(&archive).into_iter().map(|r| (r.url, r.to, r.certainty)).collect();
        let row = |page: &str, to: Option<&str>, certainty| {
            (format!("http://a.org/{page}"), to.map(|to| format!("http://b.org/{to}")), certainty)
        };
        assert_eq!(
            rows,
            [
                row("dead", None, None),
                row("edited", Some("edited"), Some(Certainty::Likely)),
                row("moves", Some("moves"), Some(Certainty::Certain)),
                row("part", Some("part"), Some(Certainty::Possible)),
                row("twice", Some("x"), Some(Certainty::Likely)),
            ]
        );
    }

    #[test]
    fn names_and_resemblance_make_it_probable() {
        assert_eq!(file_name("http://a.org/x/page.html?q=a/b#c"), "page.html");
        assert_eq!(file_name("http://a.org/x/page/"), "page");
        let close = |p: f64, value: f64| assert!((p - value).abs() < 1e-9, "{p}");
        close(probability(1.0, true), 0.99);
        close(probability(1.0, false), 0.95);
        close(probability(0.5, true), 0.93);
        close(probability(0.2, false), 0.52);
        // only what has a place has a probability
        let mut archive = MemoryArchive::new(&["2024-01-01", "2024-01-11"]);
        archive.saw("http://a.org/1/moves", &[0], &[0..100]).saw("http://a.org/2/moves", &[1], &[0..100]);
        archive.saw("http://a.org/dead", &[0], &[5000..5100]);
        let told: Vec<_> = map(&archive).into_iter().map(|redirect| redirect.probability).collect();
        assert_eq!(told, [Some(0.99), None]);
    }

    /// The map is what each URL is answered with by itself, over the border of a batch too.
    #[test]
    fn the_map_is_the_answer_for_each_url() {
        let mut archive = MemoryArchive::new(&["2024-01-01", "2024-01-11"]);
        for page in 0..BATCH as u32 + 5 {
            archive.saw(&format!("http://a.org/{page:04}"), &[0], &[page % 7 * 100..page % 7 * 100 + 50]);
        }
        archive.saw("http://b.org/0", &[1], &[0..50]).saw("http://b.org/1", &[1], &[100..140]);
        let all = map(&archive);
        assert_eq!(all.len(), BATCH + 5);
        for redirect in all.iter().step_by(97).chain(all.last()) {
            let alone = lost(&archive, &redirect.url, &LostOptions::default()).unwrap();
            assert_eq!(redirect.status, alone.status);
            let place = alone.found.first().filter(|_| alone.status != LostStatus::Gone);
            assert_eq!(redirect.to.as_ref(), place.map(|place| &place.url));
        }
    }
}
