//! A server on this machine is never asked through a proxy.

use std::process::Command;

/// Runs a test of this file's neighbours in a process whose environment names a proxy that is not there.
#[test]
fn loopback_goes_past_a_proxy_of_the_environment() {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "streams::headers_worth_keeping_are_kept"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        command.env(name, "http://127.0.0.1:1");
    }
    let output = command.env_remove("NO_PROXY").env_remove("no_proxy").output().expect("a process");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}
