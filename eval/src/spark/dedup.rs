//! The same documents through `lookalike.spark` on each engine and through the command: the same removals, and what they cost.

use super::bench::{Bench, Compared, Ran};
use super::{Engine, Findings, Part, Spark};
use crate::bars::{Bar, Unit};
use crate::command::Lookalike;
use crate::measure::Usage;
use crate::numbers::{Spread, median, number, thousands};
use crate::speed::{task, tools};
use crate::table::table;
use anyhow::Result;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;

/// A run on an engine, and the command's in the same round.
struct Round {
    engine: Engine,
    ran: Ran,
    command: Usage,
    compared: Compared,
}

impl Round {
    fn ratio(&self) -> f64 {
        self.ran.cpu() / self.command.cpu
    }

    fn kernel(&self) -> f64 {
        self.ran.kernel.values().sum::<f64>()
    }

    fn share(&self) -> f64 {
        self.kernel() / self.ran.cpu()
    }
}

impl Spark {
    pub(super) fn dedup(&self, bench: &mut Bench, lookalike: &mut Lookalike) -> Result<Findings> {
        let name = if self.common.quick { "text5k" } else { "text250k" };
        task::corpus(&bench.cache, name)?;
        let corpus = tools::parquet(&bench.cache, name)?;
        let (documents, bytes) = tools::warm(&bench.cache.path(&format!("{name}.jsonl")))?;
        let out = bench.cache.path("spark-command");
        let mut rounds = Vec::new();
        for _ in 0..self.rounds {
            let _ = fs::remove_dir_all(&out);
            let command = lookalike.measured(&["dedup", &corpus, "-o", &out.to_string_lossy(), "--quiet"])?;
            for &engine in &self.engines {
                let (ran, folder) = bench.run("dedup", engine, &[&corpus])?;
                let compared = bench.compare("removals", &folder.join("removed"), &out.join("duplicates.parquet"))?;
                rounds.push(Round { engine, ran, command, compared });
                fs::remove_dir_all(folder)?;
            }
        }
        fs::remove_dir_all(&out)?;
        let of = |engine: Engine| rounds.iter().filter(move |round| round.engine == engine).collect::<Vec<_>>();
        let all: Vec<(Engine, Vec<&Round>)> = self.engines.iter().map(|&engine| (engine, of(engine))).collect();
        let mut bars = Vec::new();
        if self.wants(Part::Parity) {
            // what did not go must be there still
            let is_same = |round: &&Round| round.compared.differing == 0 && round.ran.rows == Some(documents);
            let is_same = |rounds: &[&Round]| rounds.iter().all(is_same);
            let same = all.iter().filter(|(_, rounds)| is_same(rounds)).count();
            let what = "engines that give the removals of the command";
            bars.push(Bar::at_least(all.len() as f64, Unit::Count, what, same as f64));
        }
        if self.wants(Part::Cost) {
            bars.extend(all.iter().flat_map(|(engine, rounds)| costs(*engine, rounds)));
        }
        let section = format!(
            "## {name}\n\n{} documents, {} MB, {} partitions. Numbers are seconds of CPU time of all processes: driver, JVMs and Python \
             workers. Start-up ends when the engine has run a function in Python; the whole, with it, is what is held against the command, which \
             took {} s. Of the bars for cost, one of the two is asked for.\n\n{}\n\n{}",
            thousands(documents),
            thousands(bytes / 1_000_000),
            self.partitions,
            number(median(rounds.iter().map(|round| round.command.cpu))),
            costs_table(&all, documents as f64).trim_end(),
            steps_table(&all)
        );
        let numbers = rounds.iter().map(numbers).collect::<Vec<_>>();
        Ok(Findings { bars, section, numbers: json!({ "documents": documents, "bytes": bytes, "rounds": numbers }) })
    }
}

fn costs(engine: Engine, rounds: &[&Round]) -> [Bar; 2] {
    let title = engine.title();
    let ratio = median(rounds.iter().map(|round| round.ratio()));
    let share = median(rounds.iter().map(|round| round.share()));
    [
        Bar::at_most(2.5, Unit::Times, format!("{title}: CPU time in units of the command's"), ratio),
        Bar::at_least(0.7, Unit::Share, format!("{title}: share of CPU time inside the kernel"), share),
    ]
}

fn costs_table(all: &[(Engine, Vec<&Round>)], documents: f64) -> String {
    let head = [
        "",
        "removed",
        "differing",
        "start-up",
        "run",
        "whole, of the command's",
        "run, of the command's",
        "kernel",
        "of the run",
        "wall s of the run",
        "shuffled bytes a document",
        "written between steps, bytes a document",
    ];
    let rows = all.iter().filter_map(|(engine, rounds)| {
        let last = rounds.last()?;
        let spread = |of: &dyn Fn(&Round) -> f64| {
            Spread::of(rounds.iter().map(|round| of(round))).map_or_else(|| "–".to_owned(), Spread::text)
        };
        let each = |bytes: Option<f64>| bytes.map_or_else(|| "–".to_owned(), |bytes| number(bytes / documents));
        Some(vec![
            engine.title().to_owned(),
            thousands(last.compared.rows),
            thousands(rounds.iter().map(|round| round.compared.differing).max().unwrap_or(0)),
            spread(&|round| round.ran.start.cpu),
            spread(&|round| round.ran.run.cpu),
            spread(&Round::ratio),
            spread(&|round| round.ran.run.cpu / round.command.cpu),
            spread(&Round::kernel),
            spread(&|round| round.kernel() / round.ran.run.cpu),
            spread(&|round| round.ran.run.wall),
            each(last.ran.shuffle),
            each(last.ran.checkpoint),
        ])
    });
    table(&head, &rows.collect::<Vec<_>>())
}

/// CPU seconds inside the kernel, by step.
fn steps_table(all: &[(Engine, Vec<&Round>)]) -> String {
    let mut steps: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (_, rounds) in all {
        for step in rounds.iter().flat_map(|round| round.ran.kernel.keys()) {
            steps.entry(step).or_default();
        }
    }
    for (step, cells) in &mut steps {
        for (_, rounds) in all {
            cells.push(number(median(rounds.iter().map(|round| round.ran.kernel.get(*step).copied().unwrap_or(0.0)))));
        }
    }
    let head: Vec<&str> =
        std::iter::once("kernel, CPU s").chain(all.iter().map(|(engine, _)| engine.title())).collect();
    let rows = steps.into_iter().map(|(step, cells)| [vec![step.to_owned()], cells].concat());
    table(&head, &rows.collect::<Vec<_>>())
}

fn numbers(round: &Round) -> serde_json::Value {
    let Round { engine, ran, command, compared } = round;
    json!({
        "engine": engine.name(), "command": command, "rows": ran.rows, "removed": compared.rows, "differing": compared.differing,
        "start_cpu": ran.start.cpu, "run_cpu": ran.run.cpu, "start_wall": ran.start.wall, "run_wall": ran.run.wall, "kernel": ran.kernel,
        "shuffle_bytes": ran.shuffle, "checkpoint_bytes": ran.checkpoint,
    })
}
