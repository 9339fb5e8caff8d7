"""Curves as a small SVG, without a plotting library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, MARGIN = 520, 340, 50
COLORS = ("#000000", "#1b6ca8", "#d1495b", "#2e933c", "#8a4fff", "#e08e00", "#00897b", "#6d4c41", "#ad1457")
TICKS = 5


@dataclass(frozen=True)
class Curve:
    """A name and points (x, y); the first curve of a panel is dashed."""

    name: str
    points: Sequence[tuple[float, float]]


def plot(panels: Mapping[str, Sequence[Curve]], x_title: str) -> str:
    """Return panels side by side, each with its own range of y; one legend for all."""
    width = WIDTH * len(panels) + 110
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" font-family="sans-serif"'
        ' font-size="12"><rect width="100%" height="100%" fill="white"/>'
    ]
    for number, (title, curves) in enumerate(panels.items()):
        parts.append(f'<g transform="translate({number * WIDTH},0)">{_panel(title, curves, x_title)}</g>')
    for number, curve in enumerate(next(iter(panels.values()))):
        place = f'x="{width - 100}" y="{MARGIN + 18 * number}" fill="{COLORS[number % len(COLORS)]}"'
        parts.append(f"<text {place}>{escape(curve.name)}</text>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(title: str, curves: Sequence[Curve], x_title: str) -> str:
    xs = [x for curve in curves for x, _ in curve.points]
    ys = [y for curve in curves for _, y in curve.points]
    x_range, y_range = (min(xs), max(xs)), (min(ys), max(ys))

    def x_at(x: float) -> float:
        return MARGIN + (x - x_range[0]) / ((x_range[1] - x_range[0]) or 1) * (WIDTH - 2 * MARGIN)

    def y_at(y: float) -> float:
        return HEIGHT - MARGIN - (y - y_range[0]) / ((y_range[1] - y_range[0]) or 1) * (HEIGHT - 2 * MARGIN)

    parts = [
        f'<text x="{WIDTH / 2}" y="20" text-anchor="middle">{escape(title)}</text>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_title)}</text>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{WIDTH - 2 * MARGIN}" height="{HEIGHT - 2 * MARGIN}"'
        ' fill="none" stroke="#888"/>',
    ]
    for tick in range(TICKS + 1):
        y = y_range[0] + tick / TICKS * (y_range[1] - y_range[0])
        x = x_range[0] + tick / TICKS * (x_range[1] - x_range[0])
        parts.append(f'<text x="{MARGIN - 4}" y="{y_at(y) + 4:.1f}" text-anchor="end">{y:.1f}</text>')
        parts.append(
            f'<text x="{x_at(x):.1f}" y="{HEIGHT - MARGIN + 15}" text-anchor="middle">{x:.0f}</text>'
        )
    for number, curve in enumerate(curves):
        points = " ".join(f"{x_at(x):.1f},{y_at(y):.1f}" for x, y in curve.points)
        dash = ' stroke-dasharray="6 4"' if number == 0 else ""
        color = COLORS[number % len(COLORS)]
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"{dash}/>')
    return "\n".join(parts)
