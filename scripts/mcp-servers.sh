#!/bin/sh
# Installs what the tests compare us with, once, and prints where it is: the reference SDKs that the tests of tools make
# their servers with, and the time zones of the release that is on board, for the tests of schedules.
set -eu
cd "$(dirname "$0")/.."
home=${MCP_SERVERS_HOME:-target/mcp-servers}
mkdir -p "$home"
home=$(cd "$home" && pwd)
scripts/registry.sh python "$home/python" mcp==2.3.0 tzdata==2026.5
scripts/registry.sh node "$home/node" @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server@2.4.0 \
    @modelcontextprotocol/node@2.1.2
echo "WEFT_MCP_PYTHON=$home/python/bin/python"
echo "WEFT_MCP_NODE=$home/node"
