//! Values of Arrow arrays.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType,
    Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};

use super::iso;

/// Whether values of this type can be texts.
pub fn is_text(kind: &DataType) -> bool {
    use DataType as D;
    match kind {
        D::Utf8 | D::LargeUtf8 | D::Utf8View | D::Binary | D::LargeBinary | D::BinaryView => true,
        D::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// The elements of a list of this type, if it is one.
pub(crate) fn element_type(kind: &DataType) -> Option<&DataType> {
    use DataType as D;
    match kind {
        D::List(field)
        | D::LargeList(field)
        | D::FixedSizeList(field, _)
        | D::ListView(field)
        | D::LargeListView(field) => Some(field.data_type()),
        _ => None,
    }
}

/// The list in a row.
pub(crate) fn list_at(array: &dyn Array, row: usize) -> Option<ArrayRef> {
    use DataType as D;
    match array.data_type() {
        _ if array.is_null(row) => None,
        D::List(_) => Some(array.as_list::<i32>().value(row)),
        D::LargeList(_) => Some(array.as_list::<i64>().value(row)),
        D::FixedSizeList(..) => Some(array.as_fixed_size_list().value(row)),
        D::ListView(_) => Some(array.as_list_view::<i32>().value(row)),
        D::LargeListView(_) => Some(array.as_list_view::<i64>().value(row)),
        _ => None,
    }
}

/// The text in a row; none if there is none, or if the values are of another kind.
pub fn bytes_at(array: &dyn Array, row: usize) -> Option<&[u8]> {
    use DataType as D;
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        D::Utf8 => Some(array.as_string::<i32>().value(row).as_bytes()),
        D::LargeUtf8 => Some(array.as_string::<i64>().value(row).as_bytes()),
        D::Utf8View => Some(array.as_string_view().value(row).as_bytes()),
        D::Binary => Some(array.as_binary::<i32>().value(row)),
        D::LargeBinary => Some(array.as_binary::<i64>().value(row)),
        D::BinaryView => Some(array.as_binary_view().value(row)),
        D::Dictionary(..) => {
            let (values, row) = entry(array, row)?;
            bytes_at(values, row)
        }
        _ => None,
    }
}

/// The values of a dictionary, and where among them that of a row is.
fn entry(array: &dyn Array, row: usize) -> Option<(&dyn Array, usize)> {
    fn of<K: ArrowDictionaryKeyType>(array: &dyn Array, row: usize) -> Option<(&dyn Array, usize)> {
        let array = array.as_dictionary_opt::<K>()?;
        Some((array.values(), array.key(row)?))
    }
    let DataType::Dictionary(keys, _) = array.data_type() else { return None };
    match **keys {
        DataType::Int8 => of::<Int8Type>(array, row),
        DataType::Int16 => of::<Int16Type>(array, row),
        DataType::Int32 => of::<Int32Type>(array, row),
        DataType::Int64 => of::<Int64Type>(array, row),
        DataType::UInt8 => of::<UInt8Type>(array, row),
        DataType::UInt16 => of::<UInt16Type>(array, row),
        DataType::UInt32 => of::<UInt32Type>(array, row),
        DataType::UInt64 => of::<UInt64Type>(array, row),
        _ => None,
    }
}

/// The integer in a row, as text.
pub(crate) fn integer_at(array: &dyn Array, row: usize) -> Option<String> {
    use DataType as D;
    if array.is_null(row) {
        return None;
    }
    Some(match array.data_type() {
        D::Int8 => array.as_primitive::<Int8Type>().value(row).to_string(),
        D::Int16 => array.as_primitive::<Int16Type>().value(row).to_string(),
        D::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        D::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        D::UInt8 => array.as_primitive::<UInt8Type>().value(row).to_string(),
        D::UInt16 => array.as_primitive::<UInt16Type>().value(row).to_string(),
        D::UInt32 => array.as_primitive::<UInt32Type>().value(row).to_string(),
        D::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string(),
        _ => return None,
    })
}

/// The value in a row as text, if it is one value.
pub(crate) fn text_at(array: &dyn Array, row: usize) -> Option<Cow<'_, str>> {
    use DataType as D;
    if array.is_null(row) {
        return None;
    }
    if is_text(array.data_type()) {
        let bytes = bytes_at(array, row)?;
        return Some(std::str::from_utf8(bytes).map_or_else(|_| Cow::Owned(iso::hex(bytes)), Cow::Borrowed));
    }
    let text = match array.data_type() {
        D::Boolean => array.as_boolean().value(row).to_string(),
        D::Float16 => array.as_primitive::<Float16Type>().value(row).to_f32().to_string(),
        D::Float32 => array.as_primitive::<Float32Type>().value(row).to_string(),
        D::Float64 => array.as_primitive::<Float64Type>().value(row).to_string(),
        D::Decimal32(_, scale) => {
            iso::decimal(array.as_primitive::<Decimal32Type>().value(row).into(), i32::from(*scale))
        }
        D::Decimal64(_, scale) => {
            iso::decimal(array.as_primitive::<Decimal64Type>().value(row).into(), i32::from(*scale))
        }
        D::Decimal128(_, scale) => iso::decimal(array.as_primitive::<Decimal128Type>().value(row), i32::from(*scale)),
        D::Decimal256(_, scale) => {
            let bytes = array.as_primitive::<Decimal256Type>().value(row).to_be_bytes();
            iso::decimal_bytes(&bytes, i32::from(*scale))
        }
        D::FixedSizeBinary(_) => iso::hex(array.as_fixed_size_binary().value(row)),
        D::Dictionary(..) => {
            let (values, row) = entry(array, row)?;
            return text_at(values, row);
        }
        D::Date32 => iso::date(array.as_primitive::<Date32Type>().value(row).into()),
        D::Date64 => iso::date(array.as_primitive::<Date64Type>().value(row).div_euclid(86_400_000)),
        D::Time32(TimeUnit::Second) => iso::time(array.as_primitive::<Time32SecondType>().value(row).into(), 0),
        D::Time32(_) => iso::time(array.as_primitive::<Time32MillisecondType>().value(row).into(), 3),
        D::Time64(TimeUnit::Microsecond) => iso::time(array.as_primitive::<Time64MicrosecondType>().value(row), 6),
        D::Time64(_) => iso::time(array.as_primitive::<Time64NanosecondType>().value(row), 9),
        D::Timestamp(unit, zone) => {
            let (value, digits) = match unit {
                TimeUnit::Second => (array.as_primitive::<TimestampSecondType>().value(row), 0),
                TimeUnit::Millisecond => (array.as_primitive::<TimestampMillisecondType>().value(row), 3),
                TimeUnit::Microsecond => (array.as_primitive::<TimestampMicrosecondType>().value(row), 6),
                TimeUnit::Nanosecond => (array.as_primitive::<TimestampNanosecondType>().value(row), 9),
            };
            iso::timestamp(value.into(), digits, zone.is_some())
        }
        _ => integer_at(array, row)?,
    };
    Some(Cow::Owned(text))
}
