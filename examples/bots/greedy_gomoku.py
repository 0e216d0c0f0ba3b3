"""A sensible Gomoku bot in plain Python: makes fives, stops fives, builds lines.

It needs nothing but the turn: local rules (`turn.state()`) say what is legal under whatever
rules are played, forbidden moves and opening protocols included.
"""

from arena.sdk import Bot, Decision, Turn, serve

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
COLUMNS = "abcdefghijklmnopqrstuv"
# What a window of five is worth with 0..4 stones of one colour and none of the other.
OWN = (1, 10, 100, 1_000, 1_000_000)
RIVAL = (1, 8, 80, 800, 100_000)


class GreedyGomoku(Bot):
    """Looks one move ahead at every window of five points."""

    name = "Greedy Gomoku"
    games = ("gomoku/*",)

    def choose(self, turn: Turn) -> Decision:
        """The legal point with the most valuable windows."""
        seen = turn.observation
        colour = (seen["colour"] or "")[:1]
        if not colour:  # a choice of the opening protocol, not a stone
            return Decision(turn.legal[0])
        rows = seen["board"].split("/")[::-1]
        best = max(turn.legal, key=lambda move: value(rows, move, colour))
        return Decision(best, comment=f"windows worth {value(rows, best, colour)}")


def value(rows: list[str], move: str, colour: str) -> int:
    """Sum over all windows of five that hold the point; words such as "pass" are worth -1."""
    if not move[1:].isdecimal():
        return -1
    size, column, row = len(rows), COLUMNS.index(move[0]), int(move[1:]) - 1
    total = 0
    for dx, dy in DIRECTIONS:
        for start in range(-4, 1):
            x, y = column + start * dx, row + start * dy
            if not (0 <= x < size and 0 <= x + 4 * dx < size):
                continue
            if not (0 <= y < size and 0 <= y + 4 * dy < size):
                continue
            window = [rows[y + i * dy][x + i * dx] for i in range(5)]
            own = window.count(colour)
            rival = 5 - own - window.count(".")
            if not rival:
                total += OWN[own]
            elif not own:
                total += RIVAL[rival]
    return total


if __name__ == "__main__":
    serve(GreedyGomoku())
