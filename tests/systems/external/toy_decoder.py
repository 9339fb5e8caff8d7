"""An external decoder in one file: it ranks candidates that a JSON file lists, {source: [{text, features}]}.

As a command, it is told a file of weights and writes lists:

    python toy_decoder.py lists.json --weights weights.txt --size 10 < source > lists

With `--mira` it speaks Mr. MIRA's protocol: its weights begin at 0 and are changed by the lines that it
reads. `--peer` makes it write base64 as cdec does, which cuts half a byte off some payloads. It shares no
code with Tunesmith, so that tests compare two implementations.
"""

import argparse
import base64
import json
import re
import struct
import sys
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("lists")
    parser.add_argument("--weights")
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--input")
    parser.add_argument("--output")
    parser.add_argument("--style", default="cdec")
    parser.add_argument("--mira", action="store_true")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument(
        "--log", help="With --mira: where to write each line that comes, and the weights then."
    )
    options = parser.parse_args()
    lists = json.loads(Path(options.lists).read_text(encoding="utf-8"))
    if options.mira:
        converse(lists, options)
        return
    weights = read_weights(Path(options.weights))
    source = Path(options.input).read_text(encoding="utf-8") if options.input else sys.stdin.read()
    lines = []
    for number, line in enumerate(source.splitlines()):
        for score, candidate in ranked(lists.get(line.strip(), []), weights)[: options.size]:
            shown = features_as(options.style, candidate["features"])
            lines.append(f"{number} ||| {candidate['text']} ||| {shown} ||| {score}\n")
    if options.output:
        Path(options.output).write_text("".join(lines), encoding="utf-8")
    else:
        sys.stdout.writelines(lines)


def read_weights(path: Path) -> dict[str, float]:
    """Read JSON, `name value` lines, or Moses' line `Label= v v Label= v`."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return json.loads(text)["weights"]
    weights = {}
    for line in re.sub(r" (\S+= )", r"\n\1", text).splitlines():
        name, *values = line.split()
        label = name.removesuffix("=")
        names = [label] if len(values) == 1 else [f"{label}_{i}" for i in range(len(values))]
        weights |= dict(zip(names, map(float, values), strict=True))
    return weights


def ranked(candidates: list[dict], weights: dict[str, float]) -> list[tuple[float, dict]]:
    """Return scores and candidates, best first; of equal ones the first stays first."""
    scored = [
        (sum(weights.get(name, 0.0) * value for name, value in candidate["features"].items()), candidate)
        for candidate in candidates
    ]
    return sorted(scored, key=lambda pair: -pair[0])


def features_as(style: str, features: dict[str, float]) -> str:
    between = {"cdec": "=", "moses": "= "}[style]
    return " ".join(f"{name}{between}{value!r}" for name, value in features.items())


def converse(lists: dict[str, list[dict]], options: argparse.Namespace) -> None:
    weights: dict[str, float] = {}
    for line in sys.stdin:
        found = re.match(r'<seg id="(\d+)" delta="([^"]*)"[^>]*> (.*) </seg>', line)
        number, delta, text = found.groups()
        for name, change in decode(delta):
            weights[name] = weights.get(name, 0.0) + change
        if options.log:
            with Path(options.log).open("a", encoding="utf-8") as log:
                print(json.dumps({"line": line, "weights": weights}), file=log)
        answer = ranked(lists.get(text, []), weights)[: options.size]
        print(len(answer))
        for score, candidate in answer:
            coded = encode(candidate["features"], options.peer)
            print(f"{number} ||| {len(text.split())} ||| {candidate['text']} ||| {coded} ||| {score}")
        sys.stdout.flush()


def decode(text: str) -> list[tuple[str, float]]:
    data, pairs = base64.b64decode(text), []
    while data.strip(b"\0"):
        name, _, rest = data.partition(b"\0")
        pairs.append((name.decode(), struct.unpack("<d", rest[:8])[0]))
        data = rest[8:]
    return pairs


def encode(features: dict[str, float], as_peers: bool) -> str:
    data = b"".join(
        name.encode() + b"\0" + struct.pack("<d", value) for name, value in features.items() if value
    )
    if not as_peers:
        return base64.b64encode(data + bytes(-len(data) % 3)).decode()
    text = base64.b64encode(data).decode()
    return text[:-2] + "==" if len(data) % 3 == 2 else text


if __name__ == "__main__":
    main()
