//! What people say in a simulation: scripts for the model on board, each with words that occur nowhere else.

use fastrand::Rng;
use serde_json::{Value, json};

/// Makes scripts. No two of its words are the same.
#[derive(Debug, Default)]
pub(crate) struct Author {
    words: u64,
}

impl Author {
    fn word(&mut self) -> String {
        self.words += 1;
        format!("w{}", self.words)
    }

    /// A message of a person: some lines of script, or plain words.
    pub(crate) fn message(&mut self, rng: &mut Rng, spaces: &[&str], people: &[&str]) -> String {
        match rng.u8(..10) {
            0 => format!("What about {}?", self.word()),
            1..=4 => self.line(rng, spaces, people),
            _ => {
                let lines: Vec<String> = (0..rng.usize(2..4)).map(|_| self.line(rng, spaces, people)).collect();
                lines.join("\n")
            }
        }
    }

    /// What a plan says to do, or a service delivers: an act in no space.
    pub(crate) fn errand(&mut self, rng: &mut Rng, spaces: &[&str]) -> String {
        let space = spaces[rng.usize(..spaces.len())];
        match rng.u8(..6) {
            0 => "!say Nothing to do.".to_owned(),
            1 => call("send_message", &json!({"text": self.word()})),
            2 => call("send_message", &json!({"text": self.word(), "spaceId": space, "wait": true, "timeout": "3 minutes"})),
            3 => format!("{}\n!send {}", call("enter_space", &json!({"spaceId": space})), self.word()),
            _ => call("send_message", &json!({"text": self.word(), "spaceId": space})),
        }
    }

    fn line(&mut self, rng: &mut Rng, spaces: &[&str], people: &[&str]) -> String {
        let (space, who) = (spaces[rng.usize(..spaces.len())], people[rng.usize(..people.len())]);
        match rng.u8(..40) {
            0..=3 => format!("!send {}", self.word()),
            // Each of them makes the others speak, and so on.
            4..=6 => format!("!send !send {}", self.word()),
            7 => format!("!send !send !send !send {}", self.word()),
            8 | 9 => format!("!wait {}", self.word()),
            10 => call("send_message", &json!({"text": self.word(), "wait": true, "accept": "reply", "timeout": "2 minutes"})),
            11 => call("send_message", &json!({"text": self.word(), "wait": true, "accept": [who], "timeout": "1 hour"})),
            12 => call("send_message", &json!({"text": self.word(), "wait": true, "accept": ["nobody"]})),
            13 => format!("!send !wait {}", self.word()),
            14 | 15 => call("send_message", &json!({"text": self.word(), "spaceId": space})),
            16 => call("send_message", &json!({"text": self.word(), "spaceId": space, "wait": true, "timeout": 90})),
            17 => call("enter_space", &json!({"spaceId": space})),
            18 => call("read_messages", &json!({"limit": 5})),
            19 => call("set_goals", &json!({"add": [{"text": self.word()}]})),
            20 => call("set_memories", &json!({"add": [{"topic": "t", "text": self.word()}]})),
            21 | 22 => {
                let plan = json!({"name": "later", "instruction": self.errand(rng, spaces), "runAfter": "1 minute"});
                call("set_plans", &json!({"add": [plan]}))
            }
            23 => {
                let plan = json!({"name": "often", "instruction": self.errand(rng, spaces), "cron": "*/10 * * * *"});
                call("set_plans", &json!({"add": [plan]}))
            }
            24 => call("get_my_runs", &json!({})),
            25 => call("stop_run", &json!({"runId": "none"})),
            26 => format!("!fail {}", [400, 401, 500, 503, 529][rng.usize(..5)]),
            27 => format!("!say {}\n!fail 503", self.word()),
            28 => call("send_message", &json!({"txt": "wrong"})),
            29 => format!("!say {}", self.word()),
            30..=33 => format!("!send !send {}", self.word()),
            34 => format!("!send !wait !send {}", self.word()),
            35..=37 => format!("!wait {}", self.word()),
            _ => call("send_message", &json!({"text": self.word(), "wait": true, "timeout": "30 seconds"})),
        }
    }
}

fn call(tool: &str, args: &Value) -> String {
    format!("!call {tool} {args}")
}
