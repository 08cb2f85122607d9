# Every target is a step of CI, and CI has no other steps.
# `make` bootstraps .venv from python3 >= 3.11; a second call changes nothing and is quick.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
Q      ?= Palju saan 1 EUR eest THBdes?
PORT   ?= 8000
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help ask serve test lint types arch docs docs-check bench build ci lock clean

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$(PYTHON) is older than 3.11: install Python 3.11 or newer, or run make PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements/runtime.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/runtime.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --no-index -e .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.runtime
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

ask: $(VENV)/.runtime ## Ask a question, a registered service answers: make ask Q="..."
	@$(BIN)/tool-classifier ask "$$QUESTION"
ask: export QUESTION = $(value Q)

serve: $(VENV)/.runtime ## The API and the demo services on this machine: make serve PORT=8000
	@$(BIN)/tool-classifier serve --port $(PORT)

test: $(VENV)/.dev ## Every offline test, with branch coverage
	$(BIN)/pytest --cov --cov-report=term

lint: $(VENV)/.dev ## Style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev ## mypy, strict
	$(BIN)/mypy

arch: $(VENV)/.dev ## Import contracts
	$(BIN)/lint-imports

docs: $(VENV)/.dev ## Regenerates the generated pages
	$(BIN)/python -m tool_classifier.docs docs

docs-check: $(VENV)/.dev ## Fails when a generated page is stale
	$(BIN)/python -m tool_classifier.docs docs --check

bench: ## Routing quality and speed beside peers
	@echo "make bench: missing: the evaluation harness and the comparison with peers are not built yet" >&2; exit 1

build: ## The Lambda layers
	@echo "make build: missing: the Lambda layers and their size table are not built yet" >&2; exit 1

ci: lint types arch docs-check test ## Everything CI runs

lock: ## Re-pins requirements/ (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" pyproject.toml --group build -o requirements/runtime.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" pyproject.toml --all-extras --group build --group dev -c requirements/runtime.txt \
	  -o requirements/dev.txt

clean: ## Removes the virtual environment and caches
	rm -rf $(VENV) .tool-classifier .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
