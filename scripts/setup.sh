#!/usr/bin/env bash
# Installs what the build and the tests need beside Rust, gcc, make and Python, and is missing. Safe to run again.
#
#   scripts/setup.sh build    what compiles: cmake, autoconf, m4, gperf, libclang (for the Yices sources in the yices2-sys crate),
#                             and the libraries of Z3 and cvc5 in .setup/solvers/
#   scripts/setup.sh test     also: csmith (random programs) and the z3 executable (second opinion on emitted files)
#   scripts/setup.sh nightly  also: clang (a second opinion on the errors of generated programs)
#   scripts/setup.sh fuzz     also: cargo-fuzz in .setup/cargo/ (libFuzzer)
#   scripts/setup.sh mutants  also: cargo-mutants in .setup/cargo/ (mutation testing)
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-build}

need=()
command -v cmake >/dev/null || need+=(cmake)
command -v autoconf >/dev/null || need+=(autoconf)
command -v m4 >/dev/null || need+=(m4)
command -v gperf >/dev/null || need+=(gperf)
# Not libclang-cpp, which comes with llvm and is another library.
has_libclang() {
    compgen -G '/usr/lib/llvm-*/lib/libclang.so*' >/dev/null || compgen -G '/usr/lib/llvm-*/lib/libclang-[0-9]*.so*' >/dev/null ||
        [ -n "${LIBCLANG_PATH:-}" ]
}
has_libclang || need+=(libclang-dev)
if [ "$what" != build ]; then
    command -v csmith >/dev/null || need+=(csmith)
    [ -d /usr/include/csmith ] || need+=(libcsmith-dev)
fi
if [ "$what" = nightly ]; then
    command -v clang >/dev/null || need+=(clang)
    command -v llvm-symbolizer >/dev/null || need+=(llvm)
fi
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
if [ ${#need[@]} -gt 0 ]; then
    echo "setup: installing ${need[*]}" >&2
    command -v apt-get >/dev/null || { echo "setup: please install these by hand: ${need[*]}" >&2; exit 1; }
    as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
fi

# The sanitizers of clang are a package of their own, named by its version.
if [ "$what" = nightly ] && ! echo 'int main(void) { return 0; }' | clang -fsanitize=address -x c - -o /dev/null 2>/dev/null; then
    runtime="libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
    echo "setup: installing $runtime" >&2
    as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "$runtime" >/dev/null
fi

# The libraries of Z3 and cvc5: pinned, hash-checked wheels, unpacked. The stamp names what is unpacked.
if ! cmp -s scripts/requirements-build.txt .setup/solvers/stamp; then
    echo "setup: fetching the libraries of Z3 and cvc5" >&2
    rm -rf .setup/solvers && mkdir -p .setup/solvers/wheels .setup/solvers/lib
    python3 -m pip --disable-pip-version-check download -q --require-hashes --no-deps --only-binary=:all: \
        --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux2014_x86_64 \
        --python-version 311 --implementation cp --abi cp311 --abi none \
        -r scripts/requirements-build.txt -d .setup/solvers/wheels
    for wheel in .setup/solvers/wheels/*.whl; do python3 -m zipfile -e "$wheel" .setup/solvers/wheels; done
    mv .setup/solvers/wheels/z3/include .setup/solvers/include
    cp .setup/solvers/wheels/z3/lib/libz3.so.* .setup/solvers/wheels/cvc5.libs/*.so* .setup/solvers/lib/
    # The linker wants plain names; the loader goes by the names inside of the libraries.
    (cd .setup/solvers/lib && ln -s libz3.so.* libz3.so && ln -s libcvc5-*.so.* libcvc5.so)
    rm -rf .setup/solvers/wheels
    cp scripts/requirements-build.txt .setup/solvers/stamp
fi

if [ "$what" != build ] && [ ! -x .setup/venv/bin/z3 ]; then
    echo "setup: fetching the z3 executable" >&2
    python3 -m venv .setup/venv
    .setup/venv/bin/pip install -q --require-hashes --only-binary=:all: --no-deps -r scripts/requirements-test.txt
fi

case $what in fuzz | mutants)
    if ! command -v "cargo-$what" >/dev/null && [ ! -x ".setup/cargo/bin/cargo-$what" ]; then
        echo "setup: compiling cargo-$what" >&2
        cargo install --quiet --locked "cargo-$what" --root .setup/cargo
    fi
    ;;
esac
