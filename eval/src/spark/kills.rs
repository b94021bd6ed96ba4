//! A standalone cluster whose workers are killed, one in each stage of a run, with what they had shuffled: the same removals come out.

use super::bench::Bench;
use super::{Engine, Findings, Spark};
use crate::bars::{Bar, Unit};
use crate::numbers::number;
use crate::speed::{task, tools};
use crate::table::table;
use anyhow::Result;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;

impl Spark {
    pub(super) fn kills(&self, bench: &mut Bench) -> Result<Findings> {
        let name = if self.common.quick { "text5k" } else { "text50k" };
        task::corpus(&bench.cache, name)?;
        let corpus = tools::parquet(&bench.cache, name)?;
        let (whole, undisturbed) = bench.run("dedup", Engine::Standalone, &[&corpus])?;
        let (killed, folder) = bench.run("kills", Engine::Standalone, &[&corpus])?;
        let compared = bench.compare("removals", &folder.join("removed"), &undisturbed.join("removed"))?;
        for folder in [&folder, &undisturbed] {
            fs::remove_dir_all(folder)?;
        }
        let mut steps: BTreeMap<&str, usize> = BTreeMap::new();
        for step in killed.killed_in.values() {
            *steps.entry(step).or_default() += 1;
        }
        let spared = killed.stages.iter().filter(|&stage| !killed.killed_in.contains_key(stage));
        let spared: Vec<&u32> = spared.collect();
        let bars = vec![
            Bar::at_most(
                0.0,
                Unit::Count,
                "kills: removals that differ from the undisturbed run",
                compared.differing as f64,
            ),
            Bar::at_most(0.0, Unit::Count, "kills: stages in which no worker was killed", spared.len() as f64),
        ];
        let rows = steps.iter().map(|(step, stages)| vec![(*step).to_owned(), stages.to_string()]);
        let section = format!(
            "## Workers killed\n\n{name} on a master and two workers: {} removals. In each of {} stages of Spark the worker that ran a task of it was \
             killed (SIGKILL), with its executor and its Python workers, its files were removed, and another was started. The run took {} s, \
             undisturbed {} s.\n\n{}",
            compared.rows,
            killed.killed_in.len(),
            number(killed.run.wall),
            number(whole.run.wall),
            table(&["while it was written", "stages with a kill"], &rows.collect::<Vec<_>>())
        );
        let numbers = json!({
            "corpus": name, "removed": compared.rows, "differing": compared.differing, "killed_in": killed.killed_in, "spared": spared,
            "wall": killed.run.wall, "undisturbed_wall": whole.run.wall,
        });
        Ok(Findings { bars, section, numbers })
    }
}
