//! A connection of a client that asks one thing after the other, as little as a load needs.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// One connection.
pub(super) struct Connection {
    stream: BufReader<TcpStream>,
    head: String,
}

impl Connection {
    pub(super) fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_mins(1)))?;
        Ok(Self { stream: BufReader::with_capacity(1 << 16, stream), head: format!("Host: {address}\r\n") })
    }

    /// Sends a body and gives status and answer.
    pub(super) fn post(&mut self, path: &str, kind: &str, body: &[u8]) -> Result<(u16, Vec<u8>)> {
        let mut request = format!(
            "POST {path} HTTP/1.1\r\n{}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            self.head,
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.stream.get_mut().write_all(&request)?;
        self.answer()
    }

    /// The same as JSON, which must be taken.
    pub(super) fn ask(&mut self, path: &str, body: &Value) -> Result<Value> {
        let (status, answer) = self.post(path, "application/json", body.to_string().as_bytes())?;
        ensure!(status == 200, "{path}: {status}: {}", String::from_utf8_lossy(&answer));
        Ok(serde_json::from_slice(&answer)?)
    }

    fn answer(&mut self) -> Result<(u16, Vec<u8>)> {
        let status = self.line()?;
        let status = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.context("expected an answer of HTTP")?;
        let (mut length, mut chunked) = (0, false);
        loop {
            let line = self.line()?.to_ascii_lowercase();
            match line.split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse()?,
                Some(("transfer-encoding", value)) => chunked = value.trim() == "chunked",
                Some(_) => {}
                None => break,
            }
        }
        if !chunked {
            return Ok((status, self.bytes(length)?));
        }
        let mut answer = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16)?;
            answer.extend(self.bytes(length)?);
            self.line()?;
            if length == 0 {
                return Ok((status, answer));
            }
        }
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            bail!("the server closed the connection");
        }
        Ok(line.trim_end().to_owned())
    }
}
