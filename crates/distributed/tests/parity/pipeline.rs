//! All steps one after the other, as an engine would call them.

use crate::Removal;
use crate::corpora::{Corpus, Dice};
use crate::shuffle::{Table, run};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, BinaryArray, Int32Array, Int64Array, RecordBatch, StringArray};
use lookalike_dedup::DedupOptions;
use lookalike_distributed::{DedupSteps, DistributedOptions};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) struct Pipeline {
    steps: DedupSteps,
    options: DistributedOptions,
    partitions: usize,
    dice: RefCell<Dice>,
}

impl Pipeline {
    pub(crate) fn new(options: &DedupOptions, partitions: usize) -> Self {
        let buckets = (0..).take(partitions + 3).collect();
        let options = DistributedOptions { buckets, ..DistributedOptions::new(options.shingles.clone()) };
        let steps = DedupSteps::new(options.clone()).unwrap();
        Self { steps, options, partitions, dice: RefCell::new(Dice(partitions as u64)) }
    }

    pub(crate) fn with_resources(self, side: u32, memory: usize) -> Self {
        let options = DistributedOptions { side, memory, ..self.options };
        Self { steps: DedupSteps::new(options.clone()).unwrap(), options, ..self }
    }

    pub(crate) fn run(&self, step: &str, input: &Table) -> Table {
        self.run_and_pack(step, None, input)
    }

    fn run_and_pack(&self, step: &str, pack_for: Option<&str>, input: &Table) -> Table {
        run(input, self.partitions, &mut self.dice.borrow_mut(), &self.steps, (step, pack_for))
            .unwrap_or_else(|error| panic!("{step}: {error}"))
    }

    pub(crate) fn removals(&self, corpus: &Corpus) -> Vec<Removal> {
        let documents = documents(corpus);
        let sketches = self.run("sketch", &documents);
        assert_eq!(self.run("ids", &sketches).rows(), 0, "all ids are different");
        let canonical = self.run("duplicates", &sketches);
        let packed = |step, next, input: &Table| self.run_and_pack(step, Some(next), input);
        let frequencies = packed("frequencies", "prefixes", &packed("postings", "frequencies", &canonical));
        let sketched = packed("canonical", "prefixes", &canonical);
        let keys = packed("prefixes", "pairs", &sketched.union(&frequencies));
        let pairs = packed("pairs", "verify", &keys);
        let texts = with_texts(&self.run("members", &pairs).one(), corpus);
        let links = self.run("verify", &pairs.union(&texts));
        // components are optional: any number of them that leaves links together
        let links = links.with("component", |all| Arc::new(Int64Array::from(vec![0; all.num_rows()])));
        let stars = self.run("stars", &links);
        let removals = self.run("removals", &canonical.union(&stars)).one();
        let [id, kept, class] = ["id", "duplicate_of", "class"].map(|name| strings(&removals, name));
        let number = |name: &str, row: usize| removals[name].as_primitive::<Float64Type>().value(row).to_bits();
        let numbers = ["resemblance", "containment", "contained_by"];
        let mut removals: Vec<Removal> = (0..id.len())
            .map(|row| (id[row].clone(), kept[row].clone(), class[row].clone(), numbers.map(|name| number(name, row))))
            .collect();
        removals.sort_unstable();
        removals
    }
}

/// Cell, document, id, bucket, rank.
type Member<'a> = (i64, i64, &'a str, i64, &'a [u8]);

/// The documents of cells, each once, with their texts.
fn with_texts(members: &RecordBatch, corpus: &Corpus) -> Table {
    let long = |name: &str, row: usize| members[name].as_primitive::<Int64Type>().value(row);
    let ids = strings(members, "id");
    let rank = |row: usize| members["rank"].as_binary::<i32>().value(row);
    let rows: BTreeSet<Member<'_>> = (0..ids.len())
        .map(|row| (long("cell", row), long("a", row), ids[row].as_str(), long("bucket", row), rank(row)))
        .collect();
    let column = |of: fn(&Member<'_>) -> i64| Int64Array::from_iter_values(rows.iter().map(of));
    let columns: Vec<(&str, Arc<dyn Array>)> = vec![
        ("bucket", Arc::new(column(|row| row.3))),
        ("cell", Arc::new(column(|row| row.0))),
        ("role", Arc::new(Int32Array::from_value(0, rows.len()))),
        ("a", Arc::new(column(|row| row.1))),
        ("rank", Arc::new(rows.iter().map(|row| Some(row.4)).collect::<BinaryArray>())),
        ("id", Arc::new(rows.iter().map(|row| Some(row.2)).collect::<StringArray>())),
        ("text", Arc::new(rows.iter().map(|row| corpus.texts.get(row.2)).collect::<StringArray>())),
    ];
    // beside pairs, which have none of these
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    Table::of(RecordBatch::try_from_iter_with_nullable(columns).unwrap())
}

pub(crate) fn strings(batch: &RecordBatch, name: &str) -> Vec<String> {
    let column = batch[name].as_string::<i32>();
    column.iter().map(|value| value.unwrap_or_default().to_owned()).collect()
}

fn documents(corpus: &Corpus) -> Table {
    let ids: StringArray = corpus.texts.keys().map(Some).collect();
    let texts: StringArray = corpus.texts.values().map(Some).collect();
    let mut columns: Vec<(&str, Arc<dyn Array>)> = vec![("id", Arc::new(ids)), ("text", Arc::new(texts))];
    if !corpus.preferences.is_empty() {
        columns.push((
            "preference",
            Arc::new(Int64Array::from_iter_values(corpus.preferences.values().copied().map(i64::from))),
        ));
    }
    Table::of(RecordBatch::try_from_iter(columns).unwrap())
}
