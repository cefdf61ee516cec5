//! What the allocator holds on to: about as much as is used, and not all that ever was.
//!
//! glibc raises its thresholds whenever a large block is freed, and keeps such blocks in each of its arenas from then on: after
//! a thousand turns in a space the server held 190 MB, of which it used 15. Thresholds that are given stay as they are. They are
//! read before `main`, and setting them later is a call that Rust takes for unsafe; so the server begins itself anew, once,
//! before anything is open. It stays the same process.

use crate::output;
use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Those that glibc begins with, and arenas for as many threads as work at once.
const SETTINGS: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "4"), ("MALLOC_MMAP_THRESHOLD_", "131072"), ("MALLOC_TRIM_THRESHOLD_", "131072")];

/// What an owner may set by themselves, which is left alone then.
const OTHERS: [&str; 2] = ["GLIBC_TUNABLES", "LD_PRELOAD"];

/// Says that it was done. Where a program may more than who starts it, the loader takes the settings away, but not this.
const DONE: (&str, &str) = ("WEFT_SETTLED", "1");

/// Makes it so, unless it is, or somebody chose otherwise, or the allocator is another.
pub(super) fn settle() {
    let is_glibc = cfg!(all(target_os = "linux", target_env = "gnu"));
    let mut names = SETTINGS.iter().map(|(name, _)| *name).chain(OTHERS).chain([DONE.0]);
    if !is_glibc || names.any(|name| env::var_os(name).is_some()) {
        return;
    }
    let failed = match env::current_exe() {
        Ok(program) => {
            let mut args = env::args_os();
            let name = args.next().unwrap_or_else(|| program.clone().into());
            Command::new(program).arg0(name).args(args).envs(SETTINGS).envs([DONE]).exec()
        }
        Err(error) => error,
    };
    output::warn(&format!("memory will be held on to for longer than needed: {failed}"));
}
