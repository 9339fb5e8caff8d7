"""How the settings of two runs differ, and refusing to continue one with those of another."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tunesmith.errors import Message, OptionError

__all__ = ["check_same", "completed", "differences", "without"]

LEADING = ("method", "metric")
"""If one of these differs, others follow from it."""
LONGEST_SHOWN = 30
"""Longer values, such as digests, are not shown."""
MOST = 3
"""Maximum number of differences that are shown; others are counted."""
RENAMED = {
    "method_passes": "method_epochs",
    "method_iterations": "method_optimizer_iterations",
    "method_average": "method_average_steps",
    "average": "average_steps",
    "held_out": "held_out_lists",
    "threads": "learners",
}
"""Settings by the names that earlier builds recorded, with the names that they have now."""
RENAMED_VALUES = {("average", "iterations"): "epochs"}
"""Values of settings that have another name now."""


def check_same(
    folder: object,
    what: str,
    known: Mapping[str, Any],
    own: Mapping[str, Any],
    defaults: Mapping[str, Any] | None = None,
    gone: Mapping[str, Any] | None = None,
) -> None:
    """Raise OptionError if a folder contains `what` with settings `known` that differ from its `own`.

    `defaults` are those of options, see `completed`; `gone` are options of earlier versions, see `without`.
    Settings of an earlier build that have other names now are an OptionError, too.
    """
    _check_names(folder, what, known, own)
    remaining = without(folder, what, known, gone or {})
    if found := differences(completed(remaining, own, defaults or {}), own):
        raise OptionError(
            "{folder} contains " + what + " with " + found.template + "; use the same options to continue"
            " it, or {} or another folder to start anew",
            *found.options,
            "restart",
            folder=folder,
            **found.values,
        )


def _check_names(folder: object, what: str, known: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    for (option, before), now in RENAMED_VALUES.items():
        if known.get(option) == before and option in own:
            raise OptionError(
                "{folder} contains " + what + " of an earlier build, with {} {before}, which is {now} now;"
                " finish it with that build, or use {} or another folder to start anew",
                option,
                "restart",
                folder=folder,
                before=before,
                now=now,
            )
    for before, now in RENAMED.items():
        if before in known and before not in own and now in own:
            raise OptionError(
                "{folder} contains " + what + " of an earlier build, which names {} {before!r}; finish it"
                " with that build, or use {} or another folder to start anew",
                now,
                "restart",
                folder=folder,
                before=before,
            )


def completed(
    known: Mapping[str, Any], own: Mapping[str, Any], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Return recorded settings, with the defaults of options that `own` has and the record does not.

    Such an option is newer than the record, and its default is what was done before there was the option.
    """
    newer = {name: value for name, value in defaults.items() if name in own and name not in known}
    return {**known, **json.loads(json.dumps(newer))}


def without(folder: object, what: str, known: Mapping[str, Any], gone: Mapping[str, Any]) -> dict[str, Any]:
    """Return recorded settings without options that are gone, `gone`, each with the value that did nothing.

    With another value it is an OptionError: what is there cannot be continued.
    """
    for name, nothing in gone.items():
        if name in known and known[name] != nothing:
            raise OptionError(
                "{folder} contains " + what + " with {} {value}, an option that is gone; use {} or another"
                " folder to start anew",
                name,
                "restart",
                folder=folder,
                value=_shown(known[name]),
            )
    return {name: value for name, value in known.items() if name not in gone}


def differences(known: Mapping[str, Any], own: Mapping[str, Any]) -> Message | None:
    """Return `seed 1, not 2, and another model`, None if nothing differs.

    If the method or the metric differs, the differences that follow from it are omitted.
    """
    keys = [key for key in {**known, **own} if known.get(key) != own.get(key)]
    keys = next(([key] for key in LEADING if key in keys), keys)
    texts: list[str] = []
    options: list[str] = []
    values: dict[str, str] = {}
    for key in keys[:MOST]:
        old, new = _shown(known.get(key)), _shown(own.get(key))
        if max(len(old), len(new)) <= LONGEST_SHOWN:
            number = len(options)
            texts.append(f"{{}} {{old{number}}}, not {{new{number}}}")
            options.append(key)
            values |= {f"old{number}": old, f"new{number}": new}
        else:
            texts.append("other {}" if key.endswith("s") else "another {}")
            options.append(key[:LONGEST_SHOWN])  # it may contain a feature's name
    if len(keys) > MOST:
        texts.append(f"{len(keys) - MOST} more that differ")
    return Message(", and ".join(texts), *options, **values) if keys else None


def _shown(value: object) -> str:
    if value is None or value == []:
        return "none"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)
