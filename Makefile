# The two commands of the README, `make` and `make test`, and the targets that they consist of.
.PHONY: demo build rust-only setup quick test check install nightly fuzz mutants
CARGO ?= cargo

## demo: set up, build, and verify an example
demo: build
	@echo; echo '$$ hornwork verify examples/clamp.c'
	@./target/release/hornwork verify examples/clamp.c
	@echo; echo 'The binary is target/release/hornwork; try --help, or another file of examples/.'

## build: set up and build target/release/hornwork
build: setup
	$(CARGO) build --release

## rust-only: build target/release/hornwork with craig as its only solver, which needs only Rust,
## and verify an example
rust-only:
	$(CARGO) build --release -p hornwork --no-default-features
	@echo; echo '$$ hornwork verify examples/clamp.c'
	@./target/release/hornwork verify examples/clamp.c

setup:
	@scripts/setup.sh build

## quick: the unit tests that are not slow and the verdicts of a part of the cases, as `cargo test`
## runs them
quick: setup
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	    $(CARGO) nextest run --release; \
	else \
	    $(CARGO) test --release --lib --bins --tests; \
	fi

## test: set up and run all tests, including slow ones; ARGUMENTS for cargo selects others
ARGUMENTS ?= --workspace --exclude hornwork-fuzz --lib --bins --tests
test:
	@scripts/setup.sh test
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	    $(CARGO) nextest run --release --run-ignored all $(ARGUMENTS); \
	else \
	    $(CARGO) test --release $(ARGUMENTS) -- --include-ignored; \
	fi

## install: the binary to PREFIX/bin, the solver libraries to PREFIX/lib/hornwork
PREFIX ?= /usr/local
install: build
	install -D target/release/hornwork $(DESTDIR)$(PREFIX)/bin/hornwork
	mkdir -p $(DESTDIR)$(PREFIX)/lib/hornwork
	cp -P .setup/solvers/lib/*.so.* .setup/solvers/lib/*bitwuzla*.so $(DESTDIR)$(PREFIX)/lib/hornwork/

## check: formatting, lints and docs, with all warnings denied
check: setup
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --workspace --all-targets --release -- -D warnings
	@for feature in '' yices z3 cvc5 bitwuzla; do \
	    echo "without default features, with feature '$$feature'"; \
	    $(CARGO) clippy --release --quiet -p hornwork --no-default-features --features "$$feature" -- -D warnings || exit 1; \
	done
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --workspace --no-deps --release
	$(CARGO) test --doc --workspace --exclude hornwork-fuzz --release --quiet
	scripts/prose.py

## nightly: each case in each configuration, then the campaign for HOURS, with seeds from FIRST or
## the clock; findings are kept in target/campaign
HOURS ?= 8
FIRST ?=
nightly:
	@scripts/setup.sh nightly
	$(CARGO) build --release -p hornwork -p hornwork-campaign
	@status=0; \
	HORNWORK_TRIALS=all $(MAKE) test ARGUMENTS='--no-fail-fast -p hornwork-tests --test verdicts --test algorithms --test emit' || status=1; \
	./target/release/campaign nightly --hours $(HOURS) $(if $(FIRST),--first $(FIRST)) || status=1; \
	exit $$status

## fuzz: one reader (TARGET: c, smtlib, ir, task or property) under libFuzzer for SECONDS; crashing
## inputs are kept in target/fuzz
TARGET ?= c
SECONDS ?= 600
fuzz:
	@scripts/setup.sh fuzz
	@mkdir -p target/fuzz/$(TARGET)
	ulimit -s 1000000; PATH="$$PWD/.setup/cargo/bin:$$PATH" $(CARGO) fuzz run --fuzz-dir tests/fuzz --sanitizer none $(TARGET) target/fuzz/$(TARGET) tests/cases examples -- -max_total_time=$(SECONDS) -timeout=20 -rss_limit_mb=8000 -max_len=20000 -artifact_prefix=target/fuzz/$(TARGET)-

## mutants: mutation testing of the code that .cargo/mutants.toml names, in this tree, with results
## in target/mutation; SHARD=K/N runs a part
SHARD ?= 0/1
MUTANTS = PATH="$$PWD/.setup/cargo/bin:$$PATH" HORNWORK_TRIALS=once $(CARGO) mutants --workspace --in-place --shard $(SHARD) --sharding round-robin \
	--baseline skip --timeout 600
mutants:
	@scripts/setup.sh mutants
	@mkdir -p target/mutation/lowering target/mutation/validator
	-$(MUTANTS) --exclude 'passes/**' --test-package hornwork-frontend,hornwork-tests --cargo-arg=--lib --cargo-arg=--test=verdicts --output target/mutation/lowering -- -- --skip smtlib
	-$(MUTANTS) --exclude 'frontend/**' --test-package hornwork-frontend,hornwork-passes,hornwork-tests --cargo-arg=--lib --output target/mutation/validator -- -- validate
