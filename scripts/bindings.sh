#!/bin/sh
# bindings.sh test|run|peers|soak|bench|dist: the Python and the Node package. Builds them, lays them out under target/bindings and
#   test   runs their tests with the interpreters at hand, together with the packages they are used with
#   run    the same with what was built before
#   peers  installs the packages they are used with
#   soak   runs the test of flat memory for a million calls
#   bench  measures beside LangChain's trimmer; optimised
#   dist   makes the wheel and the npm package into target/dist and tries both in empty places
set -eu
cd "$(dirname "$0")/.."
home=$PWD/target/bindings
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$home"

# The packages that ours are used with, in the newest versions that Python 3.11 and Node 20 take.
peers() {
    scripts/registry.sh python "$home/python" openai==3.49.0 anthropic==2.8.0 langchain-core==1.7.0 openai-agents==0.24.0 \
        tiktoken==0.14.0 mypy==2.4.1
    # Before ours is laid beside them: npm takes out what it did not put there.
    scripts/registry.sh node "$home/node" ai@6.0.326 zod@4.6.7 openai@6.49.0 @anthropic-ai/sdk@1.8.0 typescript@5.9.3 @types/node@20.19.43
}

# built FOLDER: lays out both packages from what was built there.
built() {
    case $(uname -s) in
    Darwin) ending=dylib ;;
    *) ending=so ;;
    esac
    rm -rf "$home/site/weftwork" "$home/node/node_modules/weftwork"
    mkdir -p "$home/site" "$home/node/node_modules/weftwork"
    cp -R bindings/python/python/weftwork "$home/site/weftwork"
    cp "$1/libweftwork_native.$ending" "$home/site/weftwork/_native.abi3.so"
    cp -R bindings/node/lib bindings/node/package.json "$home/node/node_modules/weftwork/"
    cp "$1/libweftwork_node.$ending" "$home/node/node_modules/weftwork/lib/$(node -p '`weftwork.${process.platform}-${process.arch}.node`')"
    export PYTHONPATH="$home/site" PYTHONDONTWRITEBYTECODE=1
}

build() {
    $cargo build "$@" -p weftwork-python -p weftwork-node
}

run() {
    peers
    built "$target/debug"
    "$home/python/bin/python" -m unittest discover -s bindings/python/tests -t bindings/python/tests
    MYPYPATH="$home/site" MYPY_CACHE_DIR="$home/mypy" "$home/python/bin/python" -m mypy.stubtest weftwork --ignore-missing-stub --allowlist bindings/python/tests/stubs.txt
    bindings/node/tests/run.sh "$home/node"
}

case ${1:-test} in
test)
    build
    run
    ;;
peers)
    peers
    ;;
run)
    run
    ;;
soak)
    build --release
    peers
    built "$target/release"
    WEFT_CALLS=${WEFT_CALLS:-1000000} "$home/python/bin/python" -m unittest discover -s bindings/python/tests -t bindings/python/tests -p test_memory.py
    WEFT_CALLS=${WEFT_CALLS:-1000000} bindings/node/tests/run.sh "$home/node" memory
    ;;
bench)
    build --release
    peers
    built "$target/release"
    "$home/python/bin/python" bindings/bench/fit.py
    ;;
dist)
    scripts/registry.sh python "$home/maturin" maturin==1.16.0
    mkdir -p target/dist
    rm -f target/dist/weftwork-*.whl target/dist/weftwork-*.tgz
    "$home/maturin/bin/python" -m maturin build --release --manifest-path bindings/python/Cargo.toml --out target/dist
    $cargo build --release -p weftwork-node
    built "$target/release"
    (cd "$home/node/node_modules/weftwork" && cp "$OLDPWD/bindings/node/README.md" . && npm pack --silent --pack-destination "$OLDPWD/target/dist" >/dev/null)
    scripts/dist-try.sh target/dist
    ls target/dist
    ;;
*)
    echo "bindings.sh: $1 is none of test, run, peers, soak, bench, dist" >&2
    exit 2
    ;;
esac
