//! Many fingerprints, many queries: `hamming_join` on each engine beside `simhash batch`, which must give the same pairs.

use super::bench::Bench;
use super::{Engine, Findings, Spark, note};
use crate::bars::{Bar, Unit};
use crate::command::Lookalike;
use crate::numbers::{number, thousands};
use crate::simhash::random::{Spread, fingerprint, query, write};
use crate::table::table;
use anyhow::Result;
use serde_json::json;
use std::fs;

impl Spark {
    pub(super) fn hamming(&self, bench: &mut Bench, lookalike: &mut Lookalike) -> Result<Findings> {
        let (n, queries) = if self.common.quick { (1_000_000, 10_000) } else { (100_000_000, 1_000_000) };
        note(&format!("{} fingerprints", thousands(n)));
        let file = |what: &str, count: u64| bench.cache.path(&format!("{what}-even-{n}-{count}.u64"));
        let (prints, asked) = (file("fingerprints", n), file("queries", queries));
        write(&prints, (0..n).map(|row| fingerprint(Spread::Even, row, n)))?;
        write(&asked, (0..queries).map(|number| query(Spread::Even, number, n).0))?;
        let tables = [bench.parquet(&prints)?, bench.parquet(&asked)?].map(|path| path.to_string_lossy().into_owned());
        let pairs = bench.cache.path("spark-pairs.tsv");
        let [prints, asked, out] = [&prints, &asked, &pairs].map(|path| path.to_string_lossy().into_owned());
        let command =
            lookalike.measured(&["simhash", "batch", &prints, &asked, "--distance", "3", "-q", "-o", &out])?;
        let (mut bars, mut rows, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for &engine in self.engines.iter().filter(|&&engine| engine != Engine::Connect) {
            let (ran, folder) = bench.run("hamming", engine, &[&tables[0], &tables[1]])?;
            let compared = bench.compare("pairs", &folder.join("pairs"), &pairs)?;
            fs::remove_dir_all(folder)?;
            let (title, differing) = (engine.title(), compared.differing);
            let [whole, run] = [ran.cpu(), ran.run.cpu].map(|cpu| cpu / command.cpu);
            let what = format!("{title}: CPU time of hamming_join in units of simhash batch");
            bars.push(Bar::at_most(3.0, Unit::Times, what, whole));
            let what = format!("{title}: pairs that are not those of simhash batch");
            bars.push(Bar::at_most(0.0, Unit::Count, what, differing as f64));
            rows.push(vec![
                title.to_owned(),
                thousands(compared.rows),
                thousands(differing),
                number(ran.start.cpu),
                number(ran.run.cpu),
                number(whole),
                number(run),
                number(ran.run.wall),
            ]);
            numbers.push(json!({
                "engine": engine.name(), "pairs": compared.rows, "differing": differing, "start_cpu": ran.start.cpu, "run_cpu": ran.run.cpu,
                "start_wall": ran.start.wall, "run_wall": ran.run.wall,
            }));
        }
        fs::remove_file(&pairs)?;
        let head = [
            "",
            "pairs",
            "differing",
            "start-up",
            "run",
            "whole, of the command's",
            "run, of the command's",
            "wall s of the run",
        ];
        let section = format!(
            "## Fingerprints\n\n{} random fingerprints, {} queries, each made of one of them with up to three bits changed; distance 3. Seconds of CPU \
             time as above; the command reads plain numbers and took {} s.\n\n{}",
            thousands(n),
            thousands(queries),
            number(command.cpu),
            table(&head, &rows)
        );
        let numbers = json!({ "fingerprints": n, "queries": queries, "command": command, "engines": numbers });
        Ok(Findings { bars, section, numbers })
    }
}
