# Every target works on a fresh clone: it makes .venv and installs what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q


.PHONY: run web shell reproduce test test-slow test-extras check docs bench kernels format web-build web-check clean

$(VENV)/.run: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing dupai into $(VENV)"
	@$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.web: $(VENV)/.run
	@echo "installing the web server"
	@$(PIP) install -c constraints.txt -e '.[web]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing dupai and what its tests need into $(VENV)"
	@$(PIP) install -c constraints.txt -e '.[dev]' -e examples/own_agent
	@touch $@

$(VENV)/.extras: $(VENV)/.dev
	@echo "installing the optional parts that have tests"
	@$(PIP) install -c constraints.txt -e '.[cluster,train,cnn,env,notebook,web,web-test]'
	@touch $@

$(VENV)/.docs: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing dupai and what its documentation needs into $(VENV)"
	@$(PIP) install -c constraints.txt -e '.[docs,env]'
	@touch $@

$(VENV)/.reproduce: $(VENV)/.run
	@echo "installing what the papers' experiments need (torch: some 200 MB)"
	@$(PIP) install -c constraints.txt -e '.[train,cnn,report]'
	@touch $@

# After Ctrl-C (130) the match has printed its summary: that is no error.
run: $(VENV)/.run            ## one eight-seat no-limit tournament match, live
	@trap : INT; $(BIN)/dupai run || [ $$? -eq 130 ]

web: $(VENV)/.web            ## the table in the browser, on http://127.0.0.1:8000
	@trap : INT; $(BIN)/dupai web --open || [ $$? -eq 130 ]

shell: $(VENV)/.run          ## a shell in which `dupai` works; exit leaves it
	@. $(BIN)/activate && exec $${SHELL:-/bin/sh}

reproduce: $(VENV)/.reproduce ## the papers' experiments, quick, in ./reproduce (40 minutes of processor time; Ctrl-C, and again to resume)
	@$(BIN)/dupai reproduce all --quick

test: $(VENV)/.dev           ## the tests (core and dev dependencies)
	@$(BIN)/python -m pytest -n 2 -m "not slow" --ignore=tests/extras

test-slow: $(VENV)/.dev      ## the long ones as well
	@$(BIN)/python -m pytest -n 2 -m slow --ignore=tests/extras

test-extras: $(VENV)/.extras ## the tests of optional parts (Ray, training, environments, notebooks, web)
	@$(BIN)/python -m pytest tests/extras

check: $(VENV)/.dev          ## lint, types, layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest tests/house/test_front_doors.py

docs: $(VENV)/.docs          ## the documentation site, in docs/_build/html (warnings are errors), and results pages that are out of date
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"
	@$(BIN)/python docs/make/stale_pages.py

bench: $(VENV)/.dev          ## all measured figures
	@$(BIN)/dupai bench all

kernels: $(VENV)/.dev        ## the list of kernels and the pack of their machine code (minutes; before a release)
	@$(BIN)/python docs/make/kernel_list.py

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

# Only who changes the page needs these: its build is committed.
PAGE := src/dupai/web/page

web-build:                   ## the browser page, from TypeScript (needs Node 20)
	@cd $(PAGE) && npm ci --silent && npm run --silent build

web-check:                   ## whether the committed page is what its sources build
	@if ! command -v npm >/dev/null; then echo "no npm on this machine: the page is not rebuilt"; else \
	  cd $(PAGE) && npm ci --silent && npm run --silent check && \
	  new=$$(mktemp -d) && npx vite build --logLevel error --emptyOutDir --outDir "$$new" && diff -r "$$new" ../static && \
	  rm -rf "$$new" && echo "the committed page is what its sources build"; fi

clean:
	rm -rf $(VENV) docs/_build docs/reference/api docs/reference/commands docs/reference/reasons.md .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
