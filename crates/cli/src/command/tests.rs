//! The table of flags against help, man page, parser and refusals.

use super::*;
use crate::args::Source;
use crate::flags::{Flag, Kind, find};
use crate::values::MaxDf;

/// Every verb with every lens that it can use.
fn each_view() -> impl Iterator<Item = (&'static Spec, Option<Lens>)> {
    SPECS.iter().copied().flat_map(|spec| {
        let lenses: Vec<Option<Lens>> =
            if spec.lenses.is_empty() { vec![None] } else { spec.lenses.iter().copied().map(Some).collect() };
        lenses.into_iter().map(move |lens| (spec, lens))
    })
}

fn view(lens: Option<Lens>) -> View {
    lens.map_or(View::Only(None), View::Help)
}

/// The flags that a help page lists, as they are typed.
fn listed(help: &str) -> Vec<String> {
    let names = help.lines().filter_map(|line| {
        // texts stand further to the right
        let short = line.strip_prefix("  -").map(|_| line.trim_start());
        let long = line.strip_prefix("      --").map(|_| line.trim_start());
        let typed = short.map(|line| line.split_once(", ").map_or(line, |(_, long)| long)).or(long)?;
        Some(typed.split([' ', '[', '=', '.']).next().unwrap_or_default().to_owned())
    });
    names.filter(|name| !["--help", "--version"].contains(&name.as_str())).collect()
}

fn is_positional(flag: &Flag) -> bool {
    matches!(flag.kind, Kind::Positional(..) | Kind::Positionals(..))
}

#[test]
fn clap_accepts_the_table() {
    whole().debug_assert();
    for lens in Lens::ALL {
        build(|spec| if spec.lenses.contains(&lens) { View::Help(lens) } else { View::All }).debug_assert();
    }
    for (spec, lens) in each_view() {
        spec.command(View::Only(lens)).debug_assert();
    }
}

#[test]
fn every_verb_is_under_one_task() {
    let command = whole();
    let mut names: Vec<&str> = command.get_subcommands().map(Command::get_name).chain(["help"]).collect();
    let mut listed: Vec<&str> = TASKS.iter().flat_map(|(_, verbs)| verbs.iter().copied()).collect();
    names.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, names);
    let help = command.clone().render_help().to_string();
    assert!(help.find("Find what looks alike:\n  scan").is_some_and(|at| at < help.find("  index").unwrap()), "{help}");
    assert!(names.iter().all(|name| help.matches(&format!("\n  {name} ")).count() == 1), "{help}");
}

#[test]
fn every_verb_has_three_examples() {
    for spec in SPECS {
        let examples = spec.after.split("\n\n").find(|part| part.contains("Examples")).unwrap_or_default();
        // a pipe may begin with another command
        let lines = examples.lines().filter(|line| line.starts_with("  ") && line.contains("lookalike ")).count();
        assert!(lines >= 3, "lookalike {} has {lines} examples:\n{}", spec.name, spec.after);
    }
}

#[test]
fn help_lists_the_flags_of_the_verb_and_lens_and_no_others() {
    for (spec, lens) in each_view() {
        let help = spec.command(view(lens)).max_term_width(100).render_long_help().to_string();
        let mut found = listed(&help);
        let taken = table().filter(|flag| flag.use_of(spec.verb, lens).is_some() && !is_positional(flag));
        let mut expected: Vec<String> = taken.map(Flag::typed).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "lookalike {} with {lens:?}:\n{help}", spec.name);
    }
}

#[test]
fn short_help_of_a_scan_fits_a_screen() {
    for lens in SPECS[0].lenses {
        let line = ["lookalike", "scan", "--lens", lens.name(), "-h"].map(OsString::from);
        let help = reading(&line).try_get_matches_from(&line).expect_err("help is no success").to_string();
        assert!(help.lines().count() <= 40, "{lens}: {} lines\n{help}", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        assert!(help.contains("Usage: lookalike scan [OPTIONS] [PATH]..."), "{help}");
    }
}

#[test]
fn man_page_and_completions_have_every_flag() {
    let root = whole();
    for spec in SPECS {
        let mut command = &root;
        for word in spec.name.split(' ') {
            command = command.find_subcommand(word).expect("a verb of the table");
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone()).render(&mut page).expect("a page");
        let page = String::from_utf8(page).expect("UTF-8").replace("\\-", "-");
        for flag in table().filter(|flag| flag.use_of(spec.verb, None).is_some()) {
            assert!(page.contains(&flag.typed()), "{}: no {} in the man page", spec.name, flag.typed());
        }
    }
    let mut script = Vec::new();
    clap_complete::generate(clap_complete::Shell::Bash, &mut whole(), "lookalike", &mut script);
    let script = String::from_utf8(script).expect("UTF-8");
    let long = table().filter(|flag| flag.typed().starts_with("--"));
    for flag in long {
        assert!(script.contains(&flag.typed()), "no {} in the completions", flag.typed());
    }
}

#[test]
fn rows_are_sound() {
    for flag in table() {
        assert!(!flag.uses.is_empty(), "{}: no verb takes it", flag.name);
        for (at, of) in flag.uses.iter().enumerate() {
            assert!(of.help.len() <= 110 && !of.help.ends_with('.'), "{}: {}", flag.name, of.help);
            assert!(of.needs.is_empty() || find(of.needs).is_some(), "{}: needs {}", flag.name, of.needs);
            for other in &flag.uses[at + 1..] {
                let both = of.verbs.iter().any(|verb| other.verbs.contains(verb));
                let clash = both && of.lenses.iter().any(|lens| other.lenses.contains(lens));
                assert!(!clash, "{}: two uses for one verb and lens", flag.name);
            }
        }
        for name in flag.requires.iter().chain(flag.conflicts) {
            assert!(find(name).is_some(), "{}: no flag is called {name}", flag.name);
        }
        let same = |other: &&Flag| other.name == flag.name && !std::ptr::eq::<Flag>(*other, flag);
        for other in table().filter(same) {
            let shared = flag.uses.iter().flat_map(|of| of.verbs).any(|verb| other.uses_of(*verb).next().is_some());
            assert!(!shared, "{}: two rows for one verb", flag.name);
        }
        let lettered = |other: &&Flag| flag.short.is_some() && other.short == flag.short && other.name != flag.name;
        for other in table().filter(lettered) {
            // the letters of moss are MOSS's
            let moss = |flag: &Flag| flag.uses.iter().all(|of| of.verbs == [crate::verb::Verb::Moss]);
            assert!(moss(flag) || moss(other), "-{:?} is {} and {}", flag.short, flag.name, other.name);
        }
    }
}

/// What a flag can be given, by the name of its value.
fn sample(flag: &Flag) -> Vec<String> {
    let typed = flag.typed();
    let value = match flag.kind {
        Kind::Switch | Kind::ShortSwitch => return vec![typed],
        Kind::OptionalValue(..) => return vec![format!("{typed}=100")],
        Kind::Value(name, _) | Kind::Short(name, _) | Kind::Pair(name, _) => name,
        Kind::Lens | Kind::Positional(..) | Kind::Positionals(..) => return Vec::new(),
    };
    let value = match (value, flag.name) {
        ("SHARE", _) => "0.5",
        ("KIND:N", _) => "nested:50",
        ("KIND", "candidates") => "super",
        ("KIND", _) => "log",
        ("BITS", "bits") => "64",
        ("BITS", _) => "2",
        ("LANG,…", _) => "en",
        ("LINKAGE", _) => "star",
        ("FORMAT", "format") => "html",
        ("FORMAT", _) => "fdupes",
        ("SIZE" | "BYTES", _) => "1000",
        ("N" | "W" | "N|SHARE" | "TOKENS", _) => "5",
        _ => "x",
    };
    vec![typed, value.to_owned()]
}

/// What a verb cannot do without.
fn needed(spec: &Spec) -> &'static [&'static str] {
    match spec.name {
        "compare" => &["a", "b"],
        "sketch" => &["docs", "-o", "x.lka"],
        "index build" | "index add" | "query" => &["x.index", "docs"],
        _ => &["docs"],
    }
}

#[test]
fn flags_of_other_lenses_are_refused() {
    let mut refused = 0;
    for spec in SPECS.iter().filter(|spec| spec.lenses.len() > 1) {
        for flag in table().filter(|flag| flag.use_of(spec.verb, None).is_some() && !sample(flag).is_empty()) {
            // these need others beside them, or are checked by their values
            if !flag.requires.is_empty() || flag.group == "question" || ["output", "report-format"].contains(&flag.name)
            {
                continue;
            }
            let words = ["lookalike"].into_iter().chain(spec.name.split(' ')).map(str::to_owned);
            let line = words.chain(sample(flag)).chain(needed(spec).iter().map(|word| (*word).to_owned()));
            let line: Vec<OsString> = line.map(OsString::from).collect();
            let Ok(args) = parse(line.clone()) else { continue };
            for lens in spec.lenses {
                let checked = args.with_lens(*lens, &Source::Flag);
                let of = flag.use_of(spec.verb, Some(*lens));
                match checked {
                    Ok(_) => assert!(of.is_some_and(|of| of.needs.is_empty()), "{line:?} with {lens} is accepted"),
                    Err(error) => {
                        refused += 1;
                        let (error, typed) = (error.to_string(), flag.typed());
                        assert!(
                            error.contains(&typed) && error.contains("leave it out"),
                            "{line:?} with {lens}: {error}"
                        );
                        assert!(of.is_none_or(|of| !of.needs.is_empty()), "{line:?} with {lens} is refused: {error}");
                    }
                }
            }
        }
    }
    assert!(refused > 50, "only {refused} were refused");
}

#[test]
fn a_lens_that_the_verb_does_not_have() {
    let line = ["lookalike", "scan", "docs", "--lens", "passages"].map(OsString::from).to_vec();
    let Ok(args) = parse(line) else { panic!("--lens takes all four") };
    let Err(error) = args.with_lens(Lens::Passages, &Source::Flag) else { panic!("passages are for copies") };
    assert!(error.to_string().contains("use lookalike copies"), "{error}");
}

#[test]
fn a_flag_of_another_verb_is_told_as_such() {
    let line = ["lookalike", "files", "docs", "--contained", "0.9"].map(OsString::from).to_vec();
    let Err(error) = parse(line) else { panic!("files has no --contained") };
    let error = error.to_string();
    assert!(error.contains("lookalike files takes no --contained: it is a flag of lookalike scan"), "{error}");
}

#[test]
fn defaults_are_those_of_the_lens() {
    let of = |words: &str, lens: Lens| {
        let line = words.split(' ').map(OsString::from).collect();
        let args = parse(line).unwrap_or_else(|error| panic!("{error}"));
        args.with_lens(lens, &Source::Flag).unwrap_or_else(|error| panic!("{error}"))
    };
    assert_eq!(of("lookalike scan docs", Lens::Shingles).get::<MaxDf>("max-df"), None);
    assert_eq!(of("lookalike scan docs", Lens::Chunks).value::<MaxDf>("max-df"), MaxDf::Share(0.5));
    assert_eq!(of("lookalike scan docs", Lens::Simhash).value::<MaxDf>("max-df"), MaxDf::Off);
    assert_eq!(of("lookalike scan docs --max-df 7", Lens::Simhash).value::<MaxDf>("max-df"), MaxDf::Documents(7));
    assert_eq!(of("lookalike scan docs", Lens::Chunks).get::<u8>("words"), None);
}

/// The words of a line as a shell separates them, up to the end of the command.
fn shell_words(line: &str) -> Vec<OsString> {
    let (mut words, mut word, mut quote): (Vec<OsString>, Option<String>, Option<char>) = (Vec::new(), None, None);
    for (at, letter) in line.char_indices() {
        match (letter, quote) {
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, Some(open)) if open == letter => quote = None,
            (' ', None) => {
                words.extend(word.take().map(OsString::from));
                // a column of remarks
                if line[at..].starts_with("  ") {
                    return words;
                }
            }
            ('|' | '>' | '<' | ';' | '&' | '#' | '`', None) => break,
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word.map(OsString::from));
    words
}

/// Command lines in the README, the guide, the container and the unit of systemd.
#[test]
fn commands_in_documents_are_understood() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let in_folder = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let files = [vec![root.join("README.md")], in_folder("docs/guide"), in_folder("deploy")].concat();
    let mut understood = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file").replace("\\\n", "");
        // a command is at the start of its line; in the container's notes, behind its name
        let starts = ["lookalike ", "$ lookalike ", "ExecStart=/usr/local/bin/lookalike ", "#   lookalike "];
        let is_deploy = file.parent().is_some_and(|folder| folder.ends_with("deploy"));
        let mut is_code = is_deploy;
        for line in text.lines() {
            is_code ^= line.starts_with("```") && !is_deploy;
            if !is_code {
                continue;
            }
            let run = line.find("docker run").and(line.rfind(" lookalike ")).map(|at| &line[at + 1..]);
            let command = starts.iter().find_map(|start| line.strip_prefix(start));
            let Some(command) = command.or_else(|| run.and_then(|run| run.strip_prefix("lookalike "))) else {
                continue;
            };
            let command = command.split(if is_deploy { "  " } else { "\0" }).next().unwrap_or_default();
            let mut words = vec![OsString::from("lookalike")];
            words.extend(shell_words(command));
            if let Err(error) = parse(words)
                && error.use_stderr()
            {
                panic!("{}: {line}\n{error}", file.display());
            }
            understood += 1;
        }
    }
    assert!(understood > 120, "only {understood} commands were found");
}
