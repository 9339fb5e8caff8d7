"""The identity of a model's tables, language models and rules: their checksums."""

from __future__ import annotations

from pathlib import Path

from tunesmith.checksums import known_checksum
from tunesmith.model.manifest import Manifest
from tunesmith.model.model import Model

__all__ = ["part_checksums"]


def part_checksums(model: Model) -> dict[str, str]:
    """Return the checksums of the files of a model's parts by label, without trained reordering models.

    They are those of its manifest, where it has them. Weights do not count: tuning changes them.
    """
    manifest = Manifest.read(model.directory)
    outside = {label: text for step in manifest.steps.values() for label, text in step.inputs.items()}
    attached = {label for part in model.trained_reordering for label in part.files()}
    found = {}
    for label, name in model.parts().items():
        if label in attached:
            continue
        if name in manifest.files:
            found[label] = manifest.files[name].sha256
        elif Path(name).is_absolute() and label in outside:
            found[label] = outside[label]
        else:
            found[label] = known_checksum(model.directory / name)
    return found
