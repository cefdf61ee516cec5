//! Schemathesis over the whole document, signed in as two people: no failure of ours, no status that is not documented, and
//! nothing of the other's. `scripts/clients.sh` installs it.

use crate::house::{House, Person, text};
use serde_json::json;
use std::collections::HashMap;
use std::path::Path;
use tokio::process::Command;

#[tokio::test]
async fn the_document_is_true_and_nothing_of_anothers_is_seen() {
    let schemathesis = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/clients/python/bin/schemathesis");
    assert!(schemathesis.exists(), "schemathesis is not there: run scripts/clients.sh first");
    let examples = std::env::var("WEFT_SCHEMA_EXAMPLES").unwrap_or_else(|_| "8".to_owned());
    let house = House::with("[server]\nrequests_per_second = 100000.0\n", &[]);
    let owner = house.owner().await;
    let (anna, bert) = (house.person(&owner, "Anna").await, house.person(&owner, "Bert").await);
    let mut spaces = HashMap::new();
    for (one, canary) in [(&anna, "CANARY-ANNA"), (&bert, "CANARY-BERT"), (&owner, "CANARY-OLGA")] {
        let body = json!({"name": canary, "agent": {"model": "offline"}});
        let space = text(&house.post(one, "/api/spaces", &body).await["space"]["id"]);
        let message = json!({"text": format!("!say {canary}")});
        let posted = house.post(one, &format!("/api/spaces/{space}/messages"), &message).await;
        let reply = text(&posted["reply"]);
        crate::messages::ended(&house, one, &space, &reply).await;
        spaces.insert(one.id.clone(), (space, reply));
    }
    for (one, others) in [(&anna, ["CANARY-BERT", "CANARY-OLGA"]), (&bert, ["CANARY-ANNA", "CANARY-OLGA"])] {
        let report = house.folder.path().join(format!("{}.ndjson", one.id));
        let config = house.folder.path().join("schemathesis.toml");
        std::fs::write(&config, settings(one, &spaces[&one.id])).expect("a configuration");
        let mut command = Command::new(&schemathesis);
        command.current_dir(house.folder.path()).arg("--config-file").arg(&config);
        command.args(["run", &format!("{}/api/openapi.json", house.url)]);
        command.args(["--max-examples", &examples, "--seed", "1", "--request-timeout", "20", "--continue-on-failure"]);
        command.args([
            "--checks",
            "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
        ]);
        command.args(["--exclude-path-regex", "/events$"]);
        // What would end the session that is tried with.
        for ends in ["signOut", "revokeToken", "revokeInvitation"] {
            command.args(["--exclude-operation-id", ends]);
        }
        command.args(["--report", "ndjson", "--report-ndjson-path"]).arg(&report);
        let ran = command.output().await.expect("it runs");
        let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success(), "{said}\n{}", house.log());
        let seen = std::fs::read_to_string(&report).expect("a report");
        assert!(seen.len() > 10_000, "nothing was tried: {said}");
        for canary in others {
            assert!(!seen.contains(canary), "{canary} was seen");
        }
    }
}

/// Who asks, and names that lead somewhere.
fn settings(one: &Person, (space, reply): &(String, String)) -> String {
    format!(
        "headers = {{ Authorization = \"Bearer {}\" }}\n[parameters]\n\"path.space\" = \"{space}\"\n\"path.node\" = \"{reply}\"\n\
         \"path.agent\" = \"{space}-agent\"\n",
        one.token
    )
}
