"""`arena token` and `arena serve` as an operator uses them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import grpc
import pytest

from arena.cli import main
from arena.protocol.v1 import arena_pb2, arena_pb2_grpc
from arena.server.config import load_config
from tests.server.kit import bearer


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


def test_from_a_token_to_a_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(tmp_path / "service.db")
    here = ("--database", database)
    text = said(capsys, "token", "new", "Ann", "--scope", "author", *here).strip()
    (row,) = json.loads(said(capsys, "token", "list", "--json", *here))
    assert row["account"] == "Ann" and row["scopes"] == ["author"] and row["id"] in text
    assert text not in said(capsys, "token", "list", *here, "--lang", "en")

    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "arena", "serve", "--listen", "127.0.0.1:0"),
            *("--ledger", str(tmp_path / "ledger.db"), *here),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip().removeprefix("ARENA_SERVICE=")
        with grpc.insecure_channel(address) as channel:
            stub = arena_pb2_grpc.ArenaServiceStub(channel)
            request = arena_pb2.ListEnginesRequest()
            stub.ListEngines(request, metadata=bearer(text), timeout=10)
            said(capsys, "token", "revoke", row["id"], *here)
            with pytest.raises(grpc.RpcError) as caught:
                stub.ListEngines(request, metadata=bearer(text), timeout=10)
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        server.send_signal(signal.SIGTERM)
        assert server.wait(10) == 0
    finally:
        server.kill()
        server.wait()
    log = json.loads(said(capsys, "token", "log", "--json", *here))
    assert [line["action"] for line in log] == ["token new", "token revoke"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("token", "new", "", "--scope", "author"), "account: is empty"),
        (("token", "new", "a", "--scope", "king"), "there are author, "),
        (("token", "new", "a", "--scope", "author", "--days", "-1"), "must be over 0"),
        (("token", "new", "a", "--scope", "author", "--days", "1e11"), "at most 36500"),
        (("token", "new", "a", "--scope", "author", "--days", "inf"), "at most 36500"),
        (("token", "revoke", "123"), "no token '123'"),
        (("token", "list", "--database", "nowhere.db"), "no such service database"),
        (("serve", "--tls-cert", "x"), "go together"),
        (("serve", "--client-ca", "x"), "needs --tls-cert"),
        (("serve", "--listen", "127.0.0.1:65600"), "port 0..65535"),
        (("serve", "rungs.toml"), "rungs.toml:4: play.rungs: gomoku has "),
        (("serve", "books.toml"), "books.toml:3: play.rulebooks: no rulebook 'gomoku/doc00'"),
        (("serve", "listen.toml"), "listen.toml:1: listen: must be host:port"),
        (("serve", "tls.toml"), "tls.key: key.pem: No such file"),
        (("serve", "wrong.toml"), "wrong.toml:2: limits.burst: must be"),
        (("serve", "typo.toml"), "no such setting; did you mean 'listen'"),
        (("serve", "dial.toml"), "dial target 'x'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: tuple[str, ...],
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.toml").write_text("[limits]\nburst = 0\n")
    (tmp_path / "typo.toml").write_text('listn = "x"\n')
    (tmp_path / "rungs.toml").write_text(
        'listen = "127.0.0.1:0"\n[play]\nrulebooks = ["gomoku/doc001"]\nrungs = [99]\n'
    )
    (tmp_path / "books.toml").write_text(
        'listen = "127.0.0.1:0"\n[play]\nrulebooks = ["gomoku/doc00"]\n'
    )
    (tmp_path / "listen.toml").write_text('listen = "here"\n')
    (tmp_path / "tls.toml").write_text('[tls]\ncert = "cert.pem"\nkey = "key.pem"\n')
    (tmp_path / "dial.toml").write_text('[dial]\nallow = ["x"]\n')
    if words[:2] == ("token", "revoke"):
        main(("token", "new", "a", "--scope", "author"))
        capsys.readouterr()
    assert main(words) == (2 if "king" in words else 1)
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1


def test_the_file_in_the_documents_is_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "arena-service.md").read_text("utf-8")
    block = page.split("```toml\n")[1].split("```")[0]
    (tmp_path / "service.toml").write_text(block)
    assert load_config(tmp_path / "service.toml").match.clock.kind == "per_move"
