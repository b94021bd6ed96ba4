//! Jobs: submissions that were uploaded are compared, one job after the other, and their report is kept until it is fetched and deleted.

use crate::clock;
use crate::error::Error;
use crate::problem::Problem;
use crate::random::random;
use lookalike::atomic::TemporaryFolder;
use lookalike::{
    Cancel, CohortOptions, CorpusOptions, Input, PassageRecipe, PassagesOptions, Resources, Scan, Scanner,
};
use lookalike_report::{Form, HtmlOptions, PageSubject, Source, write_html};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use tempfile::TempDir;

/// Bytes of a page for texts.
const EMBED_LIMIT: u64 = 32 << 20;

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobStatus {
    Waiting,
    Running,
    Done,
    Failed,
}

/// A job as it is shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct JobInfo {
    /// Its id.
    pub(crate) id: String,
    /// How far it is.
    pub(crate) status: JobStatus,
    /// When it was handed in, in seconds since 1970.
    pub(crate) created: u64,
    /// Submissions that were compared.
    pub(crate) submissions: Option<u64>,
    /// Pairs that are listed.
    pub(crate) pairs: Option<u64>,
    /// Why it failed.
    pub(crate) error: Option<String>,
}

/// Options of a job.
#[derive(Clone, Debug, Default)]
pub(crate) struct JobOptions {
    pub(crate) per_folder: bool,
    pub(crate) owner: Option<String>,
    pub(crate) recipe: PassageRecipe,
}

struct Job {
    info: JobInfo,
    folder: TempDir,
}

#[derive(Clone)]
struct Common {
    jobs: Arc<Mutex<BTreeMap<String, Job>>>,
    key: String,
    resources: Resources,
    cancel: Cancel,
}

/// The jobs of a server.
pub(crate) struct Jobs {
    common: Common,
    most: usize,
    /// Made for the first upload.
    folder: Mutex<Option<TemporaryFolder>>,
    queue: Mutex<Option<Sender<(String, JobOptions)>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A folder into which a job is uploaded: `submissions` and `base`, or `submissions.zip`.
pub(crate) struct Upload {
    folder: TempDir,
}

impl Upload {
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Jobs {
    pub(crate) fn new(key: &str, resources: &Resources, most: usize) -> Result<Self, Error> {
        let failed = |source| Error::System { what: "cannot make a folder for uploads".into(), source };
        // uploads must be possible, and folders of killed servers are removed
        new_folder(resources).map_err(failed)?;
        let common = Common {
            jobs: Arc::default(),
            key: key.to_owned(),
            resources: resources.clone(),
            cancel: Cancel::default(),
        };
        let (queue, work) = mpsc::channel();
        let worker = common.clone();
        let thread = thread::Builder::new().name("jobs".into()).spawn(move || worker.run(&work));
        let thread = thread.map_err(|source| Error::System { what: "cannot start a thread".into(), source })?;
        Ok(Self {
            common,
            most,
            folder: Mutex::default(),
            queue: Mutex::new(Some(queue)),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// A place for an upload, if there is room for another job.
    pub(crate) fn begin(&self) -> Result<Upload, Problem> {
        if self.common.jobs().len() >= self.most {
            return Err(Problem::busy(format!("{} jobs are kept, and no more; delete one that is done", self.most)));
        }
        let folder = self.upload_folder().map_err(|error| Problem::of_io(&error))?;
        Ok(Upload { folder })
    }

    fn upload_folder(&self) -> io::Result<TempDir> {
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let all = match folder.take() {
            Some(all) => all,
            None => new_folder(&self.common.resources)?,
        };
        tempfile::Builder::new().prefix("job-").tempdir_in(folder.insert(all).path())
    }

    /// Hands a job in.
    pub(crate) fn submit(&self, upload: Upload, options: JobOptions) -> Result<JobInfo, Problem> {
        let id = format!("{:016x}{:016x}", random(), random());
        let info = JobInfo {
            id: id.clone(),
            status: JobStatus::Waiting,
            created: clock::seconds(),
            submissions: None,
            pairs: None,
            error: None,
        };
        self.common.jobs().insert(id.clone(), Job { info: info.clone(), folder: upload.folder });
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = queue.as_ref().is_some_and(|queue| queue.send((id, options)).is_ok());
        if sent { Ok(info) } else { Err(Problem::busy("the server is shutting down")) }
    }

    pub(crate) fn list(&self) -> Vec<JobInfo> {
        let mut all: Vec<JobInfo> = self.common.jobs().values().map(|job| job.info.clone()).collect();
        all.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
        all
    }

    pub(crate) fn info(&self, id: &str) -> Result<JobInfo, Problem> {
        self.common.jobs().get(id).map(|job| job.info.clone()).ok_or_else(|| unknown(id))
    }

    /// A file that a job made.
    pub(crate) fn result(&self, id: &str, name: &str) -> Result<PathBuf, Problem> {
        let jobs = self.common.jobs();
        let job = jobs.get(id).ok_or_else(|| unknown(id))?;
        match (job.info.status, &job.info.error) {
            (JobStatus::Done, _) => Ok(job.folder.path().join(name)),
            (JobStatus::Failed, Some(error)) => Err(Problem::meaningless(format!("the job failed: {error}"))),
            _ => Err(Problem::conflict("the job is not done yet; ask again later")),
        }
    }

    /// Forgets a job and its files.
    pub(crate) fn delete(&self, id: &str) -> Result<(), Problem> {
        let mut jobs = self.common.jobs();
        if jobs.get(id).is_some_and(|job| job.info.status == JobStatus::Running) {
            return Err(Problem::conflict("the job is running; delete it when it is done"));
        }
        jobs.remove(id).map(drop).ok_or_else(|| unknown(id))
    }

    pub(crate) fn close(&self) {
        self.common.cancel.cancel();
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

/// A folder for uploads.
fn new_folder(resources: &Resources) -> io::Result<TemporaryFolder> {
    TemporaryFolder::new(&resources.tmp.clone().unwrap_or_else(std::env::temp_dir), "lookalike-jobs-")
}

fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("no job is called {id:?}"))
}

impl Common {
    fn jobs(&self) -> MutexGuard<'_, BTreeMap<String, Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, work: &Receiver<(String, JobOptions)>) {
        while let Ok((id, options)) = work.recv() {
            let folder = {
                let mut jobs = self.jobs();
                // deleted before it began
                let Some(job) = jobs.get_mut(&id) else { continue };
                job.info.status = JobStatus::Running;
                job.folder.path().to_owned()
            };
            let compared = self.compare(&folder, options);
            let mut jobs = self.jobs();
            let Some(job) = jobs.get_mut(&id) else { continue };
            match compared {
                Ok((submissions, pairs)) => {
                    job.info.status = JobStatus::Done;
                    (job.info.submissions, job.info.pairs) = (Some(submissions), Some(pairs));
                }
                Err(error) => {
                    job.info.status = JobStatus::Failed;
                    // the place of the file is not for clients
                    job.info.error = Some(error.replace(&folder.display().to_string(), "…"));
                }
            }
        }
    }

    /// Compares, and writes report and page. Gives the numbers of submissions and of pairs.
    fn compare(&self, folder: &Path, options: JobOptions) -> Result<(u64, u64), String> {
        let zip = folder.join("submissions.zip");
        let inputs = vec![Input::Path(if zip.exists() { zip } else { folder.join("submissions") })];
        let base = folder.join("base");
        let asked = PassagesOptions {
            recipe: options.recipe.with_key(&self.key),
            cohort: CohortOptions { per_folder: options.per_folder, owner: options.owner, info: None },
            base: if base.exists() { vec![base] } else { Vec::new() },
            ..PassagesOptions::default()
        };
        let corpus = CorpusOptions { archives: true, shards: false, ..CorpusOptions::default() };
        let scanner =
            Scanner::new(asked).corpus(corpus).key(&self.key).resources(self.resources.clone()).cancel(&self.cancel);
        let scan = scanner.run(inputs).map_err(|error| error.to_string())?;
        write(folder, &scan).map_err(|error| error.to_string())?;
        let section = scan.report().passages();
        Ok(section.map_or((0, 0), |section| (section.submissions.len() as u64, section.pairs.len() as u64)))
    }
}

/// Writes report and page.
fn write(folder: &Path, scan: &Scan) -> Result<(), Box<dyn std::error::Error>> {
    let files = |submission: usize| scan.files(submission);
    let json = Form::named("json").ok_or("a report has no JSON")?;
    let mut out = BufWriter::new(File::create(folder.join("report.json"))?);
    json.renderer.render(&Source { files: Some(&files), ..Source::new(scan.report()) }, &mut out)?;
    io::Write::flush(&mut out)?;
    let options = HtmlOptions {
        inputs: vec!["submissions".into()],
        made: clock::seconds(),
        embed_limit: EMBED_LIMIT,
        ..HtmlOptions::default()
    };
    let mut out = BufWriter::new(File::create(folder.join("report.html"))?);
    write_html(PageSubject::Passages(scan.report(), &files), &options, &mut out).map_err(|error| error.to_string())?;
    io::Write::flush(&mut out)?;
    // the texts are in the page
    for name in ["submissions", "base"] {
        let _ = fs::remove_dir_all(folder.join(name));
    }
    let _ = fs::remove_file(folder.join("submissions.zip"));
    Ok(())
}
