# `make demo` and `make test` are all that a fresh machine needs (Python 3.11, a C++ compiler, make).
PYTHON  ?= python3
VENV    ?= .venv
BIN     := $(VENV)/bin
NATIVE  := $(shell find native CMakeLists.txt -type f)
SOURCES := $(shell find src -name '*.py') pyproject.toml $(NATIVE)
FUZZ_SECONDS ?= 60

.PHONY: demo test lint types layers native-test pytest sanitize bench native format clean

demo: $(VENV)/installed
	$(BIN)/tunesmith demo

test: lint types layers native-test pytest

$(VENV)/created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/installed: $(VENV)/created $(SOURCES)
	@echo 'building and installing Tunesmith (a few minutes the first time) ...'
	$(BIN)/python -m pip install --quiet .
	touch $@

$(VENV)/test-installed: $(VENV)/created $(SOURCES)
	@echo 'building and installing Tunesmith and the test tools (a few minutes the first time) ...'
	$(BIN)/python -m pip install --quiet -C cmake.define.TUNESMITH_TESTS=ON '.[test]'
	touch $@ $(VENV)/installed

lint: $(VENV)/test-installed
	$(BIN)/ruff check src tests benchmarks experiments
	$(BIN)/ruff format --check src tests benchmarks experiments
	$(BIN)/clang-format --dry-run --Werror $(filter %.h %.cpp,$(NATIVE))

# The types of the native module are read off the installed one.
types: $(VENV)/test-installed
	$(BIN)/python -m nanobind.stubgen -q -m tunesmith._native -o src/tunesmith/_native.pyi
	$(BIN)/mypy

layers: $(VENV)/test-installed
	$(BIN)/lint-imports --no-cache

# They were built with the installed module, on the same library.
native-test: $(VENV)/test-installed
	$(BIN)/ctest --test-dir build/$(shell $(PYTHON) -c 'import sys; print(sys.implementation.cache_tag)') --output-on-failure

pytest: $(VENV)/test-installed
	$(BIN)/python -m pytest -n auto

# The native tests and the readers under the address and undefined-behavior sanitizers.
sanitize: $(VENV)/test-installed
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DTUNESMITH_PYTHON=OFF -DTUNESMITH_TESTS=ON -DTUNESMITH_FUZZ=ON -DTUNESMITH_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure
	build/sanitize/fuzz_readers $(FUZZ_SECONDS)
	if $(BIN)/python -m pip install --quiet 'atheris>=2.3'; \
	then $(BIN)/python tests/fuzz/fuzz_readers.py -max_total_time=$(FUZZ_SECONDS); \
	else echo 'atheris does not install here: its harness was not run'; fi

bench: $(VENV)/test-installed
	$(BIN)/python -m benchmarks --write

# In-tree development build: the extension lands beside the sources; run with PYTHONPATH=src.
native:
	cmake -S . -B build/dev -G Ninja -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE=$(shell command -v $(PYTHON))
	cmake --build build/dev
	for file in build/dev/_native*.so; do \
	  cp $$file src/tunesmith/.new && mv src/tunesmith/.new src/tunesmith/$${file##*/}; done  # a running process keeps the old one
	PYTHONPATH=src $(PYTHON) -m nanobind.stubgen -q -m tunesmith._native -o src/tunesmith/_native.pyi

format:
	$(BIN)/ruff format src tests benchmarks experiments
	$(BIN)/clang-format -i $(filter %.h %.cpp,$(NATIVE))

clean:
	rm -rf build $(VENV) src/tunesmith/_native*
