"""Model directories: training, import and export, recorded in a manifest."""

from tunesmith.model.manifest import Manifest
from tunesmith.model.model import Model
from tunesmith.model.training import Trained, train

__all__ = ["Manifest", "Model", "Trained", "train"]
