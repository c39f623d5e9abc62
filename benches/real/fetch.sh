#!/usr/bin/env bash
# Fetches the libraries of the harnesses in this folder: the sources of published crates, with the
# versions that sources.toml pins, into FOLDER/vendor (by default target/real/vendor).
#     benches/real/fetch.sh [FOLDER]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../../target/real}
mkdir -p "$folder/src"
cp "$here/sources.toml" "$folder/Cargo.toml"
: > "$folder/src/lib.rs"
cd "$folder"
cargo vendor --quiet --versioned-dirs vendor > /dev/null
echo "$(pwd)/vendor"
