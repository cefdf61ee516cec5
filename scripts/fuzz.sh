#!/usr/bin/env bash
# fuzz.sh SECONDS: runs every fuzz target that long. Needs a nightly toolchain; installs cargo-fuzz if it is missing.
set -eu
cd "$(dirname "$0")/.."
command -v cargo-fuzz >/dev/null || cargo install --locked cargo-fuzz
# On its own line, so that a missing toolchain ends the script instead of fuzzing nothing.
targets=$(cargo +nightly fuzz list)
for target in $targets; do
  echo "== $target"
  cargo +nightly fuzz run "$target" -- -max_total_time="${1:-60}" -timeout=20 -rss_limit_mb=4096
done
