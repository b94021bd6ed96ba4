//! What a reader delivers.

use std::borrow::Cow;

use crate::known::KnownFile;
use crate::place::Place;
use crate::skipped::Skipped;

/// The content of a document, as far as the reader knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// The raw bytes of a file; its encoding and format are not known here.
    Bytes(Cow<'a, [u8]>),
    /// Decoded text: a JSON string, or a value of a table.
    Text(Cow<'a, str>),
    /// What the caller extracted: the elements of a JSON array or of a list in a table, in order and with repetitions.
    ///
    /// A number is kept in the spelling it has in the file (`1`, `1.0` and `1e0` are three features). A string is its
    /// decoded content between two double quotes, not escaped again: `"1"` and `"\u0031"` are both the three characters
    /// `"1"`. No number begins with a quote, so strings and numbers never collide, and two strings collide only if they
    /// are equal.
    Features(Vec<Cow<'a, str>>),
}

impl Body<'_> {
    /// How many bytes it has; of features, those of all of them together.
    #[expect(clippy::len_without_is_empty, reason = "whether a document is empty is not a matter of bytes alone")]
    pub fn len(&self) -> u64 {
        match self {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::Text(text) => text.len() as u64,
            Body::Features(items) => items.iter().map(|item| item.len() as u64).sum(),
        }
    }

    /// The bytes as they stand in the corpus; none if it is a list of features.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Body::Bytes(bytes) => Some(bytes),
            Body::Text(text) => Some(text.as_bytes()),
            Body::Features(_) => None,
        }
    }

    /// The same body, independent of the buffer it was read into.
    pub fn into_owned(self) -> Body<'static> {
        match self {
            Body::Bytes(bytes) => Body::Bytes(Cow::Owned(bytes.into_owned())),
            Body::Text(text) => Body::Text(Cow::Owned(text.into_owned())),
            Body::Features(features) => {
                Body::Features(features.into_iter().map(|feature| Cow::Owned(feature.into_owned())).collect())
            }
        }
    }
}

/// One document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// The name by which reports call it: a path (see [`crate::id_of`]), the id field of a record, or `file:line` (of a table `file:row`, from 1).
    pub id: Cow<'a, str>,
    /// What [`crate::Options::category_field`] says of it.
    pub category: Option<Cow<'a, str>>,
    /// What [`crate::Options::rank_field`] says of it.
    pub rank: Option<Cow<'a, str>>,
    /// Its content.
    pub body: Body<'a>,
    /// Where it can be read again.
    pub place: Place,
    /// What somebody knows of it, if somebody was asked.
    pub known: Option<KnownFile>,
}

impl Document<'_> {
    /// The same document, independent of the buffer it was read into.
    pub fn into_owned(self) -> Document<'static> {
        let category = self.category.map(|category| Cow::Owned(category.into_owned()));
        Document {
            id: Cow::Owned(self.id.into_owned()),
            category,
            rank: self.rank.map(|rank| Cow::Owned(rank.into_owned())),
            body: self.body.into_owned(),
            place: self.place,
            known: self.known,
        }
    }
}

/// One thing that a reader came across.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// A document.
    Document(Document<'a>),
    /// Something that could have been a document and is not, with the reason.
    Skipped(Skipped),
}

impl Item<'_> {
    /// The same item, independent of the buffer it was read into.
    pub fn into_owned(self) -> Item<'static> {
        match self {
            Item::Document(document) => Item::Document(document.into_owned()),
            Item::Skipped(skipped) => Item::Skipped(skipped),
        }
    }
}
