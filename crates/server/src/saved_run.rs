//! A saved run of chunks that is served: its clusters, and the templates that people marked in it.

use crate::problem::Problem;
use lookalike::Report;
use lookalike::templates::{self, Mark, MarkedTemplate, TemplateList};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A saved run.
pub(crate) struct SavedRun {
    path: PathBuf,
    key: String,
    /// Held while the list of templates is changed.
    changing: Mutex<()>,
}

impl SavedRun {
    pub(crate) fn new(path: &Path, key: &str) -> Self {
        Self { path: path.to_owned(), key: key.to_owned(), changing: Mutex::new(()) }
    }

    pub(crate) fn list_path(&self) -> PathBuf {
        self.path.join("templates.json")
    }

    pub(crate) fn templates(&self) -> Result<TemplateList, Problem> {
        Ok(TemplateList::read(&self.list_path(), false)?)
    }

    pub(crate) fn clusters(&self) -> Result<Report, Problem> {
        Ok(lookalike::recluster(&self.path, |saved| saved, &self.templates()?)?)
    }

    pub(crate) fn mark(&self, what: Mark<'_>, name: Option<&str>) -> Result<MarkedTemplate, Problem> {
        let _alone = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut list = self.templates()?;
        let name = templates::mark(&self.path, what, name, |saved| saved, &mut list, &self.key)?;
        list.write(&self.list_path())?;
        find(&list, &name)
    }

    pub(crate) fn unmark(&self, name: &str) -> Result<MarkedTemplate, Problem> {
        let _alone = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut list = self.templates()?;
        let template = find(&list, name)?;
        list.unmark(name);
        list.write(&self.list_path())?;
        Ok(template)
    }
}

fn find(list: &TemplateList, name: &str) -> Result<MarkedTemplate, Problem> {
    let found = list.templates.iter().find(|template| template.name == name);
    found.cloned().ok_or_else(|| Problem::not_found(format!("the run has no template called {name:?}")))
}
