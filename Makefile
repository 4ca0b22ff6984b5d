# SPDX-License-Identifier: Apache-2.0
# `make run` and `make test` do everything on a fresh Debian machine. `make help` lists the rest.

BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
# Verilated models are kept here between runs; their names are hashes of their contents.
export FRED_CACHE ?= $(CURDIR)/.cache

.DEFAULT_GOAL := help
.PHONY: help setup build run test quick bench faults lint format install clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install what is missing (apt-get), or say what is
	@scripts/setup.sh

build: setup ## compile the fred command and the tests
	@cmake --preset ci -B $(BUILD) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

run: build ## the main job: a radix-8 switch reduces real gradients of 8 ranks, checked bit for bit
	$(BUILD)/fred run --radix 8 --middle 3 --dtype fp32 --lanes 4 --data tests/data \
	  --collective allreduce,reduce,broadcast,allgather,reducescatter,gather,scatter,send,barrier,alltoall

test: build lint ## everything that must hold at every commit
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

bench: build ## measure and write docs/results/bench.md
	@python3 scripts/bench.py $(BUILD)

faults: build ## seeded faults in the RTL, each must be caught
	@$(BUILD)/tests/faults

lint: build ## formatting, clang-tidy, and the emitted RTL in three tools
	@scripts/lint.sh $(BUILD)

format: ## format the C++ sources in place
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

install: build ## install the command, the library and its CMake package to PREFIX
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean: ## remove what was built
	@rm -rf $(BUILD) .cache
