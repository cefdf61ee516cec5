//! Plain text completion: `POST /v1/completions`, Ollama's raw mode, base models.

use super::json::Writer;
use super::pieces::write_model;
use super::transcript;
use crate::prompt::Prompt;

pub(super) fn body(w: &mut Writer, prompt: &Prompt<'_>) {
    write_model(w, prompt);
    w.key("prompt").string(&transcript::for_a_model(prompt));
    w.integer("max_tokens", prompt.max_tokens.asked());
    w.float("temperature", prompt.sampling.temperature);
    w.float("top_p", prompt.sampling.top_p);
    w.integer("top_k", prompt.sampling.top_k);
    w.list("stop", &prompt.sampling.stop);
    w.integer("seed", prompt.sampling.seed);
}
