//! Documents that others repeat are read once for many of them.

use super::word_list::WordList;
use crate::Error;
use crate::cut::texts::text_of;
use lookalike_engine::run::documents::Documents;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Words of documents, as many as there is room for; what was not asked for the longest time goes first.
pub(super) struct WordCache<'a> {
    documents: &'a Documents,
    room: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    lists: HashMap<u32, (u64, Arc<WordList>)>,
    /// By when they were asked for.
    order: BTreeMap<u64, u32>,
    now: u64,
    size: usize,
}

impl<'a> WordCache<'a> {
    /// For so many bytes.
    pub(super) fn new(documents: &'a Documents, room: usize) -> Self {
        Self { documents, room, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The words of a document. Two threads may read the same at once.
    pub(super) fn words(&self, document: u32) -> Result<Arc<WordList>, Error> {
        if let Some(list) = self.state().find(document) {
            return Ok(list);
        }
        let list = Arc::new(WordList::new(&text_of(self.documents, document)?));
        // one that fills most of it would push out all others
        if list.size() <= self.room / 4 {
            self.state().add(document, &list, self.room);
        }
        Ok(list)
    }
}

impl State {
    fn find(&mut self, document: u32) -> Option<Arc<WordList>> {
        self.now += 1;
        let (time, list) = self.lists.get_mut(&document)?;
        self.order.remove(time);
        *time = self.now;
        self.order.insert(self.now, document);
        Some(Arc::clone(list))
    }

    fn add(&mut self, document: u32, list: &Arc<WordList>, room: usize) {
        if self.find(document).is_some() {
            return;
        }
        self.size += list.size();
        self.lists.insert(document, (self.now, Arc::clone(list)));
        self.order.insert(self.now, document);
        while self.size > room
            && let Some((_, oldest)) = self.order.pop_first()
        {
            if let Some((_, list)) = self.lists.remove(&oldest) {
                self.size -= list.size();
            }
        }
    }
}
