# Every target sets itself up in .venv from a bare checkout; stamp files make the second call start at once. The demo takes
# only the libraries that it loads; everything else comes with the first target that needs it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --retries 10 --timeout 60
LEAN   := $(VENV)/lean
STAMP  := $(VENV)/ready
WORKERS ?= 3
# What comes over a network comes sooner or later: a download that broke off is begun anew before it counts as failed.
again   = echo '$(1)'; for pause in 10 30 60; do $(1) && exit; sleep $$pause; done; $(1)
unexport PYTHONDONTWRITEBYTECODE  # thousands of tests, many of them in new processes: compile once

.PHONY: demo test lint types unit compiled docs papers bench mutants shapes fuzz chaos oracles release clean

$(LEAN): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	@$(call again,$(PIP) --no-compile numpy scipy)
	@$(call again,$(PIP) --no-deps -e .)
	touch $(LEAN)

# Most modules of the libraries are never imported: those that are get compiled then, the others would only take time.
$(STAMP): $(LEAN)
	@$(call again,$(PIP) --no-compile -e ".[dev]")
	touch $(STAMP)

demo: $(LEAN)
	@$(BIN)/tiebreak demo

# What works on one core goes side by side first; the tests then have all cores.
test: $(STAMP)
	$(MAKE) --jobs=2 types lint docs compiled
	$(MAKE) unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell

types: $(STAMP)
	$(BIN)/mypy

# One thread for each library: with as many workers as cores their threads would only wait for each other, busily.
unit: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Random tables in the shapes of tools: no reading may be wrong.
shapes: $(STAMP)
	$(BIN)/python tests/tool_shapes.py 2000

# Runs that are killed, stopped and cut off from their stores at random: fifty rounds, half an hour on two cores.
chaos: $(STAMP)
	$(BIN)/python -m tests.chaos 50

# Every worker of a fresh checkout would compile all tests and libraries anew; where this fails, the tests say why.
compiled: $(STAMP)
	-@OMP_NUM_THREADS=1 $(BIN)/python -m pytest --collect-only -q > /dev/null

# Warnings are errors, so that no link inside the site leads nowhere. Open docs/_build/index.html.
docs: $(STAMP)
	$(BIN)/python -m sphinx -W --keep-going -q docs docs/_build

# Every printed value of the papers beside ours; fails when a verdict changes.
papers: $(STAMP)
	$(BIN)/python tools/papers/check.py

# Questions to a server for ten minutes: none may be answered by an error of the server, half must be answered.
fuzz: $(STAMP)
	$(BIN)/python tools/fuzz_api.py

mutants: $(STAMP)
	$(BIN)/python tools/mutants/run.py

bench:
	$(PYTHON) benchmarks/run.py

# Values of other programs beside those of tiebreak.stats.
oracles:
	$(PYTHON) oracles/run.py

# Build wheel and sdist, and try them in clean environments with the oldest and the newest libraries.
release:
	$(PYTHON) tools/release.py

clean:
	rm -rf $(VENV) .bench .oracles .release dist .mypy_cache .ruff_cache .pytest_cache .hypothesis docs/_build docs/generated
