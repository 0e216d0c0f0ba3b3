"""Between the arena's values and the protocol's messages."""

from __future__ import annotations

import json
from typing import Any

from google.protobuf import json_format

from arena.games import Game
from arena.protocol.v1 import (
    bot_pb2,
    chinese_checkers_pb2,
    doudizhu_pb2,
    gomoku_pb2,
    siguo_pb2,
    tuolaji_pb2,
    types_pb2,
    xiangqi_pb2,
)

PROTOCOL = "arena.v1"
"""The protocol package that this release speaks."""


def rules_message(game: Game) -> types_pb2.Rules:
    """A game's rules with every setting spelled out."""
    message = types_pb2.Rules(
        rulebook=game.name,
        label=game.label,
        digest=game.rules.digest,
        seats=game.seats,
        full_information=game.family.full_information,
    )
    for name, value in game.rules.settings().items():
        setting = message.settings[name]
        if isinstance(value, bool):
            setting.flag = value
        elif isinstance(value, int):
            setting.number = value
        elif value is not None:
            setting.text = value
    return message


def settings_of(message: types_pb2.Rules) -> dict[str, bool | int | str | None]:
    """The settings of a rules message as plain values."""
    plain: dict[str, bool | int | str | None] = {}
    for name, setting in message.settings.items():
        kind = setting.WhichOneof("value")
        plain[name] = None if kind is None else getattr(setting, kind)
    return plain


def type_observation(turn: bot_pb2.Turn, family_id: str, observation: str) -> None:
    """Fills in the typed observation of a turn from the canonical JSON.

    A family without a typed message leaves it empty. Raises json_format.ParseError where
    JSON and message disagree, which would be a mistake of ours.
    """
    fill = _TYPED.get(family_id)
    if fill is not None:
        fill(turn, json.loads(observation))


def _chinese_checkers(turn: bot_pb2.Turn, seen: dict[str, Any]) -> None:
    json_format.ParseDict(seen, turn.chinese_checkers)


_CELLS = bytes.maketrans(b".bw", b"\x00\x01\x02")


def _gomoku(turn: bot_pb2.Turn, seen: dict[str, Any]) -> None:
    rows = seen.pop("board").split("/")
    json_format.ParseDict(seen, turn.gomoku)
    turn.gomoku.cells = "".join(reversed(rows)).encode().translate(_CELLS)


def _tuolaji(turn: bot_pb2.Turn, seen: dict[str, Any]) -> None:
    json_format.ParseDict(seen, turn.tuolaji)


def _xiangqi(turn: bot_pb2.Turn, seen: dict[str, Any]) -> None:
    json_format.ParseDict(seen, turn.xiangqi)


def _doudizhu(turn: bot_pb2.Turn, seen: dict[str, Any]) -> None:
    json_format.ParseDict(seen, turn.doudizhu)


def _siguo(turn: bot_pb2.Turn, seen: dict[str, Any]) -> None:
    json_format.ParseDict(seen, turn.siguo)


_TYPED = {
    "gomoku": _gomoku,
    "chinese_checkers": _chinese_checkers,
    "tuolaji": _tuolaji,
    "xiangqi": _xiangqi,
    "doudizhu": _doudizhu,
    "siguo": _siguo,
}


def move_text(decision: bot_pb2.Decision) -> str:
    """The text of a decision's move, typed or not; empty where it holds none."""
    if decision.move:
        return decision.move
    kind = decision.WhichOneof("typed_move")
    if kind == "gomoku":
        return gomoku_text(decision.gomoku)
    if kind == "chinese_checkers":
        return chinese_checkers_text(decision.chinese_checkers)
    if kind == "tuolaji":
        return tuolaji_text(decision.tuolaji)
    if kind == "xiangqi":
        return xiangqi_text(decision.xiangqi)
    if kind == "doudizhu":
        return doudizhu_text(decision.doudizhu)
    if kind == "siguo":
        return siguo_text(decision.siguo)
    return ""


def gomoku_text(move: gomoku_pb2.GomokuMove) -> str:
    """Canonical text of a typed Gomoku move; empty where it says nothing."""
    kind = move.WhichOneof("kind")
    if kind == "stone":
        return move.stone
    if kind == "word" and move.word != gomoku_pb2.GOMOKU_WORD_UNSPECIFIED:
        known = gomoku_pb2.GomokuWord.DESCRIPTOR.values_by_number.get(move.word)
        return "" if known is None else known.name.removeprefix("GOMOKU_WORD_").lower()
    if kind == "declare":
        return f"declare {move.declare}"
    if kind == "offer":
        return " ".join(["offer", *move.offer.points])
    if kind == "pick":
        return f"pick {move.pick}"
    return ""


def chinese_checkers_text(move: chinese_checkers_pb2.ChineseCheckersMove) -> str:
    """Text of a typed Chinese checkers move: ends, path, or pass."""
    holes = list(move.holes)
    if not holes:
        return "pass"
    return "".join(holes) if len(holes) == 2 else "-".join(holes)


def tuolaji_text(move: tuolaji_pb2.TuolajiMove) -> str:
    """Text of a typed Tuolaji move; empty where it says nothing."""
    known = tuolaji_pb2.TuolajiVerb.DESCRIPTOR.values_by_number.get(move.verb)
    if known is None or move.verb == tuolaji_pb2.TUOLAJI_VERB_UNSPECIFIED:
        return ""
    words = [known.name.removeprefix("TUOLAJI_VERB_").lower(), *move.cards]
    if move.suit:
        words.append(move.suit)
    if move.reading:
        words += ["as", move.reading]
    return " ".join(words)


def xiangqi_text(move: xiangqi_pb2.XiangqiMove) -> str:
    """Text of a typed Xiangqi move; empty where it says nothing."""
    kind = move.WhichOneof("kind")
    if kind == "claim" and move.claim:
        return "claim"
    if kind == "step":
        points = (move.step.from_point, move.step.to_point)
        return "".join(f"{chr(ord('a') + point % 9)}{point // 9 + 1}" for point in points)
    return ""


def doudizhu_text(move: doudizhu_pb2.DoudizhuMove) -> str:
    """Text of a typed Dou Dizhu move; empty where it says nothing."""
    kind = move.WhichOneof("kind")
    if kind == "bid":
        return f"bid {move.bid}"
    if kind == "word":
        return move.word
    if kind == "play":
        main = f" as {move.play.main}" if move.play.main else ""
        return f"play {move.play.cards}{main}"
    return ""


def siguo_text(move: siguo_pb2.SiguoMove) -> str:
    """Text of a typed Siguo Junqi move; empty where it says nothing."""
    kind = move.WhichOneof("kind")
    if kind == "step":
        return f"{move.step.from_point}-{move.step.to_point}"
    if kind == "layout":
        return f"layout {move.layout}"
    return "timeout" if kind == "timeout" and move.timeout else ""
