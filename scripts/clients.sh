#!/bin/sh
# Installs what existing programs use to talk to models, once, and prints where it is: the official clients of OpenAI and
# Anthropic for Python and TypeScript, and schemathesis, which tries an API against its document.
set -eu
cd "$(dirname "$0")/.."
home=${CLIENTS_HOME:-target/clients}
mkdir -p "$home"
home=$(cd "$home" && pwd)
scripts/registry.sh python "$home/python" openai==3.49.0 anthropic==2.8.0 schemathesis==4.32.5
scripts/registry.sh node "$home/node" openai@6.49.0 @anthropic-ai/sdk@1.8.0
echo "$home"
