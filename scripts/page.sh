#!/bin/sh
# Builds the page into web/dist where something it is made of is newer. Needs node 20 or newer, npm and the package registry.
set -eu
cd "$(dirname "$0")/../web"
known=node_modules/.package-lock.json
if [ ! -f "$known" ] || [ package-lock.json -nt "$known" ]; then
    # Not `npm ci`: not every registry has the programs of every platform, and it wants all of them in the lock file.
    npm install --no-save --silent --no-audit --no-fund >&2
    touch "$known"
fi
made=dist/index.html
if [ ! -f "$made" ] || [ -n "$(find src public index.html openapi.json package-lock.json *.ts *.mjs -newer "$made" -print -quit)" ]; then
    npm run --silent build
fi
