"""OpenSpiel on both sides: its bots play in this arena, and this arena's games in OpenSpiel.

Needs the extra `openspiel`. For games whose seats see everything.

    python -m arena.bridges.open_spiel --simulations 200     # serves its MCTS as a bot

    >>> import arena.bridges.open_spiel
    >>> game = pyspiel.load_game("arena(rulebook=xiangqi/cxa)")

An action is the place of a move in the list of the legal ones, so it has a meaning in its own
state only: enough for search and for playing out, not for what learns a policy over all actions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
import pyspiel  # pyright: ignore[reportMissingImports]
from open_spiel.python.algorithms import mcts as search  # pyright: ignore[reportMissingImports]

from arena._core import State
from arena.games import Game, game
from arena.sdk import Bot, Decision, Turn, serve

GAME = "arena"
"""The short name under which OpenSpiel knows the games."""

_MOST_ACTIONS = 4_096
_MOST_PLIES = 100_000
_MOST_SEATS = 6

_TYPE = pyspiel.GameType(
    short_name=GAME,
    long_name="Games of the arena",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=_MOST_SEATS,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={"rulebook": "gomoku/freestyle15"},
)


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    """A rulebook as a game of OpenSpiel. Utilities are scores moved to [-1, 1]."""

    def __init__(self, params: dict[str, Any] | None = None, rules: Game | None = None) -> None:
        """By the parameter `rulebook`, or for `rules` with settings of their own.

        Raises ValueError for games of hidden information.
        """
        name = (params or {}).get("rulebook", "gomoku/freestyle15")
        self.rules = game(name) if rules is None else rules
        if not self.rules.family.full_information:
            raise ValueError(f"{self.rules.label}: a seat does not see the whole state")
        info = pyspiel.GameInfo(
            num_distinct_actions=_MOST_ACTIONS,
            max_chance_outcomes=0,
            num_players=self.rules.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=_MOST_PLIES,
        )
        super().__init__(_TYPE, info, {"rulebook": self.rules.name})

    def new_initial_state(self) -> SpielState:
        """The usual start."""
        return SpielState(self, self.rules.new_state(0))

    def at(self, setup: str) -> SpielState:
        """The position of a setup text."""
        return SpielState(self, self.rules.new_state(setup=setup))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """What everybody sees, as text."""
        return _Observer()


class _Observer:
    """The board as text; there is no tensor."""

    tensor = np.zeros(0, dtype=np.float32)
    dict: ClassVar[dict[str, Any]] = {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Nothing: there is no tensor."""

    def string_from(self, state: SpielState, player: int) -> str:
        """The observation as canonical JSON."""
        return state.held.state.observe(player)


class _Held:
    """A position that is copied as fast as the core can."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return type(self)(self.state.clone())


class SpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel ships no types
    """A position."""

    def __init__(self, of: SpielGame, state: State) -> None:
        """See `SpielGame.new_initial_state`."""
        super().__init__(of)
        self.held = _Held(state)

    def current_player(self) -> int:
        """The seat to act; of several the first."""
        seats = self.held.state.seats_to_act()
        return min(seats) if seats else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.held.state.moves(player))))

    def _apply_action(self, action: int) -> None:
        state, seat = self.held.state, self.current_player()
        state.apply(seat, state.moves(seat)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.held.state.moves(player)[action])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.held.state.seats_to_act()

    def returns(self) -> list[float]:
        """By seat: -1 for no point, 1 for the whole; 0 each while the game goes on."""
        outcome = self.held.state.outcome()
        seats = self.get_game().num_players()
        return [0.0] * seats if outcome is None else [2 * s - 1 for s in outcome.scores]

    def __str__(self) -> str:
        """Setup text."""
        return self.held.state.setup()


BotFactory = Callable[[SpielGame, int, int], Any]
"""From game, seat and seed to an OpenSpiel bot, whose `step` is asked."""


def mcts(simulations: int = 100, exploration: float = 1.4) -> BotFactory:
    """OpenSpiel's Monte Carlo tree search, with random playouts.

    The one that OpenSpiel has in Python: the one in C++ (2.0.2) ends the process over any game that
    is written in Python, its own included.
    """

    def made(of: SpielGame, seat: int, seed: int) -> Any:
        chance = np.random.RandomState(seed % 2**32)
        rollouts = search.RandomRolloutEvaluator(1, chance)
        # No solver: it takes the game for one of two players whose gains cancel out.
        return search.MCTSBot(
            of, exploration, simulations, rollouts, solve=False, random_state=chance
        )

    return made


class SpielBot(Bot):
    """An OpenSpiel bot in this arena. A turn is all it gets: bots that keep books on a game do not
    hear of the others' moves."""

    games = ("gomoku/*", "chinese_checkers/*", "xiangqi/*")

    def __init__(self, make: BotFactory, name: str) -> None:
        """`make` is asked for a bot for every turn, so that the same turn gets the same answer."""
        self._make = make
        self.name = name  # type: ignore[misc]  # of the class for most bots, here of each
        self._games: dict[str, SpielGame] = {}

    def choose(self, turn: Turn) -> Decision:
        """The move of a fresh bot."""
        of = self._games.get(turn.rules.digest)
        if of is None:
            of = self._games[turn.rules.digest] = SpielGame(rules=turn.game)
        state = of.at(turn.position)
        action = self._make(of, turn.seat, turn.seed + turn.ply).step(state)
        return Decision(state._action_to_string(turn.seat, action))


class Mcts(SpielBot):
    """`python:arena.bridges.open_spiel:Mcts` in a sweep file."""

    def __init__(self, simulations: int = 100) -> None:
        """`simulations` a move."""
        super().__init__(mcts(simulations), f"OpenSpiel MCTS {simulations}")


if GAME not in pyspiel.registered_names():
    pyspiel.register_game(_TYPE, SpielGame)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Serves OpenSpiel's MCTS as a bot.")
    parser.add_argument("--simulations", type=int, default=100, help="of a move")
    parser.add_argument("--host", default=None)
    parser.add_argument("--port", type=int, default=None)
    given = parser.parse_args()
    serve(Mcts(given.simulations), given.host or "127.0.0.1", given.port or 0)
