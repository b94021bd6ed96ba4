//! The whole result: what it was made on, every section, the exact commands, every round. As Markdown and as JSON.

use super::section::{Row, Section};
use super::table;
use crate::measure::Job;
use serde_json::{Value, json};

/// All that a run found out.
pub(super) struct Outcome {
    pub(super) facts: Vec<(String, String)>,
    pub(super) rounds: usize,
    pub(super) sections: Vec<Section>,
    /// Parts that could not run, and why.
    pub(super) left_out: Vec<String>,
    /// Paths of this machine, and what they are called in the result.
    pub(super) names: Vec<(String, String)>,
}

impl Outcome {
    pub(super) fn markdown(&self) -> String {
        let rounds = if self.rounds == 1 { "One round".to_owned() } else { format!("{} rounds", self.rounds) };
        let about = format!(
            "{rounds}; in each, every contender ran once, one after the other. A number is the median of the rounds, the least and the \
             greatest in brackets. CPU is user and system time of all threads and child processes. A ratio is made within each round.",
        );
        let facts: Vec<String> = self.facts.iter().map(|(name, value)| format!("- {name}: {value}")).collect();
        let mut parts = vec!["# Speed, beside peers and yardsticks".to_owned(), about, facts.join("\n")];
        parts.extend(self.left_out.iter().map(|why| format!("Left out: {why}")));
        parts.extend(self.sections.iter().map(table::section));
        parts.push("## Commands".to_owned());
        parts.push("`$CACHE` is the folder of `--cache`. Standard output goes to /dev/null.".to_owned());
        parts.push(format!("```\n{}\n```", self.commands().join("\n")));
        parts.push("## Rounds".to_owned());
        parts.push("CPU seconds, in the order of the rounds.".to_owned());
        parts.push(self.sections.iter().flat_map(rounds_of).collect::<Vec<_>>().join("\n"));
        parts.join("\n\n") + "\n"
    }

    fn commands(&self) -> Vec<String> {
        let of = |section: &Section| {
            let rows = section.rows.iter().filter(|row| !row.job.program.is_empty());
            let title = std::iter::once(format!("# {}", section.title));
            title.chain(rows.map(|row| self.command(&row.job))).collect::<Vec<_>>()
        };
        self.sections.iter().flat_map(of).collect()
    }

    pub(super) fn json(&self) -> Value {
        let facts: serde_json::Map<String, Value> =
            self.facts.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let sections: Vec<Value> = self.sections.iter().map(|section| self.section(section)).collect();
        json!({ "facts": facts, "rounds": self.rounds, "sections": sections, "left_out": self.left_out })
    }

    fn section(&self, section: &Section) -> Value {
        let rows: Vec<Value> = section.rows.iter().map(|row| self.row(section, row)).collect();
        json!({
            "title": section.title,
            "note": section.note,
            "documents": section.documents,
            "bytes": section.bytes,
            "ratio_to": section.base,
            "contenders": rows,
        })
    }

    fn row(&self, section: &Section, row: &Row) -> Value {
        json!({
            "name": row.name,
            "command": self.command(&row.job),
            "cpu_seconds": row.cpu(),
            "ratio": section.ratio(row),
            "wall_seconds": row.wall(),
            "peak_bytes": row.peak(),
            "score": row.score,
            "rounds": row.usages,
            "failed": row.failed,
        })
    }

    /// The command as one would type it, with no path of this machine in it.
    fn command(&self, job: &Job) -> String {
        let feed = job.feed.iter().flat_map(|feed| [self.command(feed), "|".to_owned()]);
        let folder = job.folder.iter().map(|folder| format!("cd {} &&", self.word(&folder.to_string_lossy())));
        let environment = job.environment.iter().map(|(name, value)| format!("{name}={value}"));
        let words = std::iter::once(&job.program).chain(&job.arguments).map(|word| self.word(word));
        feed.chain(folder).chain(environment).chain(words).collect::<Vec<_>>().join(" ")
    }

    fn word(&self, word: &str) -> String {
        let mut word = word.to_owned();
        for (path, name) in &self.names {
            word = word.replace(path, name);
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:$+,@".contains(c);
        if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{word}'") }
    }
}

/// A line for each contender that ran.
fn rounds_of(section: &Section) -> Vec<String> {
    let line = |row: &Row| {
        let rounds: Vec<String> = row.usages.iter().map(|usage| format!("{:.2}", usage.cpu)).collect();
        format!("- {}, {}: {}", section.title, row.name, rounds.join(", "))
    };
    section.rows.iter().filter(|row| !row.usages.is_empty()).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::section::tests::sample;

    #[test]
    fn a_result_names_no_path_of_the_machine() {
        let mut section = sample();
        section.rows[0].job =
            Job::new("/home/me/lookalike", &["scan", "/home/me/cache/a.jsonl"]).with_env("LC_ALL", "C");
        section.rows[0].job.feed = Some(Box::new(Job::new("eval", &["gen"])));
        let names = [("/home/me/lookalike", "lookalike"), ("/home/me/cache", "$CACHE")];
        let outcome = Outcome {
            facts: vec![("cpu".to_owned(), "fast".to_owned())],
            rounds: 3,
            sections: vec![section],
            left_out: vec!["html: no disk".to_owned()],
            names: names.map(|(path, name)| (path.to_owned(), name.to_owned())).to_vec(),
        };
        let markdown = outcome.markdown();
        assert!(markdown.contains("\neval gen | LC_ALL=C lookalike scan $CACHE/a.jsonl\n"), "{markdown}");
        assert!(markdown.contains("\npeer 'x y'\n"), "{markdown}");
        assert!(markdown.contains("- cpu: fast\n") && markdown.contains("Left out: html: no disk\n"), "{markdown}");
        let json = outcome.json();
        assert!(!format!("{markdown}{json}").contains("/home/me"));
        assert_eq!(json["sections"][0]["contenders"][1]["ratio"]["median"], 10.0);
        assert_eq!(json["sections"][0]["contenders"][0]["score"]["recall"], 0.99);
    }
}
