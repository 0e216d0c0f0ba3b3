"""How often one engine beats another: the tables of rungs in docs/games, on seeds of one's choice.

    python -m benchmarks.rungs solver:worlds=24 greedy --blocks 100 --seed 7 \
        tuolaji/r01_two_deck_to_8 tuolaji/r10_qq_two_deck

A block is one deal played twice with the sides swapped. Printed as each rulebook ends: the share
of points of the first engine, with its 95 % interval by block. Seeds that an engine was tuned on
say little; `--seed` gives others.
"""

from __future__ import annotations

import argparse
import statistics

import arena
from arena._core import PlayTask, derive_seed


def block_shares(book: str, strong: str, weak: str, blocks: int, seed: int) -> list[float]:
    """Points of `strong`'s seats in each block, of what a block has to give, 0 to 1."""
    game = arena.game(book)
    tasks = [
        PlayTask(
            [(strong, weak)[(seat + swapped) % 2] for seat in range(game.seats)],
            derive_seed(seed, 2 * block),
            derive_seed(seed, 2 * block + 1) + swapped,
        )
        for block in range(blocks)
        for swapped in (0, 1)
    ]
    shares = []
    for hand in zip(tasks, game.core.play(tasks), strict=True):
        scores = hand[1].outcome.scores
        shares.append(
            sum(s for s, name in zip(scores, hand[0].engines, strict=True) if name == strong)
            / sum(scores)
        )
    return [statistics.fmean(pair) for pair in zip(shares[::2], shares[1::2], strict=True)]


def main() -> None:
    """Prints a line for each rulebook."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("strong")
    parser.add_argument("weak")
    parser.add_argument("rulebooks", nargs="+")
    parser.add_argument("--blocks", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for book in asked.rulebooks:
        shares = block_shares(book, asked.strong, asked.weak, asked.blocks, asked.seed)
        half = 1.96 * statistics.stdev(shares) / len(shares) ** 0.5
        print(
            f"{book}: {asked.strong} against {asked.weak}, {asked.blocks} blocks, seed {asked.seed}: "
            f"{statistics.fmean(shares):.1%} ± {half:.1%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
