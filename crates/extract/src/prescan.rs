//! The encoding a document says it has: `<meta charset=…>` and its older form in HTML, `<?xml encoding=…?>` in XML.
//! As the standard has it, only the first 1024 bytes are asked.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

const PRESCANNED_BYTES: usize = 1024;

/// The encoding that the beginning of a page or an XML document names.
pub(crate) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(PRESCANNED_BYTES)];
    xml(head).or_else(|| meta(head))
}

/// The encoding of a label. What is read byte by byte here cannot be UTF-16, whatever it says, so that means UTF-8.
fn by_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    match encoding {
        _ if encoding == REPLACEMENT => None,
        _ if encoding == UTF_16LE || encoding == UTF_16BE => Some(UTF_8),
        _ if encoding == X_USER_DEFINED => Some(WINDOWS_1252),
        _ => Some(encoding),
    }
}

/// `<?xml version="1.0" encoding="…"?>`
fn xml(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let at = memmem::find(declaration, b"encoding")? + b"encoding".len();
    let value = declaration[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    by_label(&value[..memchr(*quote, value)?])
}

/// Looks through the tags for a `meta` that names an encoding we know.
fn meta(mut head: &[u8]) -> Option<&'static Encoding> {
    loop {
        head = &head[memchr(b'<', head)?..];
        if let Some(comment) = head.strip_prefix(b"<!--") {
            // From the dashes on: `<!-->` is a whole comment.
            head = &head[2 + memmem::find(&head[2..], b"-->").filter(|_| !comment.is_empty())? + 3..];
            continue;
        }
        let name_at = if head.starts_with(b"</") { 2 } else { 1 };
        if !head.get(name_at)?.is_ascii_alphabetic() {
            let is_markup = matches!(head[1], b'!' | b'/' | b'?');
            head = &head[if is_markup { memchr(b'>', head)? } else { 1 }..];
            continue;
        }
        let name = &head[name_at..];
        let name = &name[..name.iter().position(|&byte| is_space(byte) || matches!(byte, b'/' | b'>'))?];
        head = &head[name_at + name.len()..];
        let is_meta = name_at == 1 && name.eq_ignore_ascii_case(b"meta");
        let mut found = Meta::default();
        while let Some((attribute, value)) = next_attribute(&mut head) {
            if is_meta {
                found.take(attribute, value);
            }
        }
        let is_finished = head.first() == Some(&b'>');
        match found.encoding() {
            _ if !is_finished => return None,
            Some(encoding) => return Some(encoding),
            None => {}
        }
    }
}

/// What a `meta` says.
#[derive(Default)]
struct Meta<'a> {
    charset: Option<&'a [u8]>,
    is_content_type: bool,
    content: Option<&'a [u8]>,
}

impl<'a> Meta<'a> {
    fn take(&mut self, name: &[u8], value: &'a [u8]) {
        if name.eq_ignore_ascii_case(b"charset") {
            self.charset.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"http-equiv") {
            self.is_content_type |= value.eq_ignore_ascii_case(b"content-type");
        } else if name.eq_ignore_ascii_case(b"content") {
            self.content.get_or_insert(value);
        }
    }

    fn encoding(&self) -> Option<&'static Encoding> {
        let in_content = || self.content.filter(|_| self.is_content_type).and_then(charset_in);
        by_label(self.charset.or_else(in_content)?)
    }
}

/// The label in `text/html; charset=…`.
fn charset_in(mut content: &[u8]) -> Option<&[u8]> {
    loop {
        let at = content.windows(7).position(|word| word.eq_ignore_ascii_case(b"charset"))?;
        content = content[at + 7..].trim_ascii_start();
        let Some(value) = content.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => memchr(*quote, &value[1..]).map(|end| &value[1..=end]),
            _ => value.split(|&byte| is_space(byte) || byte == b';').next(),
        };
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C')
}

/// Takes the next attribute, a name and a value, off `rest`. After the last, `rest` begins with the `>` of the tag,
/// unless the bytes end before the tag does.
fn next_attribute<'a>(rest: &mut &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let start = rest.iter().position(|&byte| !is_space(byte) && byte != b'/')?;
    *rest = &rest[start..];
    if rest[0] == b'>' {
        return None;
    }
    let name_len = 1 + rest[1..].iter().position(|&byte| is_space(byte) || matches!(byte, b'=' | b'/' | b'>'))?;
    let name = &rest[..name_len];
    let after = rest[name_len..].trim_ascii_start();
    let Some(value) = after.strip_prefix(b"=") else {
        *rest = after;
        return Some((name, b""));
    };
    let value = value.trim_ascii_start();
    if let quote @ (b'"' | b'\'') = *value.first()? {
        let len = memchr(quote, &value[1..])?;
        *rest = &value[len + 2..];
        return Some((name, &value[1..=len]));
    }
    let len = value.iter().position(|&byte| is_space(byte) || byte == b'>')?;
    *rest = &value[len..];
    Some((name, &value[..len]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(page: &str) -> Option<&'static str> {
        declared(page.as_bytes()).map(Encoding::name)
    }

    #[test]
    fn meta_charset() {
        assert_eq!(name("<html><head><meta charset=Shift_JIS>"), Some("Shift_JIS"));
        assert_eq!(name("<META CharSet = ' latin1 ' />"), Some("windows-1252"));
        assert_eq!(name("<meta name=a content=b><meta charset=\"koi8-r\">"), Some("KOI8-R"));
        assert_eq!(name("<meta charset=nonsense><meta charset=gbk>"), Some("GBK"));
        assert_eq!(name("<meta charset=utf-16>"), Some("UTF-8"));
        assert_eq!(name("<meta charset=hz-gb-2312>"), None);
    }

    #[test]
    fn meta_http_equiv() {
        let page = r#"<meta content="text/html; CHARSET = 'iso-8859-2'" http-equiv=Content-Type>"#;
        assert_eq!(name(page), Some("ISO-8859-2"));
        assert_eq!(name("<meta http-equiv=content-type content='text/html;charset=big5; x'>"), Some("Big5"));
        assert_eq!(name("<meta content='text/html;charset=big5'>"), None);
        assert_eq!(name("<meta http-equiv=content-type content='charset charset'>"), None);
    }

    #[test]
    fn not_where_it_does_not_count() {
        assert_eq!(name("<!-- <meta charset=gbk> -->"), None);
        assert_eq!(name("<!--><meta charset=gbk>"), Some("GBK"));
        assert_eq!(name("<a title='<meta charset=gbk>'>"), None);
        assert_eq!(name("<metadata charset=gbk>"), None);
        assert_eq!(name("< 3 <?x?> <meta charset=gbk>"), Some("GBK"));
        assert_eq!(name(&format!("{}<meta charset=gbk>", " ".repeat(1024))), None);
        assert_eq!(name("<meta charset=gbk"), None);
        assert_eq!(name("<!--"), None);
    }

    #[test]
    fn xml_declaration() {
        assert_eq!(name("<?xml version='1.0' encoding = \"ISO-8859-15\"?>"), Some("ISO-8859-15"));
        assert_eq!(name("<?xml version='1.0'?><meta charset=gbk>"), Some("GBK"));
        assert_eq!(name("<?xml encoding="), None);
    }
}
