//! Checks all of a store: every byte of its levels against its checksums, its tables against each other, and its log.

use super::Online;
use super::inner::lock;
use super::level::Changes;
use super::replay::replay;
use crate::hamming::{Print, kept};
use lookalike_store::Error;

impl<F: Print> Online<F> {
    /// All that is wrong with what is on the disk.
    pub fn verify(&self) -> Vec<Error> {
        let inner = &self.inner;
        // so that no file of the log goes while it is read
        let _alone = lock(&inner.flushing);
        let (view, done) = {
            let shelf = lock(&inner.shelf);
            (inner.view(), shelf.done)
        };
        let mut wrong = Vec::new();
        for segment in view.levels.iter().flat_map(|level| &level.segments) {
            wrong.extend(segment.verify());
        }
        wrong.extend(replay::<F>(&inner.path, done, |_, _| Ok(())).err());
        if !wrong.is_empty() {
            return wrong;
        }
        for level in &view.levels {
            for (tables, segment) in [&level.added].into_iter().chain(&level.removed).zip(&level.segments) {
                wrong.extend(kept::check(tables, &segment.path().display().to_string()).err());
            }
        }
        let what = || inner.path.display().to_string();
        match Changes::new(&view.levels) {
            Err(error) => wrong.push(error),
            Ok(changes) => {
                for change in changes {
                    match change {
                        Ok((_, _, 1)) => {}
                        Ok((print, id, _)) => {
                            let found = format!("{print:x} {id} went and never came");
                            wrong.push(Error::Damaged { what: what(), offset: 0, found });
                        }
                        Err(error) => {
                            wrong.push(error);
                            break;
                        }
                    }
                }
            }
        }
        wrong
    }
}
