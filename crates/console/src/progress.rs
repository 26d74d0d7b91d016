//! The progress bar: only on a terminal, and not with --quiet.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use unframe::batch::{Pass, Progress};

use crate::exit::{Exit, program};
use crate::terminal::{say, set_bar};

/// The first Ctrl-C stops the run cleanly, the second at once.
pub fn stop_on_ctrl_c(progress: &Progress) {
    let progress = progress.clone();
    let _ = ctrlc::set_handler(move || {
        if progress.is_stopped() {
            std::process::exit(Exit::Interrupted as i32);
        }
        say(format_args!(
            "{}: stopping; press Ctrl-C again to stop at once\n",
            program()
        ));
        progress.stop();
    });
}

/// Shows the progress of a run from a separate thread until dropped.
pub struct Watch {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts the progress bar; `total` is the number of bytes that a pass reads, if known.
    pub fn start(progress: &Progress, total: Option<u64>, quiet: bool) -> Watch {
        let ended = Arc::new(AtomicBool::new(false));
        let shown = !quiet && std::io::stderr().is_terminal();
        let thread = shown.then(|| {
            let (progress, ended) = (progress.clone(), Arc::clone(&ended));
            std::thread::spawn(move || watch(&progress, total, &ended))
        });
        Watch { ended, thread }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(progress: &Progress, total: Option<u64>, ended: &AtomicBool) {
    let template = match total {
        Some(_) => "{prefix:>10} [{bar:30}] {percent:>3} %  {wide_msg}",
        None => "{prefix:>10} {spinner} {wide_msg}",
    };
    let style = ProgressStyle::with_template(template).expect("a fixed template");
    let bar = ProgressBar::new(total.unwrap_or(0)).with_style(style.progress_chars("█▌ "));
    set_bar(Some(bar.clone()));
    let (mut started, mut pass) = (Instant::now(), progress.pass());
    while !ended.load(Ordering::Relaxed) {
        if progress.pass() != pass {
            (pass, started) = (progress.pass(), Instant::now());
        }
        let seconds = started.elapsed().as_secs_f64().max(0.001);
        bar.set_prefix(match pass {
            Pass::Learning => "learning",
            Pass::Cleaning => "cleaning",
            Pass::Counting => "counting",
            Pass::Comparing => "comparing",
            Pass::Clustering => "clustering",
            Pass::Looking => "reading",
        });
        bar.set_position(progress.read());
        bar.set_message(match pass {
            // Nothing is read in this pass, so only the time is shown.
            Pass::Clustering => format!("{seconds:.0} s"),
            _ => format!(
                "{} pages, {:.0} pages/s, {:.1} MB/s",
                progress.pages(),
                progress.pages() as f64 / seconds,
                progress.bytes() as f64 / seconds / 1e6,
            ),
        });
        std::thread::sleep(Duration::from_millis(100));
    }
    set_bar(None);
    bar.finish_and_clear();
}
