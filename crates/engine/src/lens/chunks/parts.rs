//! Documents are put into parts, each small enough to be solved in memory (§2.5 of the paper): components are packed into as few parts as
//! hold them, and a document that is alone in its component into none.

use lookalike_store::PARTS;

/// Where each document goes.
pub struct Parts {
    /// By part: its documents, in the order that was input.
    pub documents: Vec<Vec<u32>>,
    /// Components of more than one document, and the documents in the largest.
    pub components: u64,
    pub largest: u64,
}

/// Packs components of more than one document into parts of up to `room` edges. `ranked` are the documents that are compared, by rank;
/// `first` tells the component of each, `edges` its weight.
pub fn pack(ranked: &[u32], first: &[u32], edges: impl Fn(u32) -> u64, room: u64) -> Parts {
    let mut weights = vec![0u64; first.len()];
    let mut sizes = vec![0u32; first.len()];
    for document in ranked {
        let component = first[*document as usize] as usize;
        weights[component] += edges(*document);
        sizes[component] += 1;
    }
    let mut components: Vec<u32> = (0..first.len() as u32).filter(|c| sizes[*c as usize] > 1).collect();
    // the heaviest first, each into the first part with room: none is more than half empty but the last
    components.sort_unstable_by_key(|c| (std::cmp::Reverse(weights[*c as usize]), *c));
    let mut full: Vec<u64> = Vec::new();
    let mut part_of = vec![u32::MAX; first.len()];
    for component in &components {
        let weight = weights[*component as usize];
        let fits = full.iter().position(|held| held + weight <= room);
        let part = fits.unwrap_or_else(|| {
            if full.len() < PARTS {
                full.push(0);
                full.len() - 1
            } else {
                // no more parts: the emptiest grows beyond its room
                (0..PARTS).min_by_key(|part| full[*part]).expect("there are parts")
            }
        });
        full[part] += weight;
        part_of[*component as usize] = part as u32;
    }
    let mut documents = vec![Vec::new(); full.len()];
    for document in ranked {
        let part = part_of[first[*document as usize] as usize];
        if part != u32::MAX {
            documents[part as usize].push(*document);
        }
    }
    Parts {
        components: components.len() as u64,
        largest: components.iter().map(|c| u64::from(sizes[*c as usize])).max().unwrap_or_default(),
        documents,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_stay_whole_and_fill_parts() {
        // components {0,1}, {2}, {3,4,5}, {6,7}
        let first = [0, 0, 2, 3, 3, 3, 6, 6];
        let packed = pack(&[7, 6, 5, 4, 3, 2, 1, 0], &first, |_| 10, 40);
        assert_eq!(packed.documents, [vec![5, 4, 3], vec![7, 6, 1, 0]]);
        assert_eq!((packed.components, packed.largest), (3, 3));
        // what is larger than a part gets one of its own
        let packed = pack(&[0, 1, 3, 4, 5], &first, |_| 10, 25);
        assert_eq!(packed.documents, [vec![3, 4, 5], vec![0, 1]]);
        assert!(pack(&[2], &first, |_| 10, 25).documents.is_empty());
    }

    #[test]
    fn there_are_no_more_parts_than_can_be_kept() {
        let first: Vec<u32> = (0..4000).map(|d| d / 2 * 2).collect();
        let ranked: Vec<u32> = (0..4000).collect();
        let packed = pack(&ranked, &first, |_| 1, 2);
        assert_eq!(packed.documents.len(), PARTS);
        assert_eq!(packed.documents.iter().flatten().count(), 4000);
    }
}
