# SPDX-License-Identifier: Apache-2.0
# `make run` and `make test` do everything on a fresh Debian machine. `make help` lists the rest.

BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
.DEFAULT_GOAL := help
.PHONY: help setup command build run test bench faults formal sweep types exhaustive results arithmetic router routability links fabrics lint format install clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install what running needs, where it is missing (apt-get), or say what it is
	@scripts/setup.sh

command: setup ## compile the fred command alone
	@cmake --preset release -B $(BUILD) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target fred_command

build: ## compile everything, as CI does: warnings are errors
	@scripts/setup.sh test
	@cmake --preset ci -B $(BUILD) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

run: command ## the main job: a radix-8 switch reduces real gradients of 8 ranks, checked bit for bit
	$(BUILD)/fred run --radix 8 --middle 3 --dtype fp32 --lanes 4 --data tests/data \
	  --collective allreduce,reduce,broadcast,allgather,reducescatter,gather,scatter,send,barrier,alltoall

test: build lint ## everything that must hold at every commit
	@FRED_CACHE=$(CURDIR)/.cache ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

bench: build ## measure and write docs/results/bench.md
	@python3 scripts/bench.py $(BUILD)

faults: build ## seed faults in the RTL; each must be caught by its test
	@FRED_CACHE=$(CURDIR)/.cache $(BUILD)/tests/faults

formal: ## prove the control and the buffers, and that each proof fails without its guard (docs/formal.md)
	@scripts/setup.sh test
	@tests/formal/run.py $(BUILD)

results: build ## synthesize and write docs/results/synthesis.md (more than an hour)
	@python3 scripts/synthesis.py $(BUILD)

sweep: build ## 30 random designs and all leaves on every target; write docs/results/sweep.md (an hour)
	@scripts/sweep.py $(BUILD)

types: build ## every type and operation through whole switches; write docs/results/types.md
	@tests/switch/types.py $(BUILD) --all

exhaustive: ## every pair of the 8-bit types, of fp16 and bf16, 10^9 of fp32 and fp64; write docs/results/exhaustive.md (half an hour)
	@scripts/setup.sh test
	@cmake --preset ci -B $(BUILD) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target exhaustive
	@scripts/exhaustive.py $(BUILD) --jobs $(JOBS)

arithmetic: ## area and delay of one lane of every type; write docs/results/arithmetic.md (ten minutes)
	@scripts/setup.sh test
	@scripts/arithmetic.py $(BUILD) --jobs $(JOBS)

router: build ## search against SAT, times, every MP x PP x DP, routes through the RTL; write docs/results/router.md (half an hour)
	@FRED_CACHE=$(CURDIR)/.cache scripts/router.py $(BUILD)

routability: command ## which share of all groupings routes; write docs/results/routability.md (five minutes)
	@$(BUILD)/fred routability --markdown docs/results/routability.md >/dev/null

links: build ## ends of a link with errors, cuts and resets between them; write docs/results/links.md (five minutes)
	@scripts/links.py $(BUILD)

fabrics: build ## leaves and a root with random skew, stalls, errors, resets, faults; write docs/results/fabrics.md (twenty minutes)
	@scripts/fabrics.py $(BUILD)

lint: build ## formatting, SPDX headers, length of modules, clang-tidy
	@scripts/lint.sh $(BUILD)

format: ## format the C++ sources in place
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

install: command ## install the command, the library and its CMake package to PREFIX
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean: ## remove what was built
	@rm -rf $(BUILD) .cache
