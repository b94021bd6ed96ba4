//! Chunks that people have marked as templates: a file that can be kept in version control.

use crate::Error;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Templates, in the order in which they were marked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateList {
    /// How the chunks were made; none while there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// The templates.
    pub templates: Vec<MarkedTemplate>,
}

/// A template: chunks that are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct TemplateChunk {
    /// Its hash, in 32 hexadecimal digits.
    pub hash: String,
    /// Its bytes.
    pub bytes: u32,
}

impl MarkedTemplate {
    /// Bytes of its chunks.
    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| u64::from(chunk.bytes)).sum()
    }
}

impl TemplateList {
    /// Reads a list; an empty one if there is no such file and it need not be there.
    pub fn read(_path: &Path, _must_exist: bool) -> Result<Self, Error> {
        unimplemented!()
    }

    /// Writes the list: sorted, indented, one chunk a line, so that version control shows what changed.
    pub fn write(&self, _path: &Path) -> Result<(), Error> {
        unimplemented!()
    }

    /// Takes a template off the list by its name; tells whether it was there.
    pub fn unmark(&mut self, _name: &str) -> bool {
        unimplemented!()
    }
}
