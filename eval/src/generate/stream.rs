//! Writes a corpus of any size in order: blocks are made on all threads while the ones before are written.

use super::corpus::Corpus;
use super::truth;
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::Range;

/// Documents of a block: large enough to be worth a thread, small enough to keep memory low.
const BLOCK: u64 = 256;

/// What went wrong, and with which of the two outputs.
#[derive(Debug)]
pub(crate) enum Failure {
    Documents(io::Error),
    Truth(io::Error),
}

#[derive(Default)]
struct Block {
    lines: Vec<u8>,
    truth: String,
}

/// Writes `documents` documents, and if asked the truth about copies, on shingles of so many words.
pub(crate) fn write(
    corpus: &Corpus,
    documents: u64,
    out: &mut (dyn Write + Send),
    mut truth: Option<(&mut (dyn Write + Send), usize)>,
) -> Result<(), Failure> {
    let w = truth.as_ref().map(|(_, w)| *w);
    if let Some((file, _)) = &mut truth {
        file.write_all(truth::HEADER.as_bytes()).map_err(Failure::Truth)?;
    }
    let round = BLOCK * 4 * rayon::current_num_threads() as u64;
    let make = |from: u64| -> Vec<Block> {
        let blocks = (from..documents.min(from + round)).step_by(BLOCK as usize).collect::<Vec<_>>();
        blocks.into_par_iter().map(|first| block(corpus, first..documents.min(first + BLOCK), w)).collect()
    };
    let (mut ready, mut next) = (make(0), round);
    while !ready.is_empty() {
        let mut write = || {
            for block in &ready {
                out.write_all(&block.lines).map_err(Failure::Documents)?;
                if let Some((file, _)) = &mut truth {
                    file.write_all(block.truth.as_bytes()).map_err(Failure::Truth)?;
                }
            }
            Ok(())
        };
        let (written, made) = rayon::join(&mut write, || make(next));
        written?;
        (ready, next) = (made, next + round);
    }
    out.flush().map_err(Failure::Documents)?;
    truth.map_or(Ok(()), |(file, _)| file.flush().map_err(Failure::Truth))
}

fn block(corpus: &Corpus, documents: Range<u64>, w: Option<usize>) -> Block {
    let mut block = Block::default();
    for index in documents {
        corpus.line(index, &mut block.lines);
        if let Some(w) = w {
            for truth in truth::about(corpus, index, w) {
                truth::line(&truth, &mut block.truth);
            }
        }
    }
    block
}
