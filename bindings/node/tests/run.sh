#!/bin/sh
# run.sh FOLDER [NAME]: the tests of the Node package, beside its node_modules in FOLDER.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export WEFT_ROOT=${WEFT_ROOT:-$(cd "$here/../../.." && pwd)}
rm -rf "$1/tests"
mkdir -p "$1/tests"
cp "$here"/*.mjs "$here"/*.ts "$1/tests/"
cd "$1"
if [ $# = 1 ]; then
    node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022 --module nodenext --moduleResolution nodenext tests/types.ts
    set -- "$1" '*'
fi
# Unquoted: every test, or the one that is named.
exec node --expose-gc --test tests/$2.test.mjs
