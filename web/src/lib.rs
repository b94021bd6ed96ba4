//! The page that shows results: plain ES modules and style sheets, embedded in the program.
//!
//! A report is one file that opens from the disk, where modules cannot import each other. So [`script`] joins them into one script, each in a
//! scope of its own; nothing is translated, and a server may serve the same files as they are.

mod files;
mod join;
mod page;

pub use files::{MODULES, STYLES};
pub use page::PageWriter;

/// The whole script of the page.
pub fn script() -> String {
    join::join(&MODULES, "main.js").expect("our own modules")
}

/// The whole style sheet of the page.
pub fn style() -> String {
    STYLES.map(|(_, text)| text).concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Every file of a folder with an extension, as the paths that the lists have.
    fn on_disk(folder: &str, extension: &str) -> BTreeSet<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let (mut found, mut folders) = (BTreeSet::new(), vec![root.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == extension) {
                    found.insert(path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        found
    }

    #[test]
    fn every_file_is_embedded() {
        let names = |list: &[(&str, &str)]| list.iter().map(|f| f.0.to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(names(&MODULES), on_disk("js", "js"));
        assert_eq!(names(&STYLES), on_disk("css", "css"));
        assert_eq!(STYLES[0].0, "base.css", "the others build on it");
    }

    #[test]
    fn our_own_modules_join() {
        let script = script();
        assert!(!script.contains("</script"), "the script would end early");
        for line in script.lines() {
            assert!(!line.starts_with("import ") && !line.starts_with("export "), "{line}");
        }
    }

    /// Documents are hostile: nothing of theirs may become markup or script. The page's policy forbids these too.
    #[test]
    fn no_module_makes_markup_of_text() {
        for (name, text) in MODULES {
            for sink in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"]
            {
                assert!(!text.contains(sink), "{name} uses {sink}");
            }
        }
    }
}
