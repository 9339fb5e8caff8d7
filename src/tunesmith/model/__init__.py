"""The model directory: what was built from what, and how; training, import and export."""

from tunesmith.model.manifest import Manifest
from tunesmith.model.model import Model
from tunesmith.model.training import Trained, train

__all__ = ["Manifest", "Model", "Trained", "train"]
