#!/usr/bin/env bash
# Installs the missing dependencies of the build and the tests, beyond Rust, gcc, make and Python.
# Safe to run again.
#
#   scripts/setup.sh build    build tools: cmake, autoconf, m4, gperf, libclang (for the Yices
#                             sources in the yices2-sys crate), g++ (for the interface of
#                             Bitwuzla), and the libraries of Z3, cvc5 and Bitwuzla in
#                             .setup/solvers/
#   scripts/setup.sh test     also: csmith (random programs) and the z3 executable (cross-checks
#                             emitted files), Slurm (campaigns on a cluster)
#   scripts/setup.sh nightly  also: clang (cross-checks the errors of generated programs)
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
command -v g++ >/dev/null || need+=(g++)
# libclang-cpp, which is part of llvm, is a different library and does not suffice.
has_libclang() {
    compgen -G '/usr/lib/llvm-*/lib/libclang.so*' >/dev/null || compgen -G '/usr/lib/llvm-*/lib/libclang-[0-9]*.so*' >/dev/null ||
        [ -n "${LIBCLANG_PATH:-}" ]
}
has_libclang || need+=(libclang-dev)
if [ "$what" != build ]; then
    command -v csmith >/dev/null || need+=(csmith)
    [ -d /usr/include/csmith ] || need+=(libcsmith-dev)
    command -v sbatch >/dev/null || need+=(slurm-wlm)
fi
if [ "$what" = nightly ]; then
    command -v clang >/dev/null || need+=(clang)
    command -v llvm-symbolizer >/dev/null || need+=(llvm)
fi
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
# Stops unless packages can be installed: as root, or with sudo after the user has agreed.
may_install() {
    if command -v apt-get >/dev/null; then
        [ "$(id -u)" = 0 ] && return
        if command -v sudo >/dev/null && [ -t 0 ]; then
            read -r -p "setup: install ${need[*]} with sudo apt-get? [y/N] " answer
            case $answer in [yY]*) return ;; esac
        fi
    fi
    echo "setup: these packages are missing: ${need[*]}" >&2
    echo "setup: install them, or run 'make rust-only', which needs nothing but Rust" >&2
    exit 1
}
if [ ${#need[@]} -gt 0 ]; then
    may_install
    echo "setup: installing ${need[*]}" >&2
    as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
fi

# The sanitizers of clang are a separate package with the version of clang in its name.
if [ "$what" = nightly ] && ! echo 'int main(void) { return 0; }' | clang -fsanitize=address -x c - -o /dev/null 2>/dev/null; then
    runtime="libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
    echo "setup: installing $runtime" >&2
    as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "$runtime" >/dev/null
fi

# The libraries of Z3, cvc5 and Bitwuzla: pinned, hash-checked wheels, unpacked. The stamp is the
# list of the unpacked versions.
if ! cmp -s scripts/requirements-build.txt .setup/solvers/stamp; then
    echo "setup: fetching the libraries of Z3, cvc5 and Bitwuzla" >&2
    rm -rf .setup/solvers && mkdir -p .setup/solvers/wheels .setup/solvers/lib
    python3 -m pip --disable-pip-version-check download -q --require-hashes --no-deps --only-binary=:all: \
        --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux2014_x86_64 \
        --python-version 311 --implementation cp --abi cp311 --abi none \
        -r scripts/requirements-build.txt -d .setup/solvers/wheels
    for wheel in .setup/solvers/wheels/*.whl; do python3 -m zipfile -e "$wheel" .setup/solvers/wheels; done
    mv .setup/solvers/wheels/z3/include .setup/solvers/include
    cp .setup/solvers/wheels/z3/lib/libz3.so.* .setup/solvers/wheels/cvc5.libs/*.so* .setup/solvers/lib/
    cp .setup/solvers/wheels/bitwuzla.cpython-311-*.so .setup/solvers/lib/libbitwuzla-0.10.0.so
    # The linker needs plain names; the loader uses the names recorded in the libraries.
    (cd .setup/solvers/lib && ln -s libz3.so.* libz3.so && ln -s libcvc5-*.so.* libcvc5.so)
    rm -rf .setup/solvers/wheels
    cp scripts/requirements-build.txt .setup/solvers/stamp
fi

# The C interface of Bitwuzla's library, which is published for Python.
shim=.setup/solvers/lib/libhornwork-bitwuzla.so
for source in backends/bitwuzla/shim/bitwuzla.cpp backends/bitwuzla/shim/python.c; do
    [ "$shim" -nt "$source" ] || rm -f "$shim"
done
if [ ! -f "$shim" ]; then
    echo "setup: compiling the interface of Bitwuzla" >&2
    gcc -c -O1 -fPIC backends/bitwuzla/shim/python.c -o "$shim.python.o"
    # The file gets its name when it is complete: an interrupted run starts again.
    g++ -std=c++17 -O2 -fPIC -shared backends/bitwuzla/shim/bitwuzla.cpp "$shim.python.o" -o "$shim.new" \
        -L.setup/solvers/lib -l:libbitwuzla-0.10.0.so '-Wl,-rpath,$ORIGIN' -Wl,--no-undefined
    rm "$shim.python.o"
    mv "$shim.new" "$shim"
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
