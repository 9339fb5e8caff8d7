"""Models without one fold of their training text, to translate the sentences of that fold (jackknife)."""

from tunesmith.model.jackknife.fold_models import FoldModels
from tunesmith.model.jackknife.options import JackknifeOptions

__all__ = ["FoldModels", "JackknifeOptions"]
