"""Models for the tests of decoders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.model.importing import import_model


@pytest.fixture(scope="session")
def moses_model(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The peer's model of Multi30k, filtered to the test sets, with weights tuned by MERT."""
    folder = tmp_path_factory.mktemp("moses") / "model"
    import_model(shared_data / "moses" / "moses.mert.ini", folder)
    return folder
