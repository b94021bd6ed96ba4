//! The tokens of a document as they lie on disk: a letter for the family, how long the rest is, and the rest compressed: tokens, how each is
//! spelt, where each stands.

use lookalike_core::passage::Family;
use lookalike_engine::lens::passages::details::Details;
use lookalike_engine::lens::passages::spelling::Spelling;
use lookalike_engine::lens::passages::tokenizer::language_name;
#[cfg(feature = "zstd")]
use std::io::Read;

/// Bytes before what is compressed.
const HEAD: usize = 9;
/// Fast, and a third of the size: most tokens occur again and again.
#[cfg(feature = "zstd")]
const LEVEL: i32 = 3;

/// Fails in a build that can neither read nor write an index of passages.
pub(super) fn check_build() -> Result<(), lookalike_store::Error> {
    if cfg!(feature = "zstd") {
        return Ok(());
    }
    let message = lookalike_core::built_without!("zstd", "zstd");
    let source = std::io::Error::new(std::io::ErrorKind::Unsupported, message);
    Err(lookalike_store::Error::Read { what: "an index of passages".into(), source })
}

/// The tokens of a document, taken apart.
pub(super) struct StoredTokens {
    pub(super) family: Family,
    pub(super) tokens: Vec<u32>,
    pub(super) spellings: Vec<Spelling>,
    pub(super) details: Details,
}

fn letter(family: Family) -> u8 {
    family.name().as_bytes()[0]
}

/// Encodes tokens and spellings, one after the other, and encoded details. Only code is spelt in more than one way.
pub(super) fn encode(
    family: Family,
    tokens: &[u32],
    spellings: &[Spelling],
    details: &[u8],
) -> std::io::Result<Vec<u8>> {
    let mut plain = (tokens.len() as u32).to_le_bytes().to_vec();
    plain.extend_from_slice(bytemuck::cast_slice(tokens));
    if family == Family::Code {
        plain.extend_from_slice(bytemuck::cast_slice(spellings));
    }
    plain.extend_from_slice(details);
    let mut out = vec![letter(family)];
    out.extend((plain.len() as u64).to_le_bytes());
    compress(&plain, &mut out)?;
    Ok(out)
}

#[cfg(feature = "zstd")]
fn compress(plain: &[u8], out: &mut Vec<u8>) -> std::io::Result<()> {
    zstd::stream::copy_encode(plain, out, LEVEL)
}

#[cfg(not(feature = "zstd"))]
fn compress(_: &[u8], _: &mut Vec<u8>) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Reads at most so many bytes of what [`compress`] wrote.
#[cfg(feature = "zstd")]
fn decompress(compressed: &[u8], length: u64) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    zstd::stream::Decoder::new(compressed).ok()?.take(length).read_to_end(&mut plain).ok()?;
    Some(plain)
}

#[cfg(not(feature = "zstd"))]
fn decompress(_: &[u8], _: u64) -> Option<Vec<u8>> {
    None
}

/// Reads what [`encode`] wrote; nothing if it makes no sense.
pub(super) fn decode(record: &[u8]) -> Option<StoredTokens> {
    let (head, compressed) = record.split_at_checked(HEAD)?;
    let family = Family::ALL.into_iter().find(|family| letter(*family) == head[0])?;
    let length = u64::from_le_bytes(head[1..].try_into().ok()?);
    // a length that is a lie ends the reading, it does not take memory
    let plain = decompress(compressed, length)?;
    let (count, rest) = plain.split_first_chunk()?;
    let count = u32::from_le_bytes(*count) as usize;
    let (ids, rest) = rest.split_at_checked(count.checked_mul(4)?)?;
    let (spelt, details) = rest.split_at_checked(if family == Family::Code { count.checked_mul(2)? } else { 0 })?;
    let details = Details::decode(details, language_name).filter(|details| details.spans.len() == count)?;
    let mut spellings: Vec<Spelling> =
        spelt.as_chunks::<2>().0.iter().map(|two| bytemuck::pod_read_unaligned(two)).collect();
    spellings.resize(count, Spelling::default());
    let tokens = ids.as_chunks().0.iter().map(|id| u32::from_le_bytes(*id)).collect();
    Some(StoredTokens { family, tokens, spellings, details })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tokens_come_back(tokens in prop::collection::vec(0u32.., 0..60), code: bool) {
            let family = if code { Family::Code } else { Family::Prose };
            let spell = |token: &u32| if code { Spelling::of(&token.to_le_bytes()) } else { Spelling::default() };
            let spellings: Vec<Spelling> = tokens.iter().map(spell).collect();
            let spans = (0..tokens.len() as u32).map(|at| (3 * at, 3 * at + 2)).collect();
            let details = Details { language: "text", degraded: None, spans, lines: vec![5, 9] };
            let mut encoded = Vec::new();
            details.encode(&mut encoded);
            let record = encode(family, &tokens, &spellings, &encoded).unwrap();
            let back = decode(&record).unwrap();
            prop_assert_eq!((back.family, back.tokens, back.spellings, back.details), (family, tokens, spellings, details));
            for end in 0..record.len() {
                let _ = decode(&record[..end]);
            }
        }

        #[test]
        fn rubbish_is_refused(record: Vec<u8>) {
            let _ = decode(&record);
        }
    }
}
