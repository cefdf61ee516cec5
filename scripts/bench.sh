#!/usr/bin/env bash
# Our numbers, and the peers' in the same run where they are installed.
#   PEERS_HARNESS  the folder of the peers' benchmarks (bench_assembly.py, …)
#   PEERS_CORPUS, PEERS_VENV, PEERS_NODE  what its setup made (default: in the temporary folder)
# Without them a corpus of the same kind is made and only our numbers are shown.
set -eu
cd "$(dirname "$0")/.."
tmp=${TMPDIR:-/tmp}
for folder in ../shared/bench; do
  [ -n "${PEERS_HARNESS:-}" ] || { [ -d "$folder" ] && PEERS_HARNESS=$(cd "$folder" && pwd); } || true
done
export PEERS_HARNESS=${PEERS_HARNESS:-}
export PEERS_CORPUS=${PEERS_CORPUS:-$tmp/peers-corpus} PEERS_VENV=${PEERS_VENV:-$tmp/peers-venv} PEERS_NODE=${PEERS_NODE:-$tmp/peers-node}
if [ ! -d "$PEERS_CORPUS" ] && [ -n "$PEERS_HARNESS" ] && command -v python3 >/dev/null; then
  python3 "$PEERS_HARNESS/gen_corpus.py" --out "$PEERS_CORPUS"
fi
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
if [ $# = 0 ]; then
  rm -f "$CARGO_TARGET_DIR/bench/results.json"
  cargo bench -p weftwork --bench weft
  exec cargo bench -p weftwork-store --bench store
fi
case $1 in
  store) shift; exec cargo bench -p weftwork-store --bench store -- "$@" ;;
  *) exec cargo bench -p weftwork --bench weft -- "$@" ;;
esac
