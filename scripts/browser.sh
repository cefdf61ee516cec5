#!/bin/sh
# Prints where Chromium is; installs Debian's where that may be done.
set -eu
find_it() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
if ! find_it >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Chromium is missing: installing Debian's" >&2
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends chromium fonts-noto-color-emoji; } >&2
fi
find_it || { echo "Chromium is missing: on Debian, apt-get install chromium" >&2; exit 1; }
