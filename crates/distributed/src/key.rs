//! What a document looks for others by.

/// How those of a key are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// The key is a feature: all with each other.
    Feature,
    /// The key is of a band, which the document may head: with the heads before it, and the plainest.
    Head,
    /// The key is of a band, which the document may not head: with all that do, and the plainest of them.
    Other,
}

/// A feature, or the key of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) number: u64,
    pub(crate) role: Role,
}

/// Bytes of a key.
const BYTES: usize = 9;

impl Key {
    pub(crate) fn encode(keys: &[Self]) -> Vec<u8> {
        keys.iter().flat_map(|key| key.number.to_le_bytes().into_iter().chain([key.role as u8])).collect()
    }

    /// None if these bytes are no keys.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Vec<Self>> {
        let (keys, []) = bytes.as_chunks::<BYTES>() else { return None };
        let key = |[number @ .., role]: &[u8; BYTES]| {
            let role = [Role::Feature, Role::Head, Role::Other].into_iter().find(|known| *known as u8 == *role)?;
            Some(Self { number: u64::from_le_bytes(*number), role })
        };
        keys.iter().map(key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let keys =
            [(7, Role::Feature), (u64::MAX, Role::Head), (0, Role::Other)].map(|(number, role)| Key { number, role });
        let mut bytes = Key::encode(&keys);
        assert_eq!(Key::decode(&bytes).as_deref(), Some(&keys[..]));
        assert_eq!(Key::decode(&bytes[1..]), None);
        bytes[8] = 3;
        assert_eq!(Key::decode(&bytes), None);
    }
}
