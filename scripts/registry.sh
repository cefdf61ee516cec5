#!/bin/sh
# registry.sh python|node FOLDER PACKAGE…: installs packages of a registry into a folder, once for each list of them. Needs node
# 20 or newer, npm and the package registries; Python is installed from Debian's packages where that may be done.
set -eu
kind=$1 home=$2
shift 2
[ "$(cat "$home/installed" 2>/dev/null)" != "$*" ] || exit 0
case $kind in
python)
    has_python() { python3 -c 'import ensurepip, venv' 2>/dev/null; }
    if ! has_python && ! { "$(dirname "$0")/debian.sh" python3-venv && has_python; }; then
        echo "Python is missing: on Debian, apt-get install python3-venv" >&2
        exit 1
    fi
    python3 -m venv "$home"
    # Not bin/pip: in a copy of this folder that installs into the original.
    "$home/bin/python" -m pip install --quiet "$@" >&2
    ;;
node)
    mkdir -p "$home"
    echo '{"private": true, "type": "module"}' >"$home/package.json"
    (cd "$home" && npm install --silent --no-audit --no-fund "$@" >&2)
    ;;
esac
echo "$*" >"$home/installed"
