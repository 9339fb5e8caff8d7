"""Subcommands of two words, such as `lm train`, which register themselves."""

from __future__ import annotations

import typer

__all__ = ["group"]


def group(root: typer.Typer, name: str) -> typer.Typer:
    """Return where a subcommand of this group registers itself."""
    return root
