# `make run` starts UPReg with the sample screencasts, `make test` proves it. Both install what they need into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
ARGS ?=
SAMPLES ?= var/samples
# Without the extras in the lock, pip takes a newer version than the pinned one for a dependency that asks for them, and refuses it.
LOCK := --quiet --no-strip-extras --upgrade --universal --python-version 3.11 --generate-hashes --no-header

.PHONY: run test lint types screenshots samples lock help clean

help: ## Say what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: $(VENV)/.run ## Install, migrate, import the samples, start web and worker, print how to log in
	@exec $(BIN)/python manage.py start $(ARGS)

test: export PYTHONDONTWRITEBYTECODE := # compile a module of tests once, not in each process
test: $(VENV)/.test lint types ## Install what tests need and run them all, real browser and PostgreSQL included; style and types first
	$(BIN)/python -m tests.find_browser
	$(BIN)/python -m tests $(ARGS)

lint: $(VENV)/.test ## Style, and that analysis imports neither Django nor reports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.test ## Check types, in analysis strictly
	rm -rf $(VENV)/.mypy # a cache of an older checkout gives errors that are none
	$(BIN)/mypy --cache-dir=$(VENV)/.mypy --num-workers=2

screenshots: $(VENV)/.test ## Make the pictures of README and docs anew: samples measured in a folder of their own
	$(BIN)/python -m benchmarks.screenshots $(ARGS)

samples: $(VENV)/.test ## Record the samples anew, with Chromium and apps from npm, and compare the verdicts
	$(BIN)/python -m upreg_recorder record samples/plan-pair.yaml --cache var/chromium --into $(SAMPLES)/pair $(ARGS)
	$(BIN)/python -m upreg_recorder record samples/plan-history.yaml --cache var/chromium --into $(SAMPLES)/history $(ARGS)
	$(BIN)/python -m benchmarks.again samples/runs.csv $(SAMPLES)/pair/runs.csv
	$(BIN)/python -m benchmarks.again samples/history.csv $(SAMPLES)/history/runs.csv

lock: $(VENV)/.test ## Choose the newest versions that requirements.txt allows, pin them with hashes, list their licences
	$(BIN)/uv pip compile $(LOCK) requirements.txt --output-file requirements.lock
	$(BIN)/uv pip compile $(LOCK) requirements-dev.txt --constraints requirements.lock --output-file requirements-dev.lock
	$(PIP) -r requirements-dev.lock
	$(BIN)/python -m benchmarks.licences > docs/licences.md

clean: ## Remove what was installed, not your data in var/
	rm -rf $(VENV)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "UPReg needs Python 3.11 or newer; '$(PYTHON)' is older or missing. Try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "Python has no venv module. On Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/.run: requirements.lock | $(VENV)/bin/python
	@echo "Installing into $(VENV) (the first time this takes about a minute) ..."
	@$(PIP) -r requirements.lock
	@touch $@

$(VENV)/.test: requirements.lock requirements-dev.lock | $(VENV)/bin/python
	@$(PIP) -r requirements-dev.lock
	@touch $@ $(VENV)/.run
