"""The smallest bot: always the first legal move. Run it, then point an arena at its address."""

from arena.sdk import Bot, Turn, serve


class FirstMove(Bot):
    """Plays the first move of the list, in games whose seats see everything."""

    games = ("gomoku/*", "chinese_checkers/*", "xiangqi/*")

    def choose(self, turn: Turn) -> str:
        """The first legal move."""
        return turn.legal[0]


if __name__ == "__main__":
    serve(FirstMove())
