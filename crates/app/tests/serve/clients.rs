//! The official clients, from the registries, drive the drop-in endpoints. `scripts/clients.sh` installs them.

use crate::house::House;
use std::path::{Path, PathBuf};
use tokio::process::Command;

fn installed(below: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/clients").join(below);
    assert!(path.exists(), "the clients to test with are not there: run scripts/clients.sh first");
    path
}

async fn run(mut command: Command, house: &House, token: &str) {
    let ran = command.env("WEFT_URL", &house.url).env("WEFT_TOKEN", token).output().await.expect("it runs");
    let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{said}\n{}", house.log());
}

/// Plain, streamed, tools, errors, cancellation, counting, listing, and a conversation that a space holds.
#[tokio::test]
async fn the_python_clients_work_unchanged() {
    let house = House::new();
    let owner = house.owner().await;
    let mut command = Command::new(installed("python/bin/python"));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/clients/drive.py"));
    command.env("WEFT_SPACE", house.chat(&owner).await);
    run(command, &house, &owner.token).await;
}

#[tokio::test]
async fn the_typescript_clients_work_unchanged() {
    let house = House::new();
    let owner = house.owner().await;
    let modules = installed("node/node_modules");
    let script = modules.parent().expect("its folder").join("drive.mjs");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/clients/drive.mjs"), &script).expect("a copy");
    let mut command = Command::new("node");
    command.arg(script);
    run(command, &house, &owner.token).await;
}
