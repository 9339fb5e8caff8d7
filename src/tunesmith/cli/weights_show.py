"""`tunesmith weights show`: List the features of a file of weights, the largest weights first.

Examples:

    tunesmith weights show TUNED/weights --top 50

    tunesmith weights show TUNED/weights --template target-bigrams --rates

    tunesmith weights show TUNED/weights --json > weights.json

The file may be of any form: mapped, JSON or lines. Prints the name and the weight of a feature per line,
separated by a tab, in order of absolute weights. With `--rates`, three more columns show what a learner keeps
per feature: the sum of squared updates whose root divides its steps (it begins with `--rates-start`); the
weight averaged over all steps (or, if the file does not record their number, the drift: the sum over steps t
of t times the change); and the step of the last change.

`--json` prints all features, or the chosen ones, as a JSON file of weights, in the order of the file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.counted import counted
from tunesmith.cli.options import Json, Quiet
from tunesmith.file_roles import Reads
from tunesmith.options import require_at_least

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tunesmith.weights.store import WeightStore

    Numbers = npt.NDArray[np.uint32]

TOP = 50
STEPS = "steps"
"""Where a file records the number of steps that averages are over."""
BLOCK = 1 << 14
"""Features per piece of output: a reader that leaves early ends the command soon."""


def run(
    weights: Annotated[Path, typer.Argument(help="Weights in any form; - is standard input."), Reads()],
    *,
    top: Annotated[
        int | None, typer.Option(help=f"Number of features; 0 is all [default: {TOP}; all with --json].")
    ] = None,
    prefix: Annotated[str | None, typer.Option(help="Only features whose names begin so.")] = None,
    template: Annotated[
        str | None, typer.Option(help="Only features of a template: {tunesmith.features.base:TEMPLATES}.")
    ] = None,
    rates: Annotated[
        bool, typer.Option("--rates", help="Also print what learners keep per feature.")
    ] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show weights."""
    from tunesmith.weights.store import WeightStore
    from tunesmith.weights.writing import json_pieces

    if top is not None:
        require_at_least(0, "weights show", top=top)
    store = WeightStore.open(weights)
    count = top if top is not None else 0 if json_ else TOP
    numbers = _chosen(store, _filter(store, prefix, template), count or len(store), in_order=json_)
    if json_:
        _print(json_pieces(store, numbers, rates=rates))
        return
    if not quiet:
        _describe(store, len(numbers), rates=rates)
    _print(_lines(store, numbers, rates=rates))


def _filter(store: WeightStore, prefix: str | None, template: str | None) -> Callable[[str], bool] | None:
    """Return whether a name is asked for; None if all are."""
    tests: list[Callable[[str], bool]] = []
    if prefix is not None:
        tests.append(lambda name: name.startswith(prefix))
    if template is not None:
        owners = [each.owns for each in _templates(store, template)]
        tests.append(lambda name: any(owns(name) for owns in owners))
    return (lambda name: all(test(name) for test in tests)) if tests else None


def _templates(store: WeightStore, name: str) -> list[Any]:
    """Return the templates of this name that the file records with their options, or the usual one."""
    from tunesmith.decode.recorded import Recorded
    from tunesmith.features.base import TEMPLATES
    from tunesmith.features.record import template_of

    usual = TEMPLATES[name]
    recorded = [each for each in Recorded.of(store).templates if each["name"] == name]
    return [template_of(each) for each in recorded] or [usual()]


def _chosen(
    store: WeightStore, is_asked: Callable[[str], bool] | None, count: int, *, in_order: bool
) -> Numbers:
    """Return the numbers of the features with the largest absolute weights, in that order or the file's."""
    import numpy as np

    if is_asked is None:
        found = store.native.top(min(count, len(store)))
    else:
        asked = np.array([number for number, name in enumerate(store) if is_asked(name)], dtype=np.uint32)
        sizes = np.abs(store.native.weights_of(asked))
        found = asked[np.argsort(-sizes, kind="stable")][:count]
    return np.sort(found) if in_order else found


def _lines(store: WeightStore, numbers: Numbers, *, rates: bool) -> Iterable[str]:
    for begin in range(0, len(numbers), BLOCK):
        columns = _columns(store, numbers[begin : begin + BLOCK], rates=rates)
        yield "".join("\t".join(map(_text, row)) + "\n" for row in zip(*columns, strict=True))


def _columns(store: WeightStore, numbers: Numbers, *, rates: bool) -> list[list[Any]]:
    native = store.native
    columns: list[Any] = [native.names_of(numbers), native.weights_of(numbers).tolist()]
    if rates:
        divisors, drifts, last_steps = native.memory_of(numbers)
        steps = store.about.get(STEPS)
        averaged = native.weights_of(numbers) - drifts / steps if steps else drifts
        columns += [divisors.tolist(), averaged.tolist(), last_steps.tolist()]
    return columns


def _text(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def _describe(store: WeightStore, shown: int, *, rates: bool) -> None:
    nonzero = int((store.native.weights() != 0).sum())
    average = "average" if store.about.get(STEPS) else "drift"
    columns = f" (name, weight, rate, {average}, last step)" if rates else ""
    text = f"{counted(len(store), 'feature')}, {nonzero} with a weight; the {shown} largest{columns}:"
    errors.print(text, markup=False, soft_wrap=True)


def _print(pieces: Iterable[str]) -> None:
    for piece in pieces:
        sys.stdout.write(piece)
