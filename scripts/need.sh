#!/usr/bin/env bash
# need.sh PROGRAM…: says what is missing and how to get it.
set -u
missing=0
for program in "$@"; do
  command -v "$program" >/dev/null && continue
  missing=1
  case $program in
    cargo) echo "cargo is missing: install Rust (https://rustup.rs, or Debian's rustup package)" ;;
    cc) echo "a C compiler is missing: on Debian, apt-get install gcc" ;;
    *) echo "$program is missing: on Debian, apt-get install $program" ;;
  esac
done >&2
exit $missing
