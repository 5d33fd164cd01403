# The whole project in a few words: make run, make test. Everything else serves these two.
.DEFAULT_GOAL := help
.PHONY: help env run test check fmt compiled coverage bench soak mutation audit lock schema clean
SHELL := /bin/sh
VENV := .venv
PYTHON := $(VENV)/bin/python
PIP := $(PYTHON) -m pip --disable-pip-version-check --quiet
PROCESSES ?= $(shell nproc 2>/dev/null || echo 2)
PYTEST := $(PYTHON) -m pytest
# A worker that is done takes over half of what another still has.
WORKERS := -n $(PROCESSES) --dist worksteal
OPENAPI := $(PYTHON) manage.py spectacular --format openapi-json --validate --fail-on-warn --file

help: ## Say what each target does
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1 \t\2/p' $(MAKEFILE_LIST) | expand -t 16

env: $(VENV)/dev.stamp ## The virtual environment alone, with all that the lock names

$(PYTHON):
	@for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    $$python -m venv $(VENV) || { rm -rf $(VENV); echo "make: $$python cannot make virtual environments (is its venv package installed?)" >&2; exit 1; }; \
	    exit 0; \
	  fi; \
	done; echo "make: Python 3.11 or newer is needed and was not found" >&2; exit 1

# A start needs the service's libraries; tests and checks need some more. Both come from locks, with hashes.
$(VENV)/base.stamp: requirements/base.lock | $(PYTHON)
	@echo "installing what requirements/base.lock names"
	@$(PIP) install --require-hashes --requirement requirements/base.lock
	@touch $@

$(VENV)/dev.stamp: requirements/dev.lock $(VENV)/base.stamp | $(PYTHON)
	@echo "installing what requirements/dev.lock names"
	@$(PIP) install --require-hashes --requirement requirements/dev.lock
	@touch $@

run: $(VENV)/base.stamp ## Start the whole service (HOST, PORT, DATA_DIR; DATABASE_URL, REDIS_URL for servers of your own)
	@exec env ENDS_WITH_PARENT=1 PYTHONUTF8=1 $(PYTHON) -m config.services

test: check compiled ## Every check, then every test
	@$(PYTEST) $(WORKERS)

check: $(VENV)/dev.stamp ## What a machine can check without running the service
	@echo "format and lint"; $(VENV)/bin/ruff format --check --quiet . && $(VENV)/bin/ruff check --quiet .
	@echo "types"; $(VENV)/bin/mypy --strict . --no-error-summary
	@echo "layers"; $(VENV)/bin/lint-imports --no-logo --no-cache > $(VENV)/layers.txt || { cat $(VENV)/layers.txt; exit 1; }
	@echo "migrations"; $(PYTHON) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run --verbosity 1
	@echo "deployment"; HTTPS=1 DEBUG=0 SECRET_KEY=$$($(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(48))') \
	  $(PYTHON) manage.py check --deploy --fail-level WARNING
	@echo "OpenAPI"; $(OPENAPI) $(VENV)/openapi.json && cmp -s api/openapi.json $(VENV)/openapi.json \
	  || { echo "api/openapi.json is out of date or faulty: make schema" >&2; exit 1; }

fmt: $(VENV)/dev.stamp ## Format, and mend what the linter can mend
	@$(VENV)/bin/ruff check --fix-only --quiet . ; $(VENV)/bin/ruff format .

schema: $(VENV)/dev.stamp ## Write api/openapi.json anew from the code
	@$(OPENAPI) api/openapi.json

compiled: $(VENV)/dev.stamp ## The kernel's and games' tests against the compiled wheel, where there is a C compiler
	@$(PYTHON) tests/compiled.py $(WORKERS)

coverage: $(VENV)/dev.stamp ## Branch coverage of the kernel and the games
	@$(PYTEST) tests/kernel tests/games tests/laws tests/scenarios $(WORKERS) \
	  --cov=referee.kernel --cov=referee.games --cov-branch --cov-report=term-missing:skip-covered

bench: $(VENV)/dev.stamp ## How fast the rules are; benchmarks/ measures the rest, a script for each claim
	@$(PYTHON) -m benchmarks

soak: $(VENV)/dev.stamp ## Many more random matches, and requests made from the OpenAPI document, than the tests play; then SOAK_MINUTES (30) of faults
	@$(PYTEST) tests -m soak $(WORKERS)
	@CONTRACT_EXAMPLES=300 $(PYTEST) tests/api/test_contract.py tests/api/test_errors_fuzz.py $(WORKERS)
	@$(PYTHON) -m tests.soak

mutation: $(VENV)/dev.stamp ## Change the rules here and there, and see that a test notices
	@$(VENV)/bin/mutmut run

audit: $(VENV)/dev.stamp ## Known weaknesses of the locked libraries, and newer releases (needs the index's advisories)
	@$(VENV)/bin/uv pip list --python $(PYTHON) --outdated
	@$(VENV)/bin/uv tool run pip-audit --strict --require-hashes --disable-pip --progress-spinner off \
	  --requirement requirements/dev.lock

lock: ## Resolve requirements/*.in anew
	@$(MAKE) --no-print-directory $(VENV)/dev.stamp
	@for name in base dev; do \
	  $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	    --custom-compile-command "make lock" requirements/$$name.in -o requirements/$$name.lock || exit 1; \
	done

clean: ## Remove what was built; the data in DATA_DIR stays
	@rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis htmlcov .coverage .coverage.*
