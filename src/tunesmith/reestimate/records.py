"""What the steps of re-estimation record about their results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError
from tunesmith.files import open_write
from tunesmith.json_files import check_fields, read_json

__all__ = ["MIXTURE", "USED", "USES", "read_record", "write_record"]

USES = "use-counts.bin"
"""Counts of what derivations use."""
USED, MIXTURE = "uses.json", "mixture.json"
"""Records of what was counted, and of the weight of the re-estimated table."""


def read_record(path: Path) -> dict[str, Any]:
    """Read what a step recorded."""
    record = read_json(path, "a record of re-estimation")
    try:
        check_fields(record, {}, {"weight": float | None, "baseline_rules": int, "baseline_bytes": int})
    except ValueError as error:
        raise InputError(f"is damaged ({error!s:.200}); make the model again", path=path) from None
    return dict(record)


def write_record(path: Path, record: Mapping[str, Any]) -> None:
    """Write what a step has to record."""
    with open_write(path) as stream:
        stream.write((json.dumps(record, indent=1) + "\n").encode())
