#!/bin/sh
# Starts llama.cpp's server (from its Python package, built on first use) with a tiny generated model, runs the tests
# against it, and stops it. Needs python3, a C++ compiler and the package registry; the first build takes minutes.
set -eu
cd "$(dirname "$0")/.."
home=${LLAMA_HOME:-target/llama}
port=${LLAMA_PORT:-8931}
mkdir -p "$home"
if ! [ -x "$home/venv/bin/python" ] || ! "$home/venv/bin/python" -c 'import llama_cpp.server, gguf' 2>/dev/null; then
    python3 -m venv "$home/venv"
    "$home/venv/bin/pip" install --quiet cmake ninja numpy gguf 'llama-cpp-python[server]'
fi
[ -f "$home/tiny.gguf" ] || "$home/venv/bin/python" scripts/tiny_gguf.py "$home/tiny.gguf"
# By its own default this server breaks off a reply when the next request comes.
(cd "$home" && exec venv/bin/python -m llama_cpp.server --model tiny.gguf --n_ctx 1024 --interrupt_requests false \
    --host 127.0.0.1 --port "$port") >"$home/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
tries=0
until "$home/venv/bin/python" -c "import socket; socket.create_connection(('127.0.0.1', $port), 1)" 2>/dev/null; do
    tries=$((tries + 1))
    if [ "$tries" -gt 60 ] || ! kill -0 "$server" 2>/dev/null; then
        echo "the server did not start; see $home/server.log" >&2
        exit 1
    fi
    sleep 1
done
WEFT_LLAMA_URL="http://127.0.0.1:$port/v1" ${CARGO:-cargo} test -p weftwork-provider --test llama
