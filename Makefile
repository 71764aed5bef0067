# Each target does its own set-up; a second call starts at once.
# PYTHON=python3.13 VENV=.venv-3.13 make test    uses another Python beside the first.
PYTHON ?= python3
VENV ?= .venv
# What `make test` installs. CI adds the browser tests: EXTRAS=dev,browser
EXTRAS ?= dev
TESTS ?= tests

BIN := $(VENV)/bin
COMMA := ,
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet -c constraints.txt
DEV := $(VENV)/.installed-$(subst $(COMMA),-,$(EXTRAS))

.PHONY: demo test fuzz fuzz-urls serve check rows bench clean

demo: $(VENV)/.installed
	$(BIN)/python manage.py quickstart --packages bleach sqlparse django httpx

serve: $(VENV)/.installed
	$(BIN)/python manage.py serve

test: $(DEV)
	$(BIN)/python -m pytest -n auto --dist loadfile $(TESTS)

# 20,000 dialogues through the agent loop, as many runs cut and resumed, and as many
# addresses through four parsers.
fuzz: $(DEV)
	FUZZ_DIALOGUES=20000 FUZZ_URLS=20000 $(BIN)/python -m pytest -n auto \
		tests/properties/test_engine_fuzz.py tests/chat/web/guard/test_url_readings.py

# A million addresses; half an hour on one core.
fuzz-urls: $(DEV)
	FUZZ_URLS=1000000 $(BIN)/python -m pytest -n auto tests/chat/web/guard/test_url_readings.py

rows: $(DEV)
	$(BIN)/python -m pytest -n auto --dist loadfile --rows $(TESTS)

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/deptry .

bench: $(DEV)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build *.egg-info

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) -e .
	touch $@

$(DEV): $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) -e ".[$(EXTRAS)]"
	touch $@ $(VENV)/.installed
