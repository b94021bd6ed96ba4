//! Groups of identical documents, for lenses that tell nothing else the same: one of each stands for the others.

use super::catalogue::Catalogue;
use super::equivalents::Equivalents;
use crate::Error;
use crate::report::Class;
use bytemuck::{Pod, Zeroable};
use lookalike_store::Records;

/// What identifies the content of a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Content {
    high: u64,
    low: u64,
    document: u64,
}

impl Content {
    pub(crate) fn new(identity: u128, document: u32) -> Self {
        Self { high: (identity >> 64) as u64, low: identity as u64, document: u64::from(document) }
    }
}

/// Groups of identical documents; the first by id stands for the others.
pub(crate) fn identical(catalogue: &Catalogue, sorted: &Records<Content>) -> Result<Equivalents, Error> {
    let mut others = Vec::new();
    let mut group: Vec<Content> = Vec::new();
    let mut close = |group: &mut Vec<Content>| {
        if group.len() > 1 {
            let mut named = Vec::with_capacity(group.len());
            for identity in group.iter() {
                named.push((catalogue.id(identity.document as u32)?, identity.document as u32));
            }
            let first = named.iter().min().expect("a group").1;
            let rest = named.iter().filter(|other| other.1 != first);
            others.extend(rest.map(|other| (first, other.1, Class::Identical)));
        }
        group.clear();
        Ok::<_, Error>(())
    };
    for identity in sorted.iter() {
        let identity = identity?;
        if group.first().is_some_and(|first| (first.high, first.low) != (identity.high, identity.low)) {
            close(&mut group)?;
        }
        group.push(identity);
    }
    close(&mut group)?;
    Ok(Equivalents::new(catalogue.len(), others))
}
