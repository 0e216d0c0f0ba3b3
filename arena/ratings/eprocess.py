"""Tests by betting: e-processes against either hypothesis.

Somebody starts with 1 and bets on each block's score, on terms that are fair if a hypothesis is
true. Whatever the law of the scores, the chance that this capital ever reaches 1 / alpha is at
most alpha if the hypothesis is true (J. Ville, 1939): no law is fitted on which the guarantee
depends, none has to be the same from block to block, and no number of blocks is too small. A
deal of a table of four, or of one against two, has scores of dozens of values; a likelihood
ratio goes by a law of them that a few dozen deals do not show.

What is bet does depend on a law: the one that fits the blocks *before* this one best and has the
other hypothesis's mean. The best bet under it is its likelihood ratio to the nearest law with the
mean of the hypothesis that is bet against, 1 + theta (score - mean). A poor law makes a test
longer, never wrong.

Sources: G. Shafer, "Testing by betting", JRSS A 184, 2021; P. Grünwald, R. de Heide and W. Koolen,
"Safe testing", JRSS B 86, 2024 (growth-optimal bets); I. Waudby-Smith and A. Ramdas, "Estimating
means of bounded random variables by betting", JRSS B 86, 2024.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.ratings.blocks import share_of
from arena.ratings.sequential import Hypotheses, Scale, nearest_law

Floats = NDArray[np.float64]

_HELD = 2_000_000
"""Numbers of a matrix held at once."""


def evidence(
    rungs: NDArray[np.int64], cells: int, test: Hypotheses, seen: Floats | None = None
) -> Floats:
    """(n, 2) logarithms of what capitals bet against H0, and against H1, grow to block by block.

    `rungs` are (n,) scores on a ladder of `cells` equal steps from 0 to 1, `seen` the (cells,)
    counts of blocks before them. Raises ValueError for hypotheses that are not of the mean score,
    and for a mean that the ladder does not have.
    """
    known = np.zeros(cells) if seen is None else seen.copy()
    gains = np.empty((len(rungs), 2))
    step = max(1, _HELD // cells)
    for start in range(0, len(rungs), step):
        part = slice(start, start + step)
        one_hot = np.zeros((len(rungs[part]), cells))
        one_hot[np.arange(len(one_hot)), rungs[part]] = 1
        after = known + np.cumsum(one_hot, axis=0)
        for side, factors in enumerate(_factors(after - one_hot, test)):
            gains[part, side] = np.log((factors * one_hot).sum(axis=1))
        known = after[-1]
    found: Floats = np.cumsum(gains, axis=0)
    return found


def signed(capitals: Floats) -> Floats:
    """The larger of two logarithms, as (..., 2); that against H1 is negative."""
    against0, against1 = capitals[..., 0], capitals[..., 1]
    found: Floats = np.where(against0 >= against1, against0, -against1)
    return found


def expected_evidence(laws: Floats, blocks: Floats, test: Hypotheses) -> Floats:
    """(times, laws, 2) what `evidence` comes to on average after each of rising numbers of blocks.

    `laws` are (laws, cells), each that of all blocks up to then.
    """
    # What is learnt is learnt early: between these points growth is as good as straight.
    early = np.concatenate([[0.0], np.geomspace(0.5, blocks[0], 6)[:-1]])
    times = np.concatenate([early, blocks])
    past = (times[:, None, None] * laws).reshape(-1, laws.shape[1])
    shape = (len(times), len(laws))
    found = np.empty((*shape, 2))
    for side, factors in enumerate(_factors(past, test)):
        growth = (np.log(factors).reshape(*shape, -1) * laws).sum(axis=2)
        steps = (growth[1:] + growth[:-1]) / 2 * np.diff(times)[:, None]
        found[:, :, side] = np.concatenate([np.zeros((1, len(laws))), np.cumsum(steps, axis=0)])
    return found[len(early) :]


def _factors(before: Floats, test: Hypotheses) -> tuple[Floats, Floats]:
    """Per row of (n, cells) counts seen so far: what each score multiplies either capital by."""
    if test.scale is not Scale.LOGISTIC:
        raise ValueError("bets are on the mean score: hypotheses on the logistic scale")
    cells = before.shape[1]
    ladder = np.linspace(0, 1, cells)
    # One virtual block, all scores alike, so that no bet is for everything.
    counts = before + 1 / cells
    shares = counts / counts.sum(axis=1, keepdims=True)
    mean0, mean1 = share_of(test.elo0), share_of(test.elo1)
    fitted0, fitted1 = nearest_law(shares, ladder - mean0), nearest_law(shares, ladder - mean1)
    return (
        fitted1 / nearest_law(fitted1, ladder - mean0),
        fitted0 / nearest_law(fitted0, ladder - mean1),
    )
