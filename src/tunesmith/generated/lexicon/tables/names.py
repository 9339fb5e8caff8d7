"""Names of people: `German [oblique] | pronoun | English`."""

from __future__ import annotations

__all__ = ["NAMES"]

NAMES = """
Anna         | she | Anna
Peter        | he  | Peter
Maria        | she | Maria
Paul         | he  | Paul
Julia        | she | Julia
Michael      | he  | Michael
Herr Müller, Herrn Müller | he  | Mr. Müller
Lena         | she | Lena
Martin       | he  | Martin
Frau Schmidt | she | Mrs. Schmidt 6, Ms. Schmidt 4
Sophie       | she | Sophie
Stefan       | he  | Stefan
Karl         | he  | Karl
Eva          | she | Eva
Frau Weber   | she | Mrs. Weber 6, Ms. Weber 4
David        | he  | David
Katrin       | she | Katrin
Herr Schneider, Herrn Schneider | he  | Mr. Schneider
Jan          | he  | Jan
Laura        | she | Laura
Georg        | he  | Georg
Clara        | she | Clara
"""
