//! The services, each asked by the credentials and the endpoint that the environment gives.

use crate::Error;
use crate::location::{Location, Service};
use crate::service_error::from_store;
use crate::transfer::Watch;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::{BackoffConfig, ClientConfigKey, ClientOptions, ObjectStore, RetryConfig};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;

/// A service that cannot be reached is given up after about half a minute.
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);
const MAX_RETRIES: usize = 8;
const MAX_BACKOFF: Duration = Duration::from_secs(4);
/// A body may take long, but not stand still.
const TIMEOUTS: [(ClientConfigKey, &str); 3] = [
    (ClientConfigKey::ConnectTimeout, "5 seconds"),
    (ClientConfigKey::ReadTimeout, "15 seconds"),
    (ClientConfigKey::Timeout, "30 minutes"),
];
/// How soon a request ends when the user asks to stop.
const CANCEL_INTERVAL: Duration = Duration::from_millis(100);

/// Asks services for objects.
pub struct Client {
    runtime: Runtime,
    /// By what the addresses of a bucket begin with.
    stores: Mutex<BTreeMap<String, Arc<dyn ObjectStore>>>,
}

impl Client {
    /// One that has not asked anybody yet.
    pub fn new() -> Result<Self, Error> {
        // fails only if somebody has chosen before
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let failed = |source: io::Error| Error::Io { path: PathBuf::from("threads"), source };
        Ok(Self { runtime: runtime.map_err(failed)?, stores: Mutex::default() })
    }

    /// The store of an address.
    pub(crate) fn store(&self, location: &Location) -> Result<Arc<dyn ObjectStore>, Error> {
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = stores.get(&location.root()) {
            return Ok(Arc::clone(store));
        }
        let store = connect(location).map_err(|error| from_store(location, &location.key, &error))?;
        stores.insert(location.root(), Arc::clone(&store));
        Ok(store)
    }

    #[cfg(test)]
    pub(crate) fn with_store(root: &str, store: Arc<dyn ObjectStore>) -> Self {
        let client = Self::new().expect("threads");
        client.stores.lock().expect("nobody has it").insert(root.to_owned(), store);
        client
    }

    /// Waits for an answer, or until the user asks to stop.
    pub(crate) fn wait<T>(
        &self,
        watch: &dyn Watch,
        answer: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                answer = answer => answer,
                () = cancelled(watch) => Err(Error::Cancelled),
            }
        })
    }
}

async fn cancelled(watch: &dyn Watch) {
    while !watch.is_cancelled() {
        tokio::time::sleep(CANCEL_INTERVAL).await;
    }
}

fn connect(location: &Location) -> object_store::Result<Arc<dyn ObjectStore>> {
    let retry = RetryConfig {
        backoff: BackoffConfig { max_backoff: MAX_BACKOFF, ..BackoffConfig::default() },
        max_retries: MAX_RETRIES,
        retry_timeout: RETRY_TIMEOUT,
    };
    let bucket = &location.bucket;
    Ok(match location.service {
        Service::S3 => {
            let builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retry);
            let set =
                |builder: AmazonS3Builder, (key, value)| builder.with_config(AmazonS3ConfigKey::Client(key), value);
            Arc::new(TIMEOUTS.into_iter().fold(builder, set).build()?)
        }
        Service::Gcs => {
            let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket).with_retry(retry);
            let set = |builder: GoogleCloudStorageBuilder, (key, value)| {
                builder.with_config(GoogleConfigKey::Client(key), value)
            };
            Arc::new(TIMEOUTS.into_iter().fold(builder, set).build()?)
        }
        Service::Azure => {
            let builder = MicrosoftAzureBuilder::from_env().with_container_name(bucket).with_retry(retry);
            let set =
                |builder: MicrosoftAzureBuilder, (key, value)| builder.with_config(AzureConfigKey::Client(key), value);
            Arc::new(TIMEOUTS.into_iter().fold(builder, set).build()?)
        }
        Service::Web => {
            let options = ClientOptions::default().with_allow_http(location.scheme == "http");
            let options = TIMEOUTS.into_iter().fold(options, |options, (key, value)| options.with_config(key, value));
            let builder = HttpBuilder::new().with_url(location.root()).with_client_options(options);
            Arc::new(builder.with_retry(retry).build()?)
        }
    })
}
