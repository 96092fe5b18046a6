# Every target does its own set-up, says what it is doing and about how long that takes, and skips what is done.
.PHONY: help run build test check fmt bench shots clean

help: ## what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' Makefile

run: build ## build all, start the server, print the URL to open (own agents, else the demo)
	@tools/run

build: ## target/release/sidedeck, one self-contained binary
	@tools/build

test: ## format, lints, unit, property, HTTP and browser tests
	@tools/test

check: ## format and lints only
	@tools/check

fmt: ## format the Rust sources
	@cargo fmt

bench: build ## measure import, opening, latency, memory and sizes
	@tools/bench

shots: build ## pictures of every screen into shots/
	@tools/shots

clean: ## remove what was built in this checkout
	@rm -rf target shots end2end/results end2end/report end2end/node_modules tools/node_modules
