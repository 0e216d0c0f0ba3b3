"""The lease book, told every kind of bad news in every order."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from arena.cluster.lease import BlockState, CellTerms, Lease, LeaseTerms
from arena.cluster.leases import LeaseBook

CELLS = st.lists(
    st.builds(
        CellTerms,
        blocks=st.integers(1, 12),
        engines=st.sampled_from([("a",), ("b",), ("a", "b")]),
        cpus=st.sampled_from([1.0, 2.0]),
        limited=st.sampled_from([(), ("a",)]),
        at_once=st.sampled_from([1, 4]),
    ),
    min_size=1,
    max_size=4,
)


class Sweep(RuleBasedStateMachine):
    """Workers that lose, double and delay their reports, and die."""

    @initialize(cells=CELLS)
    def start(self, cells: list[CellTerms]) -> None:
        self.book = LeaseBook(cells, LeaseTerms())
        self.cells = cells
        self.now = 0.0
        self.born = 0
        self.workers: list[str] = []
        self.out: list[Lease] = []
        """Every lease ever given, so that late and doubled reports come from any of them."""
        self.done: set[tuple[int, int]] = set()
        self.stops: dict[int, int] = {}

    @rule(data=st.data())
    def stop(self, data: st.DataObject) -> None:
        cell = data.draw(st.integers(0, len(self.cells) - 1))
        if cell not in self.stops:
            blocks = data.draw(st.integers(0, self.cells[cell].blocks))
            self.stops[cell] = blocks
            self.book.stop(cell, blocks)
            self.done = {at for at in self.done if at[0] != cell or at[1] < blocks}

    @rule(cores=st.sampled_from([1.0, 2.0]), node=st.sampled_from(["x", "y"]))
    def join(self, cores: float, node: str) -> None:
        if len(self.workers) < 4:
            self.workers.append(f"w{self.born}")
            self.born += 1
            self.book.join(self.workers[-1], self.now, node, cores)

    @precondition(lambda self: self.workers)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        worker = data.draw(st.sampled_from(self.workers))
        self.workers.remove(worker)
        self.book.leave(worker, "killed", self.now)

    @precondition(lambda self: self.workers)
    @rule(data=st.data())
    def grant(self, data: st.DataObject) -> None:
        lease = self.book.grant(data.draw(st.sampled_from(self.workers)), self.now)
        if lease:
            self.out.append(lease)
            for piece in lease.slices:
                for cell, block in piece.blocks():
                    assert self.book.state(cell, block) is BlockState.LEASED
                    assert (cell, block) not in self.done

    @precondition(lambda self: self.out)
    @rule(data=st.data(), seconds=st.floats(0, 10))
    def report(self, data: st.DataObject, seconds: float) -> None:
        """Some blocks played, some failed, some refused, the rest lost; from any lease ever."""
        lease = data.draw(st.sampled_from(self.out))
        current = lease.worker in self.workers
        for piece in lease.slices:
            for cell, block in piece.blocks():
                fate = data.draw(st.sampled_from(["played", "played", "failed", "away", "lost"]))
                if fate == "played":
                    news = self.book.complete(cell, block, lease.id)
                    spared = block >= self.stops.get(cell, block + 1)
                    assert news == (not spared and (cell, block) not in self.done)
                    if not spared:
                        self.done.add((cell, block))
                elif fate == "failed":
                    self.book.fail(cell, block, lease.id, "bad", self.now)
                elif fate == "away":
                    self.book.refuse(cell, block, lease.id)
            self.book.measured(piece.cell, piece.stop - piece.start, seconds)
        if current:
            self.book.end(lease.id, self.now)

    @rule(engine=st.sampled_from(["a", "b"]), final=st.booleans())
    def away(self, engine: str, final: bool) -> None:
        self.book.engine_away(engine, "gone", self.now, final=final)

    @rule(seconds=st.floats(0, 700))
    def later(self, seconds: float) -> None:
        self.now += seconds
        for worker in self.book.overdue(self.now):
            self.workers.remove(worker)
            self.book.leave(worker, "overdue", self.now)

    @invariant()
    def adds_up(self) -> None:
        if not hasattr(self, "book"):
            return
        self.book.check()
        states = Counter(
            self.book.state(cell, block)
            for cell, terms in enumerate(self.cells)
            for block in range(terms.blocks)
        )
        assert states[BlockState.DONE] == self.book.done == len(self.done)
        assert states[BlockState.LEASED] == self.book.leased
        assert states[BlockState.QUEUED] == self.book.queued
        assert states[BlockState.VOID] == self.book.void
        parked = sum(piece.stop - piece.start for piece, _ in self.book.parked())
        assert parked == self.book.void

    def teardown(self) -> None:
        """Whatever happened, honest workers finish the rest."""
        if not hasattr(self, "book"):
            return
        for worker in self.workers:
            self.book.leave(worker, "replaced", self.now)
        self.book.join("honest", self.now, "z", 1.0)
        for _ in range(1000):
            if self.book.finished:
                return
            self.now += 1.0
            lease = self.book.grant("honest", self.now)
            if lease is None:
                continue
            for piece in lease.slices:
                for cell, block in piece.blocks():
                    assert self.book.complete(cell, block, lease.id)
                self.book.measured(piece.cell, piece.stop - piece.start, 0.5)
            self.book.end(lease.id, self.now)
            self.book.check()
        raise AssertionError("the rest was never finished")


TestSweep = Sweep.TestCase
TestSweep.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)


def play_all(book: LeaseBook, cost: float, *, workers: int = 2) -> list[Lease]:
    """Virtual time: every block costs the same, workers play their leases in order."""
    clocks = {f"w{i}": 0.0 for i in range(workers)}
    for name in clocks:
        book.join(name, 0.0)
    leases = []
    while not book.finished:
        name = min(clocks, key=lambda worker: clocks[worker])
        lease = book.grant(name, clocks[name])
        if lease is None:
            clocks[name] += 0.1
            continue
        leases.append(lease)
        for piece in lease.slices:
            seconds = (piece.stop - piece.start) * cost
            clocks[name] += seconds
            for cell, block in piece.blocks():
                book.complete(cell, block, lease.id)
            book.measured(piece.cell, piece.stop - piece.start, seconds)
        book.end(lease.id, clocks[name])
    return leases


@pytest.mark.parametrize("cost", [0.001, 0.05, 0.7])
def test_leases_grow_to_the_target_and_shrink_at_the_end(cost: float) -> None:
    book = LeaseBook([CellTerms(20_000 if cost < 0.01 else 400, ("e",))])
    sizes = [sum(s.stop - s.start for s in lease.slices) for lease in play_all(book, cost)]
    assert sizes[0] == 1
    target = book.terms.target_seconds
    assert 0.6 * target <= max(sizes) * cost <= target
    assert sizes[-1] * cost <= target / 2
    overhead = sum(size * cost < 0.05 for size in sizes)
    assert overhead < 20


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_end_together_though_each_has_a_lease_waiting(workers: int) -> None:
    book = LeaseBook([CellTerms(2_000, ("e",))])
    cost = 0.05
    free = {f"w{i}": 0.0 for i in range(workers)}
    held: dict[str, list[Lease]] = {name: [] for name in free}
    for name in free:
        book.join(name, 0.0)
    while not book.finished:
        for _ in range(book.terms.leases_per_worker):
            for name, leases in held.items():
                if lease := book.grant(name, free[name]):
                    leases.append(lease)
        name = min((name for name in held if held[name]), key=lambda name: free[name])
        lease = held[name].pop(0)
        blocks = [block for piece in lease.slices for block in piece.blocks()]
        free[name] += len(blocks) * cost
        for cell, block in blocks:
            book.complete(cell, block, lease.id)
        book.measured(0, len(blocks), len(blocks) * cost)
        book.end(lease.id, free[name])
    assert max(free.values()) - min(free.values()) < book.terms.target_seconds / 5


def test_small_cells_share_a_lease() -> None:
    book = LeaseBook([CellTerms(10, ("e",)) for _ in range(50)])
    leases = play_all(book, 0.01)
    assert max(len(lease.slices) for lease in leases) > 5


def test_a_poisoned_block_is_found_and_parked_and_all_others_are_played() -> None:
    book = LeaseBook([CellTerms(64, ("e",), at_once=64)])
    poison = 41
    now = 0.0
    deaths = 0
    while not book.finished:
        now += 1.0
        worker = f"w{deaths}"
        book.join(worker, now)
        while lease := book.grant(worker, now):
            blocks = [b for piece in lease.slices for _, b in piece.blocks()]
            if poison in blocks:
                deaths += 1
                book.leave(worker, "segmentation fault", now)
                break
            for block in blocks:
                book.complete(0, block, lease.id)
            book.end(lease.id, now)
        else:
            book.leave(worker, "end of shift", now)
    assert book.done == 63
    [(piece, cause)] = book.parked()
    assert (piece.start, piece.stop) == (poison, poison + 1)
    assert "segmentation fault" in cause
    assert deaths <= 6 + book.terms.tries


def test_retries_wait_longer_each_time() -> None:
    book = LeaseBook([CellTerms(1, ("e",))], LeaseTerms(tries=4, backoff_seconds=2.0))
    book.join("w", 0.0)
    now = failed = 0.0
    waits = []
    while not book.finished:
        if lease := book.grant("w", now):
            waits.append(now - failed)
            book.fail(0, 0, lease.id, "bad", now)
            book.end(lease.id, now)
            failed = now
        now += 0.5
    assert waits == [0.0, 2.0, 4.0, 8.0]
    assert [cause for _, cause in book.parked()] == ["bad"]


def test_limits_hold_blocks_back_until_they_are_raised() -> None:
    book = LeaseBook([CellTerms(9, ("e",)), CellTerms(9, ("f",))], LeaseTerms(tries=1))
    book.join("w", 0.0)
    book.limit(0, 2)
    book.limit(1, 0)
    played = []
    for limit in (2, 5):
        book.limit(0, limit)
        while lease := book.grant("w", 0.0):
            for cell, block in (at for piece in lease.slices for at in piece.blocks()):
                played.append((cell, block))
                book.complete(cell, block, lease.id)
            book.measured(0, 1, 0.01)
            book.end(lease.id, 0.0)
        assert played == [(0, block) for block in range(limit)]
        assert book.stuck
        assert not book.finished
    book.limit(1, 1)
    assert not book.stuck
    for cell, blocks in ((0, 5), (1, 0)):
        book.stop(cell, blocks)
    assert book.finished
    assert not book.stuck


def test_an_engine_that_is_away_waits_then_parks_only_its_own_cells() -> None:
    book = LeaseBook([CellTerms(5, ("here",)), CellTerms(5, ("here", "away"))])
    book.join("w", 0.0)
    now = 0.0
    while not book.finished:
        now += 0.5
        while lease := book.grant("w", now):
            gone = False
            for piece in lease.slices:
                for cell, block in piece.blocks():
                    if cell == 1:
                        gone = True
                        book.refuse(cell, block, lease.id)
                    else:
                        book.complete(cell, block, lease.id)
            if gone:
                book.engine_away("away", "no connection", now)
            book.end(lease.id, now)
    assert book.count(0, BlockState.DONE) == 5
    assert book.count(1, BlockState.VOID) == 5
    assert now >= 3.0  # back-off of 1 and 2 seconds


def test_one_worker_at_a_time_plays_an_engine_until_it_is_known_to_take_any_number() -> None:
    cells = [CellTerms(9, ("bot", other), limited=("bot",)) for other in ("a", "b")]
    book = LeaseBook([*cells, CellTerms(50, ("inside",))], LeaseTerms(target_seconds=1.0))
    for cell in range(3):
        book.measured(cell, 1, 1.0)
    book.join("w0", 0.0)
    book.join("w1", 0.0)

    def cells_of(worker: str) -> set[int]:
        lease = book.grant(worker, 0.0)
        assert lease is not None
        return {piece.cell for piece in lease.slices}

    assert cells_of("w0") <= {0, 1}
    assert cells_of("w1") == {2}, "both other cells are the bot's"
    assert cells_of("w0") <= {0, 1}, "its own worker may"
    book.leave("w0", "killed", 0.0)
    assert cells_of("w1") & {0, 1}, "nobody else plays it now"
    book.join("w2", 0.0)
    assert cells_of("w2") == {2}
    book.share({"bot"})
    assert cells_of("w2") & {0, 1}
    book.check()


def test_cores_of_a_node_are_never_promised_twice() -> None:
    book = LeaseBook([CellTerms(50, ("bot",), cpus=2.0), CellTerms(50, ("inside",))])
    for name in ("w0", "w1"):
        book.join(name, 0.0, "node", 2.0)
    rng = random.Random(1)
    held: dict[int, tuple[str, float]] = {}
    now = 0.0
    while not book.finished:
        now += 0.1
        for name in ("w0", "w1"):
            if lease := book.grant(name, now):
                cpus = max(2.0 if piece.cell == 0 else 1.0 for piece in lease.slices)
                held[lease.id] = (name, cpus)
                busiest: dict[str, float] = {}
                for worker, needs in held.values():
                    busiest[worker] = max(needs, busiest.get(worker, 0.0))
                assert sum(busiest.values()) <= 2.0
                out = lease
                for piece in out.slices:
                    for cell, block in piece.blocks():
                        book.complete(cell, block, lease.id)
        if held:
            lease_id = rng.choice(list(held))
            held.pop(lease_id)
            book.end(lease_id, now)
    assert book.done == 100


def test_gpus_of_a_node_are_never_promised_twice() -> None:
    book = LeaseBook([CellTerms(40, ("bot",), cpus=1.0, gpus=0.5), CellTerms(40, ("inside",))])
    workers = [(f"w{i}", node) for i, node in enumerate(["plain", "card", "card", "card"])]
    for name, node in workers:
        book.join(name, 0.0, node, 8.0, 1.0 if node == "card" else 0.0)
    now = 0.0
    at_once: set[int] = set()
    while not book.finished:
        now += 0.1
        leases = [(node, lease) for name, node in workers if (lease := book.grant(name, now))]
        on_cards = [node for node, lease in leases if lease.slices[0].cell == 0]
        at_once.add(len(on_cards))
        assert set(on_cards) <= {"card"} and len(on_cards) <= 2
        for _, lease in leases:
            for piece in lease.slices:
                for cell, block in piece.blocks():
                    book.complete(cell, block, lease.id)
            book.end(lease.id, now)
    assert book.done == 80
    assert max(at_once) == 2


def test_more_gpus_than_any_node_has_are_played_one_at_a_time() -> None:
    book = LeaseBook([CellTerms(6, ("bot",), gpus=4.0)])
    for name in ("w0", "w1"):
        book.join(name, 0.0, "node", 8.0, 0.0)
    assert book.grant("w0", 0.0) is not None
    assert book.grant("w1", 0.0) is None


def test_fifty_worker_deaths_leave_as_many_workers_and_a_finished_plan() -> None:
    book = LeaseBook([CellTerms(300, ("e",))], LeaseTerms(tries=60))
    rng = random.Random(2)
    now = 0.0
    deaths = 0
    workers = ["w0", "w1"]
    for name in workers:
        book.join(name, now)
    while not book.finished:
        now += 1.0
        for position, name in enumerate(workers):
            lease = book.grant(name, now)
            if lease is None:
                continue
            if deaths < 50 and rng.random() < 0.8:
                deaths += 1
                book.leave(name, "killed", now)
                workers[position] = f"r{deaths}"
                book.join(workers[position], now)
                continue
            for piece in lease.slices:
                for cell, block in piece.blocks():
                    book.complete(cell, block, lease.id)
                book.measured(0, piece.stop - piece.start, 0.5)
            book.end(lease.id, now)
    assert deaths == 50
    assert len(workers) == 2
    assert book.done == 300
