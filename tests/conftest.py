"""What all tests may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# A loaded machine must not fail a test that passes on an idle one.
settings.register_profile("tunesmith", deadline=None)
settings.load_profile("tunesmith")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"  # sits beside the checkout


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The corpora and peers' outputs that lie beside a developer's checkout."""
    if not SHARED.is_dir():
        pytest.skip("the shared data is not beside this checkout")
    return SHARED
