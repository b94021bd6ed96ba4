//! Chunks that people have marked as templates: a file that can be kept in version control.

use crate::Error;
use crate::error::TemplateError;
use crate::lens::chunks::chunk_list::Listed;
use lookalike_store::Error as StoreError;
use lookalike_store::atomic;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Templates, in the order in which they were marked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TemplateList {
    /// How the chunks were made; none while there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// The templates.
    pub templates: Vec<MarkedTemplate>,
}

/// A template: chunks that are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MarkedTemplate {
    /// What it is called: unique in the list.
    pub name: String,
    /// Where it comes from, in words: `cluster 3 of RUN`, `file boilerplate.html`.
    pub from: String,
    /// Documents that shared it when it was marked.
    pub documents: u64,
    /// How it begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its chunks.
    pub chunks: Vec<TemplateChunk>,
}

/// A chunk of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TemplateChunk {
    /// Its hash, in 32 hexadecimal digits.
    pub hash: String,
    /// Its bytes.
    pub bytes: u32,
}

/// What tells the file from others, and its version.
const FORMAT_VERSION: u32 = 1;

/// The file: its version, then the list.
#[derive(Serialize, Deserialize)]
struct TemplateFile<L> {
    lookalike_templates: u32,
    #[serde(flatten)]
    list: L,
}

impl TemplateChunk {
    pub fn new(chunk: Listed) -> Self {
        Self { hash: format!("{:032x}", chunk.hash), bytes: chunk.length }
    }

    /// The hash as a number.
    pub fn hash(&self) -> Option<u128> {
        let digits = self.hash.len() == 32 && self.hash.bytes().all(|b| b.is_ascii_hexdigit());
        u128::from_str_radix(&self.hash, 16).ok().filter(|_| digits)
    }
}

impl MarkedTemplate {
    /// Bytes of its chunks.
    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| u64::from(chunk.bytes)).sum()
    }
}

impl TemplateList {
    /// Reads a list; an empty one if there is no such file and it need not be there.
    pub fn read(path: &Path, must_exist: bool) -> Result<Self, Error> {
        let wrong = |found: String| Error::Template(TemplateError::NotAList { path: path.to_owned(), found });
        let bytes = match std::fs::read(path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound && !must_exist => return Ok(Self::default()),
            bytes => bytes.map_err(|source| StoreError::Read { what: path.display().to_string(), source })?,
        };
        let file: TemplateFile<Self> = serde_json::from_slice(&bytes).map_err(|e| wrong(e.to_string()))?;
        if file.lookalike_templates != FORMAT_VERSION {
            return Err(wrong(format!("one of version {}", file.lookalike_templates)));
        }
        let mut names: Vec<&str> = file.list.templates.iter().map(|t| t.name.as_str()).collect();
        names.sort_unstable();
        if let Some([name, ..]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(wrong(format!("two templates called {name:?}")));
        }
        if let Some(chunk) = file.list.templates.iter().flat_map(|t| &t.chunks).find(|chunk| chunk.hash().is_none()) {
            return Err(wrong(format!("a hash that is not 32 hexadecimal digits: {:?}", chunk.hash)));
        }
        Ok(file.list)
    }

    /// Writes the list, indented, so that version control shows what changed.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        atomic::write(path, |out| {
            let mut bytes =
                serde_json::to_vec_pretty(&TemplateFile { lookalike_templates: FORMAT_VERSION, list: self })
                    .expect("plain data");
            bytes.push(b'\n');
            let failed = |source| StoreError::Write { what: path.display().to_string(), source };
            Ok::<_, Error>(out.write_all(&bytes).map_err(failed)?)
        })
    }

    /// A template by its name.
    pub fn get(&self, name: &str) -> Option<&MarkedTemplate> {
        self.templates.iter().find(|template| template.name == name)
    }

    /// Takes a template off the list by its name; tells whether it was there.
    pub fn unmark(&mut self, name: &str) -> bool {
        let before = self.templates.len();
        self.templates.retain(|template| template.name != name);
        if self.templates.is_empty() {
            self.recipe = None;
        }
        self.templates.len() < before
    }

    /// Fails if the chunks of the list were made by another recipe.
    pub fn check(&self, recipe: &str) -> Result<(), Error> {
        match self.recipe.as_deref().filter(|of_list| *of_list != recipe) {
            None => Ok(()),
            Some(found) => Err(Error::Template(TemplateError::WrongRecipe {
                expected: recipe.to_owned(),
                found: found.to_owned(),
            })),
        }
    }

    /// Adds a template under a name that no other has.
    pub fn add(&mut self, recipe: &str, template: MarkedTemplate) -> Result<(), Error> {
        self.check(recipe)?;
        if self.get(&template.name).is_some() {
            return Err(Error::Template(TemplateError::NameTaken { name: template.name }));
        }
        self.recipe = Some(recipe.to_owned());
        self.templates.push(template);
        Ok(())
    }

    /// `template-1`, or the first number that is free.
    pub fn free_name(&self) -> String {
        let mut numbers = (1..=self.templates.len() + 1).map(|n| format!("template-{n}"));
        numbers.find(|name| self.get(name).is_none()).expect("one number more than templates")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_comes_back_and_wrong_ones_do_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("list.json");
        assert_eq!(TemplateList::read(&path, false).unwrap(), TemplateList::default());
        assert!(TemplateList::read(&path, true).is_err());
        let mut list = TemplateList::default();
        let template = |name: &str| MarkedTemplate {
            name: name.into(),
            from: "cluster 1".into(),
            documents: 3,
            text: None,
            chunks: vec![TemplateChunk::new(Listed { hash: 0xff, length: 12 })],
        };
        list.add("recipe", template("a")).unwrap();
        assert!(list.add("recipe", template("a")).is_err(), "a name is input once");
        assert!(list.add("other", template("b")).is_err(), "one recipe for all");
        list.write(&path).unwrap();
        assert_eq!(TemplateList::read(&path, true).unwrap(), list);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("\"hash\": \"000000000000000000000000000000ff\""), "{text}");
        for (old, new) in
            [("\"lookalike_templates\": 1", "\"lookalike_templates\": 2"), ("ff\"", "fg\""), ("ff\"", "f\"")]
        {
            std::fs::write(&path, text.replace(old, new)).unwrap();
            assert!(TemplateList::read(&path, true).is_err(), "{new}");
        }
        assert!(list.unmark("a") && !list.unmark("a"));
        assert_eq!(list, TemplateList::default());
    }
}
