//! The command as a whole: all verbs, and the one that was typed.

use crate::args::{Args, Spec, View};
use crate::flags::table;
use crate::lens::Lens;
use crate::verbs::{GROUPS, SPECS, TASKS};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use std::ffi::{OsStr, OsString};
use std::fmt::Write;

/// The whole command, with all flags of all verbs: for man page and completions.
pub(crate) fn whole() -> Command {
    build(|_| View::All)
}

/// The command that reads arguments; help is about the lens that they name.
fn reading(line: &[OsString]) -> Command {
    let named = named_lens(line);
    let short = line.iter().any(|word| word == "-h");
    let command = build(|spec| match (spec.lenses, named) {
        ([] | [_], _) => View::Only(spec.lenses.first().copied()),
        (lenses, Some(lens)) if lenses.contains(&lens) => View::Help(lens),
        (lenses, _) => View::Help(lenses[0]),
    });
    // the short help has a line for each flag; values are listed by the long one
    let shorten = |arg: Arg| if arg.get_action().takes_values() { arg.hide_possible_values(true) } else { arg };
    if short { command.mut_subcommands(|verb| verb.mut_args(shorten)) } else { command }
}

fn build(view: impl Fn(&'static Spec) -> View) -> Command {
    let root = Command::new("lookalike")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Where have I seen this before? Finds copies, near-copies and documents inside other documents.")
        .after_help(EXAMPLES)
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true);
    let mut commands: Vec<Command> = Vec::new();
    for spec in SPECS {
        let verb = spec.command(view(spec));
        let Some((name, _)) = spec.name.split_once(' ') else {
            commands.push(verb);
            continue;
        };
        let known = commands.iter().position(|command| command.get_name() == name);
        let position = known.unwrap_or_else(|| {
            let group = GROUPS.iter().find(|group| group.name == name).expect("a verb of two words is in a group");
            commands.push(group.command());
            commands.len() - 1
        });
        commands[position] = std::mem::take(&mut commands[position]).subcommand(verb);
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{}\nOptions:\n{{options}}{{after-help}}",
        tasks(&commands)
    );
    root.subcommands(commands).help_template(template)
}

/// The verbs by what people come for.
fn tasks(commands: &[Command]) -> String {
    let mut list = String::new();
    for (task, verbs) in TASKS {
        let _ = write!(list, "\n{task}:\n");
        for name in *verbs {
            let about = commands.iter().find(|command| command.get_name() == *name).and_then(Command::get_about);
            let about = about.map_or_else(|| "Print the help of a verb".to_owned(), ToString::to_string);
            let _ = writeln!(list, "  {name:<12} {about}");
        }
    }
    list
}

/// What is at the end of the help of the whole command.
const EXAMPLES: &str = "
Examples:
  lookalike scan docs/ --html report.html              near-duplicates, as a page to look at
  lookalike copies submissions.zip --html report.html  who copied what
  lookalike files /srv/share --xlsx report.xlsx        identical and nearly identical files

lookalike VERB --help explains a verb with examples; -h is shorter.";

/// The lens that `--lens` names, if any does.
fn named_lens(line: &[OsString]) -> Option<Lens> {
    let words: Vec<&str> = line.iter().take_while(|word| *word != "--").filter_map(|word| word.to_str()).collect();
    let after = words.windows(2).find(|pair| pair[0] == "--lens").map(|pair| pair[1]);
    let joined = || words.iter().find_map(|word| word.strip_prefix("--lens="));
    after.or_else(joined)?.parse().ok()
}

/// Reads the arguments of the program. Help, and what is wrong with them, is for clap to print.
#[expect(clippy::needless_pass_by_value, reason = "the line is kept for a second reading")]
pub(crate) fn parse(line: Vec<OsString>) -> Result<Args, clap::Error> {
    let mut matches = reading(&line).try_get_matches_from(&line).map_err(|error| explained(error, &line))?;
    let (mut name, mut words) = (String::new(), 1);
    while let Some((word, below)) = matches.remove_subcommand() {
        name = if name.is_empty() { word } else { format!("{name} {word}") };
        (matches, words) = (below, words + 1);
    }
    let spec = SPECS.iter().find(|spec| spec.name == name).expect("clap knows the verbs of the table only");
    Ok(Args::new(spec, matches, line[words..].to_vec(), whole))
}

/// A flag that another verb has is told as such.
fn explained(error: clap::Error, line: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return error };
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let name = typed.trim_start_matches('-').split('=').next().unwrap_or_default();
    let Some(flag) = table().find(|flag| flag.typed() == format!("--{name}")) else { return error };
    let words: Vec<&str> = line.iter().skip(1).map_while(|word| OsStr::to_str(word)).collect();
    let is_typed = |spec: &&&Spec| spec.name.split(' ').eq(words.iter().take(spec.name.split(' ').count()).copied());
    let Some(verb) = SPECS.iter().find(is_typed) else { return error };
    let takes = SPECS.iter().filter(|spec| flag.uses_of(spec.verb).next().is_some());
    let mut names: Vec<&str> = takes.map(|spec| spec.name).collect();
    let more = if names.len() > 4 { " and others" } else { "" };
    names.truncate(4);
    let (verb, others) = (verb.name, names.join(", "));
    clap::Error::raw(
        ErrorKind::UnknownArgument,
        format!(
            "lookalike {verb} takes no --{name}: it is a flag of lookalike {others}{more}\n\nWhat it takes: lookalike {verb} --help\n"
        ),
    )
}

#[cfg(test)]
mod tests;
