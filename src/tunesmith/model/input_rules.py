"""Models whose rules come with the input, with the language models of another model."""

from __future__ import annotations

from dataclasses import replace

from tunesmith.errors import InputError
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.files import PathLike, read_chunks
from tunesmith.model.derived import write_derived
from tunesmith.model.model import Model, RulePart
from tunesmith.model.steps import Progress
from tunesmith.model.training import Trained

__all__ = ["rules_from_input"]


def rules_from_input(
    rule_model: PathLike, directory: PathLike, *, progress: Progress = lambda line: None
) -> Trained:
    """Make a model directory from one with an index or a table of rules, without these.

    Sentences bring their own rules, with the same features, weights and limits. Glue and other rules of texts
    are copied; binary files are not, but referred to by path: call it again when they have moved.
    """
    given = Model.open(rule_model)
    texts = {part.path: b"".join(read_chunks(given.directory / part.path)) for part in _texts(given)}
    model = _without_rules(given)
    return write_derived(model, directory, kind="hiero", step="input-rules", texts=texts, progress=progress)


def _texts(model: Model) -> list[RulePart]:
    return [part for part in model.rules if part.source == "text"]


def _without_rules(model: Model) -> Model:
    """Return the model with rules of the input, and absolute paths."""
    if len(_texts(model)) == len(model.rules):
        raise InputError(
            "has no index or table of rules that rules of the input could replace", path=model.directory
        )
    return replace(
        model.anchored(),
        rules=tuple(
            part
            if part.source == "text"
            else replace(part, path="", source="input", features=_features(model, number))
            for number, part in enumerate(model.rules)
        ),
    )


def _features(model: Model, number: int) -> tuple[str, ...]:
    names = model.rules[number].features
    if names or model.rules[number].source == "input":
        return names
    source = model.rule_source(number)
    if isinstance(source, SuffixIndex):
        return source.extractor(model.grammar_options(number)).feature_names
    return source.names if isinstance(source, RuleTable) else ()
