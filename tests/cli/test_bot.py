"""`arena bot`, as an author runs it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.cli.conftest import ROOT, Arena

# It serves the protocol but not the health service.
RAW = shlex.join([sys.executable, "-m", "tests.bots.raw", "plain"])


def test_check_prints_each_finding_and_answers_by_its_exit_code(
    arena: Arena, tmp_path: Path
) -> None:
    words = ["bot", "check", RAW, "--games", "gomoku/freestyle15", "--check", "moves"]
    here = {"PYTHONPATH": str(ROOT)}
    ran = arena(*words, env=here)
    assert (ran.code, ran.err) == (0, "")
    names = [line.split()[:2] for line in ran.out.splitlines()[:-1]]
    assert names == [["ok", "ready"], ["ok", "describe"], ["skip", "new_game"], ["ok", "moves"]]
    assert ran.out.splitlines()[-1].startswith("3 passed, 0 failed, 1 skipped in ")
    junit = tmp_path / "findings.xml"
    ran = arena(*words, "--check", "health", "--json", "--junit", str(junit), env=here)
    assert (ran.code, ran.err) == (3, "")
    told = json.loads(ran.out)
    assert told["passed"] is False
    (failed,) = (each for each in told["findings"] if each["outcome"] == "failed")
    assert failed["check"] == "health" and "UNIMPLEMENTED" in failed["detail"]
    assert len(told["findings"]) == len(ElementTree.parse(junit).findall(".//testcase")) == 5
