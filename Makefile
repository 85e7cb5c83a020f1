# Every target sets itself up in .venv from a bare checkout; stamp files make the second call start at once. The demo takes
# only the libraries that it loads; everything else comes with the first target that needs it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
LEAN   := $(VENV)/lean
STAMP  := $(VENV)/ready
WORKERS ?= 3
unexport PYTHONDONTWRITEBYTECODE  # thousands of tests, many of them in new processes: compile once

.PHONY: demo test lint types unit docs bench mutants clean

$(LEAN): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-compile numpy scipy
	$(PIP) --no-deps -e .
	touch $(LEAN)

$(STAMP): $(LEAN)
	$(PIP) -e ".[dev]"
	touch $(STAMP)

demo: $(LEAN)
	@$(BIN)/tiebreak demo

test: lint types unit docs

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell

types: $(STAMP)
	$(BIN)/mypy

# One thread for each library: with as many workers as cores their threads would only wait for each other, busily.
unit: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

docs: $(STAMP)
	$(BIN)/python docs/build.py

mutants: $(STAMP)
	$(BIN)/python tools/mutants/run.py

bench:
	$(PYTHON) benchmarks/run.py

clean:
	rm -rf $(VENV) .bench .mypy_cache .ruff_cache .pytest_cache .hypothesis docs/_build
