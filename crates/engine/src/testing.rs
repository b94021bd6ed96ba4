//! What tests of several lenses share.

use crate::{LensOptions, ScanOptions, Scanner};
use std::ops::{Deref, DerefMut};

/// What a test asks: the options of a lens, and those of every scan.
#[derive(Clone)]
pub(crate) struct TestOptions<L> {
    pub(crate) lens: L,
    pub(crate) scan: ScanOptions,
}

impl<L> Deref for TestOptions<L> {
    type Target = L;

    fn deref(&self) -> &L {
        &self.lens
    }
}

impl<L> DerefMut for TestOptions<L> {
    fn deref_mut(&mut self) -> &mut L {
        &mut self.lens
    }
}

impl<L: Clone + Into<LensOptions>> TestOptions<L> {
    pub(crate) fn with(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut changed = self.clone();
        change(&mut changed);
        changed
    }

    pub(crate) fn scanner(&self) -> Scanner<'static> {
        let ScanOptions { corpus, key, decisions, keep, resources, .. } = self.scan.clone();
        let scanner = Scanner::new(self.lens.clone()).corpus(corpus).key(&key);
        scanner.decisions(decisions).keep(keep).resources(resources)
    }
}

/// Numbers that look random, the same every time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}
