//! How the parts of an Office document name each other: `_rels/part.xml.rels` maps ids to parts.

use std::collections::BTreeMap;

use lookalike_extract::ExtractError;

use super::package::Package;
use super::xml::{self, Node};

/// The relations of a part.
pub(super) struct Relations(Vec<Relation>);

struct Relation {
    id: String,
    kind: String,
    part: String,
}

impl Relations {
    /// Those of a part; those of the whole document for an empty name.
    pub(super) fn of(package: &mut Package<'_>, part: &str) -> Result<Self, ExtractError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let name = format!("{folder}{}_rels/{file}.rels", if folder.is_empty() { "" } else { "/" });
        let (mut relations, format) = (Vec::new(), package.format());
        let Some(source) = package.part(&name)? else { return Ok(Self(relations)) };
        xml::for_each(source, format, |node| {
            if let Node::Start(element) = node
                && element.name() == "Relationship"
                && element.attribute("TargetMode").as_deref() != Some("External")
            {
                let text = |name| element.attribute(name).unwrap_or_default().into_owned();
                let part = resolve(folder, &text("Target"));
                relations.push(Relation { id: text("Id"), kind: text("Type"), part });
            }
            Ok(())
        })?;
        Ok(Self(relations))
    }

    /// The parts by their ids.
    pub(super) fn by_id(self) -> BTreeMap<String, String> {
        self.0.into_iter().map(|relation| (relation.id, relation.part)).collect()
    }

    /// The first part of a kind, such as `officeDocument`.
    pub(super) fn of_kind(&self, kind: &str) -> Option<&str> {
        let is_kind = |relation: &&Relation| relation.kind.rsplit('/').next() == Some(kind);
        self.0.iter().find(is_kind).map(|relation| relation.part.as_str())
    }
}

/// The part that holds the document itself.
pub(super) fn main_part(package: &mut Package<'_>, usual: &str) -> Result<String, ExtractError> {
    Ok(Relations::of(package, "")?.of_kind("officeDocument").unwrap_or(usual).to_owned())
}

/// A name that a part in `folder` uses, as a name from the top.
pub(super) fn resolve(folder: &str, target: &str) -> String {
    let (folder, target) = target.strip_prefix('/').map_or((folder, target), |absolute| ("", absolute));
    let mut path: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in target.split('/') {
        match step {
            ".." => drop(path.pop()),
            "" | "." => {}
            step => path.push(step),
        }
    }
    path.join("/")
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn names_are_resolved_and_stay_inside() {
        assert_eq!(resolve("ppt/slides", "../notesSlides/a.xml"), "ppt/notesSlides/a.xml");
        assert_eq!(resolve("ppt", "/word/document.xml"), "word/document.xml");
        assert_eq!(resolve("", "../../../etc/passwd"), "etc/passwd");
        assert_eq!(resolve("OEBPS", "./text//one.xhtml"), "OEBPS/text/one.xhtml");
    }
}
