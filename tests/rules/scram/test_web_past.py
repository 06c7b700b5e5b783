"""What a seat looked at and no longer sees comes back at no address while the game runs (A4)."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from games.models import Game
from league.models import Account, ClubGame, Competition
from tests.api.web import EVERYBODY, ROOT, bearer, move
from tests.factories import Cast
from tests.league.playing import opened
from tests.rules.scram.dealing import deal

SECRETS: Final = ("４", "９", "８")
"""The cards that Paul looks at, in digits that no page uses otherwise: 0.0, 1.0 and what he draws later."""
AT_TABLE: Final = {0: SECRETS[0], 8: SECRETS[1], 19: "12", 20: "3", 21: SECRETS[2]}
"""The faces of some cards of the deal: the first of two campsites, and three of the deck."""
AFTER_THE_EXCHANGE: Final = 5


def target(seat: int, index: int) -> dict[str, int]:
    return {"seat": seat, "index": index}


DRAW: Final = {"type": "draw", "from": "deck"}
ACTIONS: Final[list[tuple[str, dict[str, Any]]]] = [
    ("paul", DRAW),
    ("paul", {"type": "act", "targets": [target(0, 0)]}),
    ("paul", {"type": "act", "targets": [target(1, 0)]}),
    ("paul", {"type": "exchange", "do": True}),
]
LATER: Final[list[tuple[str, dict[str, Any]]]] = [
    ("petra", DRAW),
    ("petra", {"type": "discard"}),
    ("paul", DRAW),
    ("paul", {"type": "replace", "cards": [target(0, 2)]}),
]


@pytest.fixture
def game(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of three in which Paul, the solo, has looked at two cards with a 12 and exchanged them."""
    deal(monkeypatch, AT_TABLE)
    game = cast.game("scram", players=[player.pk for player in cast.people(3)])
    played(cast, game, ACTIONS)
    return game


def played(cast: Cast, game: Game, moves: list[tuple[str, dict[str, Any]]]) -> None:
    """Make the moves of these accounts."""
    for who, made in moves:
        game.refresh_from_db()
        answer = move(bearer(getattr(cast, who)), game, game.seq + 1, made)
        assert answer.status_code == 201, answer.content
    game.refresh_from_db()


PARTS: Final = ("call", "draws", "frames", "kiosk", "leave", "log", "scores", "totals")


def addresses(game: Game) -> Iterator[str]:
    """Yield every address that tells of the game, with each number of its entries."""
    api = f"{ROOT}/games/{game.pk}/"
    page = f"/games/{game.pk}/"
    yield from (api, f"{api}moves/", f"{api}log/", f"{api}events/", f"{ROOT}/games/", page)
    yield from (f"{page}?moves=all", f"{page}play/", f"{page}?form=act", f"{api}draws/", f"{api}proof/")
    yield from (f"/embed{page}", f"/embed{page}frames/", f"{page}picture.png")
    yield from (f"{page}{part}/" for part in PARTS)
    for seq in range(game.seq + 1):
        yield from (f"{api}at/{seq}/", f"{page}?at={seq}")
        yield f"{page}news/?after=0&to={seq}"
        yield from (f"{api}moves/?after={seq}", f"{api}events/?after={seq}", f"{page}news/?after={seq}")
    for player in game.seats.values_list("player", flat=True):
        yield from (f"{ROOT}/players/{player}/games.csv", f"/players/{player}/")
    for route in routes(get_resolver()):
        if ON_DESK.match(route):
            filled = route.replace("<slug:suffix>", "csv")
            of = game.entries.all() if "/move/<path" in route else [game]
            yield from (f"/{filled.replace('<path:object_id>', str(each.pk))}" for each in of)


def answers(account: Account | None, game: Game) -> Iterator[tuple[str, str]]:
    """Yield each address with the text that the account, or a spectator, is told there."""
    browser, client = logged_in(account), bearer(account) if account else EVERYBODY
    for address in addresses(game):
        yield address, text_of((client if address.startswith(ROOT) else browser).get(address))
    for gesture in gestures():
        asked = browser.post(f"/games/{game.pk}/gestures/", gesture, content_type="application/json")
        yield f"{gesture}", text_of(asked)
    for seq, gesture in enumerate(gestures()):
        sent = {"seq": str(1 + seq % game.seq), "gesture": json.dumps(gesture)}
        yield f"{sent} sent again", text_of(browser.post(f"/games/{game.pk}/play/?after=0", sent))
    for seq, (_, made) in enumerate([*ACTIONS, *LATER], 2):
        yield f"{made} again at {seq}", text_of(move(client, game, seq, made))
        refused = {"seq": str(game.seq + 1), "type": "exchange", "own-do": "on"}
        batch = {"seq": seq, "moves": [made]}
        yield (
            f"{made} in a batch at {seq}",
            text_of(client.post(f"{ROOT}/games/{game.pk}/moves/batch/", batch)),
        )
        yield f"refused at {seq}", text_of(browser.post(f"/games/{game.pk}/play/?at={seq}", refused))


def gestures() -> Iterator[dict[str, Any]]:
    """Yield gestures onto and with everything on the table."""
    for thing in ("pile:deck", "pile:discard", "seat:1", "at:0.0", "at:1.1", "top:0"):
        yield from ({"onto": thing}, {"picked": [thing]}, {"picked": ["at:0.0"], "onto": thing})


def text_of(answer: Any) -> str:
    assert answer.status_code < 500
    text: str = (b"".join(answer) if answer.streaming else answer.content).decode()
    return text.encode().decode("unicode_escape").encode("latin-1").decode() if "\\u" in text else text


def logged_in(account: Account | None) -> Client:
    client = Client()
    if account:
        client.force_login(account)
    return client


@pytest.mark.parametrize("who", ["paul", "petra", "olga", None])
def test_no_address_gives_a_card_again_that_a_seat_no_longer_knows(
    cast: Cast, game: Game, who: str | None
) -> None:
    played(cast, game, LATER)
    shown = [*answers(getattr(cast, who) if who else None, game)]
    assert len(shown) > 70
    assert [address for address, text in shown if any(secret in text for secret in SECRETS)] == []


@pytest.mark.parametrize("who", ["petra", None])
def test_nobody_else_is_told_while_the_seat_still_sees_them(cast: Cast, game: Game, who: str | None) -> None:
    shown = [*answers(getattr(cast, who) if who else None, game)]
    assert [address for address, text in shown if any(secret in text for secret in SECRETS)] == []


def test_the_seat_still_sees_them_now_and_in_the_past_of_its_action(cast: Cast, game: Game) -> None:
    client = logged_in(cast.paul)
    for address in (f"/games/{game.pk}/", f"/games/{game.pk}/?at={AFTER_THE_EXCHANGE - 1}"):
        text = text_of(client.get(address))
        assert all(secret in text for secret in SECRETS[:2]), address
    assert all(secret in text_of(bearer(cast.paul).get(f"{ROOT}/games/{game.pk}/")) for secret in SECRETS[:2])


NAMED: Final = r"<\w+:(slug|player_id|key|section|version|year)>"
ENDLESS: Final = r"(?!.*(?:stream/|events/|(?<!>/)schema/|docs/)$)"
"""No streams, which the game's own stands for, and no descriptions of the API."""
OF_COMPETITION: Final = re.compile(
    rf"{ENDLESS}(?:(?:api/v1/)?competitions/|admin/league/competition/)"
    r"(?:[^<^]|<slug:slug>|<uuid:id>|<path:object_id>|<int:\w+>)*$"
)
IN_CLUB: Final = re.compile(
    rf"{ENDLESS}(?!admin/|(?:api/v1/)?competitions/<)(?:[^<^]|{NAMED}|(?<=players/)<uuid:id>)*$"
)
ON_DESK: Final = re.compile(r"admin/games/(?:game|move)/(?:<path:object_id>/[^<]*|export\.<slug:suffix>)?$")
UNASKED: Final = re.compile(
    r"""admin/(?!games/)
    | admin/games/\w+/(add/$|r/<int)                        # links to pages
    | .*<(\w+:)?(token|uidb64|digest)>                       # only in a mail or known to its owner; pictures
    | api/v1/clubs/<slug:slug>/(away|imports|webhooks)/<uuid # of what is written when a game is over
    | api/v1/clubs/<slug:slug>/own-games/<uuid:id>/         # of rules
    | api/v1/competitions/<uuid:id>/hall/announcements/
    | (api/v1/|clubs/<slug:slug>/)series/<                   # of results
    | (api/v1/)?seeks/<uuid | calls/<uuid                    # of games that have not begun
    | api/v1/(tokens|problems)/ | account/                   # of one's own account
    | api/v1/me/(friends|muted)/<uuid | friends/report/      # of people
    | competitions/<slug:slug>/my-evening/(code|object)/     # of a person's own code
    | competitions/<slug:slug>/check/<uuid                   # of results
    | competitions/<slug:slug>/(me|print)/                   # posted, and printed before a game
    | print/<slug:name>/<uuid                                # of results
    | rounds/<uuid:round_id>/scores/$                        # of cards on paper
    | rules/<slug:key>/sheet- | \^ | api/v1/$ | .*(stream|events|schema|docs)/$
    """,
    re.VERBOSE,
)
"""The routes that are asked by no test here, because they tell of no running game."""


def everywhere(cast: Cast) -> Iterator[str]:
    """Yield all other addresses that are made of nothing but the club and Paul."""
    paul = str(cast.paul_plays.pk)
    given = {"slug": cast.club.slug, "player_id": paul, "key": "scram", "section": "seasons", "version": "1"}
    given["year"] = str(timezone.localdate(timezone=cast.club.zone).year)
    for route in filter(IN_CLUB.match, routes(get_resolver())):
        of_players = route.replace("players/<uuid:id>", f"players/{paul}")
        yield f"/{re.sub(NAMED, lambda name: given[name[1]], of_players)}"


def test_no_other_page_of_the_site_tells_it_either(cast: Cast, game: Game) -> None:
    played(cast, game, LATER)
    browser = logged_in(cast.paul)
    shown = {address: text_of(browser.get(address)) for address in everywhere(cast)}
    assert {"/tables/mine/", f"/clubs/{cast.club.slug}/games/"} <= shown.keys()
    assert [address for address, text in shown.items() if any(secret in text for secret in SECRETS)] == []


def of_competition(competition: Competition) -> Iterator[str]:
    """Yield all addresses of a competition that are made of nothing but its slug or id, and numbers."""
    for route in filter(OF_COMPETITION.match, routes(get_resolver())):
        filled = re.sub(r"<slug:slug>", competition.slug, route)
        filled = re.sub(r"<uuid:id>|<path:object_id>", str(competition.pk), filled)
        yield f"/{re.sub('<int:[a-z_]+>', '1', filled)}"
    yield f"/clubs/{competition.club.slug}/seasons/{competition.opened_at.year}/"


def test_no_page_of_its_competition_or_the_desk_tells_it(cast: Cast, game: Game) -> None:
    competition = opened(cast, ruleset="scram")
    ClubGame.objects.filter(pk=game.pk).update(competition=competition)
    played(cast, game, LATER)
    for account in (cast.paul, cast.olga):
        browser = logged_in(account)
        shown = {address: text_of(browser.get(address)) for address in of_competition(competition)}
        assert len(shown) > 30 and "Autumn" in shown[f"/competitions/{competition.slug}/log/"]
        assert [address for address, text in shown.items() if any(secret in text for secret in SECRETS)] == []


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Yield the routes of all addresses."""
    for each in resolver.url_patterns:
        route = f"{before}{each.pattern}"
        if isinstance(each, URLPattern):
            yield route
        else:
            yield from routes(each, route)


def test_every_route_of_a_game_is_asked() -> None:
    of_games = {route for route in routes(get_resolver()) if re.search(r"(^|/)games/<uuid", route)}
    assert of_games == {
        *("games/<uuid:game_id>/", "games/<uuid:game_id>/play/", "games/<uuid:game_id>/news/"),
        *(f"games/<uuid:game_id>/{part}/" for part in PARTS),
        *(f"games/<uuid:game_id>/{part}/" for part in ("accept", "decline", "gestures", "rematch", "say")),
        *(f"api/v1/games/<uuid:id>/{part}/" for part in ("accept", "decline", "moves/batch", "rematch")),
        *(f"api/v1/games/<uuid:id>/{part}" for part in ("", "moves/", "at/<int:seq>/", "log/", "events/")),
        *(f"api/v1/games/<uuid:id>/{part}/" for part in ("company", "draws", "proof")),
        *("embed/games/<uuid:game_id>/", "embed/games/<uuid:game_id>/frames/"),
        "games/<uuid:game_id>/picture.png",
    }


def test_no_route_is_forgotten() -> None:
    known = (OF_COMPETITION, IN_CLUB, ON_DESK, UNASKED)
    others = {route for route in routes(get_resolver()) if not re.search(r"(^|/)games/<uuid", route)}
    assert {route for route in others if not any(each.match(route) for each in known)} == set()
