"""Prepositional phrases: adverbials `kind | preposition+case | class | English`, and attributes of nouns.

An English preposition that ends in `-` takes its noun bare: `mit dem Auto`, `by car`.
"""

from __future__ import annotations

__all__ = ["ADVERBIALS", "ATTRIBUTES", "CONTRACTIONS", "RELATIONS"]

ADVERBIALS = """
company | mit+dat   | human           | with
reason  | wegen+gen | weather problem | because of 7, due to 2
time    | nach+dat  | event           | after
company | für+acc   | human           | for
time    | während+gen | event           | during
company | ohne+acc  | human           | without
time    | vor+dat   | event           | before
reason  | trotz+gen | weather problem | despite 6, in spite of 4
vehicle | mit+dat   | vehicle         | by-
"""

RELATIONS = """
vor   | building vehicle   | in front of
neben | building furniture | next to 6, beside 4
hinter | building furniture part | behind
unter | furniture          | under
"""

ATTRIBUTES = """
human job    | mit+dat  | garment       | in 6, with 3
human job    | mit+dat  | accessory     | with
human job    | aus+dat  | city          | from
tool text    | auf+dat  | furniture     | on
topical      | über+acc | animate group | about 8, on 2
tool clothes | für+acc  | human         | for
part         | von+dat  | building      | of
event        | in+dat   | city          | in
animal goods | neben+dat | furniture building | next to 6, beside 3
building     | in+dat   | city+town     | in
"""

CONTRACTIONS = {
    ("in", "dem"): "im",
    ("in", "das"): "ins",
    ("an", "dem"): "am",
    ("an", "das"): "ans",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
    ("von", "dem"): "vom",
    ("bei", "dem"): "beim",
}
