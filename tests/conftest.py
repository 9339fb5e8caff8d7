"""What all tests may ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A loaded machine must not fail a test that passes on an idle one.
settings.register_profile("tunesmith", deadline=None)
settings.load_profile("tunesmith")

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"  # sits beside the checkout
SHARED = Path(os.environ.get("TUNESMITH_SHARED_DATA") or BESIDE)


def pytest_report_header() -> str:
    """Say whether the tests that need the shared data will run."""
    found = "found" if SHARED.is_dir() else "not found: tests that need it are skipped"
    return f"shared data: {SHARED} ({found}; TUNESMITH_SHARED_DATA names another folder)"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The corpora and peers' outputs that lie beside a developer's checkout."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared data is not at {SHARED}")
    return SHARED
