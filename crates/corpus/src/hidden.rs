//! Names that are not read unless they are asked for.

/// Whether a path leads to or through something hidden, or what a system left behind when it packed.
pub(crate) fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| (part.starts_with('.') && part != "." && part != "..") || is_system_file(part))
}

/// What macOS and Windows put into folders and archives: nobody wrote it.
pub(crate) fn is_system_file(name: &str) -> bool {
    const NAMES: [&str; 4] = ["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_wrote() {
        for name in [".git/x", "a/.b", "__MACOSX/._a.py", "x/thumbs.DB", "x/.DS_Store", "Desktop.ini"] {
            assert!(is_hidden(name), "{name}");
        }
        for name in ["a", "../a", "./a", "a/../b.c", "MACOSX/a", "thumbs.db.py"] {
            assert!(!is_hidden(name), "{name}");
        }
    }
}
