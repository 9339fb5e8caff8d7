"""Figure 1 of Pauls, DeNero and Klein (2009): three hypotheses; the second is never the first choice."""

from __future__ import annotations

from tunesmith.forest import Edge, Forest, build_forest

HYPOTHESES = {
    "Once on a rhyme": {"TM": -3.0, "LM": -7.0},
    "Once upon a rhyme": {"TM": -5.0, "LM": -6.0},
    "Once upon a time": {"TM": -9.0, "LM": -3.0},
}
REFERENCE = "Once upon a rhyme"


def rhyme_forest() -> Forest:
    """Return the forest of the figure, an edge a hypothesis."""
    edges = [Edge((), tuple(text.split()), features) for text, features in HYPOTHESES.items()]
    return build_forest([edges], ("TM", "LM"))
