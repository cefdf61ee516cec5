# Two commands are enough: `make run` and `make test`. Each sets up what it needs.

CARGO ?= cargo
WEFT := target/quick/weft

.PHONY: help run build test fmt clippy doc bench streams runs-bench llama soak fuzz deny

help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## build the binary for use, without link-time optimisation
	@scripts/need.sh git cc cargo
	$(CARGO) build --profile quick --bin weft

run: build ## start Weft on a file of its own, with the offline model and a small world to look at; Ctrl-C ends it
	XDG_DATA_HOME="$(CURDIR)/target/run" $(WEFT) serve --demo

test: ## formatting, lints, every test, the documentation
	@scripts/need.sh git cc cargo node npm
	scripts/mcp-servers.sh
	scripts/clients.sh
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	scripts/with-postgres.sh $(CARGO) test --workspace
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps
	@if command -v cargo-deny >/dev/null; then $(CARGO) deny check bans licenses sources; else echo "cargo-deny is not installed: licences were not checked"; fi

fmt: ## format
	$(CARGO) fmt --all

doc: ## the library's documentation
	$(CARGO) doc -p weftwork --no-deps --open

bench: ## speed and cost beside the peers; table here, numbers in target/bench/results.json
	scripts/bench.sh

streams: ## what forwarding a streamed reply costs: time to the first token, memory of 1,000 at once
	$(CARGO) run --release -p weftwork-gateway --example streams

runs-bench: ## what runs cost: from a message to its run, messages and runs per second, on a file and on PostgreSQL
	scripts/with-postgres.sh $(CARGO) run --release -p weftwork-gateway --example runs

llama: ## the provider crate against llama.cpp's server and a tiny generated model; installs it on first use
	scripts/llama-server.sh

soak: ## the long form of what the tests show briefly
	PROPTEST_CASES=1000000 $(CARGO) test --release -p weftwork --test timeline --test properties
	WEFT_KILLS=2000 WEFT_ACKS=400 WEFT_APPENDS=200000 WEFT_RETRIES=12500 scripts/with-postgres.sh $(CARGO) test --release -p weftwork-store --test suite -- --nocapture crash:: faults:: migrating:: racing::
	WEFT_RACES=1000000 scripts/with-postgres.sh $(CARGO) test --release -p weftwork-store --test suite -- --nocapture runs::races::
	WEFT_SIM_STEPS=1000000 WEFT_PAUSES=10000 WEFT_TAKEOVERS=200 scripts/with-postgres.sh $(CARGO) test --release -p weftwork-gateway --test runs -- --nocapture simulator:: takeover::

fuzz: ## every parser and the timeline, SECONDS each (default 60); needs a nightly toolchain
	scripts/fuzz.sh $(or $(SECONDS),60)
