"""One run at a time plays a sweep, whoever it is and however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arena.ledger import Ledger, LedgerError

_HOLDER = """
import sys, time
from arena.ledger import Ledger
with Ledger.open(sys.argv[1]) as ledger, ledger.playing("sweep-1"):
    print("held", flush=True)
    time.sleep(600)
"""


def claim_fails(ledger: Ledger, words: str) -> bool:
    with pytest.raises(LedgerError, match=words), ledger.playing("sweep-1"):
        pass
    return True


def test_one_run_at_a_time_plays_a_sweep(where: str) -> None:
    with Ledger.open(where) as first, Ledger.open(where) as second:
        with first.playing("sweep-1"):
            assert claim_fails(second, "another run.* is playing this sweep: wait for its end")
            with second.playing("sweep-2"):  # another sweep of the ledger may be played
                pass
            assert claim_fails(second, "another run")
        with second.playing("sweep-1"):
            assert claim_fails(first, "another run")


def test_the_claim_of_a_killed_run_is_gone_with_it(where: str, tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, where], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    with Ledger.open(where) as ledger:
        named = "another run" if "://" in where else rf"process {holder.pid}"
        assert claim_fails(ledger, named)
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        holder.stdout.close()
        with ledger.playing("sweep-1", on_wait=print):  # a server notices in a moment
            pass
    assert not list(tmp_path.glob("*.lock"))


def test_what_goes_wrong_meanwhile_is_not_blamed_on_the_ledger(where: str) -> None:
    with Ledger.open(where) as ledger:
        with pytest.raises(OSError, match="a wire was cut"), ledger.playing("sweep-1"):
            raise OSError("a wire was cut")
        with ledger.playing("sweep-1"):
            pass


def test_who_waits_is_told_once_and_goes_on(where: str) -> None:
    told: list[str] = []
    with Ledger.open(where) as first, Ledger.open(where) as second:
        held = first.playing("sweep-1")
        held.__enter__()
        ending = threading.Timer(0.7, held.__exit__, (None, None, None))
        ending.start()
        with second.playing("sweep-1", told.append):
            assert not ending.is_alive()
            assert claim_fails(first, "another run")
    assert len(told) == 1 and "goes on after it" in told[0]
