"""`tunesmith forest info`: Count the forests of a file, their nodes, edges and features.

Example:

    tunesmith forest info forests.bin
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tunesmith.cli.console import output, print_json
from tunesmith.cli.forest_options import ForestFormat, ForestInput
from tunesmith.cli.options import Json

SHOWN = 20
"""Maximum number of feature names that are printed."""


def run(forests: ForestInput, format_: ForestFormat = None, json_: Json = False) -> None:
    """Describe a file of forests."""
    nodes, edges, names = _counts(forests, format_)
    record: dict[str, Any] = {
        "forests": len(nodes),
        "without_derivation": nodes.count(0),
        "nodes": sum(nodes),
        "edges": sum(edges),
        "nodes_per_forest": sum(nodes) / max(1, len(nodes)),
        "edges_per_forest": sum(edges) / max(1, len(nodes)),
        "most_edges": max(edges, default=0),
        "features": names,
    }
    if json_:
        print_json(record)
        return
    shown = [*record["features"][:SHOWN], *(["..."] if len(names) > SHOWN else [])]
    for line in (
        f"forests   {record['forests']}, {record['without_derivation']} of them without a derivation",
        f"nodes     {record['nodes']}, {record['nodes_per_forest']:.1f} per forest",
        f"edges     {record['edges']}, {record['edges_per_forest']:.1f} per forest, "
        f"at most {record['most_edges']}",
        f"features  {len(names)}: {' '.join(shown)}",
    ):
        output.print(line, markup=False, soft_wrap=True)


def _counts(path: Path, format_: str | None) -> tuple[list[int], list[int], list[str]]:
    """Return the nodes and edges of each forest, and all features; mapped files need no unpacking."""
    from tunesmith.container import container_kind
    from tunesmith.forest import ForestFile, read_forests
    from tunesmith.forest.file import KIND

    if format_ in (None, KIND) and container_kind(path) == KIND:
        file = ForestFile.open(path)
        return file.node_counts.tolist(), file.edge_counts.tolist(), list(file.feature_names)
    nodes, edges = [], []
    names: dict[str, None] = {}
    for _, forest in read_forests(path, format=format_):
        nodes.append(forest.node_count)
        edges.append(forest.edge_count)
        names.update(dict.fromkeys(forest.feature_names))
    return nodes, edges, list(names)
