//! How bytes become text: the first part of a recipe. `auto`, or `html:boilerplate=keep`, `auto:select=main:drop=.ad`.

use crate::text::Fold;
use std::fmt;
use std::str::FromStr;

/// As what documents are read, and what counts of a page. Selectors are kept as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRecipe {
    /// One of [`TextRecipe::FORMATS`].
    pub format: String,
    /// Menus, headers, footers and sidebars of a page count.
    pub keep_boilerplate: bool,
    /// CSS selectors: only what is in such elements counts. Empty for everything.
    pub select: String,
    /// CSS selectors: what is in such elements does not count.
    pub drop: String,
    /// What is done to the text before its words are taken.
    pub fold: Fold,
}

impl TextRecipe {
    /// What documents can be read as; `auto` is each as what it is.
    pub const FORMATS: [&str; 11] =
        ["auto", "html", "markdown", "text", "pdf", "docx", "xlsx", "pptx", "odf", "epub", "email"];
}

impl Default for TextRecipe {
    /// Each document as what it is, pages without their frame.
    fn default() -> Self {
        Self {
            format: "auto".into(),
            keep_boilerplate: false,
            select: String::new(),
            drop: String::new(),
            fold: Fold::None,
        }
    }
}

impl fmt::Display for TextRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format)?;
        if self.keep_boilerplate {
            f.write_str(":boilerplate=keep")?;
        }
        for (name, selectors) in [("select", &self.select), ("drop", &self.drop)] {
            if !selectors.is_empty() {
                write!(f, ":{name}={selectors}")?;
            }
        }
        match self.fold.name() {
            Some(name) => write!(f, ":fold={name}"),
            None => Ok(()),
        }
    }
}

impl FromStr for TextRecipe {
    /// The part that is none of it.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':');
        let format = parts.next().unwrap_or_default();
        if !Self::FORMATS.contains(&format) {
            return Err(format.to_owned());
        }
        let mut recipe = Self { format: format.to_owned(), ..Self::default() };
        for part in parts {
            match part.split_once('=') {
                Some(("boilerplate", "keep")) => recipe.keep_boilerplate = true,
                Some(("select", selectors)) if !selectors.is_empty() => selectors.clone_into(&mut recipe.select),
                Some(("drop", selectors)) if !selectors.is_empty() => selectors.clone_into(&mut recipe.drop),
                Some(("fold", name)) => {
                    let fold = Fold::NAMES.iter().find(|(known, _)| *known == name).ok_or_else(|| part.to_owned())?;
                    recipe.fold = fold.1;
                }
                _ => return Err(part.to_owned()),
            }
        }
        Ok(recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_parses_back() {
        for text in
            ["auto", "html:boilerplate=keep", "auto:select=main,#x:drop=.ad", "text", "text:fold=raw-characters"]
        {
            assert_eq!(text.parse::<TextRecipe>().unwrap().to_string(), text);
        }
        for (wrong, part) in
            [("doc", "doc"), ("auto:x=1", "x=1"), ("auto:select=", "select="), ("", ""), ("auto:fold=x", "fold=x")]
        {
            assert_eq!(wrong.parse::<TextRecipe>().unwrap_err(), part, "{wrong}");
        }
    }
}
