//! Places of which one client cannot take all.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A number of places. One client has half of them at most.
pub(crate) struct Shares<C> {
    most: usize,
    taken: Mutex<BTreeMap<C, usize>>,
}

/// A place that is taken until it is dropped.
pub(crate) struct Place<C: Ord> {
    shares: Arc<Shares<C>>,
    client: C,
}

impl<C: Ord + Clone> Shares<C> {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    /// A place for a client; none if it has its share, or all places are taken.
    pub(crate) fn take(self: &Arc<Self>, client: C) -> Option<Place<C>> {
        let mut taken = self.lock();
        let own = taken.get(&client).copied().unwrap_or(0);
        if own >= self.most.div_ceil(2) || taken.values().sum::<usize>() >= self.most {
            return None;
        }
        taken.insert(client.clone(), own + 1);
        drop(taken);
        Some(Place { shares: Arc::clone(self), client })
    }
}

impl<C> Shares<C> {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<C, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Ord> Drop for Place<C> {
    fn drop(&mut self) {
        let mut taken = self.shares.lock();
        if let Some(own) = taken.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_leaves_half_of_the_places_to_others() {
        let shares = Shares::new(5);
        let mut held: Vec<_> = (0..3).map(|_| shares.take('a').expect("a place")).collect();
        assert!(shares.take('a').is_none());
        held.extend(["b", "c"].map(|_| shares.take('b').expect("a place")));
        assert!(shares.take('c').is_none(), "all are taken");
        held.clear();
        assert!(shares.take('c').is_some() && shares.lock().is_empty());
    }
}
