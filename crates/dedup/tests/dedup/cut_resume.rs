//! Runs that cut, are stopped, and go on.

use crate::common::{Random, Text, files, options};
use crate::cut_common::{cut, odd_line, shard};
use crate::resume::{StopAfter, resuming};
use flate2::write::GzEncoder;
use lookalike_dedup::{Dedup, DedupOptions, Error, Granularity, KeptRun, ParagraphOptions, SubstringOptions, kept_run};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Plain and compressed shards that share paragraphs.
fn corpus(dir: &Path) -> PathBuf {
    let mut random = Random::new(11);
    let pieces: Vec<String> = (0..80)
        .map(|_| {
            let length = 5 + random.below(40);
            random.words(length).join(" ")
        })
        .collect();
    let text = |random: &mut Random| {
        let some: Vec<&str> = (0..=random.below(5)).map(|_| pieces[random.below(80)].as_str()).collect();
        some.join("\n\n")
    };
    let texts: Vec<Text> = (0..300).map(|number| (format!("d{number}"), text(&mut random))).collect();
    let folder = dir.join("in");
    shard(&folder.join("a.jsonl"), &texts[..100]);
    shard(&folder.join("c.jsonl"), &texts[200..]);
    let mut gzip = GzEncoder::new(File::create(folder.join("b.jsonl.gz")).unwrap(), flate2::Compression::fast());
    let lines: String = texts[100..200].iter().map(|(id, text)| odd_line(id, text)).collect();
    gzip.write_all(lines.as_bytes()).unwrap();
    gzip.finish().unwrap();
    folder
}

fn ways() -> [DedupOptions; 2] {
    let ways = [
        Granularity::Paragraphs(ParagraphOptions::default()),
        Granularity::Substrings(SubstringOptions { min_tokens: 12 }),
    ];
    ways.map(|granularity| {
        options(|o| {
            o.granularity = granularity;
            o.scan.resources.threads = 2;
        })
    })
}

/// How often progress is told before a run is stopped: all moments of the first steps, and some of the long ones.
fn moments() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(1), |times| Some(times + 1 + times / 8))
}

#[test]
fn whenever_it_is_stopped_the_result_is_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let input = corpus(dir.path());
    for (way, options) in ways().into_iter().enumerate() {
        let whole = dir.path().join(format!("whole{way}"));
        let result = cut(&input, Some(&whole), &options).unwrap();
        assert!(result.summary.cut_pieces > 200, "{}", result.summary.cut_pieces);
        let expected = files(&whole);
        let (mut finished, mut in_reading) = (0, 0);
        for times in moments() {
            let out = dir.path().join(format!("out{way}-{times}"));
            let stop = StopAfter::new(times);
            let first = Dedup::new(options.clone())
                .progress(&stop)
                .cancel(&stop.cancel)
                .run(std::slice::from_ref(&input), Some(&out));
            if let Err(error) = first {
                assert!(error.is_cancelled(), "{error}");
                assert!(!out.exists(), "nothing looks complete");
                in_reading += u32::from(matches!(kept_run(&out), Some(KeptRun::Files { .. })));
                let again = StopAfter::new(u64::MAX);
                Dedup::new(resuming(&options)).progress(&again).run(std::slice::from_ref(&input), Some(&out)).unwrap();
                let (first, again) = (stop.phases.into_inner().unwrap(), again.phases.into_inner().unwrap());
                // only the phase that was stopped, or the one step that two phases are
                let twice = again.iter().filter(|phase| first.contains(phase)).count();
                assert!(twice <= 2, "{first:?} {again:?}");
            } else {
                finished += 1;
            }
            assert!(files(&out) == expected, "stopped after {times}");
            assert!(!dir.path().join(format!("out{way}-{times}.partial")).exists());
            if finished == 2 {
                break;
            }
        }
        assert!(in_reading > 1, "{in_reading}");
    }
}

/// A folder for each step that was just finished, as a process leaves it that is killed then.
fn killed_after_each_step(input: &Path, dir: &Path, options: &DedupOptions) -> Vec<PathBuf> {
    let mut folders: Vec<(usize, PathBuf)> = Vec::new();
    for times in moments() {
        let out = dir.join(format!("killed{times}"));
        let stop = StopAfter::new(times);
        let run = Dedup::new(options.clone()).progress(&stop).cancel(&stop.cancel).run(&[input.to_owned()], Some(&out));
        if run.is_ok() {
            break;
        }
        let partial = dir.join(format!("killed{times}.partial"));
        if !partial.exists() {
            continue;
        }
        let entries = fs::read_dir(partial.join("work")).unwrap();
        let steps = entries.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|e| e == "step"));
        let steps = steps.count();
        if folders.last().is_none_or(|(last, _)| *last < steps) {
            folders.push((steps, out));
        }
    }
    folders.into_iter().map(|(_, out)| out).collect()
}

#[test]
fn every_step_leaves_what_the_next_needs() {
    let dir = tempfile::tempdir().unwrap();
    let input = corpus(dir.path());
    for (way, options) in ways().into_iter().enumerate() {
        let whole = dir.path().join(format!("whole{way}"));
        cut(&input, Some(&whole), &options).unwrap();
        let folder = dir.path().join(format!("way{way}"));
        fs::create_dir(&folder).unwrap();
        let killed = killed_after_each_step(&input, &folder, &options);
        assert!(killed.len() >= 2 + way, "{killed:?}");
        for out in killed {
            // what a step was writing when it was killed is not what it was to become
            let partial = out.with_file_name(format!("{}.partial", out.file_name().unwrap().to_str().unwrap()));
            for name in ["cuts", "repeats", "anchors"] {
                let path = partial.join("work").join(name);
                if !partial.join("work").join(format!("{name}.step")).exists() {
                    fs::write(path, "half").unwrap();
                }
            }
            assert!(matches!(cut(&input, Some(&out), &options), Err(Error::Stopped { .. })));
            cut(&input, Some(&out), &resuming(&options)).unwrap();
            assert!(files(&out) == files(&whole), "{}", out.display());
        }
    }
}

#[test]
fn it_goes_on_only_as_it_was_begun() {
    let dir = tempfile::tempdir().unwrap();
    let input = corpus(dir.path());
    let [paragraphs, substrings] = ways();
    let out = killed_after_each_step(&input, dir.path(), &paragraphs).remove(0);
    let Err(Error::OtherRun { what, .. }) = cut(&input, Some(&out), &resuming(&substrings)) else {
        panic!("it went on")
    };
    assert_eq!(what, "granularity");
    // and only with the same inputs
    let shard = input.join("c.jsonl");
    let mut lines = fs::read(&shard).unwrap();
    lines.extend(b"{\"id\":\"new\",\"text\":\"came later\"}\n");
    fs::write(&shard, lines).unwrap();
    let out = killed_after_each_step(&input, &dir.path().join("x"), &paragraphs).pop().unwrap();
    fs::write(&shard, "").unwrap();
    assert!(matches!(cut(&input, Some(&out), &resuming(&paragraphs)), Err(Error::Damaged { .. })));
    assert!(!out.exists());
}

#[test]
fn damaged_steps_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let input = corpus(dir.path());
    for (way, options) in ways().into_iter().enumerate() {
        let folder = dir.path().join(way.to_string());
        fs::create_dir(&folder).unwrap();
        for out in killed_after_each_step(&input, &folder, &options) {
            let partial = out.with_file_name(format!("{}.partial", out.file_name().unwrap().to_str().unwrap()));
            for name in ["pieces", "fingerprints", "anchors", "repeats", "cuts", "cut-places", "bodies", "cuts.step"] {
                let path = partial.join("work").join(name);
                let step = partial.join("work").join(format!("{name}.step"));
                let Ok(whole) = fs::read(&path) else { continue };
                // what no finished step says is written anew
                if !["bodies", "cut-places", "cuts.step"].contains(&name) && !step.exists() {
                    continue;
                }
                // Before all inputs were read, the last part of it is not counted yet, and is written again.
                if name == "bodies" && !partial.join("work").join("read.step").exists() {
                    continue;
                }
                if name == "cut-places" && !partial.join("work/cuts.step").exists() {
                    continue;
                }
                // what a later step has made of it counts
                let later = ["pieces", "fingerprints", "anchors", "repeats"].contains(&name)
                    && ["cuts", "repeats", "anchors"]
                        .iter()
                        .any(|step| *step != name && partial.join("work").join(format!("{step}.step")).exists());
                if later || whole.is_empty() {
                    continue;
                }
                let mut broken = whole.clone();
                broken[whole.len() / 2] ^= 4;
                fs::write(&path, broken).unwrap();
                assert!(cut(&input, Some(&out), &resuming(&options)).is_err(), "{name}");
                assert!(!out.exists(), "{name}");
                fs::write(&path, whole).unwrap();
            }
            cut(&input, Some(&out), &resuming(&options)).unwrap();
        }
    }
}
