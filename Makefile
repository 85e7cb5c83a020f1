# Every target sets itself up in .venv from a bare checkout; a stamp file makes the second call start at once.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/ready
WORKERS ?= 2

.PHONY: demo test lint types unit docs bench mutants clean

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $(STAMP)

demo: $(STAMP)
	@$(BIN)/tiebreak demo

test: lint types unit docs

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS)

docs: $(STAMP)
	$(BIN)/python docs/build.py

mutants: $(STAMP)
	$(BIN)/python tools/mutants/run.py

bench:
	$(PYTHON) benchmarks/run.py

clean:
	rm -rf $(VENV) .bench .mypy_cache .ruff_cache .pytest_cache .hypothesis docs/_build
