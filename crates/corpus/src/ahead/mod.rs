//! What comes next in the walk, and what is decoded before its turn.
//!
//! One thread walks and cuts the work; where that means unpacking, it would be the slowest part of all. So while a shard is delivered, those
//! behind it are opened, in order, and decoded by threads of their own into queues of bounded size. What is delivered, and in which order, is
//! the same without it.

mod decoding;
mod queue;

use std::collections::VecDeque;

use crate::error::Error;
use crate::source::{Piece, ReadAhead, Source, WalkState};
use decoding::Decoding;

/// So many pieces are listed at most before their turn; each is little more than a path.
const MAX_LISTED: usize = 1024;

/// What comes, in order.
pub(crate) struct Ahead {
    /// Sources that name others, the innermost last.
    listings: Vec<Box<dyn Source>>,
    waiting: VecDeque<Waiting>,
    /// How many of them have a thread.
    decoding: usize,
    /// How many may have one behind the first.
    limit: usize,
    /// Bytes that each may hold.
    share: u64,
}

enum Waiting {
    Piece(Result<Piece, Error>),
    Decoding(Decoding),
}

impl Ahead {
    pub(crate) fn new(first: Box<dyn Source>, state: &WalkState) -> Ahead {
        let options = &state.context.options;
        let limit = options.read_ahead;
        let share = options.read_ahead_bytes / (limit as u64).saturating_add(1);
        Ahead { listings: vec![first], waiting: VecDeque::new(), decoding: 0, limit, share }
    }

    /// The next piece; sources in it are to be read in their turn.
    pub(crate) fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        loop {
            self.list(state);
            match self.waiting.front_mut()? {
                Waiting::Decoding(decoding) => {
                    if let Some(piece) = decoding.next() {
                        return Some(piece);
                    }
                    self.waiting.pop_front();
                    self.decoding -= 1;
                }
                Waiting::Piece(_) => match self.waiting.pop_front() {
                    Some(Waiting::Piece(piece)) => return Some(piece),
                    _ => return None,
                },
            }
        }
    }

    /// Lists what comes: one piece at least, and on until enough shards are being decoded.
    fn list(&mut self, state: &mut WalkState) {
        let is_wanted = |ahead: &Ahead| {
            let is_low = ahead.decoding <= ahead.limit && ahead.waiting.len() < MAX_LISTED;
            ahead.waiting.is_empty() || ahead.limit > 0 && is_low
        };
        while is_wanted(self) {
            let Some(listing) = self.listings.last_mut() else { return };
            let waiting = match listing.next(state) {
                None => {
                    self.listings.pop();
                    continue;
                }
                Some(Ok(Piece::Enter(source))) => match source.read_ahead() {
                    ReadAhead::List => {
                        self.listings.push(source);
                        continue;
                    }
                    ReadAhead::Decode if self.limit > 0 => match Decoding::start(source, state, self.share) {
                        Ok(decoding) => {
                            self.decoding += 1;
                            Waiting::Decoding(decoding)
                        }
                        Err(source) => Waiting::Piece(Ok(Piece::Enter(source))),
                    },
                    ReadAhead::Decode | ReadAhead::Wait => Waiting::Piece(Ok(Piece::Enter(source))),
                },
                Some(piece) => Waiting::Piece(piece),
            };
            self.waiting.push_back(waiting);
        }
    }
}

/// A shard that is worth a thread of its own.
pub(crate) struct PackedShard(pub(crate) Box<dyn Source>);

impl Source for PackedShard {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        self.0.next(state)
    }

    fn read_ahead(&self) -> ReadAhead {
        ReadAhead::Decode
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier};

    use super::*;
    use crate::corpus::Corpus;
    use crate::options::Options;
    use crate::skipped::{Reason, Skipped};

    /// Says its name when all others are at the same point.
    struct Meeting(Option<usize>, Arc<Barrier>);

    impl Source for Meeting {
        fn next(&mut self, _: &mut WalkState) -> Option<Result<Piece, Error>> {
            let number = self.0.take()?;
            self.1.wait();
            Some(Ok(Piece::Skip(Skipped { id: number.to_string(), reason: Reason::Link })))
        }
    }

    struct Shards(VecDeque<Box<dyn Source>>);

    impl Source for Shards {
        fn next(&mut self, _: &mut WalkState) -> Option<Result<Piece, Error>> {
            self.0.pop_front().map(|shard| Ok(Piece::Enter(shard)))
        }
    }

    /// Would never end if one of them waited for its turn.
    #[test]
    fn the_first_and_those_ahead_are_decoded_at_the_same_time() {
        let options = Options { read_ahead: 3, ..Options::default() };
        let mut state = Corpus::open(Vec::new(), options).unwrap().walk_state();
        let barrier = Arc::new(Barrier::new(4));
        let shard =
            |number| Box::new(PackedShard(Box::new(Meeting(Some(number), Arc::clone(&barrier))))) as Box<dyn Source>;
        let mut ahead = Ahead::new(Box::new(Shards((0..8).map(shard).collect())), &state);
        let mut found = Vec::new();
        while let Some(piece) = ahead.next(&mut state) {
            let Ok(Piece::Skip(skipped)) = piece else { panic!("only names") };
            found.push(skipped.id);
        }
        assert_eq!(found, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    }
}
