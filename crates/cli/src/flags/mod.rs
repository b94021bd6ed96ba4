//! The table of flags. Parsing, refusals, help, man pages and completions are made from it.
//!
//! A row is a flag; its uses say which verbs and lenses take it, and with what help and default. To add a flag, add a row here and read
//! its value in the verb.

mod calibrate;
mod dedup;
mod documents;
mod fingerprints;
mod lens;
mod output;
mod policy;
mod positional;
mod serve;
mod verbs;

use crate::lens::Lens;
use crate::values;
use crate::verb::Verb;
use clap::builder::ValueParser;
use std::path::PathBuf;

/// A row of the table.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch")]
pub(crate) struct Flag {
    /// Its long name, without dashes; also its name in the code. One that has no long form starts with the verb.
    pub(crate) name: &'static str,
    pub(crate) short: Option<char>,
    pub(crate) kind: Kind,
    pub(crate) heading: &'static str,
    pub(crate) uses: &'static [Use],
    /// May be given more than once.
    pub(crate) repeats: bool,
    /// Only the long help has it.
    pub(crate) rare: bool,
    /// It changes no answer, or is a secret: a page does not repeat it in the command that would make it again.
    pub(crate) transient: bool,
    /// It names a file or folder that lookalike writes or keeps: what is found there in a folder is no document.
    pub(crate) own: bool,
    /// An environment variable that says the same.
    pub(crate) env: &'static str,
    /// At most one flag of a group can be given.
    pub(crate) group: &'static str,
    /// Flags without which it has no meaning.
    pub(crate) requires: &'static [&'static str],
    /// Flags that it cannot be given with.
    pub(crate) conflicts: &'static [&'static str],
}

/// What a row leaves out.
const FLAG: Flag = Flag {
    name: "",
    short: None,
    kind: Kind::Switch,
    heading: "Options",
    uses: &[],
    repeats: false,
    rare: false,
    transient: false,
    own: false,
    env: "",
    group: "",
    requires: &[],
    conflicts: &[],
};

/// What a flag looks like.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// It is there or not.
    Switch,
    /// It takes a value; if it repeats and its name ends with `,…`, commas join several.
    Value(&'static str, fn() -> ValueParser),
    /// It may take a value after `=`; this one is meant without.
    OptionalValue(&'static str, fn() -> ValueParser, &'static str),
    /// It takes a value and has only a short name.
    Short(&'static str, fn() -> ValueParser),
    /// It is there or not, and has only a short name.
    ShortSwitch,
    /// A lens: those of the verb.
    Lens,
    /// One or two values.
    Pair(&'static str, fn() -> ValueParser),
    /// An argument without a name.
    Positional(&'static str, fn() -> ValueParser),
    /// All the rest of the arguments.
    Positionals(&'static str, fn() -> ValueParser),
}

/// A flag as some verbs take it.
#[derive(Clone, Copy)]
pub(crate) struct Use {
    pub(crate) verbs: &'static [Verb],
    pub(crate) lenses: &'static [Lens],
    /// In a line.
    pub(crate) help: &'static str,
    /// What the long help adds.
    pub(crate) long: &'static str,
    pub(crate) default: Default,
    pub(crate) required: Required,
    /// The flag without which, with these lenses, this one has no meaning.
    pub(crate) needs: &'static str,
}

/// What is meant without a flag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Default {
    None,
    /// This value.
    Value(&'static str),
    /// The same, but help does not tell.
    Hidden(&'static str),
    /// What cannot be written as a value.
    Words(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Required {
    No,
    Yes,
    /// Unless one of these is given.
    Unless(&'static [&'static str]),
}

/// A flag as these verbs take it, with any lens.
const fn of(verbs: &'static [Verb], help: &'static str) -> Use {
    Use { verbs, lenses: &Lens::ALL, help, long: "", default: Default::None, required: Required::No, needs: "" }
}

impl Use {
    /// With these lenses only.
    const fn with(self, lenses: &'static [Lens]) -> Self {
        Self { lenses, ..self }
    }

    const fn default(self, value: &'static str) -> Self {
        Self { default: Default::Value(value), ..self }
    }

    const fn hidden_default(self, value: &'static str) -> Self {
        Self { default: Default::Hidden(value), ..self }
    }

    const fn without(self, words: &'static str) -> Self {
        Self { default: Default::Words(words), ..self }
    }

    const fn more(self, long: &'static str) -> Self {
        Self { long, ..self }
    }

    const fn needs(self, flag: &'static str) -> Self {
        Self { needs: flag, ..self }
    }

    const fn required(self) -> Self {
        Self { required: Required::Yes, ..self }
    }

    const fn required_unless(self, flags: &'static [&'static str]) -> Self {
        Self { required: Required::Unless(flags), ..self }
    }
}

impl Flag {
    /// How it is taken by a verb with a lens.
    pub(crate) fn use_of(&self, verb: Verb, lens: Option<Lens>) -> Option<&Use> {
        self.uses_of(verb).find(|of| lens.is_none_or(|lens| of.lenses.contains(&lens)))
    }

    /// How it is taken by a verb.
    pub(crate) fn uses_of(&self, verb: Verb) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(move |of| of.verbs.contains(&verb))
    }

    /// As messages call it.
    pub(crate) fn label(&self) -> String {
        match (self.kind, self.short) {
            (Kind::Value(..) | Kind::Switch, Some(short)) => format!("--{} (-{short})", self.name),
            _ => self.typed(),
        }
    }

    /// As it is typed.
    pub(crate) fn typed(&self) -> String {
        match (self.kind, self.short) {
            (Kind::Short(..) | Kind::ShortSwitch, Some(short)) => format!("-{short}"),
            (Kind::Positional(name, _) | Kind::Positionals(name, _), _) => name.to_owned(),
            _ => format!("--{}", self.name),
        }
    }
}

/// All rows. Help lists them in this order.
pub(crate) fn table() -> impl Iterator<Item = &'static Flag> {
    let parts: [&'static [Flag]; 10] = [
        positional::ROWS,
        lens::ROWS,
        policy::ROWS,
        dedup::ROWS,
        calibrate::ROWS,
        documents::ROWS,
        verbs::ROWS,
        serve::ROWS,
        fingerprints::ROWS,
        output::ROWS,
    ];
    parts.into_iter().flatten()
}

/// The row of a name.
pub(crate) fn find(name: &str) -> Option<&'static Flag> {
    table().find(|flag| flag.name == name)
}

// values that several rows take

const SHARE: Kind = Kind::Value("SHARE", || ValueParser::new(values::share));
const SIZE: Kind = Kind::Value("SIZE", || ValueParser::new(values::size));
const COUNT: Kind = Kind::Value("N", || ValueParser::new(values::at_least_one));
const FIELD: Kind = Kind::Value("FIELD", text);
const FILE: Kind = Kind::Value("FILE", path);
const DIR: Kind = Kind::Value("DIR", path);
const DATE: Kind = Kind::Value("DATE", text);

fn text() -> ValueParser {
    ValueParser::string()
}

fn path() -> ValueParser {
    clap::value_parser!(PathBuf)
}
