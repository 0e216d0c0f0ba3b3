"""Charts as plotly figures in plain dicts; `static/page.js` adds the colours of the page.

Every chart stands beside a table with the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# Okabe and Ito's palette: told apart by colour-blind readers, on light and on dark.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8a8a8a")
ROW_PIXELS = 24


@dataclass(frozen=True, slots=True)
class Interval:
    """One line of a chart: a value with its interval."""

    label: str
    value: float
    low: float
    high: float
    group: str = ""
    """Series (colour) it belongs to; "" where there is one only."""


def intervals(
    rows: Sequence[Interval], axis: str, reference: float | None = None
) -> dict[str, Any]:
    """A chart of intervals, one row a label, first on top, with an optional reference line."""
    labels = list(dict.fromkeys(row.label for row in rows))
    groups = list(dict.fromkeys(row.group for row in rows))
    position = {label: index for index, label in enumerate(labels)}
    traces = []
    for number, group in enumerate(groups):
        own = [row for row in rows if row.group == group]
        # Rows of several groups stand under one another instead of on top of one another.
        offset = (number - (len(groups) - 1) / 2) * 0.7 / max(len(groups), 1)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": _plain(group),
                "x": [_round(row.value) for row in own],
                "y": [position[row.label] + offset for row in own],
                "text": [_plain(row.label) for row in own],
                "customdata": [[_round(row.low), _round(row.high)] for row in own],
                "hovertemplate": "%{text}: %{x} [%{customdata[0]}, %{customdata[1]}]",
                "error_x": {
                    "type": "data",
                    "symmetric": False,
                    "array": [_round(row.high - row.value) for row in own],
                    "arrayminus": [_round(row.value - row.low) for row in own],
                    "thickness": 1.6,
                    "width": 4,
                },
                "marker": {"size": 8, "color": COLOURS[number % len(COLOURS)]},
            }
        )
    shapes = []
    if reference is not None:
        shapes.append(
            {
                "type": "line",
                "xref": "x",
                "yref": "paper",
                "x0": reference,
                "x1": reference,
                "y0": 0,
                "y1": 1,
                "line": {"width": 1, "dash": "dot"},
            }
        )
    several = len(groups) > 1
    height = 104 + (30 if several else 0) + len(labels) * max(ROW_PIXELS, 15 * len(groups))
    return {
        "data": traces,
        "layout": {
            "height": height,
            "margin": {"l": 10, "r": 20, "t": 40 if several else 14, "b": 62},
            "showlegend": several,
            "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
            "shapes": shapes,
            "xaxis": {"title": {"text": axis}, "automargin": True, "zeroline": False},
            "yaxis": {
                "tickvals": list(range(len(labels))),
                "ticktext": [_plain(_short(label)) for label in labels],
                "range": [len(labels) - 0.5, -0.5],
                "automargin": True,
                "zeroline": False,
            },
        },
    }


def _short(label: str, length: int = 48) -> str:
    return label if len(label) <= length else label[: length - 1] + "…"


def _plain(text: str) -> str:
    """Text for plotly, which reads a little HTML in labels."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _round(value: float) -> float:
    # Six digits are more than any interval here knows, and the same on every machine.
    return float(f"{value:.6g}")
