//! Connected components, in four bytes a document.

/// Disjoint sets over `0..n`; the root of a set is its smallest element, whatever the order of the unions.
#[derive(Clone, Debug)]
pub struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// Every element on its own.
    pub fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect() }
    }

    /// The smallest element of the set that holds `x`.
    pub fn find(&mut self, mut x: u32) -> u32 {
        while self.parent[x as usize] != x {
            let grandparent = self.parent[self.parent[x as usize] as usize];
            self.parent[x as usize] = grandparent;
            x = grandparent;
        }
        x
    }

    /// Joins two sets; whether they were apart.
    pub fn union(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
        low != high
    }
}

/// The first document of the component of each of `0..n`: whatever is connected by links is one.
pub fn components(n: usize, links: impl IntoIterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut sets = UnionFind::new(n);
    for (a, b) in links {
        sets.union(a, b);
    }
    (0..n as u32).map(|document| sets.find(document)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_flooding(links in prop::collection::vec((0u32..30, 0u32..30), 0..40), swap: bool) {
            let mut sets = UnionFind::new(30);
            let mut ordered = links.clone();
            if swap { ordered.reverse(); }
            for (a, b) in &ordered { sets.union(*a, *b); }
            let mut label: Vec<u32> = (0..30).collect();
            for _ in 0..30 {
                for (a, b) in &links {
                    let low = label[*a as usize].min(label[*b as usize]);
                    (label[*a as usize], label[*b as usize]) = (low, low);
                }
            }
            let found: Vec<u32> = (0..30).map(|x| sets.find(x)).collect();
            prop_assert_eq!(&found, &label);
            prop_assert_eq!(components(30, ordered), label);
        }
    }
}
