"""A model whose rules come with the input, over the language models of another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.files import PathLike, open_write
from tunesmith.model.model import FEATURES_FILE, START_FILE, Model, RulePart
from tunesmith.model.steps import Progress, Step, Workshop, run_steps
from tunesmith.model.training import Trained, trained

__all__ = ["rules_from_input"]


def rules_from_input(
    rule_model: PathLike, directory: PathLike, *, progress: Progress = lambda line: None
) -> Trained:
    """Make a model directory from one with rules of an index or a table, which it does without.

    Sentences bring their rules. Those have the same features, weights and limits; glue and other rules of
    texts are copied, and binary files are named where they are: call it again when they have moved.
    """
    given = Model.open(rule_model)
    texts = {part.path: (given.directory / part.path).read_bytes() for part in _texts(given)}
    model = _without_rules(given)

    def run(shop: Workshop) -> None:
        for name, text in texts.items():
            with open_write(shop[name]) as stream:
                stream.write(text)
        replace(model, directory=shop.directory).write()

    inputs = {part.path: given.directory / part.path for part in _texts(given)}
    inputs |= {part.name: Path(part.path) for part in model.phrase_tables}
    inputs |= {part.name: Path(part.path or part.arpa or "") for part in model.language_models}
    wanted = {"features": model.record, "weights": dict(model.weights)}
    step = Step("input-rules", (*texts, FEATURES_FILE, START_FILE), run, inputs=inputs, options=wanted)
    return trained(directory, run_steps(directory, "hiero", [step], progress, origin="import"))


def _texts(model: Model) -> list[RulePart]:
    return [part for part in model.rules if part.source == "text"]


def _without_rules(model: Model) -> Model:
    """Return the model with rules of the input, and paths that hold from any directory."""
    home = model.directory.resolve()
    if len(_texts(model)) == len(model.rules):
        raise InputError("has no rules of an index or a table that the input could bring", path=home)
    return replace(
        model,
        phrase_tables=tuple(replace(part, path=str(home / part.path)) for part in model.phrase_tables),
        language_models=tuple(
            replace(
                part,
                arpa=None if part.arpa is None else str(home / part.arpa),
                path=None if part.path is None else str(home / part.path),
                classes=None if part.classes is None else str(home / part.classes),
            )
            for part in model.language_models
        ),
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
