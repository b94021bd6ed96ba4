//! The arguments of a verb: made from the table of flags, checked against its lens, read by name.

use crate::flags::{Default, Flag, Kind, Required, Use, find, table};
use crate::glossary;
use crate::lens::Lens;
use crate::refusals;
use crate::values;
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use lookalike_report::Form;
use std::ffi::OsString;
use std::path::PathBuf;

/// A verb: what help says of it, and what it does.
pub(crate) struct Spec {
    pub(crate) verb: Verb,
    /// As it is typed, such as `index build`.
    pub(crate) name: &'static str,
    /// In a line.
    pub(crate) about: &'static str,
    /// What the long help says below that.
    pub(crate) long: &'static str,
    /// Examples and notes, at the end of the long help.
    pub(crate) after: &'static str,
    /// Other forms of usage than the one that follows from the flags.
    pub(crate) usage: &'static str,
    /// The lenses that it can use, the usual one first; none if it has nothing to do with lenses.
    pub(crate) lenses: &'static [Lens],
    /// A group of flags of which one must be given.
    pub(crate) one_of: &'static str,
    pub(crate) run: fn(&Args) -> Result<u8>,
}

/// Which flags a command has, and how help shows them.
#[derive(Clone, Copy)]
pub(crate) enum View {
    /// Those of any lens; help shows those of this one.
    Help(Lens),
    /// Those of this lens only, with its defaults.
    Only(Option<Lens>),
    /// Those of any lens, all shown: the man page.
    All,
}

/// From where the lens is known.
pub(crate) enum Source<'a> {
    /// From `--lens`, or because it is the usual one.
    Flag,
    /// From an index, a run or an exchange file.
    File(&'a std::path::Path),
}

impl Spec {
    pub(crate) const fn new(verb: Verb, name: &'static str, about: &'static str, run: fn(&Args) -> Result<u8>) -> Self {
        Self { verb, name, about, long: "", after: "", usage: "", lenses: &[], one_of: "", run }
    }

    pub(crate) const fn long(self, long: &'static str) -> Self {
        Self { long, ..self }
    }

    pub(crate) const fn after(self, after: &'static str) -> Self {
        Self { after, ..self }
    }

    pub(crate) const fn lenses(self, lenses: &'static [Lens]) -> Self {
        Self { lenses, ..self }
    }

    pub(crate) const fn one_of(self, group: &'static str) -> Self {
        Self { one_of: group, ..self }
    }

    pub(crate) const fn usage(self, usage: &'static str) -> Self {
        Self { usage, ..self }
    }

    pub(crate) fn command(&'static self, view: View) -> Command {
        let mut command = Command::new(self.name.rsplit(' ').next().unwrap_or(self.name)).about(self.about);
        if !self.long.is_empty() {
            command = command.long_about(format!("{}\n\n{}", self.about, self.long));
        }
        if !self.usage.is_empty() {
            command = command.override_usage(self.usage);
        }
        let flags: Vec<&Flag> = table().filter(|flag| self.takes(flag, view)).collect();
        command = command.after_long_help(format!("{}{}", self.after, self.glossary(&flags)));
        command = command.after_help(format!("All of it, with examples: lookalike {} --help", self.name));
        let names: Vec<&str> = flags.iter().map(|flag| flag.name).collect();
        if !self.one_of.is_empty() {
            let members = flags.iter().filter(|flag| flag.group == self.one_of).map(|flag| flag.name);
            command = command.group(ArgGroup::new(self.one_of).args(members).required(true));
        }
        let optional_first = matches!(self.verb, Verb::TemplatesShow | Verb::TemplatesUnmark);
        command = command.allow_missing_positional(optional_first);
        command = command.args(flags.iter().map(|flag| self.arg(flag, view, &names)));
        // the last line of the short help names the long one
        let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).hide_short_help(true);
        command.disable_help_flag(true).arg(help.help("Print help; -h is shorter").help_heading("Output"))
    }

    /// What the words mean that are not everybody's, as far as help uses them.
    fn glossary(&self, flags: &[&Flag]) -> String {
        let helps = flags.iter().flat_map(|flag| flag.uses_of(self.verb)).flat_map(|of| [of.help, of.long]);
        let helps = helps.chain(flags.iter().map(|flag| flag.name));
        let text = helps.chain([self.about, self.long]).collect::<Vec<_>>().join(" ").to_lowercase();
        glossary::of(&text)
    }

    fn takes(&self, flag: &Flag, view: View) -> bool {
        let lens = if let View::Only(lens) = view { lens } else { None };
        let lenses = |of: &Use| self.lenses.is_empty() || self.lenses.iter().any(|lens| of.lenses.contains(lens));
        flag.use_of(self.verb, lens).is_some() && flag.uses_of(self.verb).any(lenses)
    }

    fn arg(&self, flag: &'static Flag, view: View, names: &[&str]) -> Arg {
        let shown = match view {
            View::Help(lens) => flag.use_of(self.verb, Some(lens)),
            View::Only(lens) => flag.use_of(self.verb, lens),
            View::All => flag.use_of(self.verb, None),
        };
        let of = shown.or_else(|| flag.use_of(self.verb, None)).expect("the verb takes it");
        let mut arg = Arg::new(flag.name).help_heading(flag.heading).hide(shown.is_none());
        arg = match flag.kind {
            Kind::Switch => arg.long(flag.name).action(ArgAction::SetTrue),
            Kind::ShortSwitch => arg.action(ArgAction::SetTrue),
            Kind::Value(name, parser) => arg.long(flag.name).value_name(name).value_parser(parser()),
            Kind::Short(name, parser) => arg.value_name(name).value_parser(parser()),
            Kind::Lens => arg.long(flag.name).value_name("LENS").value_parser(values::lens(self.lenses)),
            Kind::OptionalValue(name, parser, missing) => {
                let arg = arg.long(flag.name).value_name(name).value_parser(parser());
                arg.num_args(0..=1).require_equals(true).default_missing_value(missing)
            }
            Kind::Pair(name, parser) => {
                arg.long(flag.name).value_name(name).value_parser(parser()).num_args(1..=2).action(ArgAction::Append)
            }
            Kind::Positional(name, parser) => arg.value_name(name).value_parser(parser()).help_heading(None),
            Kind::Positionals(name, parser) => {
                arg.value_name(name).value_parser(parser()).num_args(0..).action(ArgAction::Append).help_heading(None)
            }
        };
        if let Some(short) = flag.short {
            arg = arg.short(short);
        }
        if flag.repeats {
            arg = arg.action(ArgAction::Append);
            if matches!(flag.kind, Kind::Value(name, _) if name.ends_with(",…")) {
                arg = arg.value_delimiter(',');
            }
        }
        if !flag.env.is_empty() {
            arg = arg.env(flag.env).hide_env_values(true).hide_env(true);
        }
        if !flag.group.is_empty() && flag.group != self.one_of {
            arg = arg.group(flag.group);
        }
        let known = |other: &&&str| names.contains(*other);
        for other in flag.requires.iter().filter(known) {
            arg = arg.requires(*other);
        }
        arg = arg.conflicts_with_all(flag.conflicts.iter().filter(known));
        arg = match of.default {
            Default::Value(value) => arg.default_value(value),
            Default::Hidden(value) => arg.default_value(value).hide_default_value(true),
            Default::None | Default::Words(_) => arg,
        };
        arg = match of.required {
            Required::No => arg,
            Required::Yes => arg.required(true),
            Required::Unless(others) => arg.required_unless_present_any(others.iter().filter(known)),
        };
        let (help, long) = match view {
            View::All => self.help_of_all(flag),
            _ => help_of(of),
        };
        arg.help(help).long_help(long).hide_short_help(flag.rare)
    }

    /// The help of a flag with every lens.
    fn help_of_all(&self, flag: &Flag) -> (String, String) {
        let some = |of: &Use| {
            let lenses = self.lenses.iter().filter(|lens| of.lenses.contains(lens)).map(|lens| lens.name());
            lenses.collect::<Vec<_>>()
        };
        let parts = flag.uses_of(self.verb).map(|of| {
            let (lenses, (help, long)) = (some(of), help_of(of));
            let whose =
                if lenses.len() < self.lenses.len() { format!(" [{}]", lenses.join(", ")) } else { String::new() };
            (format!("{help}{whose}"), format!("{long}{whose}"))
        });
        let (help, long): (Vec<String>, Vec<String>) = parts.unzip();
        (help.join("; "), long.join("\n\n"))
    }
}

/// Whether reports of a lens have a form; those by all lenses have clusters, as those by shingles.
fn has_form(form: &Form, lens: Lens) -> bool {
    form.lenses.contains(&lens.one().unwrap_or(lookalike::Lens::Shingles))
}

fn help_of(of: &Use) -> (String, String) {
    let default = match of.default {
        Default::Words(words) => format!(" [default: {words}]"),
        _ => String::new(),
    };
    let long = if of.long.is_empty() { String::new() } else { format!(". {}", of.long) };
    (format!("{}{default}", of.help), format!("{}{long}{default}", of.help))
}

/// A project file, as far as one verb is concerned.
#[derive(Default)]
pub(crate) struct ProjectFile {
    pub(crate) path: PathBuf,
    pub(crate) defaults: Vec<ProjectDefault>,
}

/// A flag that the file gives.
#[derive(Clone)]
pub(crate) struct ProjectDefault {
    pub(crate) flag: &'static Flag,
    pub(crate) line: usize,
    /// As it would be typed.
    pub(crate) arguments: Vec<OsString>,
}

/// Defaults of the project, then what was typed.
fn whole_line(defaults: &[ProjectDefault], line: &[OsString]) -> Vec<OsString> {
    defaults.iter().flat_map(|default| &default.arguments).chain(line).cloned().collect()
}

/// What the user typed after a verb.
pub(crate) struct Args {
    pub(crate) spec: &'static Spec,
    matches: ArgMatches,
    /// As it was typed, after the verb.
    line: Vec<OsString>,
    /// What the project file gives beside that.
    project: ProjectFile,
    /// The whole command, for man page and completions.
    pub(crate) root: fn() -> Command,
}

impl Args {
    pub(crate) fn new(spec: &'static Spec, matches: ArgMatches, line: Vec<OsString>, root: fn() -> Command) -> Self {
        Self { spec, matches, line, project: ProjectFile::default(), root }
    }

    /// The same with the defaults of the project: those that nothing on the command line stands against.
    pub(crate) fn with_project(self, mut project: ProjectFile) -> Result<Self> {
        project.defaults.retain(|default| !self.stands_against(default.flag));
        for default in &project.defaults {
            let line: Vec<OsString> = default.arguments.iter().chain(&self.line).cloned().collect();
            if let Err(error) = self.reading(None).try_get_matches_from(line) {
                let (file, line, text) = (project.path.display(), default.line, error.to_string());
                let what = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
                bail!("{file}:{line}: {what}");
            }
        }
        let matches = self.reading(None).try_get_matches_from(whole_line(&project.defaults, &self.line))?;
        Ok(Self { matches, project, ..self })
    }

    /// Whether the flag was typed, or another that cannot be given with it.
    fn stands_against(&self, flag: &Flag) -> bool {
        let excludes = |typed: &Flag| {
            typed.name == flag.name
                || (!flag.group.is_empty() && typed.group == flag.group)
                || typed.conflicts.contains(&flag.name)
                || flag.conflicts.contains(&typed.name)
        };
        table()
            .any(|typed| typed.use_of(self.spec.verb, None).is_some() && self.is_typed(typed.name) && excludes(typed))
    }

    /// The command that reads the line after the verb.
    fn reading(&self, lens: Option<Lens>) -> Command {
        let view = match (lens, self.spec.lenses) {
            (None, [first, _, ..]) => View::Help(*first),
            (None, lenses) => View::Only(lenses.first().copied()),
            (lens, _) => View::Only(lens),
        };
        let command = self.spec.command(view).no_binary_name(true);
        command.bin_name(format!("lookalike {}", self.spec.name))
    }

    /// The project file that was found, and what it gives.
    pub(crate) fn project(&self) -> &ProjectFile {
        &self.project
    }

    /// A switch.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).unwrap_or(false)
    }

    /// A value that was given, or the default.
    pub(crate) fn get<T: Clone + Send + Sync + 'static>(&self, name: &str) -> Option<T> {
        debug_assert!(find(name).is_some(), "no flag is called {name}");
        match self.matches.try_get_one(name) {
            Ok(value) => value.cloned(),
            Err(clap::parser::MatchesError::UnknownArgument { .. }) => None,
            Err(error) => panic!("--{name} is read as another type than the table says: {error}"),
        }
    }

    /// A value that is required or has a default.
    pub(crate) fn value<T: Clone + Send + Sync + 'static>(&self, name: &str) -> T {
        self.get(name).unwrap_or_else(|| panic!("--{name} has no default in the table"))
    }

    /// All values of a flag that may be repeated.
    pub(crate) fn all<T: Clone + Send + Sync + 'static>(&self, name: &str) -> Vec<T> {
        debug_assert!(find(name).is_some(), "no flag is called {name}");
        let values = self.matches.try_get_many(name).ok().flatten();
        values.map_or_else(Vec::new, |values| values.cloned().collect())
    }

    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        self.get(name)
    }

    /// Files and folders that the command writes or keeps, by all its flags.
    pub(crate) fn own_paths(&self) -> Vec<PathBuf> {
        let own = table().filter(|flag| flag.own && flag.use_of(self.spec.verb, None).is_some());
        own.filter_map(|flag| self.path(flag.name)).collect()
    }

    /// Whether it was typed, and is no default.
    pub(crate) fn is_typed(&self, name: &str) -> bool {
        self.matches.try_contains_id(name).is_ok_and(|there| there)
            && self.matches.value_source(name) == Some(ValueSource::CommandLine)
            && !self.project.defaults.iter().any(|default| default.flag.name == name)
    }

    /// The arguments as this lens takes them: fails if a flag of another lens was given.
    pub(crate) fn with_lens(&self, lens: Lens, source: &Source<'_>) -> Result<Self> {
        if !self.spec.lenses.contains(&lens) {
            return Err(self.no_such_lens(lens));
        }
        for flag in table().filter(|flag| flag.use_of(self.spec.verb, None).is_some() && self.is_typed(flag.name)) {
            let Some(of) = flag.use_of(self.spec.verb, Some(lens)) else {
                return Err(self.other_lens(flag, lens, source));
            };
            if !of.needs.is_empty() && !self.has(of.needs) {
                let (flag, needs) = (flag.label(), of.needs);
                bail!(
                    "{flag} is about resemblance, and without --{needs} only fingerprints are compared; add --{needs}, or \
                     leave it out"
                );
            }
        }
        self.check_form(lens)?;
        // what the project says for other lenses is not for this one
        let is_of_lens = |default: &&ProjectDefault| {
            let of = default.flag.use_of(self.spec.verb, Some(lens));
            of.is_some_and(|of| of.needs.is_empty() || self.has(of.needs))
        };
        let defaults: Vec<ProjectDefault> = self.project.defaults.iter().filter(is_of_lens).cloned().collect();
        let matches = self.reading(Some(lens)).try_get_matches_from(whole_line(&defaults, &self.line))?;
        let project = ProjectFile { path: self.project.path.clone(), defaults };
        Ok(Self { matches, line: self.line.clone(), project, ..*self })
    }

    /// Fails if a report of this lens has no such form.
    pub(crate) fn check_form(&self, lens: Lens) -> Result<()> {
        let name: Option<String> = self.get("report-format");
        let Some(form) = name.and_then(|name| Form::named(&name)).filter(|form| !has_form(form, lens)) else {
            return Ok(());
        };
        let lenses: Vec<String> = form.lenses.iter().map(|lens| format!("--lens {lens}")).collect();
        bail!("--report-format {} is for {}, and this is the {lens} lens; leave it out", form.name, lenses.join(", "))
    }

    fn no_such_lens(&self, lens: Lens) -> anyhow::Error {
        if let Some(why) = refusals::of_verb(self.spec.verb, lens) {
            return anyhow::anyhow!("--lens {lens}: {why}");
        }
        let taken: Vec<&str> = self.spec.lenses.iter().map(|lens| lens.name()).collect();
        let (verb, taken) = (self.spec.name, taken.join(", "));
        let other = crate::lens::verb(lens);
        anyhow::anyhow!("--lens {lens}: lookalike {verb} takes {taken}; for {lens} use lookalike {other}")
    }

    fn other_lens(&self, flag: &Flag, lens: Lens, source: &Source<'_>) -> anyhow::Error {
        let own = |other: &&Lens| flag.use_of(self.spec.verb, Some(**other)).is_some();
        let lenses: Vec<&str> = self.spec.lenses.iter().filter(own).map(|lens| lens.name()).collect();
        let why = refusals::of_flag(flag.name, lens);
        let (flag, noun) = (flag.label(), if lenses.len() == 1 { "lens" } else { "lenses" });
        let whose = format!("{flag} is a flag of the {} {noun}", lenses.join(" and "));
        match source {
            Source::Flag => {
                if let Some(why) = why {
                    return anyhow::anyhow!("{whose}; with --lens {lens} leave it out: {why}");
                }
                let own = lenses.first().unwrap_or(&"shingles");
                anyhow::anyhow!("{whose}; with --lens {lens} leave it out, or use --lens {own}")
            }
            Source::File(path) => {
                anyhow::anyhow!("{whose}, and {} is of the {lens} lens; leave it out", path.display())
            }
        }
    }
}
