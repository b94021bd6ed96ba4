//! An address in object storage: what it names.

use crate::Error;

/// What makes a key a pattern.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// Who keeps the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Service {
    S3,
    Gcs,
    Azure,
    /// A web server, which tells no list of what it has.
    Web,
}

const SCHEMES: [(&str, Service); 5] = [
    ("s3", Service::S3),
    ("gs", Service::Gcs),
    ("az", Service::Azure),
    ("http", Service::Web),
    ("https", Service::Web),
];

/// What an address stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One object.
    Object,
    /// Everything below it.
    Prefix,
    /// Everything that it matches.
    Pattern,
}

/// An address, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub(crate) service: Service,
    pub(crate) scheme: &'static str,
    /// A bucket, a container, or a host with its port.
    pub(crate) bucket: String,
    /// What follows, as it was written; with a slash at its end if it is a prefix.
    pub(crate) key: String,
}

impl Location {
    /// Takes an address apart: `s3://BUCKET/KEY`, `gs://BUCKET/KEY`, `az://CONTAINER/KEY`, `http://HOST/PATH`, `https://HOST/PATH`.
    pub fn parse(url: &str) -> Result<Self, Error> {
        let wrong = |reason: &'static str| Error::Address { url: url.to_owned(), reason };
        let (scheme, rest) = url.split_once("://").ok_or_else(|| wrong("it has no ://"))?;
        let (scheme, service) = SCHEMES
            .into_iter()
            .find(|(name, _)| *name == scheme)
            .ok_or_else(|| wrong("expected s3://, gs://, az://, http:// or https://"))?;
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(wrong("it names no bucket or host"));
        }
        if bucket.contains(['\\', '@']) || [".", ".."].contains(&bucket) || bucket.contains(SPECIAL) {
            return Err(wrong("its bucket or host has characters that none may have"));
        }
        let location = Self { service, scheme, bucket: bucket.to_owned(), key: key.to_owned() };
        if service == Service::Web && key.contains(['?', '#']) {
            return Err(wrong("what stands behind ? or # cannot be sent; fetch it with another program first"));
        }
        Ok(location)
    }

    pub(crate) fn kind(&self) -> Kind {
        if self.service != Service::Web && self.key.contains(SPECIAL) {
            Kind::Pattern
        } else if self.key.is_empty() || self.key.ends_with('/') {
            Kind::Prefix
        } else {
            Kind::Object
        }
    }

    /// What all addresses of this bucket begin with, without a slash at its end.
    pub(crate) fn root(&self) -> String {
        format!("{}://{}", self.scheme, self.bucket)
    }

    /// The address of another key of the same bucket.
    pub(crate) fn url_of(&self, key: &str) -> String {
        format!("{}/{key}", self.root())
    }

    /// As it was written.
    pub fn url(&self) -> String {
        self.url_of(&self.key)
    }

    /// The part of a pattern before the first special character, to the last slash in it.
    pub(crate) fn folder_of_pattern(&self) -> &str {
        let first = self.key.find(SPECIAL).unwrap_or(self.key.len());
        self.key[..first].rfind('/').map_or("", |at| &self.key[..at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        for (url, bucket, key, kind) in [
            ("s3://b/a/x.parquet", "b", "a/x.parquet", Kind::Object),
            ("s3://b/a/", "b", "a/", Kind::Prefix),
            ("gs://b", "b", "", Kind::Prefix),
            ("az://c/a/*.jsonl", "c", "a/*.jsonl", Kind::Pattern),
            ("http://127.0.0.1:80/a%20b[1].jsonl", "127.0.0.1:80", "a%20b[1].jsonl", Kind::Object),
        ] {
            let location = Location::parse(url).unwrap();
            assert_eq!(
                (location.bucket.as_str(), location.key.as_str(), location.kind()),
                (bucket, key, kind),
                "{url}"
            );
        }
        assert_eq!(Location::parse("s3://b/x/y*/z").unwrap().folder_of_pattern(), "x");
    }

    #[test]
    fn what_is_no_address_is_told() {
        for url in ["s3://", "s3:///key", "ftp://a/b", "https://h/a?sig=1", "http://u@h/a", "s3://../a"] {
            assert!(Location::parse(url).is_err(), "{url}");
        }
    }
}
