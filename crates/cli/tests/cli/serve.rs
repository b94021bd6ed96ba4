//! A server as a process: what it answered is there after it was killed, and it ends when it is told to.

use crate::command::{lookalike, run, run_with, shell};
use crate::dir::{Dir, names_in};
use crate::words::Random;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Moments at which it is killed, and clients that insert meanwhile.
const MOMENTS: usize = 6;
const CLIENTS: usize = 4;

/// A server on a port that was free.
struct Served {
    child: Child,
    address: String,
    log: Arc<Mutex<String>>,
}

impl Served {
    fn start(dir: &Dir, arguments: &[&str]) -> Self {
        Self::spawn(dir, lookalike(["serve", "--listen", "127.0.0.1:0", "--log-level", "error"]).args(arguments))
    }

    fn spawn(dir: &Dir, command: &mut Command) -> Self {
        let mut child = command.current_dir(dir.path()).stdout(Stdio::null()).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("a line");
        let address = line.trim().rsplit_once("http://").unwrap_or_else(|| panic!("{line}")).1.to_owned();
        let log = Arc::new(Mutex::new(String::new()));
        let written = Arc::clone(&log);
        thread::spawn(move || lines.lines().map_while(Result::ok).for_each(|line| *written.lock().unwrap() += &line));
        Self { child, address, log }
    }

    /// Whether the log has all of these words, now or soon.
    fn logs(&self, words: &[&str]) -> bool {
        (0..200).any(|_| {
            let log = self.log.lock().unwrap();
            let has_all = words.iter().all(|word| log.contains(word));
            drop(log);
            has_all || {
                thread::sleep(Duration::from_millis(20));
                false
            }
        })
    }

    fn client(&self) -> Client {
        Client { stream: BufReader::new(TcpStream::connect(&self.address).expect("it listens")) }
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|sent| sent.success()), "no kill command");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that stays open.
struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    /// Status and body; none if the server went away.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> Option<(u16, Value)> {
        let (status, body) = self.bytes(method, path, body)?;
        Some((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
    }

    /// The body of an answer that is text.
    #[cfg(target_os = "linux")]
    fn text(&mut self, method: &str, path: &str) -> Option<String> {
        String::from_utf8(self.bytes(method, path, "")?.1).ok()
    }

    fn bytes(&mut self, method: &str, path: &str, body: &str) -> Option<(u16, Vec<u8>)> {
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        self.stream.get_mut().write_all([head.as_bytes(), body.as_bytes()].concat().as_slice()).ok()?;
        let (mut status, mut length) = (None, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim().to_ascii_lowercase();
            if status.is_none() {
                status = Some(line.split(' ').nth(1)?.parse().ok()?);
            } else if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            } else if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).ok()?;
        Some((status?, body))
    }
}

fn new_store(dir: &Dir) {
    run_with(lookalike(["simhash", "online", "seen"]).current_dir(dir.path()), b"count\n").expect(0);
}

#[test]
fn every_answer_is_there_after_a_kill() {
    let dir = Dir::new();
    new_store(&dir);
    let mut acknowledged: BTreeMap<String, String> = BTreeMap::new();
    let number = AtomicUsize::new(0);
    for moment in 0..MOMENTS {
        let served = Served::start(&dir, &["seen"]);
        let inserted: Vec<(String, String)> = thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS)
                .map(|_| {
                    let (mut client, number) = (served.client(), &number);
                    scope.spawn(move || {
                        let mut inserted = Vec::new();
                        loop {
                            let number = number.fetch_add(1, Ordering::Relaxed);
                            let fingerprint = format!("{:016x}", Random(number as u64 + 1).next());
                            let body = format!(
                                r#"{{"id":"http://a.example/{number}","fingerprint":"{fingerprint}","distance":0}}"#
                            );
                            let Some((status, answer)) =
                                client.ask("POST", "/v1/collections/seen/check-and-insert", &body)
                            else {
                                return inserted;
                            };
                            assert_eq!((status, &answer["new"]), (200, &Value::Bool(true)), "{answer}");
                            inserted.push((fingerprint, format!("http://a.example/{number}")));
                        }
                    })
                })
                .collect();
            thread::sleep(Duration::from_millis(150 + 70 * moment as u64));
            served.signal("KILL");
            clients.into_iter().flat_map(|client| client.join().expect("no panic")).collect()
        });
        assert!(!inserted.is_empty());
        acknowledged.extend(inserted);
    }
    let served = Served::start(&dir, &["seen"]);
    let mut client = served.client();
    for (fingerprint, id) in &acknowledged {
        let (status, answer) = client
            .ask("GET", &format!("/v1/collections/seen/check?fingerprint={fingerprint}&distance=0"), "")
            .expect("an answer");
        assert_eq!((status, answer["matches"][0]["id"].as_str()), (200, Some(id.as_str())), "{answer}");
    }
}

/// Where a file cannot grow, a change is refused with 507 and leaves nothing behind; questions are answered as before.
#[test]
fn a_full_disk_is_told_and_reading_goes_on() {
    let dir = Dir::new();
    new_store(&dir);
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$LOOKALIKE\" serve seen --listen 127.0.0.1:0 --log-level error";
    let served = Served::spawn(&dir, shell(script).stderr(Stdio::piped()));
    let mut client = served.client();
    let mut random = Random(7);
    let insert = |client: &mut Client, id: &str, fingerprint: &str| {
        let body = format!(r#"{{"id":"{id}","fingerprint":"{fingerprint}"}}"#);
        client.ask("POST", "/v1/collections/seen/check-and-insert", &body).expect("an answer")
    };
    let mut acknowledged = BTreeMap::new();
    let (refused, problem) = loop {
        let (fingerprint, id) = (format!("{:016x}", random.next()), format!("page {}", acknowledged.len()));
        let (status, answer) = insert(&mut client, &id, &fingerprint);
        if status != 200 {
            assert_eq!(status, 507, "{answer}");
            break (fingerprint, answer);
        }
        acknowledged.insert(fingerprint, id);
        assert!(acknowledged.len() < 10_000, "the limit is not obeyed");
    };
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("full")), "{problem}");
    let path = "/v1/collections/seen/check-and-insert";
    assert_eq!(problem["instance"], path);
    let id = problem["request_id"].as_str().expect("an id");
    assert!(served.logs(&[id, path, "os error 27"]), "{problem}\n{}", served.log.lock().unwrap());
    let check = |client: &mut Client, fingerprint: &str| {
        client
            .ask("GET", &format!("/v1/collections/seen/check?fingerprint={fingerprint}&distance=0"), "")
            .expect("an answer")
    };
    let all_are_there = |client: &mut Client| {
        for (fingerprint, id) in &acknowledged {
            let (status, answer) = check(client, fingerprint);
            assert_eq!((status, answer["matches"][0]["id"].as_str()), (200, Some(id.as_str())), "{answer}");
        }
    };
    assert!(acknowledged.len() > 10);
    all_are_there(&mut client);
    assert_eq!(check(&mut client, &refused).1["new"], true, "nothing is kept of what was refused");
    drop(served);
    let served = Served::start(&dir, &["seen"]);
    let mut client = served.client();
    all_are_there(&mut client);
    assert_eq!(insert(&mut client, "later", &refused).1["new"], true);
}

/// Text of sixty words, and another one for each number.
fn text(number: u64) -> String {
    (0..60).map(|at| format!("w{}", Random(number * 100 + at).next() % 5000)).collect::<Vec<_>>().join(" ")
}

/// Starts a server of an index, which `script` runs, and puts documents into it until `enough` or one is refused. Checks that every
/// document that was acknowledged is found, then and after a restart, and that those that wait are counted. Returns the statuses.
#[cfg(target_os = "linux")]
fn put_where_the_disk_fails(script: &str, enough: u64) -> Vec<u16> {
    let dir = Dir::new();
    dir.write("site/a.txt", text(0));
    run(lookalike(["index", "build", "pages", "site"]).current_dir(dir.path())).expect(0);
    let served = Served::spawn(&dir, shell(script).stderr(Stdio::piped()));
    let put = |served: &Served, id: u64, parameters: &str| {
        let (path, body) = (
            format!("/v1/collections/pages/documents/d{id}{parameters}"),
            serde_json::json!({ "text": text(id) }).to_string(),
        );
        served.client().ask("PUT", &path, &body).expect("an answer")
    };
    let statuses: Vec<u16> = (1..=enough).map(|id| put(&served, id, "").0).collect();
    let metrics = served.client().text("GET", "/metrics").expect("an answer");
    let backlog = metrics.lines().find(|line| line.starts_with("lookalike_backlog")).expect("a metric");
    let waiting: u64 = backlog.rsplit(' ').next().and_then(|value| value.parse().ok()).expect("a number");
    assert!(waiting <= enough, "{backlog}");
    drop(served);
    let served = Served::start(&dir, &["pages"]);
    // everything before it is visible too
    assert_eq!(put(&served, enough + 1, "?wait=true").0, 200);
    for (id, status) in (1..).zip(&statuses) {
        let path = format!("/v1/collections/pages/documents/d{id}");
        let found = served.client().ask("GET", &path, "").expect("an answer").0;
        assert!(*status != 200 || found == 200, "d{id} was acknowledged, and is answered with {found}");
    }
    statuses
}

/// Documents that a full disk refuses are refused; those that were acknowledged are found after a restart.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_the_journal_of_an_index() {
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$LOOKALIKE\" serve pages --listen 127.0.0.1:0 --log-level error";
    let statuses = put_where_the_disk_fails(script, 150);
    assert!(statuses.starts_with(&[200, 200, 200, 200, 200]) && statuses.contains(&507), "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 507].contains(status)), "{statuses:?}");
}

/// A document whose record could not be made durable is not acknowledged, and the server counts on.
#[cfg(target_os = "linux")]
#[test]
fn a_failed_sync_of_the_journal_of_an_index() {
    if !crate::system_calls::can_trace() {
        return;
    }
    for place in [1, 2] {
        let script = format!(
            "exec strace -D -f -qq -o /dev/null -P \"$PWD/pages/journal/log-000001\" \
             -e trace=fdatasync,fsync -e inject=fdatasync,fsync:error=EIO:when={place} \"$LOOKALIKE\" serve pages \
             --listen 127.0.0.1:0 --log-level error"
        );
        let statuses = put_where_the_disk_fails(&script, 8);
        assert!(statuses.contains(&500) || statuses.contains(&507), "{place}: {statuses:?}");
        assert!(statuses.contains(&200), "{place}: {statuses:?}");
    }
}

/// What is under way when it is told to end is answered, and kept.
#[test]
fn it_ends_when_it_is_told_to() {
    let dir = Dir::new();
    new_store(&dir);
    let mut served = Served::start(&dir, &["seen"]);
    let mut client = served.client();
    let body = r#"{"id":"a","fingerprint":"0123456789abcdef"}"#;
    assert_eq!(client.ask("POST", "/v1/collections/seen/check-and-insert", body).expect("an answer").0, 200);
    served.signal("TERM");
    assert_eq!(served.child.wait().expect("it ends").code(), Some(0));
    let found =
        run(lookalike(["simhash", "lookup", "seen", "0123456789abcdef", "--json"]).current_dir(dir.path())).json();
    assert_eq!(found["answers"][0]["matches"][0]["id"], "a");
}

/// A server that was started under `nohup`, or in the background of a script.
#[cfg(target_os = "linux")]
#[test]
fn it_goes_on_after_signals_that_were_ignored_at_its_start() {
    let dir = Dir::new();
    new_store(&dir);
    let script = "trap '' HUP INT; exec \"$LOOKALIKE\" serve --listen 127.0.0.1:0 --log-level error seen";
    let mut served = Served::spawn(&dir, &mut shell(script));
    let body = r#"{"id":"a","fingerprint":"0123456789abcdef"}"#;
    for signal in ["HUP", "INT", "HUP", "INT"] {
        served.signal(signal);
        thread::sleep(Duration::from_millis(100));
        assert_eq!(
            served.client().ask("POST", "/v1/collections/seen/check-and-insert", body).expect("an answer").0,
            200,
            "{signal}"
        );
    }
    served.signal("TERM");
    assert_eq!(served.child.wait().expect("it ends").code(), Some(0));
    let mut served = Served::start(&dir, &["seen"]);
    served.signal("HUP");
    assert_eq!(served.child.wait().expect("it ends").code(), Some(0), "the terminal was closed");
}

/// A server that is killed leaves no folder for uploads, unless something was uploaded: then the next server removes it.
#[test]
fn folders_for_uploads_do_not_pile_up() {
    let dir = Dir::new();
    new_store(&dir);
    let tmp = dir.folder("tmp");
    let mut served = Served::start(&dir, &["seen", "--tmp", "tmp"]);
    assert_eq!(names_in(&tmp), [""; 0]);
    let upload = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\na text\r\n--x--\r\n";
    let head = "Content-Type: multipart/form-data; boundary=x";
    let request = format!(
        "POST /v1/copies/jobs HTTP/1.1\r\nHost: localhost\r\n{head}\r\nContent-Length: {}\r\n\r\n{upload}",
        upload.len()
    );
    let mut stream = TcpStream::connect(&served.address).expect("it listens");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut status = String::new();
    BufReader::new(stream).read_line(&mut status).expect("an answer");
    assert!(status.contains("202"), "{status}");
    served.child.kill().expect("it runs");
    served.child.wait().expect("it ends");
    let left = names_in(&tmp);
    assert!(left.len() == 1 && left[0].starts_with("lookalike-jobs-"), "{left:?}");
    let minutes_ago = std::time::SystemTime::now() - Duration::from_mins(5);
    std::fs::File::open(tmp.join(&left[0])).and_then(|folder| folder.set_modified(minutes_ago)).expect("a time");
    drop(Served::start(&dir, &["seen", "--tmp", "tmp"]));
    assert_eq!(names_in(&tmp), [""; 0]);
}

#[test]
fn what_is_not_served() {
    let dir = Dir::new();
    new_store(&dir);
    let wrong = |arguments: &[&str], said: &str| {
        let outcome = run(lookalike(["serve"]).args(arguments).current_dir(dir.path())).expect(2);
        assert!(outcome.stderr.contains(said), "{arguments:?}: {}", outcome.stderr);
    };
    wrong(&["nothing"], "lookalike index build");
    wrong(&["seen", "--listen", "0.0.0.0:0"], "--token-file");
    wrong(&["seen", "--token-file", "none"], "cannot read none");
    wrong(&["seen", "./seen"], "two of the folders are called \"seen\"");
    wrong(&["seen", "--listen", "here"], "--listen");
}

/// A second server that would write is refused, until the first one has ended. One that reads may run beside it, and so may `index add`.
#[test]
fn one_server_writes() {
    let dir = Dir::new();
    new_store(&dir);
    dir.write("site/a.txt", text(1));
    run(lookalike(["index", "build", "pages", "site"]).current_dir(dir.path())).expect(0);
    let served = Served::start(&dir, &["pages", "seen"]);
    for name in ["pages", "seen"] {
        let refused = run(lookalike(["serve", name, "--listen", "127.0.0.1:0"]).current_dir(dir.path())).expect(2);
        for word in [name, "another process", "--read-only"] {
            assert!(refused.stderr.contains(word), "{word}: {}", refused.stderr);
        }
    }
    let reader = Served::start(&dir, &["pages", "--read-only"]);
    assert_eq!(
        reader.client().ask("GET", "/v1/collections/pages/documents/site%2Fa.txt", "").expect("an answer").0,
        200
    );
    dir.write("more/b.txt", text(2));
    run(lookalike(["index", "add", "pages", "more"]).current_dir(dir.path())).expect(0);
    let put = |served: &Served, id: u64| {
        let (path, body) = (
            format!("/v1/collections/pages/documents/d{id}?wait=true"),
            serde_json::json!({ "text": text(id) }).to_string(),
        );
        let (status, answer) = served.client().ask("PUT", &path, &body).expect("an answer");
        assert_eq!((status, &answer["visible"]), (200, &Value::Bool(true)), "{answer}");
    };
    put(&served, 3);
    served.signal("KILL");
    drop(served);
    let next = Served::start(&dir, &["pages", "seen"]);
    put(&next, 4);
    for id in ["more%2Fb.txt", "d3", "d4"] {
        assert_eq!(
            next.client().ask("GET", &format!("/v1/collections/pages/documents/{id}"), "").expect("an answer").0,
            200,
            "{id}"
        );
    }
}

/// Each change would fail with 500 long after the start.
#[test]
fn a_folder_that_the_user_may_not_write_is_refused_at_the_start() {
    let dir = Dir::new();
    new_store(&dir);
    let serve = |words: &str| {
        // root may write everywhere, unless it gives that up
        let script = format!(
            "chmod -R a-w seen; powers=''; [ $(id -u) = 0 ] && powers='setpriv --bounding-set=-dac_override'; \
             exec $powers \"$LOOKALIKE\" serve seen --listen 192.0.2.1:1 --insecure {words}"
        );
        run(shell(&script).current_dir(dir.path())).expect(2).stderr
    };
    let refused = serve("");
    assert!(refused.contains("seen: cannot be written") && refused.contains("--read-only"), "{refused}");
    let reading = serve("--read-only");
    assert!(reading.contains("cannot listen"), "it is opened: {reading}");
}

/// Heads that are too large, or never end, cost their connection.
#[test]
fn hostile_connections() {
    let dir = Dir::new();
    new_store(&dir);
    let served = Served::start(&dir, &["seen"]);
    let status = |request: &[u8]| {
        let mut stream = TcpStream::connect(&served.address).expect("it listens");
        let _ = stream.write_all(request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    let many = "x: y\r\n".repeat(200);
    assert_eq!(status(format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{many}\r\n").as_bytes()), "431");
    let long = "y".repeat(200_000);
    // what was not read of it may reset the connection before the answer is there
    let refused = status(format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nx: {long}\r\n\r\n").as_bytes());
    assert!(["431", ""].contains(&refused.as_str()), "{refused}");
    assert_eq!(status(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"), "400");
    assert_eq!(status(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), "200");
}
