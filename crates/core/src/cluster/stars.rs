//! Verified stars: a representative and its members, no chains.

const FREE: u32 = u32::MAX;

/// Who represents whom, over `0..n`. Documents are offered as representatives in the order of their
/// priority; each takes the free documents that the caller has compared with it and accepted.
#[derive(Clone, Debug)]
pub struct Stars {
    representative: Vec<u32>,
}

impl Stars {
    /// Every document free.
    pub fn new(n: usize) -> Self {
        Self { representative: vec![FREE; n] }
    }

    /// Neither a member nor a representative yet.
    pub fn is_free(&self, document: u32) -> bool {
        self.representative[document as usize] == FREE
    }

    /// Free, or a representative already: it may take members.
    pub fn can_lead(&self, document: u32) -> bool {
        self.is_free(document) || self.representative[document as usize] == document
    }

    /// Puts a free document under a representative.
    pub fn join(&mut self, member: u32, representative: u32) {
        debug_assert!(self.is_free(member) && self.can_lead(representative) && member != representative);
        self.representative[representative as usize] = representative;
        self.representative[member as usize] = representative;
    }

    /// The representative of a document in a cluster.
    pub fn representative(&self, document: u32) -> Option<u32> {
        Some(self.representative[document as usize]).filter(|r| *r != FREE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_do_not_form() {
        // a~b, b~c, but not a~c; b leads: both join it. a leads: c stays out.
        let mut stars = Stars::new(3);
        stars.join(0, 1);
        stars.join(2, 1);
        assert_eq!([0, 1, 2].map(|d| stars.representative(d)), [Some(1); 3]);

        let mut stars = Stars::new(3);
        stars.join(1, 0);
        assert!(!stars.can_lead(1), "a member never leads");
        assert_eq!(stars.representative(2), None);
    }
}
