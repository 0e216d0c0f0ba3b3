"""The small parts of the report: films, names, numbers, charts, scripts."""

from __future__ import annotations

import json
import math
import re
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import Interval
from arena.report.charts import Interval as Row
from arena.report.charts import intervals
from arena.report.film import film_of
from arena.report.names import page_name
from arena.report.site import script_json, single_page
from arena.report.text import elo, elo_interval, number, party_names, percent, share_interval

PIECE = st.sampled_from(["<circle/>", "<rect/>", "<text>a</text>", "<line/>", "tail"])


@given(st.lists(st.lists(PIECE, max_size=12).map("".join), min_size=1, max_size=8))
def test_a_film_plays_back_its_pictures(pictures: list[str]) -> None:
    assert film_of(pictures).pictures() == pictures


def test_a_film_stores_what_changes() -> None:
    board = "".join(f'<line x1="{i}"/>' for i in range(300))
    pictures = [board + "".join(f'<circle r="{k}"/>' for k in range(n)) for n in range(100)]
    film = film_of(pictures)
    assert len(script_json(film)) < len("".join(pictures)) / 25
    assert film.steps[40] == ((340, 0, (340,)),)


NAMES = st.text(max_size=60) | st.sampled_from(["a vs b", "A", "a", "../../etc", "CON", "奕秋", ""])


@given(NAMES)
def test_page_names_are_safe_on_every_file_system(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", page_name(name))
    assert len(page_name(name)) < 60


@given(st.lists(NAMES, unique=True, max_size=30))
def test_page_names_differ_even_without_case(names: list[str]) -> None:
    assert len({page_name(name).lower() for name in names}) == len(names)


def test_page_names_take_a_lone_surrogate() -> None:
    assert re.fullmatch(r"[0-9a-f]{8}", page_name("\ud800"))


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        (number(1234567), "1,234,567"),
        (number(-0.4), "0"),
        (number(math.nan), "–"),
        (number(-math.inf), "−∞"),
        (elo(12.4), "+12"),
        (elo(-0.2), "0"),
        (percent(0.12345), "12.3 %"),
        (elo_interval(Interval(10.0, -math.inf, 25.5)), "+10 [−∞ … +26]"),
        (share_interval(Interval(0.5, 0.4, 0.61)), "50.0 % [40.0 … 61.0]"),
    ],
)
def test_numbers_as_readers_see_them(shown: str, wanted: str) -> None:
    assert shown == wanted


def test_charts_are_figures_that_plotly_takes() -> None:
    figure_type = import_module("plotly.graph_objects").Figure
    rows = [
        Row(label, 50.0 + n, 40.0 + n, 61.0 + n, group)
        for n, label in enumerate(["doc001", "<b>caro</b>"])
        for group in ("weak", "strong")
    ]
    chart = intervals(rows, "points", 50.0)
    figure = figure_type(chart)  # refuses unknown or ill-typed properties
    assert [trace.name for trace in figure.data] == ["weak", "strong"]
    assert list(figure.data[0].error_x.array) == [11.0, 11.0]
    assert list(figure.data[0].error_x.arrayminus) == [10.0, 10.0]
    assert list(figure.layout.yaxis.ticktext) == ["doc001", "&lt;b&gt;caro&lt;/b&gt;"]
    # The series of one row stand under one another, around the row's tick.
    first, second = (trace.y[0] for trace in figure.data)
    assert first < 0 < second and first == -second


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner, max_size=3)))
def test_json_in_a_script_cannot_close_it(value: object) -> None:
    written = str(script_json({"value": value}))
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written) == {"value": value}


def test_json_in_a_script_refuses_what_json_has_not() -> None:
    with pytest.raises(ValueError, match="JSON"):
        script_json(math.inf)


def test_a_single_page_loads_nothing() -> None:
    from arena.games import Names
    from arena.report.replay import Replay

    pictures = ["<svg><g/></svg>", "<svg><circle/></svg>"]
    shown = Replay(
        names=Names("Rules", "规则"),
        label="game/rules",
        identity="record.json",
        setup="",
        players=(),
        ending=Names("unfinished", "未完"),
        moves=(),
        film=film_of(pictures),
        picture=pictures[-1],
    )
    page = single_page("replay.html.j2", "title", replay=shown)
    assert not re.search(r"""(src|href)=["'](?!#)""", page)


@pytest.mark.parametrize(
    ("roles", "en", "zh"),
    [
        (("dealer", "partner"), "dealer + partner", "庄家＋庄家对家"),
        (("second peasant", "first peasant"), "peasants", "农民"),
        (("landlord",), "landlord", "地主"),
        (("side 1",), "side 1", "第 1 方"),
    ],
)
def test_parties_have_names(roles: tuple[str, ...], en: str, zh: str) -> None:
    names = party_names(roles)
    assert (names.en, names.zh) == (en, zh)
