#!/bin/sh
# Installs what the tests compare us with, once, and prints where it is: the reference SDKs that the tests of tools make
# their servers with, and the time zones of the release that is on board, for the tests of schedules. Needs node 20 or
# newer, npm and the package registries; Python is installed from Debian's packages where that may be done.
set -eu
cd "$(dirname "$0")/.."
home=${MCP_SERVERS_HOME:-target/mcp-servers}
python_packages="mcp==2.3.0 tzdata==2026.5"
node_sdks="@modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/node@2.1.2"
mkdir -p "$home"
home=$(cd "$home" && pwd)
if [ "$(cat "$home/python/installed" 2>/dev/null)" != "$python_packages" ]; then
    if ! python3 -c 'import ensurepip, venv' 2>/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Python is missing: installing Debian's" >&2
        { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends python3-venv; } >&2
    fi
    if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
        echo "Python is missing: on Debian, apt-get install python3-venv" >&2
        exit 1
    fi
    python3 -m venv "$home/python"
    # Not bin/pip: in a copy of this folder that installs into the original.
    # shellcheck disable=SC2086
    "$home/python/bin/python" -m pip install --quiet $python_packages >&2
    echo "$python_packages" >"$home/python/installed"
fi
if [ "$(cat "$home/node/installed" 2>/dev/null)" != "$node_sdks" ]; then
    mkdir -p "$home/node"
    echo '{"private": true, "type": "module"}' >"$home/node/package.json"
    # shellcheck disable=SC2086
    (cd "$home/node" && npm install --silent --no-audit --no-fund $node_sdks >&2)
    echo "$node_sdks" >"$home/node/installed"
fi
echo "WEFT_MCP_PYTHON=$home/python/bin/python"
echo "WEFT_MCP_NODE=$home/node"
