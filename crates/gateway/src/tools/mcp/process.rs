//! A server that is a program of ours.

use crate::tools::error::LastWords;
use crate::tools::{Environment, ProcessConfig, ServerError, environment, limits};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;

/// How long we wait for a dying server's last words.
const LISTEN: Duration = Duration::from_millis(500);

/// A running program. Dropping it ends the program and all that it started.
pub(super) struct Process {
    child: tokio::sync::Mutex<Child>,
    #[cfg(unix)]
    group: Option<rustix::process::Pid>,
    said: Arc<Mutex<Vec<u8>>>,
    silent: watch::Receiver<bool>,
}

impl Process {
    pub(super) fn start(config: &ProcessConfig, ours: &Environment) -> Result<(Self, ChildStdout, ChildStdin), ServerError> {
        let mut command = Command::new(&config.program);
        command.args(&config.arguments).env_clear().envs(environment::for_server(ours, &config.env)?);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        if let Some(directory) = &config.cwd {
            command.current_dir(directory);
        }
        // A group of its own: what the server starts ends with it, and a Ctrl-C meant for us does not reach it.
        #[cfg(unix)]
        command.process_group(0);
        let start = |why: std::io::Error| ServerError::Start { program: config.program.clone(), why: Arc::new(why) };
        let mut child = command.spawn().map_err(start)?;
        let missing = || start(std::io::Error::other("its input and output are not there"));
        let (input, output) = (child.stdin.take().ok_or_else(missing)?, child.stdout.take().ok_or_else(missing)?);
        let errors = child.stderr.take().ok_or_else(missing)?;
        Ok((Self::of(child, errors), output, input))
    }

    fn of(child: Child, errors: impl AsyncRead + Unpin + Send + 'static) -> Self {
        let said = Arc::new(Mutex::new(Vec::new()));
        let (over, silent) = watch::channel(false);
        let kept = said.clone();
        tokio::spawn(async move {
            keep_the_end(errors, &kept).await;
            over.send_replace(true);
        });
        #[cfg(unix)]
        let group = child.id().and_then(|id| rustix::process::Pid::from_raw(i32::try_from(id).ok()?));
        Self {
            child: tokio::sync::Mutex::new(child),
            #[cfg(unix)]
            group,
            said,
            silent,
        }
    }

    /// The end of what it wrote to its error stream so far.
    pub(super) fn last_words(&self) -> LastWords {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        LastWords(String::from_utf8_lossy(&said).trim().to_owned())
    }

    /// The same, once it has closed that stream or some time has passed.
    pub(super) async fn last_words_at_end(&self) -> LastWords {
        let mut silent = self.silent.clone();
        let _ = tokio::time::timeout(LISTEN, silent.wait_for(|silent| *silent)).await;
        self.last_words()
    }

    /// Waits for it to end by itself.
    pub(super) async fn wait(&self, most: Duration) {
        let _ = tokio::time::timeout(most, async { self.child.lock().await.wait().await }).await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group {
            // That it is gone already is what we want.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

async fn keep_the_end(mut errors: impl AsyncRead + Unpin, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = errors.read(&mut buffer).await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(limits::LAST_WORDS);
        kept.drain(..surplus);
    }
}
