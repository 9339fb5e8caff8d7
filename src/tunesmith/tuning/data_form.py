"""Training data whose translations and references are tokenized or cased differently."""

from __future__ import annotations

from tunesmith.metrics.form import LINES, warn_of_form
from tunesmith.tuning.data import TrainingData

__all__ = ["warn_of_data_form"]


def warn_of_data_form(data: TrainingData, which: str = "") -> None:
    """Issue a TunesmithWarning if references differ in form from the translations; see `warn_of_form`.

    `which` is said of both, such as "held-out ". One translation of each of the first sentences is looked at:
    all translations of a decoder have the same form.
    """
    if not data.references:
        return
    texts = data.sample_texts(LINES)
    if texts is not None:
        noun = data.texts_noun.replace("the ", f"the {which}", 1)
        warn_of_form(texts, data.references, noun)
