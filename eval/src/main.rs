//! `eval`: what lookalike finds, held against labels; what it costs, held against peers and yardsticks in the same run.

mod archive;
mod bands;
mod bars;
mod cache;
mod chunks;
mod command;
mod common;
mod copies;
mod dedup;
mod facts;
mod generate;
mod growth;
mod index;
mod measure;
mod memory;
mod numbers;
mod page;
mod python;
mod quality;
mod relations;
mod serve;
mod simhash;
mod spark;
mod speed;
mod table;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "eval", version, about = "Quality on labelled data, and speed beside peers, in one run")]
struct Eval {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Stream generated documents as JSONL to stdout, with ground truth on demand
    Gen(generate::Gen),
    /// Precision, recall, F1 and ARI on generated and labelled documents
    Quality(quality::Quality),
    /// What compare says two documents are to each other, held against pairs that were made to be just that
    Relations(relations::Relations),
    /// What the threshold of scan means: pairs of real documents by resemblance, beside an exact join
    Bands(bands::Bands),
    /// What an index promises: time and room, answers, growing, and finding moved pages
    Index(index::Index),
    /// What the chunks lens promises: speed and reach of chunks, the paper's run, millions of files, a clique
    Chunks(chunks::Chunks),
    /// What the passages lens promises: copied passages, held against labels
    Copies(copies::Copies),
    /// What the simhash lens promises: fingerprints held against labels, and their speed
    Simhash(simhash::Simhash),
    /// What dedup promises: the cost of a clean corpus beside peers, chains, runs that are killed
    Dedup(dedup::Dedup),
    /// What serve promises: requests a second, latency, nothing lost under load and kills
    Serve(serve::Serve),
    /// What the wheel promises: dedup beside the command, fingerprints beside peers, size, import
    Python(python::Python),
    /// What lookalike.spark promises: the command's answer on Spark and Sail, its cost, workers that are killed, fingerprints
    Spark(spark::Spark),
    /// What --memory promises: every verb and lens under three caps
    Memory(memory::Memory),
    /// How the work grows with the input, where it once grew with its square
    Growth(growth::Growth),
    /// CPU time, wall time and peak memory beside peers and yardsticks
    Speed(speed::Speed),
}

fn main() -> Result<()> {
    match Eval::parse().verb {
        Verb::Gen(gen_) => gen_.run(),
        Verb::Quality(quality) => quality.run(),
        Verb::Relations(relations) => relations.run(),
        Verb::Bands(bands) => bands.run(),
        Verb::Index(index) => index.run(),
        Verb::Chunks(chunks) => chunks.run(),
        Verb::Copies(copies) => copies.run(),
        Verb::Simhash(simhash) => simhash.run(),
        Verb::Dedup(dedup) => dedup.run(),
        Verb::Serve(serve) => serve.run(),
        Verb::Python(python) => python.run(),
        Verb::Spark(spark) => spark.run(),
        Verb::Memory(memory) => memory.run(),
        Verb::Growth(growth) => growth.run(),
        Verb::Speed(speed) => speed.run(),
    }
}
