//! The page in `web/dist` goes into the binary: when it is built anew, so is what holds it.

use std::path::Path;

fn main() {
    let dist = "../../web/dist";
    let held = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    match Path::new(dist).exists() {
        // A path that is not there is looked for at each build.
        false => println!("cargo::rerun-if-changed={dist}"),
        true if held => println!("cargo::rerun-if-changed={dist}/index.html"),
        // Then it is read from the folder as it is.
        true => println!("cargo::rerun-if-changed=build.rs"),
    }
}
