"""`arena serve`: the arena as a service."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.errors import CommandError


def serve(
    config_file: Annotated[
        Path | None, typer.Argument(metavar="SERVICE.toml", help="The operator's file.")
    ] = None,
    listen: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Instead of the file's.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar="PATH|URL", help="Instead of the file's.")
    ] = None,
    ledger: Annotated[
        str | None, typer.Option(metavar="PATH|URL", help="Instead of the file's.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Worker processes of the standing play; 0: none. Instead of the file's.",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="PEM", help="Certificate; with --tls-key.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="PEM", help="Its key.")] = None,
    client_ca: Annotated[
        Path | None,
        typer.Option(metavar="PEM", help="Callers need a certificate of this authority, too."),
    ] = None,
) -> None:
    """Serve the arena until told to stop; docs/arena-service.md is the operator's page."""
    from arena.server.config import ServiceConfig, Tls, load_config
    from arena.server.run import serve as run

    config = load_config(config_file) if config_file is not None else ServiceConfig()
    changes: dict[str, object] = {}
    if listen is not None:
        changes["listen"] = listen
    if database is not None:
        changes["database"] = database
    if ledger is not None:
        changes["ledger"] = ledger
    if workers is not None:
        changes["play"] = config.play.model_copy(update={"workers": workers})
    if (tls_cert is None) != (tls_key is None):
        raise CommandError("--tls-cert and --tls-key go together")
    if tls_cert is not None and tls_key is not None:
        changes["tls"] = Tls(cert=tls_cert, key=tls_key, client_ca=client_ca)
    elif client_ca is not None:
        if config.tls is None:
            raise CommandError("--client-ca needs --tls-cert and --tls-key")
        changes["tls"] = config.tls.model_copy(update={"client_ca": client_ca})
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")

    def announce(address: str) -> None:
        print(f"ARENA_SERVICE={address}", flush=True)

    asyncio.run(run(config.model_copy(update=changes), announce))
