//! Ctrl-C: stops what is being done, a reply as a rule; pressed again, it ends the program.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// The exit code of a program that Ctrl-C ended, by custom.
const INTERRUPTED: i32 = 130;

/// What Ctrl-C stops.
#[derive(Clone)]
pub(crate) struct Stop {
    now: Arc<Mutex<Now>>,
    idle: Idle,
}

/// What Ctrl-C does while a line is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idle {
    /// It ends the program.
    Ends,
    /// Nothing: the line editor reads the key itself, and would leave its terminal in disorder.
    Stays,
}

/// What is being done.
#[derive(Debug)]
enum Now {
    /// A line is awaited.
    Waiting,
    /// A line is obeyed. Whoever was quicker than the reply has pressed the key before there is anything to stop.
    Busy { token: Option<CancellationToken>, pressed: bool },
}

/// What a press of the key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    GoOn,
    End,
}

impl Stop {
    /// Begins to listen.
    pub(crate) fn listen(runtime: &Handle, idle: Idle) -> Stop {
        let stop = Stop { now: Arc::new(Mutex::new(Now::Waiting)), idle };
        let heard = stop.clone();
        // The line editor puts the signal's handler back as it found it, so ours must be there before the first line is read.
        runtime.block_on(async {
            tokio::select! {
                biased;
                _ = tokio::signal::ctrl_c() => {}
                () = std::future::ready(()) => {}
            }
        });
        runtime.spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                if heard.pressed() == Then::End {
                    std::process::exit(INTERRUPTED);
                }
            }
        });
        stop
    }

    /// A line is obeyed from now on.
    pub(crate) fn busy(&self) {
        *self.lock() = Now::Busy { token: None, pressed: false };
    }

    /// This can be stopped from now on.
    pub(crate) fn arm(&self, new: &CancellationToken) {
        if let Now::Busy { token, pressed } = &mut *self.lock() {
            *token = Some(new.clone());
            if *pressed {
                new.cancel();
            }
        }
    }

    /// The next line is awaited from now on.
    pub(crate) fn waiting(&self) {
        *self.lock() = Now::Waiting;
    }

    fn pressed(&self) -> Then {
        match &mut *self.lock() {
            Now::Waiting if self.idle == Idle::Stays => Then::GoOn,
            Now::Waiting | Now::Busy { pressed: true, .. } => Then::End,
            Now::Busy { token, pressed } => {
                *pressed = true;
                token.iter().for_each(CancellationToken::cancel);
                Then::GoOn
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(idle: Idle) -> Stop {
        Stop { now: Arc::new(Mutex::new(Now::Waiting)), idle }
    }

    #[test]
    fn the_first_press_stops_and_the_second_ends() {
        let (stop, token) = (stop(Idle::Stays), CancellationToken::new());
        stop.busy();
        stop.arm(&token);
        assert_eq!((stop.pressed(), token.is_cancelled()), (Then::GoOn, true));
        assert_eq!(stop.pressed(), Then::End);
    }

    #[test]
    fn a_press_before_the_reply_begins_stops_it() {
        let (stop, token) = (stop(Idle::Stays), CancellationToken::new());
        stop.busy();
        assert_eq!(stop.pressed(), Then::GoOn);
        stop.arm(&token);
        assert!(token.is_cancelled());
    }

    #[test]
    fn while_a_line_is_awaited_it_ends_a_script_alone() {
        assert_eq!((stop(Idle::Ends).pressed(), stop(Idle::Stays).pressed()), (Then::End, Then::GoOn));
    }
}
