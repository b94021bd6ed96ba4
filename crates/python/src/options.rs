//! Keywords of a call as the line that asks the command for the same: one table of parameters, one set of checks and defaults.

use crate::errors::{Failure, keywords};
use lookalike_cli::request::{Parameter, Request};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};
use std::ffi::OsString;

/// Names that are shorter in Python.
const SHORT: [(&str, &str); 2] = [("text", "text-field"), ("id", "id-field")];

/// What is asked of a verb, checked. `words` are what the command needs to have typed: arguments without a name, and flags of its own.
pub(crate) fn request(
    py: Python<'_>,
    verb: &str,
    words: &[&str],
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Request> {
    let mut line: Vec<OsString> = std::iter::once("lookalike").chain(verb.split(' ')).map(OsString::from).collect();
    let known = Request::parameters(verb);
    for (name, value) in options.into_iter().flatten() {
        let name: String = name.extract()?;
        let flag = SHORT.iter().find(|(short, _)| *short == name).map_or(name.replace('_', "-"), |(_, l)| (*l).into());
        let is_named = |it: &&Parameter| it.name == flag || it.short.is_some_and(|short| flag == short.to_string());
        let Some(parameter) = known.iter().find(is_named) else {
            let function = verb.replace(' ', ".");
            let names: Vec<String> = known.iter().map(|parameter| parameter.name.replace('-', "_")).collect();
            return Err(PyTypeError::new_err(format!(
                "{function}() takes no {name}; it takes {}",
                names.join(", "),
                name = Quoted(&name)
            )));
        };
        push(&mut line, parameter, &name, &value)?;
    }
    let (flags, words): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with("--"));
    line.extend(flags.into_iter().chain(["--"]).chain(words).map(OsString::from));
    Request::new(line).map_err(|usage| {
        let message = keywords(&usage.to_string());
        Failure::from(lookalike_cli::request::Usage::new(message)).into_py_err(py)
    })
}

/// A name in quotes.
struct Quoted<'a>(&'a str);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "'{}'", self.0)
    }
}

fn push(line: &mut Vec<OsString>, parameter: &Parameter, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let flag = parameter.name.as_str();
    if value.is_none() {
        return Ok(());
    }
    let is_bool = value.is_instance_of::<PyBool>();
    if parameter.value.is_none() || (is_bool && parameter.is_optional) {
        if is_true(name, value)? {
            line.push(dashed(flag));
        }
        return Ok(());
    }
    if is_bool {
        let expected = parameter.value.unwrap_or_default();
        return Err(PyTypeError::new_err(format!(
            "{name}: expected {expected}, found {value}; leave it out, or give None, for the default"
        )));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return value.try_iter()?.try_for_each(|value| push(line, parameter, name, &value?));
    }
    let text = if value.is_instance_of::<PyString>() || value.hasattr("__fspath__")? {
        value.extract::<std::path::PathBuf>()?.into_os_string()
    } else if let Ok(number) = value.extract::<i128>() {
        // numpy has integers and floating point numbers of its own
        number.to_string().into()
    } else if let Ok(number) = value.extract::<f64>() {
        number.to_string().into()
    } else {
        let kind = value.get_type();
        return Err(PyTypeError::new_err(format!("{name}: expected a string, a number or a flag, found {kind}")));
    };
    if text.as_encoded_bytes().contains(&0) {
        return Err(PyValueError::new_err(format!("{name}: expected text without NUL bytes")));
    }
    let mut word = dashed(flag);
    if flag.len() > 1 {
        word.push("=");
    }
    word.push(text);
    line.push(word);
    Ok(())
}

fn dashed(flag: &str) -> OsString {
    if flag.len() == 1 { format!("-{flag}").into() } else { format!("--{flag}").into() }
}

/// A field that was asked for by name, or its usual name; and whether it was asked for.
pub(crate) fn field(options: Option<&Bound<'_, PyDict>>, short: &str) -> PyResult<(String, bool)> {
    let names = [short.to_owned(), format!("{short}_field")];
    for name in names {
        if let Some(value) = options.map(|options| options.get_item(&name)).transpose()?.flatten()
            && !value.is_none()
        {
            let text = value.extract().map_err(|_| {
                PyTypeError::new_err(format!("{name}: expected the name of a column, found {}", value.get_type()))
            })?;
            return Ok((text, true));
        }
    }
    Ok((short.to_owned(), false))
}

/// What is there or not.
fn is_true(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract().map_err(|_| PyTypeError::new_err(format!("{name}: expected True or False, found {value}")))
}

/// A keyword of Python's own that is there or not, out of the options.
pub(crate) fn switch(options: Option<&Bound<'_, PyDict>>, name: &str) -> PyResult<bool> {
    taken(options, name)?.map_or(Ok(false), |wish| is_true(name, &wish))
}

/// The secret behind features and fingerprints: what was given, or what the environment says, as for the command.
pub(crate) fn key(given: Option<&str>) -> String {
    given.map_or_else(|| std::env::var("LOOKALIKE_KEY").unwrap_or_default(), str::to_owned)
}

/// Takes a keyword of Python's own out of the options.
pub(crate) fn taken<'py>(options: Option<&Bound<'py, PyDict>>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(options) = options else { return Ok(None) };
    let value = options.get_item(name)?;
    if value.is_some() {
        options.del_item(name)?;
    }
    Ok(value.filter(|value| !value.is_none()))
}

/// Who watches: a callback, or a bar if Python has one for where it runs.
pub(crate) fn watcher<'py>(
    py: Python<'py>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let wish = taken(options, "progress")?;
    let given = wish.unwrap_or_else(|| py.None().into_bound(py));
    let watcher = py.import("lookalike._progress")?.call_method1("watcher", (given,))?;
    Ok((!watcher.is_none()).then_some(watcher))
}
