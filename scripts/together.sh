#!/bin/bash
# together.sh COMMAND…: runs commands side by side, shows what each said when it is done, and fails if one failed. Stopped, it stops
# them all.
set -um
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Each has a group of its own (set -m), so that what it started ends with it.
trap 'for job in $(jobs -p); do kill -- "-$job" 2>/dev/null; done; exit 130' INT TERM
number=0
for command in "$@"; do
    number=$((number + 1))
    { sh -c "$command" >"$folder/$number" 2>&1 </dev/null; echo $? >"$folder/$number.code"; } &
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
