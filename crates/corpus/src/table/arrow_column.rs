//! Where the fields are in an Arrow schema; `a.b` is the field `b` of the struct `a`, or a column that is called so.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Fields, Schema};

use crate::fields::in_words;

/// A column, or a field of a struct: the positions that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldPath(Vec<usize>);

impl FieldPath {
    pub(crate) fn find(fields: &Fields, name: &str) -> Option<(Self, DataType)> {
        if let Some((at, field)) = fields.find(name) {
            return Some((Self(vec![at]), field.data_type().clone()));
        }
        fields.iter().enumerate().find_map(|(at, field)| {
            let rest = name.strip_prefix(field.name().as_str())?.strip_prefix('.')?;
            let DataType::Struct(inner) = field.data_type() else { return None };
            let (Self(mut path), kind) = Self::find(inner, rest)?;
            path.insert(0, at);
            Some((Self(path), kind))
        })
    }

    /// The column that it is, or is in.
    pub(crate) fn column(&self) -> usize {
        self.0[0]
    }

    /// The positions inside of that column.
    pub(crate) fn inside(&self) -> &[usize] {
        &self.0[1..]
    }

    /// The same where the batch has only these columns.
    pub(crate) fn projected(&self, projection: &[usize]) -> Option<Self> {
        let mut path = self.0.clone();
        path[0] = projection.iter().position(|column| *column == path[0])?;
        Some(Self(path))
    }

    /// Its values in a record batch.
    pub(crate) fn values(&self, batch: &RecordBatch) -> FieldValues {
        let mut around = Vec::new();
        let mut array = batch.column(self.column()).clone();
        for at in self.inside() {
            let inner = array.as_struct().column(*at).clone();
            around.push(std::mem::replace(&mut array, inner));
        }
        FieldValues { around, array }
    }
}

/// The values of a field; where a struct around it is null, it is null too.
pub(crate) struct FieldValues {
    around: Vec<ArrayRef>,
    array: ArrayRef,
}

impl FieldValues {
    /// The array, unless there is nothing in this row.
    pub(crate) fn at(&self, row: usize) -> Option<&dyn Array> {
        let is_null = self.around.iter().any(|array| array.is_null(row)) || self.array.is_null(row);
        (!is_null).then_some(&*self.array)
    }
}

/// The columns in words.
pub(crate) fn names(schema: &Schema) -> String {
    in_words(&column_names(schema), "no columns")
}

/// The columns; those inside of a struct with its name in front.
pub(crate) fn column_names(schema: &Schema) -> Vec<String> {
    let names = schema.fields().iter().flat_map(|field| match field.data_type() {
        DataType::Struct(inner) => inner.iter().map(|inner| format!("{}.{}", field.name(), inner.name())).collect(),
        _ => vec![field.name().clone()],
    });
    names.collect()
}
