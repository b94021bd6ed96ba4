//! The same documents on one machine.

use crate::Removal;
use crate::corpora::Corpus;
use lookalike_corpus::Input;
use lookalike_dedup::{Dedup, DedupOptions};
use std::io::Cursor;

pub(crate) fn removals(corpus: &Corpus, options: &DedupOptions) -> Vec<Removal> {
    let line = |(id, text): (&String, &String)| {
        let preference = corpus.preferences.get(id).map_or(0, |preference| *preference);
        format!("{{\"id\":\"{id}\",\"text\":{text:?},\"preference\":{preference}}}\n")
    };
    let lines: Vec<String> = corpus.texts.iter().map(line).collect();
    let input = Input::Stream(Box::new(Cursor::new(lines.concat())));
    let result = Dedup::new(options.clone()).decide(vec![input]).unwrap().documents().unwrap();
    let id = |document: u32| result.linked.documents.catalogue.id(document).unwrap();
    let mut removals: Vec<Removal> = Vec::new();
    for removal in result.removals.all() {
        let shares = result.removals.shares(removal).unwrap();
        let kept = removal.kept.document().unwrap();
        let numbers = [shares.resemblance, shares.containment.unwrap(), shares.contained_by.unwrap()];
        let class = removal.class.name().to_owned();
        removals.push((id(removal.document), id(kept), class, numbers.map(f64::to_bits)));
    }
    removals.sort_unstable();
    removals
}
