//! What a page is made of.

use crate::scan_view::ScanView;
use lookalike::dedup::calibrate::CalibrationRun;
use lookalike::report::{Decision, PairDecision, Report};
use lookalike::{Comparison, Error, Progress, ShingleComparison, ShownFile};

/// The files of a submission as they are shown; none where one has changed since.
pub type SubmissionFiles<'a> = dyn Fn(usize) -> Result<Vec<Option<ShownFile>>, Error> + 'a;

/// What a page says beside what was found.
#[derive(Clone, Default)]
pub struct HtmlOptions<'a> {
    /// What was scanned.
    pub inputs: Vec<String>,
    /// Where that is, for telling one place from another: only a hash of it goes into the page.
    pub place: Vec<String>,
    /// What to write on a command line to scan it again.
    pub command: Vec<String>,
    /// When, in seconds since 1970.
    pub made: u64,
    /// Bytes of the file that the texts of documents may take.
    pub embed_limit: u64,
    /// What was decided before.
    pub decisions: &'a [Decision],
    /// What was decided about pairs of submissions before.
    pub pair_decisions: &'a [PairDecision],
    /// Who watches the texts being written.
    pub progress: Option<&'a dyn Progress>,
}

/// What a page shows.
#[derive(Clone, Copy)]
pub enum PageSubject<'a> {
    /// A scan. It needs all pairs.
    Scan(&'a dyn ScanView),
    /// Two documents side by side, and what all lenses say of them, if they were asked.
    Comparison(&'a ShingleComparison, Option<&'a Comparison>),
    /// Submissions and the passages that they share. The texts go into the page as far as there is room, those of the most similar pairs first.
    Passages(&'a Report, &'a SubmissionFiles<'a>),
    /// What thresholds would do, the pairs that were drawn to be judged, and the words of the command that takes the suggested one. The texts
    /// go into the page as far as there is room, in the order of the sample.
    Calibration(&'a CalibrationRun, Option<&'a [String]>),
}

/// What a page is made of.
#[derive(Clone, Copy)]
pub struct PageSource<'a> {
    /// What it shows.
    pub subject: PageSubject<'a>,
    /// What it says beside that.
    pub options: &'a HtmlOptions<'a>,
}
