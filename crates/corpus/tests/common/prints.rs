//! Reading a whole file of fingerprints.

use std::fs;
use std::path::{Path, PathBuf};

use lookalike_corpus::Error;
use lookalike_corpus::prints::{Fault, Ids, Options, Print, Prints};

/// All that a file holds.
#[derive(Debug, PartialEq)]
pub(crate) struct Read<P> {
    pub(crate) prints: Vec<P>,
    pub(crate) ids: Vec<u64>,
    pub(crate) names: Vec<(u64, String)>,
    pub(crate) kind: Ids,
}

pub(crate) fn read<P: Print>(path: &Path, options: &Options) -> Result<Read<P>, Error> {
    Prints::open(path, options).and_then(read_all)
}

pub(crate) fn read_all<P: Print>(mut source: Prints<P>) -> Result<Read<P>, Error> {
    let (mut prints, mut ids) = (Vec::new(), Vec::new());
    let (mut batch, mut batch_ids) = (vec![P::ZERO; 3], vec![1]);
    loop {
        let before = source.row();
        let count = source.next_batch(&mut batch, &mut batch_ids)?;
        assert_eq!((batch.len(), source.row() - before), (count, count as u64));
        assert_eq!(batch_ids.len(), if source.has_ids() { count } else { 0 });
        if count == 0 {
            break;
        }
        prints.extend_from_slice(&batch);
        ids.extend_from_slice(&batch_ids);
    }
    assert_eq!(source.next_batch(&mut batch, &mut batch_ids)?, 0, "the end stays the end");
    let rows = source.first_row()..source.row();
    let kind = source.ids();
    let names = source.into_names();
    let names =
        names.iter().flat_map(|names| rows.clone().filter_map(|row| Some((row, names.text(row)?.into_owned()))));
    Ok(Read { prints, ids, names: names.collect(), kind })
}

pub(crate) fn fault(error: Error) -> Fault {
    match error {
        Error::Prints { fault, .. } => *fault,
        other => panic!("another error: {other}"),
    }
}

/// A file with this content.
pub(crate) fn at(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}
