//! Wrong flags of the chunks lens: refused with a message that names the flag, what was expected and what helps.

use crate::command::refused;
use crate::dir::Dir;
use crate::words::Random;

fn docs() -> Dir {
    let dir = Dir::new();
    dir.write("docs/a.txt", Random(261).text(500));
    dir
}

#[test]
fn flags_of_the_shingles_lens() {
    let dir = docs();
    for flag in [
        &["-w", "5"][..],
        &["--sketch", "mod:25"],
        &["--contained", "0.9"],
        &["--estimate"],
        &["--boilerplate", "keep"],
        &["--candidates", "super"],
        &["--format", "html"],
        &["--features-field", "f"],
        &["--against", "x.index"],
    ] {
        let name = [flag[0], "is a flag of the shingles", "leave it out"];
        refused(&dir, &[&["scan", "--lens", "chunks", "docs"], flag].concat(), &name);
    }
}

#[test]
fn flags_of_the_chunks_lens() {
    let dir = docs();
    for flag in [
        &["--avg-chunk", "500"][..],
        &["--min-shared", "1K"],
        &["--exact"],
        &["--refine"],
        &["--templates", "list.json"],
    ] {
        for lens in [&[][..], &["--lens", "shingles"]] {
            refused(&dir, &[&["scan", "docs"], lens, flag].concat(), &[flag[0], "chunks lens", "--lens chunks"]);
        }
    }
    refused(&dir, &["scan", "docs", "--report-format", "fdupes"], &["--report-format", "--lens chunks"]);
}

#[test]
fn values_out_of_range() {
    let dir = docs();
    for mean in ["10", "63", "0", "2M", "many", "-5"] {
        for verb in [&["scan", "--lens", "chunks", "docs"][..], &["sketch", "docs", "-o", "x.lka"]] {
            refused(&dir, &[verb, &[&format!("--avg-chunk={mean}")]].concat(), &["--avg-chunk", mean]);
        }
        refused(&dir, &["scan", "--lens", "chunks", "docs", &format!("--refine={mean}")], &["--refine", mean]);
    }
    for flag in ["--threshold", "--max-df"] {
        for share in ["0", "1.01", "-1", "half", "nan", "50%"] {
            let value = format!("{flag}={share}");
            refused(&dir, &["scan", "--lens", "chunks", "docs", &value], &[flag, share, "a share"]);
        }
    }
    refused(&dir, &["files", "docs", "--max-df", "1000"], &["--max-df 1000", "a share of all files"]);
    refused(&dir, &["index", "build", "i", "docs", "--max-df", "0.5"], &["--max-df 0.5", "a number of documents"]);
    refused(&dir, &["scan", "--lens", "chunks", "docs", "--min-shared", "lots"], &["--min-shared", "lots"]);
    refused(&dir, &["scan", "--lens", "pictures", "docs"], &["pictures", "shingles", "chunks"]);
    assert_eq!(dir.names(), ["docs"]);
}

#[test]
fn flags_that_do_not_go_together() {
    let dir = docs();
    let scan = ["scan", "--lens", "chunks", "docs"];
    let with = |flags: &[&'static str]| [&scan[..], flags].concat();
    refused(&dir, &with(&["--avg-chunk", "100", "--refine"]), &["--refine=100", "--avg-chunk 100"]);
    refused(&dir, &with(&["--avg-chunk", "100", "--refine=200"]), &["--refine=200", "--avg-chunk 100"]);
    for form in ["--json", "--csv", "--ndjson"] {
        refused(&dir, &with(&["--report-format", "fdupes", form]), &["--report-format", form]);
    }
    refused(&dir, &with(&["--templates", "nowhere.json"]), &["nowhere.json"]);
    refused(&dir, &["scan", "--lens", "chunks", "nowhere"], &["nowhere"]);
    refused(&dir, &["sketch", "nowhere", "-o", "x.lka"], &["nowhere"]);
    refused(&dir, &["sketch", "docs"], &["--output"]);
    refused(&dir, &["sketch", "docs", "-o", "no/x.lka"], &["no is no folder"]);
    refused(&dir, &["sketch", "docs", "-o", "docs"], &["it is a folder"]);
    refused(&dir, &["recluster", "nowhere", "--threshold", "0.8"], &["nowhere", "--save"]);
    assert_eq!(dir.names(), ["docs"]);
}
