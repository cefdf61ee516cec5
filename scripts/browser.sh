#!/bin/sh
# Prints where Chromium is; installs Debian's where that may be done.
set -eu
find_it() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
find_it || { "$(dirname "$0")/debian.sh" chromium fonts-noto-color-emoji && find_it; } || { echo "Chromium is missing: on Debian, apt-get install chromium" >&2; exit 1; }
