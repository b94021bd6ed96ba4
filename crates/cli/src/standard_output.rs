//! Standard output, if there is one. Before `main` begins, Rust opens /dev/null in place of a descriptor that is closed, and a report would
//! go there without a word. So it is looked at before that.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Standard output; an error if the process was started without.
pub(crate) fn stdout() -> io::Result<io::Stdout> {
    if IS_CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("it is closed"));
    }
    Ok(io::stdout())
}

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let is_open = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_ok();
    IS_CLOSED.store(!is_open, Ordering::Relaxed);
}

// Safety: the section holds pointers to functions that the loader calls before `main`, with arguments that they may ignore. This one
// makes a system call and writes to an atomic: it needs nothing that Rust sets up later.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;
