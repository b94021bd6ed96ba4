//! The engine in Python: the wheel `lookalike`. What it takes and gives is described in `python/lookalike/__init__.pyi`.
#![expect(clippy::needless_pass_by_value, reason = "what Python hands over comes by value")]
#![expect(clippy::doc_link_with_quotes, reason = "examples are of Python")]

mod capsule;
mod compare;
mod dedup;
mod distributed;
mod errors;
mod hamming;
mod held;
mod ids;
mod index;
mod inputs;
mod kernels;
mod numbers;
mod options;
mod report;
mod rows;
mod running;
mod spill;
mod table;

use pyo3::pymodule;

/// The compiled part of `lookalike`.
#[pymodule]
mod _lookalike {
    #[pymodule_export]
    use crate::compare::compare_documents;
    #[pymodule_export]
    use crate::dedup::{Deduplicated, KeptRows, dedup};
    #[pymodule_export]
    use crate::distributed::{DistributedSteps, StepRows};
    #[pymodule_export]
    use crate::hamming::HammingIndex;
    #[pymodule_export]
    use crate::held::HeldFingerprints;
    #[pymodule_export]
    use crate::index::Index;
    #[pymodule_export]
    use crate::kernels::{Sketches, simhash, sketch};
    #[pymodule_export]
    use crate::report::{Report, copies, recluster, scan};
    #[pymodule_export]
    use crate::table::Table;
    use lookalike_cli::request::Request;
    use pyo3::prelude::*;
    use std::path::PathBuf;

    /// Has source code and documents parsed by the program in the folder of the package, or by the one that `LOOKALIKE_PARSER` names.
    #[pyfunction]
    fn use_parser_in(folder: PathBuf) -> PyResult<()> {
        if let Some(program) = lookalike::parser::find_program(Some(&folder))? {
            lookalike::parser::use_program(&program);
        }
        Ok(())
    }

    /// Names, value, whether it repeats, default.
    type Keyword = (String, Option<char>, Option<&'static str>, bool, Option<&'static str>);

    /// All keywords of a function that is a verb of the command. For the stubs.
    #[pyfunction]
    fn parameters(verb: &str) -> Vec<Keyword> {
        let all = Request::parameters(verb).into_iter();
        all.map(|it| (it.name.replace('-', "_"), it.short, it.value, it.repeats, it.default)).collect()
    }

    /// The keywords of a function, as the command explains its flags: `print(lookalike.keywords("scan"))`.
    #[pyfunction]
    fn keywords(function: &str) -> PyResult<String> {
        let all = Request::parameters(function);
        if all.is_empty() {
            return Err(pyo3::exceptions::PyValueError::new_err(format!(
                "expected one of scan, copies, recluster, dedup, compare, index build, index add, query; found {function:?}"
            )));
        }
        let line = |it: &lookalike_cli::request::Parameter| {
            let value = it.value.map_or("True".to_owned(), str::to_owned);
            let default = it.default.map_or(String::new(), |default| format!(" [default: {default}]"));
            format!("{}={value}: {}{default}\n", it.name.replace('-', "_"), crate::errors::keywords(it.help))
        };
        Ok(all.iter().map(line).collect())
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
