"""`arena token`: who may call the arena, and the log of what they did."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.screen import JsonOption, LangOption, Screen

if TYPE_CHECKING:
    from arena.server.database import AuditRow
    from arena.server.tokens import Token

app = typer.Typer(
    help="Tokens of the arena service, on the machine that has its database.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

DatabaseOption = Annotated[
    str, typer.Option("--database", metavar="PATH|URL", help="The service's database.")
]
_HERE = "service.db"


@app.command("new", short_help="Make a token; it is shown once.")
def new(
    account: Annotated[
        str, typer.Argument(metavar="ACCOUNT", help="Whose it is: a person or a team.")
    ],
    scope: Annotated[
        list[str], typer.Option(metavar="author|researcher|operator", help="Repeatable.")
    ],
    days: Annotated[float, typer.Option(help="Days that it is good for; 0: for ever.")] = 365,
    note: Annotated[str, typer.Option(help="For the list.")] = "",
    database: DatabaseOption = _HERE,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Make a token for an account. Only its digest is kept: what is printed is all there is."""
    from arena.server.database import OPERATOR, Actor, Database
    from arena.server.tokens import Scope, TokenBook

    screen = Screen(lang, as_json)
    known = [str(one) for one in Scope]
    for word in scope:
        if word not in known:
            raise typer.BadParameter(f"--scope {word}: there are {', '.join(known)}")
    with Database.open(database) as opened:
        text, token = TokenBook(opened).new(
            account, [Scope(s) for s in scope], Actor(OPERATOR), days=days or None, note=note
        )
    if screen.as_json:
        screen.document({"token": text, **_told(token)})
        return
    screen.line(text)
    screen.note(
        screen.say(
            f"token {token.token_id} of {token.account}: shown once, kept as a digest only",
            f"令牌 {token.token_id}（{token.account}）：只显示这一次，库中仅存摘要",
        )
    )


@app.command("list", short_help="List the tokens.")
def list_tokens(
    database: DatabaseOption = _HERE, as_json: JsonOption = False, lang: LangOption = None
) -> None:
    """List all tokens, oldest first; none shows its secret."""
    from arena.server.database import Database, now
    from arena.server.tokens import TokenBook

    screen = Screen(lang, as_json)
    with Database.open(database, create=False) as opened:
        tokens = TokenBook(opened).all()
    if screen.as_json:
        screen.document([_told(token) for token in tokens])
        return
    screen.table(
        "",
        (
            screen.say("token", "令牌"),
            screen.say("account", "帐户"),
            screen.say("scopes", "权限"),
            screen.say("expires", "到期"),
            screen.say("state", "状态"),
            screen.say("note", "备注"),
        ),
        [
            (
                token.token_id,
                token.account,
                " ".join(sorted(token.scopes)),
                "-" if token.expires is None else _date(token.expires),
                token.problem(now()) or screen.say("good", "有效"),
                token.note,
            )
            for token in tokens
        ],
    )


@app.command("revoke", short_help="End a token.")
def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="As `arena token list` shows it.")],
    database: DatabaseOption = _HERE,
    lang: LangOption = None,
) -> None:
    """End a token at once and for good; streams that it opened end within seconds."""
    from arena.server.database import OPERATOR, Actor, Database
    from arena.server.tokens import TokenBook

    screen = Screen(lang)
    with Database.open(database, create=False) as opened:
        token = TokenBook(opened).revoke(token_id, Actor(OPERATOR))
    screen.line(
        screen.say(
            f"token {token.token_id} of {token.account} is no good any more",
            f"令牌 {token.token_id}（{token.account}）已作废",
        )
    )


@app.command("log", short_help="Print who did what.")
def audit(
    first: Annotated[int, typer.Option(min=0, help="From this line on.")] = 0,
    database: DatabaseOption = _HERE,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Print the log of the service: tokens, engines, and who did what to them."""
    from arena.server.database import Database

    screen = Screen(lang, as_json)
    with Database.open(database, create=False) as opened:
        rows: list[AuditRow] = []
        while page := opened.audit(rows[-1].number + 1 if rows else first):
            rows += page
    if screen.as_json:
        screen.document(rows)
        return
    screen.table(
        "",
        (
            "#",
            screen.say("time", "时间"),
            screen.say("account", "帐户"),
            screen.say("action", "操作"),
            screen.say("subject", "对象"),
            screen.say("detail", "详情"),
        ),
        [(str(r.number), _date(r.at), r.account, r.action, r.subject, r.detail) for r in rows],
        right=(0,),
    )


def _told(token: Token) -> dict[str, object]:
    return {
        "id": token.token_id,
        "account": token.account,
        "scopes": sorted(token.scopes),
        "note": token.note,
        "created": _date(token.created),
        "expires": None if token.expires is None else _date(token.expires),
        "revoked": None if token.revoked is None else _date(token.revoked),
    }


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
