#!/usr/bin/env bash
# need.sh PROGRAM…: says what is missing and how to get it.
set -u
missing=0
for program in "$@"; do
  command -v "$program" >/dev/null && continue
  missing=1
  case $program in
    cargo) echo "cargo is missing: install Rust (https://rustup.rs, or Debian's rustup package)" ;;
    clippy-driver) echo "clippy is missing: rustup component add clippy, or on Debian, apt-get install rust-clippy" ;;
    cc) echo "a C compiler is missing: on Debian, apt-get install gcc" ;;
    python3) echo "Python 3.10 or newer is missing: on Debian, apt-get install python3 python3-venv" ;;
    *) echo "$program is missing: on Debian, apt-get install $program" ;;
  esac
done >&2
exit $missing
