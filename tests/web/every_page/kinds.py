"""The kinds of pages: for each route with a page an address for each state that looks different."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from playwright.sync_api import Page

from league.queries.games import last_end
from league.queries.links import (
    password_tokens,
    token_for_address,
    token_of,
    token_to_stop,
    token_to_stop_invitations,
)
from league.services.invitations import accept_invitation, invite
from tests.factories import PlayerFactory
from tests.league import playing
from tests.web.every_page.world import (
    CARDS,
    TABLES,
    World,
    account,
    asked,
    cards,
    competitions,
    paper,
    tables,
)


@dataclass(frozen=True)
class State:
    """A page as somebody sees it: who, where, with which status, and what they do first."""

    who: str
    args: tuple[Any, ...] = ()
    query: str = ""
    status: int = 200
    ready: str = ""
    do: Callable[[Page], None] | None = None

    def path(self, route: str) -> str:
        """Return its address."""
        return f"{reverse(route, args=self.args)}{self.query}"


States = Sequence[State]


def nobody(*args: Any, **more: Any) -> State:
    return State("nobody", args, **more)


DOCK: Final = "#dock[data-state=shown]"
WATCHED: Final = "#live.one-screen"
STUDIO: Final = "#studio:not([aria-busy])"


def paul(*args: Any, **more: Any) -> State:
    return State("paul", args, **more)


def petra(*args: Any, **more: Any) -> State:
    return State("petra", args, **more)


def olga(*args: Any, **more: Any) -> State:
    return State("olga", args, **more)


def club_of(world: World) -> str:
    return world.cast.club.slug


def _slug(world: World, name: str) -> str:
    return world.competitions[name].slug


def at_all(world: World, *names: str, who: str = "nobody", **more: Any) -> States:
    return [State(who, (_slug(world, name),), **more) for name in names]


def _tables(world: World) -> States:
    """Return the tables of the games that are dealt: in one's turn, at the end of a deal and of the game."""
    games, found = world.games, list[State]()
    for key in TABLES:
        on, ended, over = (games[f"{key} {when}"] for when in ("on", "ended", "over"))
        found += [
            paul(on.pk, ready=DOCK),
            paul(ended.pk, query=f"?at={last_end(ended, 0, ended.seq)}"),
            nobody(over.pk, ready=STUDIO),
        ]
    on, over = games["scoops on"], games["scoops over"]
    watched = nobody(on.pk, ready=WATCHED)
    return [
        *found,
        petra(on.pk, ready=DOCK),
        watched,
        nobody(on.pk, query="?at=5"),
        paul(over.pk, ready=STUDIO),
    ]


def _games(world: World) -> States:
    games = world.games
    return [
        *_tables(world),
        *(paul(games[key].pk, query="?form=correct-1") for key in CARDS),
        petra(games["scamper-scorecard"].pk),
        *(nobody(games[key].pk) for key in ("declined", "first")),
        petra(games["asked"].pk),
        nobody(games["lost"].pk, status=501),
    ]


def _invitations(world: World) -> States:
    cast = world.cast
    robin = PlayerFactory.create(club=cast.club, name="Robin Rook")
    made, opened = (
        invite(by=cast.olga, club=cast.club, email=f"{name}@harbour.example", role="player", player=player)
        for name, player in (("robin", robin), ("rosa", None))
    )
    accept_invitation(by=cast.nora, invitation_id=opened.pk, token=token_of(opened))
    known = [State(who, (each.pk, token_of(each))) for who, each in (("nobody", made), ("nora", made))]
    waits = [State("nora", (opened.pk, token_of(opened))), nobody(opened.pk, token_of(opened), status=410)]
    return [*known, *waits, nobody(made.pk, "wrong", status=410)]


def _reset(world: World) -> tuple[str, str]:
    nora = world.cast.nora
    return urlsafe_base64_encode(force_bytes(nora.pk)), password_tokens.make_token(nora)


def _stop(world: World) -> tuple[object, ...]:
    player = world.cast.paul_plays
    return player.pk, "notice", token_to_stop(player, "notice")


def _press(page: Page) -> None:
    with page.expect_navigation():
        page.locator("main form button").first.click()


def send(**typed: str | bool) -> Callable[[Page], None]:
    """Return how the form with these fields is filled in and sent."""

    def sent(page: Page) -> None:
        for name, value in typed.items():
            box = page.locator(f"main [name={name}]").first
            box.check() if value is True else box.fill(str(value))
        with page.expect_navigation():
            box.evaluate("each => each.form.requestSubmit()")

    return sent


Kinds = Mapping[str, Callable[[World], States]]
CLUBS: Final[Kinds] = {
    "home": lambda world: [nobody(), paul()],
    "current": lambda world: [nobody()],
    "club": lambda world: [paul(club_of(world))],
    "season": lambda world: [nobody(club_of(world), world.competitions["won"].opened_at.year)],
    "club_players": lambda world: [nobody(club_of(world))],
    "club_competitions": lambda world: [nobody(club_of(world))],
    "club_games": lambda world: [nobody(club_of(world))],
    "ratings": lambda world: [nobody(club_of(world), query="?game=tally")],
    "find_players": lambda world: [nobody(query="?name=paul"), nobody(query="?name=zzz")],
    "player": lambda world: [nobody(world.cast.paul_plays.pk), nobody(world.hidden)],
    "competition": lambda world: [
        *at_all(world, "won", "cup", "seasons", "to check"),
        *at_all(world, "coming", who="paul"),
        *at_all(world, "running", who="olga"),
    ],
    "competition_cross_table": lambda world: at_all(world, "running"),
    "competition_wall": lambda world: at_all(world, "running"),
    "competition_charts": lambda world: at_all(world, "running", "cup", "seasons"),
    "competition_winners": lambda world: at_all(world, "won", who="paul"),
    "competition_rounds": lambda world: at_all(world, "coming", "running"),
    "competition_entries": lambda world: at_all(world, "running"),
    "competition_log": lambda world: at_all(world, "running"),
}


def _to_check(world: World) -> tuple[str, UUID]:
    found = world.competitions["to check"]
    return found.slug, playing.tables(found)[0].pk


TABLES_AND_RULES: Final[Kinds] = {
    "game": _games,
    "embedded": lambda world: [nobody(world.games[f"{key} over"].pk, ready=STUDIO) for key in TABLES],
    "card_scores": lambda world: [paul(world.games[key].pk) for key in CARDS],
    "round_scores": lambda world: [olga(world.round), paul(world.round, status=403)],
    "check_scores": lambda world: [olga(*_to_check(world)), paul(*_to_check(world), status=403)],
    "scores": lambda world: [olga(), paul(status=403)],
    "rules_index": lambda world: [nobody()],
    "rules": lambda world: [nobody(key) for key in (*TABLES, *CARDS)],
}
ACCOUNTS: Final[Kinds] = {
    "account": lambda world: [
        paul(),
        petra(),
        State("stranger"),
        paul(do=send(name="a bot", scopes=True)),
    ],
    "login": lambda world: [
        nobody(),
        nobody(query=f"?next=/games/{world.games['asked'].pk}/play/"),
        nobody(do=send(username="paul", password="wrong")),
    ],
    "password_change": lambda world: [paul()],
    "devices": lambda world: [paul(), petra()],
    "bot": lambda world: [paul(), olga()],
    "notifications": lambda world: [paul()],
    "zone": lambda world: [paul()],
    "confirm_address": lambda world: [paul(token_for_address(world.cast.paul, "paul@harbour.example"))],
    "password_reset": lambda world: [nobody()],
    "password_reset_confirm": lambda world: [nobody(*_reset(world)), nobody("AA", "wrong")],
    "invitation": _invitations,
    "stop_kind": lambda world: [nobody(*_stop(world)), nobody(*_stop(world), do=_press)],
    "stop_invitations": lambda world: [
        nobody(token_to_stop_invitations(world.cast.club, "ruth@cards.example")),
        nobody("wrong", status=404),
    ],
    "offline": lambda world: [nobody()],
}
AREAS: Final[Mapping[str, tuple[Kinds, Sequence[Callable[[World], None]]]]] = {
    "clubs": (CLUBS, (competitions,)),
    "tables": (TABLES_AND_RULES, (paper, tables, cards)),
    "accounts": (ACCOUNTS, (asked, account)),
}
"""The states of each kind of page by the name of its route, and what has to be there for them."""
POSTED: Final = (
    *("accept_game", "asking", "ask_new_passkey", "ask_passkey", "decline_game", "emails_again"),
    *(
        "end_other_sessions",
        "end_session",
        "gestures",
        "language",
    ),
    *("logout", "make_passkey", "own"),
    *(
        "passkey_log_in",
        "rematch",
        "remove_passkey",
        "revoke_token",
    ),
)
"""Routes that are posted to, and lead to a page."""
NO_PAGES: Final[Mapping[str, str]] = {
    **dict.fromkeys(POSTED, "posted"),
    **dict.fromkeys(("competition_picture", "game_log", "purposes"), "a picture or file"),
    **dict.fromkeys(
        ("club_feed", "competition_feed", "club_calendar", "secret_calendar"),
        "a feed or calendar",
    ),
    **dict.fromkeys(
        ("frames", "embedded_frames", "game_draws", "manifest", "worker"),
        "for scripts",
    ),
    **dict.fromkeys(("news", "own_tables"), "a part that scripts put into a page"),
    **dict.fromkeys(("play", "favicon.ico", "earlier_static"), "leads to another page"),
    **dict.fromkeys(("sitemap.xml", "sitemap", "robots.txt"), "for search engines"),
    "api:docs": "Swagger UI as its makers have it",
}
"""Routes that show a reader no page of ours, with the reason."""
