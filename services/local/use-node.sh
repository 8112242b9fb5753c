# The Makefile's recipes source it: it puts the project's own tools first on PATH.
# shellcheck shell=sh
PATH="$PWD/.tools/node/node_modules/.bin:$PWD/node_modules/.bin:$PATH"
export PATH
