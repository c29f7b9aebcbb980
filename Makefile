# Two commands: `make demo` and `make test`; `make notebooks` runs the lessons, `make course` zips them.
# All goes into .venv.
PYTHON ?= python3.11
VENV := .venv
WORKERS := -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
PIP := env PIP_USER=0 $(VENV)/bin/pip --disable-pip-version-check

.PHONY: demo test notebooks course docs lint clean

demo: $(VENV)/.base
	$(VENV)/bin/xorqa demo

test: $(VENV)/.dev
	OMP_NUM_THREADS=1 $(VENV)/bin/pytest -m "not network" $(WORKERS)

notebooks: $(VENV)/.dev
	$(VENV)/bin/python notebooks/execute.py

course: $(VENV)/.dev
	$(VENV)/bin/python notebooks/course.py course

docs: $(VENV)/.dev
	$(VENV)/bin/python docs/build.py

lint: $(VENV)/.dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# torch goes first: with it in place nothing else asks for another build of it.
$(VENV)/.base: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install -q -c constraints.txt torch
	$(PIP) install -q -c constraints.txt -e ".[demo]"
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install -q -c constraints.txt torch
	$(PIP) install -q -c constraints.txt -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache
