"""A referee's table with players that do as they are told."""

from __future__ import annotations

from dataclasses import dataclass, field

import arena
from arena.games import Game
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.referee import Table
from arena.match.request import GameRequest, NotPlayed
from arena.players.base import Answer, Ask, Ending, Player, Verdict
from arena.players.spec import EngineSpec


def request_for(
    game: Game,
    engines: tuple[str, ...] = (),
    number: int = 0,
    opening_plies: int = 0,
    keep_record: bool = True,
) -> GameRequest:
    names = engines or ("random",) * game.seats
    return GameRequest(
        game_id=f"{number:032x}",
        sweep_id="test",
        cell_id="test",
        block=number,
        permutation=0,
        game=game,
        engines=tuple(EngineSpec.parse(text, name=text[:40] or "e") for text in names),
        deal_seed=number,
        engine_seed=number + 1,
        opening_plies=opening_plies,
        keep_record=keep_record,
    )


class Puppet(Player):
    """Keeps what it is asked."""

    def __init__(self) -> None:
        super().__init__(EngineSpec.parse("random"))
        self.asked: list[Ask] = []
        self.withdrawn: list[Ask] = []
        self.endings: list[tuple[tuple[int, ...], Ending]] = []

    def ask(self, ask: Ask) -> None:
        self.asked.append(ask)

    def withdraw(self, ask: Ask) -> None:
        self.withdrawn.append(ask)

    def game_over(self, game: Game, seats: object, ending: Ending) -> None:
        assert isinstance(seats, list)
        self.endings.append((tuple(seats), ending))


@dataclass
class Sitting:
    """One game with a puppet in each seat."""

    table: Table
    puppets: list[Puppet]
    results: list[GameResult | NotPlayed] = field(default_factory=list)

    @property
    def ask(self) -> Ask:
        """The one turn that is owed."""
        owed = [p.asked[-1] for p in self.puppets if p.asked and not p.asked[-1].done]
        assert len(owed) == 1
        return owed[0]

    def play(self, *moves: str, spent_ms: float = 1.0) -> Verdict:
        verdict = Verdict.STALE
        for move in moves:
            verdict, _ = self.say(Answer(move=move), spent_ms=spent_ms)
        return verdict

    def say(
        self, answer: Answer, spent_ms: float = 1.0, network_ms: float = 0.0
    ) -> tuple[Verdict, str]:
        return self.table.answered(self.ask, answer, spent_ms, network_ms)

    @property
    def result(self) -> GameResult:
        assert len(self.results) == 1
        result = self.results[0]
        assert isinstance(result, GameResult)
        return result


def sit(
    name: str = "gomoku/freestyle15",
    policy: MatchPolicy | None = None,
    opening_plies: int = 0,
    keep_record: bool = True,
    number: int = 0,
    **settings: object,
) -> Sitting:
    game = arena.game(name, **settings)
    puppets = [Puppet() for _ in range(game.seats)]
    results: list[GameResult | NotPlayed] = []
    table = Table(
        request_for(game, (), number, opening_plies, keep_record),
        policy or MatchPolicy(),
        puppets,
        lambda _, result: results.append(result),
        worker="w",
    )
    sitting = Sitting(table, puppets, results)
    table.start()
    return sitting
