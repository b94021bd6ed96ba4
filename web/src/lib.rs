//! The page that shows results: plain ES modules and style sheets, embedded in the program.
//!
//! A report is one file that opens from the disk, where modules cannot import each other. So [`Page::script`] joins those that a page needs into
//! one script, each in a scope of its own and without its comments; nothing else is changed, and a server may serve the same files as they are.

mod files;
mod join;
mod page;
mod strip;

pub use files::{MODULES, STYLES};
pub use page::{Opening, PageWriter, SERVED_POLICY, served_page, write_plain};

/// A page, which carries no more than the modules that its own one imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Of a scan, or of two documents side by side.
    Scan,
    /// Of submissions and the passages that they share.
    Copies,
    /// Of thresholds and pairs to judge.
    Calibration,
    /// Of a server: what it is asked, and what is reviewed in it.
    Serve,
}

impl Page {
    /// The module that starts it.
    fn main(self) -> &'static str {
        match self {
            Self::Scan => "main.js",
            Self::Copies => "copies/start.js",
            Self::Calibration => "calibration/start.js",
            Self::Serve => "serve/start.js",
        }
    }

    /// The whole script of the page.
    pub fn script(self) -> String {
        joined(self.main())
    }
}

/// A script of our own modules.
fn joined(main: &str) -> String {
    join::join(MODULES, main).expect("our own modules")
}

/// The whole style sheet of the page.
pub fn style() -> String {
    STYLES.iter().map(|(_, text)| *text).collect()
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
        assert_eq!(names(MODULES), on_disk("js", "js"));
        assert_eq!(names(STYLES), on_disk("css", "css"));
        assert_eq!(STYLES[0].0, "base.css", "the others build on it");
    }

    const PAGES: [Page; 4] = [Page::Scan, Page::Copies, Page::Calibration, Page::Serve];

    #[test]
    fn our_own_modules_join() {
        for main in PAGES.map(Page::main).into_iter().chain(["opener.js", "plain.js"]) {
            let script = joined(main);
            assert!(!script.contains("</script"), "the script would end early");
            for line in script.lines() {
                assert!(!line.starts_with("import ") && !line.starts_with("export "), "{line}");
                assert!(!line.trim_start().starts_with("//") && !line.starts_with(' '), "{line}");
            }
            assert!(!script.contains("/**"), "{main} has comments");
        }
    }

    #[test]
    fn a_page_carries_its_own_modules() {
        for (page, own, others) in [
            (Page::Scan, "const $views_identical=", ["const $copies_", "const $calibration_", "const $serve_"]),
            (Page::Copies, "const $copies_views_dossier=", ["const $views_", "const $calibration_", "const $serve_"]),
            (
                Page::Calibration,
                "const $calibration_views_judge=",
                ["const $views_", "const $copies_", "const $serve_"],
            ),
            (Page::Serve, "const $serve_views_ask=", ["const $views_", "const $copies_", "const $calibration_"]),
        ] {
            let script = page.script();
            assert!(script.contains(own), "{page:?}");
            for other in others {
                assert!(!script.contains(other), "{page:?} carries {other}");
            }
        }
    }

    /// Documents are hostile: nothing of theirs may become markup or script. The page's policy forbids these too.
    #[test]
    fn no_module_makes_markup_of_text() {
        for (name, text) in MODULES {
            // it runs the one script that the policy knows by its hash
            assert!(!text.contains("createPolicy") || *name == "opener.js", "{name}");
            for sink in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"]
            {
                assert!(!text.contains(sink), "{name} uses {sink}");
            }
        }
    }
}
