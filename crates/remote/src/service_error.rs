//! What services answer, in our words.

use crate::Error;
use crate::location::{Location, Service};

/// Where each service takes its credentials and its address from.
fn help(service: Service) -> &'static str {
    match service {
        Service::S3 => {
            "check the network, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL (with AWS_ALLOW_HTTP=true for \
             http://), or set AWS_SKIP_SIGNATURE=true for what is public"
        }
        Service::Gcs => {
            "check the network and GOOGLE_APPLICATION_CREDENTIALS, or set GOOGLE_SKIP_SIGNATURE=true for what is public"
        }
        Service::Azure => "check the network, AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
        Service::Web => "check the network and the address",
    }
}

/// An error of the service in our words.
pub(crate) fn from_store(location: &Location, key: &str, error: &object_store::Error) -> Error {
    use object_store::Error as Store;
    let (url, help) = (location.url_of(key), help(location.service));
    match error {
        Store::NotFound { .. } => Error::Missing { url, hint: "" },
        Store::Precondition { .. } | Store::NotModified { .. } => Error::Changed { url },
        Store::PermissionDenied { source, .. } | Store::Unauthenticated { source, .. } => {
            Error::Denied { url, message: root_cause(source.as_ref()), help }
        }
        other => match root_cause(other) {
            message if NO_BUCKET.iter().any(|code| message.contains(code)) => Error::NoBucket { url },
            message => Error::Failed { url, message, help },
        },
    }
}

/// Characters of a message of others: some send whole pages.
const MAX_MESSAGE: usize = 300;

/// What services say of a bucket that is not there.
const NO_BUCKET: [&str; 2] = ["NoSuchBucket", "ContainerNotFound"];

/// The innermost message, in a line: the outer ones repeat it. Of the XML that services answer only code and message.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut inner = error;
    while let Some(next) = inner.source() {
        inner = next;
    }
    let text = inner.to_string();
    let field = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        Some(rest.split_once(&format!("</{name}>"))?.0)
    };
    let said = field("Code").zip(field("Message")).map(|(code, message)| format!("{code}: {message}"));
    let line = said.as_ref().unwrap_or(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(message: &str) -> Error {
        let location = Location::parse("s3://b/in/").unwrap();
        let source = message.to_owned().into();
        from_store(&location, "in", &object_store::Error::Generic { store: "S3", source })
    }

    #[test]
    fn services_are_quoted_in_short() {
        let xml = "status 400: <?xml version='1.0'?>\n<Error><Code>SlowDown</Code><Message>Reduce\nit</Message><Id>x</Id></Error>";
        assert!(
            told(xml).to_string().starts_with("s3://b/in: SlowDown: Reduce it; check the network, AWS_ACCESS_KEY_ID")
        );
        assert!(told(&"x".repeat(5000)).to_string().len() < 700);
        let none = told("404: <Error><Code>NoSuchBucket</Code><Message>none</Message></Error>");
        assert!(matches!(none, Error::NoBucket { .. }), "{none}");
    }
}
