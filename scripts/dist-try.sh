#!/bin/sh
# dist-try.sh FOLDER: installs the wheel and the npm package of a folder where nothing else is, and uses them once.
set -eu
dist=$(cd "$1" && pwd)
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT
python3 -m venv "$try/python"
"$try/python/bin/python" -m pip install --quiet --no-index "$dist"/weftwork-*.whl
(cd "$try" && python/bin/python -c 'import weftwork; print("wheel:", weftwork.fit([{"role": "user", "content": "Hello"}], max_input=100))')
mkdir "$try/node"
cd "$try/node"
echo '{"private": true}' >package.json
npm install --silent --no-audit --no-fund --offline "$dist"/weftwork-*.tgz
node -e 'require("weftwork").fit([{role: "user", content: "Hello"}], {maxInput: 100}).then((it) => console.log("npm package:", it))'
