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

    /// The parents of some elements, each read without waiting for another: elements with the same one are in the same set.
    pub fn parents(&self, elements: impl Iterator<Item = u32>, parents: &mut Vec<u32>) {
        parents.clear();
        parents.extend(elements.map(|x| self.parent[x as usize]));
    }

    /// The smallest element of the set of each.
    pub fn into_firsts(mut self) -> Vec<u32> {
        // a parent is never larger than its child: that of a parent is known when its children are reached
        for x in 0..self.parent.len() {
            self.parent[x] = self.parent[self.parent[x] as usize];
        }
        self.parent
    }
}

/// The first document of the component of each of `0..n`: whatever is connected by links is one.
pub fn components(n: usize, links: impl IntoIterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut sets = UnionFind::new(n);
    for (a, b) in links {
        sets.union(a, b);
    }
    sets.into_firsts()
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

        #[test]
        fn parents_and_firsts(links in prop::collection::vec((0u32..40, 0u32..40), 0..60)) {
            let mut sets = UnionFind::new(40);
            let mut parents = Vec::new();
            for (a, b) in links {
                sets.parents([a, b].into_iter(), &mut parents);
                prop_assert!(parents[0] != parents[1] || sets.find(a) == sets.find(b));
                sets.union(a, b);
            }
            let expected: Vec<u32> = (0..40).map(|x| sets.find(x)).collect();
            prop_assert_eq!(sets.into_firsts(), expected);
        }
    }
}
