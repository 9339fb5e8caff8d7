# `make demo` and `make test` are all that a fresh machine needs (Python 3.11, a C++ compiler, make).
PYTHON  ?= python3
VENV    ?= .venv
BIN     := $(VENV)/bin
BUILD   := build/$(shell $(PYTHON) -c 'import sys; print(sys.implementation.cache_tag)')
NATIVE  := $(shell find native CMakeLists.txt -type f)
SOURCES := $(shell find src -name '*.py') pyproject.toml $(NATIVE)
FUZZ_SECONDS ?= 60

# Else every process that a test starts compiles all that it imports.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo test test-spark check lint types layers native-test pytest sanitize bench native format clean

demo:
	$(MAKE) --no-print-directory --jobs=2 $(VENV)/run-tools $(VENV)/installed
	$(BIN)/tunesmith demo

# Steps that use one core run side by side; the tests use all cores.
test:
	$(MAKE) --no-print-directory --jobs=2 --output-sync=line lint types layers native-test
	$(MAKE) --no-print-directory pytest

# Lint, types, layers and the quick tests, against the build in src: two minutes.
check: lint native
	PYTHONPATH=src $(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports --no-cache
	PYTHONPATH=src $(BIN)/python -m pytest -q -n auto -m 'not slow and not process' --hypothesis-profile=quick

$(VENV)/created:
	$(PYTHON) -m venv $(VENV)
	touch $@

# Python compiles the modules that are used when they are used: a small part of all.
install = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

# What it needs, what builds it and what tests it, without itself: pyproject.toml has the lists.
requirements = $(BIN)/python -c 'import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb")); \
  lists = project["project"]["optional-dependencies"] | {"run": project["project"]["dependencies"]}; \
  names = [name for key in sys.argv[1:] for name in lists[key]]; \
  print(*project["build-system"]["requires"], *(name for name in names if "tunesmith" not in name), sep="\n")'

# What compiles it comes first, so that compilation begins soon; the rest is installed meanwhile.
$(VENV)/build-tools: $(VENV)/created pyproject.toml
	@$(requirements) build | $(install) -r /dev/stdin
	touch $@

$(VENV)/run-tools: $(VENV)/build-tools
	@$(requirements) run | $(install) -r /dev/stdin
	touch $@

$(VENV)/test-tools: $(VENV)/run-tools
	@echo 'installing the test tools ...'
	@$(requirements) parquet test | $(install) -r /dev/stdin
	touch $@

# It carries Spark: 456 MB.
$(VENV)/spark-tools: $(VENV)/test-tools
	@echo 'installing pyspark ...'
	@$(requirements) spark | $(install) -r /dev/stdin
	touch $@

# Without isolation the tools stay where they are, so that nothing is compiled twice in the one build folder.
# Without --no-deps, what it needs could not be installed at the same time.
$(VENV)/installed: $(VENV)/build-tools $(SOURCES)
	@echo 'building and installing Tunesmith (a few minutes the first time) ...'
	$(install) --no-build-isolation --no-deps .
	touch $@

lint: $(VENV)/test-tools
	$(BIN)/ruff check src tests benchmarks experiments
	$(BIN)/ruff format --check src tests benchmarks experiments
	@echo 'clang-format of native/ ...'
	@$(BIN)/clang-format --dry-run --Werror $(filter %.h %.cpp,$(NATIVE))

# The types of the native module are read off the installed one.
types: $(VENV)/test-tools $(VENV)/installed
	$(BIN)/python -m nanobind.stubgen -q -m tunesmith._native -o src/tunesmith/_native.pyi
	$(BIN)/mypy

layers: $(VENV)/test-tools $(VENV)/installed
	$(BIN)/lint-imports --no-cache

# They are linked with the library of the installed module.
native-test: $(VENV)/test-tools $(VENV)/installed
	$(BIN)/cmake --build $(BUILD) --target native_tests
	$(BIN)/ctest --test-dir $(BUILD) --output-on-failure

pytest: $(VENV)/test-tools $(VENV)/installed
	$(BIN)/python -m pytest -n auto

# Tests on clusters of Spark on this machine; they need Java 17.
test-spark: $(VENV)/spark-tools $(VENV)/installed
	$(BIN)/python -m pytest -m spark tests/spark

# The native tests, the readers and the containers under the address and undefined-behavior sanitizers; then
# models and run folders, from Python.
sanitize: $(VENV)/test-tools $(VENV)/installed
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DTUNESMITH_PYTHON=OFF -DTUNESMITH_FUZZ=ON -DTUNESMITH_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize --target all native_tests
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure
	build/sanitize/fuzz_readers $(FUZZ_SECONDS)
	$(BIN)/python -m tests.fuzz.seeds build/fuzz-seeds
	build/sanitize/fuzz_containers build/fuzz-seeds $(FUZZ_SECONDS)
	$(BIN)/python -m tests.fuzz.fuzz_folders $(FUZZ_SECONDS)
	if $(BIN)/python -m pip install --quiet 'atheris>=2.3'; \
	then $(BIN)/python tests/fuzz/fuzz_readers.py -max_total_time=$(FUZZ_SECONDS); \
	else echo 'atheris does not install here: its harness was not run'; fi

bench: $(VENV)/test-tools $(VENV)/installed
	$(BIN)/python -m benchmarks --write

# In-tree development build: the extension lands beside the sources; run with PYTHONPATH=src.
# It shares the build folder with `make demo`, so that nothing is compiled twice.
native: $(VENV)/test-tools
	test -f $(BUILD)/build.ninja || $(BIN)/cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release \
	  -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python
	$(BIN)/cmake --build $(BUILD)
	for file in $(BUILD)/_native*.so; do \
	  cmp -s $$file src/tunesmith/$${file##*/} || \
	  { cp $$file src/tunesmith/.new && mv src/tunesmith/.new src/tunesmith/$${file##*/}; }; done  # a running process keeps the old one
	PYTHONPATH=src $(BIN)/python -m nanobind.stubgen -q -m tunesmith._native -o src/tunesmith/_native.pyi

format:
	$(BIN)/ruff format src tests benchmarks experiments
	$(BIN)/clang-format -i $(filter %.h %.cpp,$(NATIVE))

clean:
	rm -rf build $(VENV) src/tunesmith/_native*
