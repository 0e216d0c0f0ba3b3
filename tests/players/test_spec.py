from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.players.spec import EngineKind, EngineSpec, EngineSpecError


@pytest.mark.parametrize(
    ("text", "kind", "target"),
    [
        ("random", EngineKind.BUILTIN, "random"),
        ("search:nodes=400,noise=5", EngineKind.BUILTIN, "search:nodes=400,noise=5"),
        ("python:package.module:Class", EngineKind.PYTHON, "package.module:Class"),
        ("grpc://localhost:50051", EngineKind.GRPC, "localhost:50051"),
        ("grpc://[::1]:50051", EngineKind.GRPC, "[::1]:50051"),
        ("command:mybot", EngineKind.COMMAND, "mybot"),
        ("./bots/mine --fast", EngineKind.COMMAND, "./bots/mine --fast"),
        ("node bot.js 'two words'", EngineKind.COMMAND, "node bot.js 'two words'"),
    ],
)
def test_an_engine_is_known_by_its_text(text: str, kind: EngineKind, target: str) -> None:
    spec = EngineSpec.parse(text)
    assert (spec.kind, spec.target, spec.name) == (kind, target, text)
    assert spec.id == f"{text}@1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "built-in engine such as"),
        ("search:nodes", "options must be key=integer"),
        ("search:nodes=many", "options must be key=integer"),
        ("python:module", "python:module:Class"),
        ("python:mod-ule:Class", "python:module:Class"),
        ("grpc://host", "grpc://host:port"),
        ("grpc://host:0", "port 1..65535"),
        ("grpc://host:99999", "port 1..65535"),
        ("grpc://ho st:1", "grpc://host:port"),
        ("http://host:1", "grpc://host:port"),
        ("command:", "empty"),
        ("./bot 'unclosed", "quotation"),
        (
            "dial_in",
            "plays in its standing play only; have it serve (--host, --port), and name grpc",
        ),
        ("dial-in:Ann", "standing play only"),
    ],
)
def test_a_text_that_names_no_engine_is_shown(text: str, words: str) -> None:
    with pytest.raises(EngineSpecError, match=r"engine ") as caught:
        EngineSpec.parse(text)
    assert words in str(caught.value)
    assert f"'{text}'" in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_an_engine_or_a_clear_error(text: str) -> None:
    try:
        spec = EngineSpec.parse(text)
    except EngineSpecError:
        return
    assert spec.target


@pytest.mark.parametrize("version", ["", " ", "1@2"])
def test_a_version_has_to_be_a_name(version: str) -> None:
    with pytest.raises(EngineSpecError, match="version"):
        EngineSpec.parse("random", version=version)


def test_a_name_may_hold_anything() -> None:
    """R29: spaces, " vs ", commas, quotes, any Unicode."""
    name = "五子棋 'A' vs \"B\", v2"
    assert EngineSpec.parse("random", name=name).id == f"{name}@1"
