//! A number of places or bytes of which one client cannot take all.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// A client as far as it can be told from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Client {
    /// The hash of its token.
    Token([u8; 32]),
    Address(IpAddr),
    Unknown,
}

/// An amount that clients share. One client has half of it at most.
pub(crate) struct Shares<C> {
    most: u64,
    taken: Mutex<BTreeMap<C, u64>>,
    /// A part of it was given back.
    freed: Notify,
}

/// A part that is taken until it is dropped.
pub(crate) struct Share<C: Ord> {
    shares: Arc<Shares<C>>,
    client: C,
    amount: u64,
}

impl<C: Ord + Clone> Shares<C> {
    pub(crate) fn new(most: u64) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default(), freed: Notify::new() })
    }

    /// The most that one client can take.
    pub(crate) fn most_of_one(&self) -> u64 {
        self.most.div_ceil(2)
    }

    /// A part for a client; none if it has its half, or too little is left.
    pub(crate) fn take(self: &Arc<Self>, client: C, amount: u64) -> Option<Share<C>> {
        let mut taken = self.lock();
        let own = taken.get(&client).copied().unwrap_or(0);
        let fits = |taken: u64, most: u64| taken.checked_add(amount).is_some_and(|sum| sum <= most);
        if !fits(own, self.most_of_one()) || !fits(taken.values().sum(), self.most) {
            return None;
        }
        if amount > 0 {
            taken.insert(client.clone(), own + amount);
        }
        drop(taken);
        Some(Share { shares: Arc::clone(self), client, amount })
    }

    /// A part of nothing, to which others are added.
    pub(crate) fn nothing(self: &Arc<Self>, client: C) -> Share<C> {
        Share { shares: Arc::clone(self), client, amount: 0 }
    }

    /// Waits until there is enough for a part. Others that ask meanwhile are not held up.
    pub(crate) async fn wait(self: &Arc<Self>, client: C, amount: u64) -> Share<C> {
        loop {
            let freed = self.freed.notified();
            let mut freed = std::pin::pin!(freed);
            // before looking, so that nothing that is given back is missed
            freed.as_mut().enable();
            if let Some(share) = self.take(client.clone(), amount) {
                return share;
            }
            freed.await;
        }
    }
}

impl<C> Shares<C> {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<C, u64>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Ord + Clone> Share<C> {
    pub(crate) fn amount(&self) -> u64 {
        self.amount
    }

    /// Adds another share of the same client.
    pub(crate) fn merge(&mut self, mut other: Self) {
        self.amount += std::mem::take(&mut other.amount);
    }

    /// Takes a part of it out, at most all of it.
    pub(crate) fn split(&mut self, amount: u64) -> Self {
        let amount = amount.min(self.amount);
        self.amount -= amount;
        Self { shares: Arc::clone(&self.shares), client: self.client.clone(), amount }
    }
}

impl<C: Ord> Drop for Share<C> {
    fn drop(&mut self) {
        if self.amount == 0 {
            return;
        }
        let mut taken = self.shares.lock();
        if let Some(own) = taken.get_mut(&self.client) {
            *own -= self.amount;
            if *own == 0 {
                taken.remove(&self.client);
            }
        }
        drop(taken);
        self.shares.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_leaves_half_to_others() {
        let shares = Shares::new(5);
        let mut held: Vec<_> = (0..3).map(|_| shares.take('a', 1).expect("a place")).collect();
        assert!(shares.take('a', 1).is_none());
        held.extend(["b", "c"].map(|_| shares.take('b', 1).expect("a place")));
        assert!(shares.take('c', 1).is_none(), "all are taken");
        held.clear();
        assert!(shares.take('c', 3).is_some() && shares.take('c', 4).is_none() && shares.lock().is_empty());
    }

    #[test]
    fn shares_are_split_and_merged() {
        let shares = Shares::new(20);
        let mut all = shares.take('a', 6).expect("enough");
        let part = all.split(4);
        drop(all);
        let mut more = shares.take('a', 6).expect("what was dropped");
        assert!(shares.take('a', 1).is_none());
        more.merge(part);
        assert_eq!(more.amount(), 10);
        drop(more);
        assert!(shares.lock().is_empty());
    }

    /// A client that waits for much does not hold up others that need little.
    #[tokio::test]
    async fn waiting_keeps_nobody_out() {
        let shares = Shares::new(20);
        let held = shares.take('a', 8).expect("enough");
        let waits = tokio::spawn({
            let shares = Arc::clone(&shares);
            async move { shares.wait('a', 10).await.amount() }
        });
        tokio::task::yield_now().await;
        assert!(shares.take('b', 10).is_some() && shares.take('a', 2).is_some());
        drop(held);
        assert_eq!(waits.await.unwrap(), 10);
    }
}
