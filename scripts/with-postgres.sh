#!/usr/bin/env bash
# with-postgres.sh COMMAND…: runs it with a PostgreSQL of its own, in WEFT_TEST_POSTGRES, and takes that away again.
# Binaries from PATH, else Debian's folder, else installed when root. No port, no cluster but its own is touched.
#   FSYNC=on   as a real server; off by default, for tests do not outlive the machine
set -eu
if [ -n "${WEFT_TEST_POSTGRES:-}" ]; then exec "$@"; fi

find_bin() {
  local initdb
  initdb=$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -1)
  [ -n "$initdb" ] && [ -x "$(dirname "$initdb")/postgres" ] && dirname "$initdb"
}
bin=$(find_bin || true)
if [ -z "$bin" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  # No cluster is made by the package: ours is enough.
  mkdir -p /etc/postgresql-common/createcluster.d
  [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/weft.conf
  "$(dirname "$0")/debian.sh" postgresql
  bin=$(find_bin || true)
fi
if [ -z "$bin" ]; then
  echo "PostgreSQL is missing: on Debian, apt-get install postgresql" >&2
  exit 1
fi

# The server refuses to run as root, and its user must reach the folder.
home=$(mktemp -d "${TMPDIR:-/tmp}/weft-pg.XXXXXX")
as() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  user=postgres
  id -u $user >/dev/null 2>&1 || user=nobody
  chown "$user" "$home"
  as() { setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups -- "$@"; }
  if ! as test -w "$home"; then
    rm -rf "$home"
    home=$(mktemp -d /var/tmp/weft-pg.XXXXXX)
    chown "$user" "$home"
  fi
fi
chmod 755 "$home"
stop() {
  as "$bin/pg_ctl" -D "$home/data" -m immediate -w stop >/dev/null 2>&1 || true
  rm -rf "$home"
}
trap stop EXIT
trap 'exit 130' INT TERM

cd "$home"
as "$bin/initdb" -D "$home/data" -U weft -A trust -E UTF8 --locale=C --no-sync >"$home/initdb.log" 2>&1 || { cat "$home/initdb.log" >&2; exit 1; }
as "$bin/pg_ctl" -D "$home/data" -l "$home/log" -w -t 60 \
  -o "-c listen_addresses='' -c unix_socket_directories='$home' -c fsync=${FSYNC:-off} -c max_connections=1000 -c shared_buffers=64MB" \
  start >/dev/null || { cat "$home/log" >&2; exit 1; }
cd "$OLDPWD"
export WEFT_TEST_POSTGRES="postgres://weft@${home//\//%2F}/postgres"
export WEFT_TEST_POSTGRES_BIN="$bin" WEFT_TEST_POSTGRES_HOME="$home"
"$@"
