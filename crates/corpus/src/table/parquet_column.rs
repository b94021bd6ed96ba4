//! Which columns of a Parquet file are read, and what their values mean.

use std::borrow::Cow;

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::data_type::ByteArray;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, SchemaDescriptor};

use super::iso;
use crate::fields::in_words;

/// A column that is read.
#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) index: usize,
    pub(crate) descr: ColumnDescPtr,
    pub(crate) kind: Kind,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text, or bytes that may be text.
    Text,
    Bool,
    Signed,
    Unsigned,
    Float,
    Half,
    Decimal {
        scale: i32,
    },
    Date,
    Time {
        digits: u32,
    },
    Timestamp {
        digits: u32,
        is_utc: bool,
    },
    Uuid,
    /// Bytes that are no text.
    Binary,
}

/// One value.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Null,
    Bool(bool),
    Int(i64),
    /// Of a time that has 96 bits: nanoseconds since 1970.
    Nanoseconds(i128),
    Float(f32),
    Double(f64),
    Bytes(ByteArray),
}

/// Where the values of a field are.
pub(crate) enum Found {
    /// In a column: one for each row.
    Column(Column),
    /// In a column: a list for each row.
    List(Column),
    /// In several columns, or in lists of lists.
    Nested,
    Missing,
}

/// Looks for a field; `a.b` is the field `b` of the struct `a`, or a column that is called so.
pub(crate) fn find(schema: &SchemaDescriptor, field: &str) -> Found {
    let column = |index: usize| {
        let descr = schema.column(index);
        Column { index, kind: kind(&descr), descr }
    };
    let names: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    if let Some(index) = names.iter().position(|name| name == field) {
        return match schema.column(index).max_rep_level() {
            0 => Found::Column(column(index)),
            1 => Found::List(column(index)),
            _ => Found::Nested,
        };
    }
    let is_inside = |name: &&String| name.strip_prefix(field).is_some_and(|rest| rest.starts_with('.'));
    let inside: Vec<usize> = (0..names.len()).filter(|index| is_inside(&&names[*index])).collect();
    match inside[..] {
        [] => Found::Missing,
        [index] => {
            // a list has one level of its own, or two; a struct may hold a list as its only field
            let levels = names[index][field.len() + 1..].split('.').count();
            let is_list = schema.column(index).max_rep_level() == 1 && levels <= 2;
            if is_list { Found::List(column(index)) } else { Found::Nested }
        }
        _ => Found::Nested,
    }
}

/// The columns in words.
pub(crate) fn names(schema: &SchemaDescriptor) -> String {
    in_words(&column_names(schema), "no columns")
}

/// The paths of the columns.
pub(crate) fn column_names(schema: &SchemaDescriptor) -> Vec<String> {
    schema.columns().iter().map(|column| column.path().string()).collect()
}

fn kind(column: &ColumnDescriptor) -> Kind {
    use ConvertedType as C;
    let digits = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => 3,
        TimeUnit::MICROS => 6,
        TimeUnit::NANOS => 9,
    };
    let decimal = Kind::Decimal { scale: column.type_scale() };
    let logical = match column.logical_type_ref() {
        Some(LogicalType::Integer(integer)) if integer.is_signed => Some(Kind::Signed),
        Some(LogicalType::Integer(_)) => Some(Kind::Unsigned),
        Some(LogicalType::Decimal(_)) => Some(decimal),
        Some(LogicalType::Date) => Some(Kind::Date),
        Some(LogicalType::Time(time)) => Some(Kind::Time { digits: digits(&time.unit) }),
        Some(LogicalType::Timestamp(time)) => {
            Some(Kind::Timestamp { digits: digits(&time.unit), is_utc: time.is_adjusted_to_u_t_c })
        }
        Some(LogicalType::Uuid) => Some(Kind::Uuid),
        Some(LogicalType::Float16) => Some(Kind::Half),
        Some(LogicalType::String | LogicalType::Json | LogicalType::Enum) => Some(Kind::Text),
        Some(LogicalType::Bson | LogicalType::Geometry(_) | LogicalType::Geography(_)) => Some(Kind::Binary),
        _ => None,
    };
    let converted = match column.converted_type() {
        C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64 => Some(Kind::Unsigned),
        C::DECIMAL => Some(decimal),
        C::DATE => Some(Kind::Date),
        C::TIME_MILLIS => Some(Kind::Time { digits: 3 }),
        C::TIME_MICROS => Some(Kind::Time { digits: 6 }),
        C::TIMESTAMP_MILLIS => Some(Kind::Timestamp { digits: 3, is_utc: true }),
        C::TIMESTAMP_MICROS => Some(Kind::Timestamp { digits: 6, is_utc: true }),
        C::BSON | C::INTERVAL => Some(Kind::Binary),
        _ => None,
    };
    logical.or(converted).unwrap_or(match column.physical_type() {
        Type::BOOLEAN => Kind::Bool,
        Type::INT32 | Type::INT64 => Kind::Signed,
        // nobody says whether these are of the world or of a place
        Type::INT96 => Kind::Timestamp { digits: 9, is_utc: false },
        Type::FLOAT | Type::DOUBLE => Kind::Float,
        Type::BYTE_ARRAY => Kind::Text,
        Type::FIXED_LEN_BYTE_ARRAY => Kind::Binary,
    })
}

impl Column {
    /// Whether its values can be texts.
    pub(crate) fn is_text(&self) -> bool {
        self.descr.physical_type() == Type::BYTE_ARRAY && self.kind == Kind::Text
    }

    /// Whether its values can be features.
    pub(crate) fn is_text_or_integer(&self) -> bool {
        self.is_text() || matches!(self.kind, Kind::Signed | Kind::Unsigned)
    }

    /// What it holds, for messages.
    pub(crate) fn description(&self) -> String {
        match (self.descr.logical_type_ref(), self.descr.converted_type()) {
            (Some(logical), _) => format!("{logical:?}"),
            (None, ConvertedType::NONE) => self.descr.physical_type().to_string(),
            (None, converted) => converted.to_string(),
        }
    }

    /// A value as text; none if there is none.
    pub(crate) fn text<'a>(&self, cell: &'a Cell) -> Option<Cow<'a, str>> {
        let text = match cell {
            Cell::Null => return None,
            Cell::Bool(value) => value.to_string(),
            Cell::Float(value) => value.to_string(),
            Cell::Double(value) => value.to_string(),
            Cell::Nanoseconds(value) => iso::timestamp(*value, 9, false),
            Cell::Int(value) => self.integer(*value),
            Cell::Bytes(value) => match self.kind {
                Kind::Decimal { scale } => iso::decimal_bytes(value.data(), scale),
                Kind::Uuid => iso::uuid(value.data()),
                Kind::Half => half(value.data()),
                Kind::Text => match std::str::from_utf8(value.data()) {
                    Ok(text) => return Some(Cow::Borrowed(text)),
                    Err(_) => iso::hex(value.data()),
                },
                _ => iso::hex(value.data()),
            },
        };
        Some(Cow::Owned(text))
    }

    fn integer(&self, value: i64) -> String {
        match self.kind {
            Kind::Unsigned if self.descr.physical_type() == Type::INT32 => (value as u32).to_string(),
            Kind::Unsigned => (value as u64).to_string(),
            Kind::Decimal { scale } => iso::decimal(value.into(), scale),
            Kind::Date => iso::date(value),
            Kind::Time { digits } => iso::time(value, digits),
            Kind::Timestamp { digits, is_utc } => iso::timestamp(value.into(), digits, is_utc),
            _ => value.to_string(),
        }
    }
}

/// A number of 16 bits, in its shortest form as one of 32.
fn half(bytes: &[u8]) -> String {
    let Ok(bytes) = <[u8; 2]>::try_from(bytes) else { return iso::hex(bytes) };
    let bits = u16::from_le_bytes(bytes);
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    };
    (if bits >> 15 == 1 { -size } else { size }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves() {
        for (bits, text) in [
            (0x3c00u16, "1"),
            (0xc000, "-2"),
            (0x3555, "0.33325195"),
            (0x0001, "0.000000059604645"),
            (0x7c00, "inf"),
            (0x7e00, "NaN"),
            (0x7bff, "65504"),
        ] {
            assert_eq!(half(&bits.to_le_bytes()), text);
        }
    }
}
