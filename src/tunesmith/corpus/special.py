"""Characters that are special to Moses, as entities."""

from __future__ import annotations

import re

__all__ = ["escape_special", "unescape_special"]

_ENTITIES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
_OLD_ENTITIES = {"|": "&bar;", "[": "&bra;", "]": "&ket;"}
_CHARACTERS = {
    entity: character for table in (_OLD_ENTITIES, _ENTITIES) for character, entity in table.items()
}
_TABLE = str.maketrans(_ENTITIES)
_PATTERN = re.compile("|".join(_CHARACTERS))


def escape_special(text: str) -> str:
    """Write & | < > ' " [ ] as Moses' entities, so that no token can be a separator or markup."""
    return text.translate(_TABLE)


def unescape_special(text: str) -> str:
    """Undo `escape_special`; the old names &bar; &bra; &ket; are known too."""
    return _PATTERN.sub(lambda match: _CHARACTERS[match[0]], text)
