# Two commands are enough: `make run` and `make test`. Each sets up what it needs.

CARGO ?= cargo
WEFT := target/quick/weft

.PHONY: help run page build test fmt clippy doc bench streams runs-bench load bindings-bench page-bench llama soak dist fuzz deny

help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

page: ## build the page, which the binary holds
	@scripts/need.sh node npm
	scripts/page.sh

build: page ## build the binary for use, without link-time optimisation
	@scripts/need.sh git cc cargo
	$(CARGO) build --profile quick --bin weft

run: build ## start Weft on a file of its own, with the offline model and a small world to look at; Ctrl-C ends it
	XDG_DATA_HOME="$(CURDIR)/target/run" $(WEFT) serve --demo

# Lints are looked at while the tests are built: a pass of its own would compile everything once more.
test: export RUSTC_WORKSPACE_WRAPPER = clippy-driver
test: export CLIPPY_ARGS = -Dwarnings
test: ## formatting, lints, every test
	@scripts/need.sh git cc cargo clippy-driver node npm
	$(CARGO) fmt --all --check
	@mkdir -p web/dist # the page is built meanwhile; whoever reads it from there must know the folder
	scripts/together.sh "$(CARGO) build --workspace --lib --bins --tests" "scripts/page.sh && cd web && npm run --silent check && npm run --silent unit" \
		scripts/mcp-servers.sh scripts/clients.sh "scripts/bindings.sh peers" scripts/browser.sh
	scripts/with-postgres.sh scripts/tests.mjs
	scripts/together.sh "$(CARGO) test --workspace --doc" "scripts/bindings.sh run" scripts/e2e.sh
	@if command -v cargo-deny >/dev/null; then $(CARGO) deny check bans licenses sources; else echo "cargo-deny is not installed: licences were not checked"; fi

clippy: ## lints of everything, examples and benchmarks among it, and of the documentation
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps

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

page-bench: ## what the page costs in Chromium: opening 10,000 messages, scrolling, panning 5,000 nodes; on the binary of make build
	@scripts/need.sh node npm
	WEFT_MEASURE=1 WEFT_BINARY="$(CURDIR)/$(WEFT)" scripts/e2e.sh --workers 1

bindings-bench: ## the Python package beside LangChain's trimmer, 100,000 messages to 8,000 tokens
	scripts/bindings.sh bench

dist: ## the Python wheel and the npm package, tried in empty places, into target/dist
	@scripts/need.sh git cc cargo node npm python3
	scripts/bindings.sh dist

load: build ## how the server does under load, on a file and on PostgreSQL; its memory and its start
	scripts/with-postgres.sh $(CARGO) run --profile quick -p weft --example load

llama: ## the provider crate against llama.cpp's server and a tiny generated model; installs it on first use
	scripts/llama-server.sh

soak: build ## the long form of what the tests show briefly
	$(CARGO) run --profile quick -p weft --example load -- soak
	WEFT_SSE_CLIENTS=1000 scripts/with-postgres.sh $(CARGO) test --profile quick -p weft --test serve every_reader
	PROPTEST_CASES=1000000 $(CARGO) test --release -p weftwork --test timeline --test properties
	WEFT_KILLS=2000 WEFT_ACKS=400 WEFT_APPENDS=200000 WEFT_RETRIES=12500 scripts/with-postgres.sh $(CARGO) test --release -p weftwork-store --test suite -- --nocapture crash:: faults:: migrating:: racing::
	WEFT_RACES=1000000 scripts/with-postgres.sh $(CARGO) test --release -p weftwork-store --test suite -- --nocapture runs::races::
	WEFT_SIM_STEPS=1000000 WEFT_PAUSES=10000 WEFT_TAKEOVERS=200 scripts/with-postgres.sh $(CARGO) test --release -p weftwork-gateway --test runs -- --nocapture simulator:: takeover::
	scripts/bindings.sh soak

fuzz: ## every parser and the timeline, SECONDS each (default 60); needs a nightly toolchain
	scripts/fuzz.sh $(or $(SECONDS),60)
