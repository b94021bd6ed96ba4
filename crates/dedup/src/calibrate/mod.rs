//! Which threshold, and which recipe? A sample of pairs over the whole range of resemblance, judged, tells what each would do.
//!
//! Every pair of documents from a low resemblance on is counted; from each stratum of resemblance some are drawn, whatever the order of the
//! documents, and judged: by people, or by how their words align. A judged pair stands for all pairs of its stratum, so the shares of
//! a corpus (how many of the pairs at or above a threshold are the same? how many of the same are found?) follow with intervals.
//!
//! All documents are read: a sample of one document in a hundred would hold one pair in ten thousand.
//!
//! {`options`, `measure`, `judgement`, `interval`} ← {`strata`, `judgement_file`} ← `calibration` ← `estimate` ← [`Calibrator`].

mod calibration;
mod calibrator;
mod estimate;
mod interval;
mod judgement;
mod judgement_file;
mod measure;
mod options;
mod strata;

pub use calibration::{
    Calibration, JudgementCounts, MeasureEstimates, PairDocument, SampledPair, Stratum, Suggestion, ThresholdEstimate,
};
pub use calibrator::{CalibrationRun, Calibrator};
pub use judgement::{Judge, Judgement, MIN_ALIGNED};
pub use judgement_file::{JudgementFileError, Judgements};
pub use measure::{Measure, MeasureKind};
pub use options::CalibrateOptions;
