"""From files of derivations to a model directory."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith.extract.grammar import RuleTable
from tunesmith.files import PathLike
from tunesmith.model.derived import write_derived
from tunesmith.model.manifest import REESTIMATED, Manifest
from tunesmith.model.model import LanguageModelPart, Model
from tunesmith.model.parts.names import BILINGUAL_LM, LM, PHRASES, RULES
from tunesmith.model.steps import Progress
from tunesmith.model.training import Trained
from tunesmith.reestimate.oracle_lm import LM_MIXTURE, language_model_of_words
from tunesmith.reestimate.rule_baseline import RuleBaseline
from tunesmith.reestimate.steps import MIXTURE, USED, Reestimation, read_record, reestimation_steps
from tunesmith.tables import PhraseTable
from tunesmith.weights import Weights

__all__ = ["PartSize", "Reestimated", "write_reestimated_model"]


_RULE_TABLE = "rule table"


@dataclass(frozen=True)
class PartSize:
    """A part of a model before and after: phrase pairs, rules or n-grams, and bytes of its file."""

    part: str
    entries_before: int
    entries_after: int
    bytes_before: int
    bytes_after: int


@dataclass(frozen=True)
class Reestimated:
    """A re-estimated model directory, and how it came about."""

    trained: Trained
    sizes: tuple[PartSize, ...]
    used: dict[str, Any]
    """What was counted: `sentences` of the text with a derivation, `derivations`, `uses`, `pairs`; and
    numbers about the derivations."""
    mixture: dict[str, Any]
    """`weight` of the re-estimated table (None if it stands alone), and how it was fitted."""
    language_model: dict[str, Any] | None = None
    """`weight` of the language model of the translations, and perplexities; None if there is none."""

    @property
    def unit(self) -> str:
        """What derivations consist of: `phrase pairs` or `rules`."""
        return "rules" if self.sizes[0].part == _RULE_TABLE else "phrase pairs"

    @property
    def record(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {
            "model": str(self.trained.directory),
            "used": self.used,
            "mixture": self.mixture,
            **({} if self.language_model is None else {"language_model": self.language_model}),
            "sizes": [asdict(size) for size in self.sizes],
            "seconds": {step.name: round(step.seconds, 2) for step in self.trained.steps},
        }


def write_reestimated_model(
    plan: Reestimation,
    directory: PathLike,
    weights: Weights,
    *,
    progress: Progress = lambda line: None,
) -> Reestimated:
    """Write the model: a table of its own, and all other parts of the baseline by reference.

    A model of rules gets a table of rules, also in place of an index. With `bilingual_lm` it has its own
    bilingual language model, with `oracle_lm` its own mixed one of words. Features have the names of the
    baseline, and the start weights `weights`. Scores that a trained reordering model has for the pairs of the
    baseline's table are computed by words instead. The training text is that of the baseline. A killed run is
    continued by the same call.
    """
    model = plan.baseline.model
    parts = _with_own_parts(model, bilingual=plan.options.bilingual_lm, plan=plan)
    made = replace(parts, weights=weights, base=str(model.home.resolve()))
    trained = write_derived(
        made,
        directory,
        kind=Manifest.read(model.directory).kind,
        step="features",
        origin=REESTIMATED,
        texts={},
        progress=progress,
        before=reestimation_steps(plan),
    )
    folder = Path(directory)
    return Reestimated(
        trained,
        tuple(_sizes(plan, folder)),
        read_record(folder / USED),
        read_record(folder / MIXTURE),
        None if plan.options.oracle_lm == "none" else read_record(folder / LM_MIXTURE),
    )


def _with_own_parts(model: Model, *, bilingual: bool, plan: Reestimation) -> Model:
    anchored = model.anchored()
    language_models = list(anchored.language_models)
    if plan.options.oracle_lm != "none":
        number, part = language_model_of_words(model)
        language_models[number] = replace(part, path=LM, arpa=None)
    if isinstance(plan.baseline, RuleBaseline):
        rules = list(anchored.rules)
        rules[plan.baseline.number] = replace(plan.baseline.part, path=RULES, source="table")
        return replace(anchored, rules=tuple(rules), language_models=tuple(language_models))
    (table,) = anchored.phrase_tables
    if bilingual:
        number, part = plan.baseline.bilingual_lm()
        language_models[number] = replace(part, path=BILINGUAL_LM, arpa=None)
    return replace(
        anchored,
        phrase_tables=(replace(table, path=PHRASES),),
        language_models=tuple(language_models),
        trained_reordering=tuple(replace(part, rows=()) for part in anchored.trained_reordering),
    )


def _sizes(plan: Reestimation, folder: Path) -> list[PartSize]:
    mixed = []
    if plan.options.oracle_lm != "none":
        number, part = language_model_of_words(plan.baseline.model)
        mixed.append(_lm_size("language model", plan.baseline.model, number, part, folder / LM))
    if isinstance(plan.baseline, RuleBaseline):
        return [_rule_size(folder), *mixed]
    before, after = plan.baseline.table, PhraseTable.open(folder / PHRASES)
    sizes = [PartSize("phrase table", len(before), len(after), *_bytes(plan.baseline.table_path, after.path))]
    if plan.options.bilingual_lm:
        number, part = plan.baseline.bilingual_lm()
        own = folder / BILINGUAL_LM
        sizes.append(_lm_size("bilingual language model", plan.baseline.model, number, part, own))
    return [*sizes, *mixed]


def _lm_size(name: str, model: Model, number: int, part: LanguageModelPart, path: Path) -> PartSize:
    """Return n-grams and bytes of a language model of the baseline, and of the one that replaces it."""
    counts = (sum(each.language_model(number).counts) for each in (model, Model.read(path.parent)))
    return PartSize(name, *counts, *_bytes(model.directory / (part.path or part.arpa or ""), path))


def _rule_size(folder: Path) -> PartSize:
    rules, known = RuleTable.open(folder / RULES), read_record(folder / MIXTURE)
    counts = int(known["baseline_rules"]), len(rules)
    return PartSize(_RULE_TABLE, *counts, int(known["baseline_bytes"]), rules.path.stat().st_size)


def _bytes(*paths: Path) -> list[int]:
    return [path.stat().st_size for path in paths]
