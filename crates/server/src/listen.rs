//! Connections: a bounded number, of heads that are bounded and in time, and of clients that take what they asked for.

use crate::options::Limits;
use crate::shares::Client;
use crate::shares::Shares;
use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep};
use tower::ServiceExt;

/// Bytes of the largest head of a request.
const MAX_HEAD: usize = 64 << 10;
/// How long requests that are under way are waited for at the end.
const GRACE: Duration = Duration::from_secs(30);
/// After a failure to accept, as when there are no more files to open.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until told to stop, then until what is under way is answered.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: &Limits, stop: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        // a client may close its side before the answer is there
        .half_close(true)
        .header_read_timeout(limits.head_time)
        .max_headers(limits.headers)
        .max_buf_size(MAX_HEAD);
    let connections = Arc::new(Semaphore::new(limits.connections));
    let by_address = Shares::new(limits.connections as u64);
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            let permit = Arc::clone(&connections).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, stream, address) = tokio::select! {
            () = &mut stop => break,
            (permit, accepted) = accepted => match accepted {
                Ok((stream, peer)) => (permit, stream, peer.ip().to_canonical()),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    sleep(PAUSE).await;
                    continue;
                }
            },
        };
        // a proxy on this machine brings the requests of all
        let share = if address.is_loopback() { None } else { Some(by_address.take(address, 1)) };
        if matches!(share, Some(None)) {
            continue;
        }
        let _ = stream.set_nodelay(true);
        let service =
            TowerToHyperService::new(router.clone().map_request(move |mut request: hyper::Request<Incoming>| {
                request.extensions_mut().insert(Client::Address(address));
                request.map(axum::body::Body::new)
            }));
        let connection = http.serve_connection(TokioIo::new(Patient::new(stream, limits.idle_time)), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // a client may leave whenever it wants
            let _ = connection.await;
            drop((permit, share));
        });
    }
    drop(listener);
    if tokio::time::timeout(GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were not finished in time");
    }
}

/// A connection whose other side has to take what is written within some time.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    /// Since when nothing could be written, and until when.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, stalled: None }
    }

    fn wait<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let end = Instant::now() + self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(end)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wait(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.wait(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
