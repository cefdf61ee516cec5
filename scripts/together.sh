#!/bin/sh
# together.sh COMMAND…: runs commands side by side, shows what each said when it is done, and fails if one failed.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
number=0
for command in "$@"; do
    number=$((number + 1))
    { sh -c "$command" >"$folder/$number" 2>&1; echo $? >"$folder/$number.code"; } &
done
wait
number=0 code=0
for command in "$@"; do
    number=$((number + 1))
    echo "── $command"
    cat "$folder/$number"
    [ "$(cat "$folder/$number.code")" = 0 ] || { echo "── failed: $command" >&2; code=1; }
done
exit $code
