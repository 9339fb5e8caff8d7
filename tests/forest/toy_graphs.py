"""A small search graph: the file that the documents speak of."""

from __future__ import annotations

import gzip
from pathlib import Path

GRAPHS = """\
0 hyp=0 stack=0 forward=1 fscore=-3.5
0 hyp=1 stack=1 back=0 score=-1 transition=-1 forward=3 fscore=-2.5 covered=0-0 \
scores="lm=-1 tm=0" out="das|that"
0 hyp=2 stack=1 back=0 score=-2 transition=-2 recombined=1 forward=3 fscore=-2.5 covered=0-0 \
scores="lm=-1.5 tm=-0.5" out="das|this"
0 hyp=3 stack=3 back=1 score=-3.5 transition=-2.5 forward=-1 fscore=0 covered=1-2 scores="lm=-2 tm=-0.5" \
out="ist gut|is good"
1 hyp=0 stack=0 forward=1 fscore=-1
1 hyp=1 stack=1 back=0 score=-1 transition=-1 forward=-1 fscore=0 covered=0-0 \
scores="lm=-1 tm=0" out="ja|yes"
"""


def write_graphs(folder: Path) -> None:
    """Write an extended search graph of two sentences, and weights for its features."""
    (folder / "graphs.osg.gz").write_bytes(gzip.compress(GRAPHS.encode()))
    (folder / "graphs.weights").write_text("lm 1\ntm 1\n", encoding="utf-8")
