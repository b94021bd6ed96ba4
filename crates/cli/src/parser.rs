//! The parser program of the command.

use lookalike::parser;

/// Has source code and documents parsed by the program beside this one, or by the one that `LOOKALIKE_PARSER` names.
pub(crate) fn choose() -> anyhow::Result<()> {
    let own = std::env::current_exe().ok();
    if let Some(program) = parser::find_program(own.as_ref().and_then(|own| own.parent()))? {
        parser::use_program(&program);
    }
    Ok(())
}
