//! A source that a thread of its own reads.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use super::queue::Queue;
use crate::error::Error;
use crate::seen_files::SeenFiles;
use crate::source::{Piece, Source, WalkState};
use crate::unit_limit::Turn;

pub(super) struct Decoding {
    queue: Arc<Queue>,
    thread: Option<JoinHandle<()>>,
}

impl Decoding {
    /// Begins to read, and holds at most so many bytes beside what is just being read. Gives the source back if there is no thread to be had.
    pub(super) fn start(source: Box<dyn Source>, state: &WalkState, bytes: u64) -> Result<Decoding, Box<dyn Source>> {
        let queue = Arc::new(Queue::new(bytes));
        let source = Arc::new(Mutex::new(Some(source)));
        let (context, to, taken) = (Arc::clone(&state.context), Arc::clone(&queue), Arc::clone(&source));
        let unit = state.unit.ahead(Arc::clone(&queue) as Arc<dyn Turn>, bytes);
        let work = move || {
            // also if the source panics: who waits must not wait for ever
            let end = EndGuard(to);
            let Some(mut source) = take(&taken) else { return };
            // records are of one file, which was seen when it was opened
            let mut state = WalkState { context, seen: SeenFiles::new(false), unit, lists: false, followed: None };
            while let Some(piece) = source.next(&mut state) {
                if !end.0.push(piece) {
                    break;
                }
            }
        };
        match (Builder::new().name("lookalike-read".into()).spawn(work), source) {
            (Ok(thread), _) => Ok(Decoding { queue, thread: Some(thread) }),
            (Err(_), source) => Err(take(&source).expect("no thread took it")),
        }
    }

    /// The next piece, waited for; none at the end.
    pub(super) fn next(&mut self) -> Option<Result<Piece, Error>> {
        self.queue.pop().or_else(|| {
            if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
                resume_unwind(panic);
            }
            None
        })
    }
}

impl Drop for Decoding {
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            // Its panic is nobody's any more.
            let _ = thread.join();
        }
    }
}

fn take(source: &Mutex<Option<Box<dyn Source>>>) -> Option<Box<dyn Source>> {
    source.lock().unwrap_or_else(PoisonError::into_inner).take()
}

struct EndGuard(Arc<Queue>);

impl Drop for EndGuard {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::options::Options;
    use crate::skipped::{Reason, Skipped};

    /// So many pieces, and then perhaps a panic; held as long as it lives.
    struct Pieces {
        left: u64,
        panics: bool,
        _held: Arc<()>,
    }

    impl Source for Pieces {
        fn next(&mut self, _: &mut WalkState) -> Option<Result<Piece, Error>> {
            assert!(self.left > 0 || !self.panics, "as it should");
            self.left = self.left.checked_sub(1)?;
            Some(Ok(Piece::Skip(Skipped { id: self.left.to_string(), reason: Reason::Link })))
        }
    }

    fn start(left: u64, panics: bool) -> (Decoding, Arc<()>) {
        let held = Arc::new(());
        let corpus = Corpus::open(Vec::new(), Options::default()).unwrap();
        let state = corpus.walk_state();
        let source = Box::new(Pieces { left, panics, _held: Arc::clone(&held) });
        (Decoding::start(source, &state, 1000).unwrap_or_else(|_| panic!("a thread")), held)
    }

    #[test]
    fn all_pieces_come_in_order() {
        let (mut decoding, _) = start(1000, false);
        for left in (0..1000).rev() {
            let Some(Ok(Piece::Skip(skipped))) = decoding.next() else { panic!("{left}") };
            assert_eq!(skipped.id, left.to_string());
        }
        assert!(decoding.next().is_none() && decoding.next().is_none());
    }

    #[test]
    fn the_thread_ends_when_nobody_reads_on() {
        let (mut decoding, held) = start(u64::MAX, false);
        assert!(decoding.next().is_some());
        drop(decoding);
        assert_eq!(Arc::strong_count(&held), 1);
    }

    #[test]
    fn a_panic_is_passed_on() {
        let (mut decoding, held) = start(1, true);
        assert!(decoding.next().is_some());
        let next = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| decoding.next().is_some()));
        assert!(next.is_err());
        drop(decoding);
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
