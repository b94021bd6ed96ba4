//! `lookalike scan` by the shingles of words.

use super::{Finished, Scan};
use crate::lens::LensName;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::{Result, bail};
use lookalike::chunks::TemplateList;
use lookalike::index::Index;
use lookalike::{Differences, Error, PairRow, Policy, ScanOptions};
use std::path::Path;

impl Scan {
    pub(super) fn by_shingles(&self) -> Result<u8> {
        LensName::Chunks.refuse(&self.chunks.given())?;
        LensName::Simhash.refuse(&self.simhash.given())?;
        if self.fdupes() {
            bail!("--format fdupes: only the chunks lens looks for all identical files; scan with --lens chunks");
        }
        let format = self.format.and_then(super::ScanFormat::of_documents);
        let options = ScanOptions {
            recipe: self.shingles.recipe(self.input.brings_features(), format, &self.key.key),
            policy: self.policy.policy(Policy::default())?,
            candidates: self.running.candidates(),
            common: self.running.common(),
            whole: self.running.whole,
            estimate: self.running.estimate,
            all_pairs: self.pairs.is_some() || self.running.save.is_some() || self.page.html.is_some(),
            ..self.options()?
        };
        self.check_targets()?;
        let against = self.against.as_deref().map(|path| Index::open_for(path, &options)).transpose()?;
        let cancel = cancel_on_signal();
        let mut scan = lookalike::scan(self.input.inputs(), &options, &Bars::new(self.output.quiet), &cancel)?;
        if let Some(index) = &against {
            scan.hold_against(index)?;
        }
        self.finish(&scan, &options.decisions, &TemplateList::default())
    }
}

impl Finished for lookalike::Scan {
    fn save(&self, run: &Path) -> Result<(), Error> {
        self.save(run)
    }

    fn each_pair(&self, each: &mut dyn FnMut(PairRow) -> Result<(), Error>) -> Result<(), Error> {
        self.pairs(each)
    }

    fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        self.differences(a, b)
    }
}
