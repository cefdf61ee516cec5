#!/bin/sh
# The page's tests in a real Chromium, against the binary that the other tests built. Pictures are kept in target/e2e/screens.
set -eu
cd "$(dirname "$0")/.."
CHROMIUM=$(scripts/browser.sh)
export CHROMIUM
export WEFT_BINARY="${WEFT_BINARY:-$PWD/target/debug/weft}"
scripts/page.sh
[ -x "$WEFT_BINARY" ] || cargo build --bin weft
cd web
exec npx --no-install playwright test "$@"
