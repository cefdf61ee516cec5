#!/bin/sh
# debian.sh PACKAGE…: installs Debian's packages where that may be done, one after another whoever asks at once. Fails where it may
# not; what asked for them says what is missing.
set -eu
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 1
echo "installing Debian's $*" >&2
exec 9>"${TMPDIR:-/tmp}/weft-debian.lock"
flock 9
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -q && apt-get install -qy --no-install-recommends "$@"; } >&2
