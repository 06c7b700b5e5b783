"""While a game runs, no response shows secrets to those who may not know them."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, resolve
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from api.urls import version_1
from games import log
from games.engine import replay
from games.models import Game
from games.models.moves import Seed
from league import tasks
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Player, Token
from league.services.accounts import create_token
from league.services.competitions import open_competition
from tests import factories
from tests.api.web import EVERYBODY, ROOT, bearer, get, logged_in, move
from tests.factories import Cast
from tests.league.acting import act
from tests.league.tally import Tally
from tests.shared import shared_rows


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Cast, Game]]:
    with shared_rows(django_db_blocker, Tally()):
        cast = factories.cast()
        yield cast, in_the_middle(cast)


@pytest.fixture
def cast(made: tuple[Cast, Game]) -> Cast:
    return made[0]


@pytest.fixture
def game(made: tuple[Cast, Game], db: None) -> Game:
    return Game.objects.get(pk=made[1].pk)


def in_the_middle(cast: Cast) -> Game:
    """Return a game of Scoops in the middle of its first round, at a table of a competition."""
    stage = {"name": "League", "format": "rounds", "rounds": 1, "table_size": 2}
    competition = open_competition(
        by=cast.olga, club=cast.club, name="Winter", ruleset="scoops", options={}, stages=[stage]
    )
    for player in (cast.paul_plays, cast.petra_plays):
        act(cast.olga, competition, EnterPlayers, players=[player.pk])
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    tasks.sweep()
    running = Game.objects.get()
    draw(cast, running)
    return running


def draw(cast: Cast, game: Game) -> None:
    """Let whoever is to act draw from the deck: one more card that only they know."""
    seat = get(f"/games/{game.pk}/")["to_act"][0]
    drawn = move(bearer(accounts(cast, game)[seat]), game, game.seq + 1, {"type": "draw", "from": "deck"})
    assert drawn.status_code == 201, drawn.content
    game.refresh_from_db()


def accounts(cast: Cast, game: Game) -> dict[int, Any]:
    """Return who plays each seat."""
    paul = cast.paul_plays.pk
    return {seat.number: cast.paul if seat.player == paul else cast.petra for seat in game.seats.all()}


def addresses(game: Game) -> Iterator[str]:
    """Yield every address of the API that can be read, with the ids of what there is."""
    ids = {
        "games": [str(game.pk)],
        "competitions": [str(Competition.objects.get().pk)],
        "players": [str(player.pk) for player in Player.objects.all()],
        "tokens": [str(Token.objects.all()[0].pk)],
    }
    fills = {
        "slug": [Competition.objects.get().club.slug],
        "seq": ["1", "2"],
        "key": ["scoops"],
        "code": ["stale"],
    }
    for route in routes():
        filled = [route]
        for name in ("id", "slug", "seq", "key", "code"):
            known = fills.get(name) or ids.get(route.split("/")[0], [])
            filled = [path.replace(f"<{name}>", value) for path in filled for value in known] or filled
        yield from filled


def routes(below: Iterable[URLPattern | URLResolver] = tuple(version_1)) -> Iterator[str]:
    """Yield the routes of version 1, their parameters as ``<name>``."""
    for each in below:
        beginning = re.sub("<[a-z]+:", "<", str(each.pattern))
        if isinstance(each, URLResolver):
            yield from (beginning + rest for rest in routes(each.url_patterns))
        else:
            yield beginning


def everything_read(client: APIClient, game: Game) -> dict[str, str]:
    """Return the text of the answers that the client gets, by address, of all that can be read."""
    answers = {path: client.get(f"{ROOT}/{path}") for path in addresses(game) if has(path, "get")}
    assert sum(answer.status_code == 200 for answer in answers.values()) >= 25
    return {path: b"".join(answer).decode() for path, answer in answers.items()}


def has(path: str, method: str) -> bool:
    """Return whether the view of an address has a method: what it has not, all views answer with one code."""
    view = view_of(path)
    return not isinstance(view, type) or hasattr(view, "get" if method == "HEAD" else method.lower())


def view_of(path: str) -> Any:
    """Return the class of the view at an address, or its function."""
    view = resolve(f"{ROOT}/{path}").func
    return getattr(view, "view_class", view)


def asked(game: Game, method: str) -> Iterator[str]:
    """Yield the addresses that have a method, and one of each kind of view that has it not."""
    refusing = {}
    for path in addresses(game):
        if has(path, method):
            yield path
        else:
            refusing[view_of(path)] = path
    yield from refusing.values()


@dataclass(frozen=True)
class Secrets:
    """What the API must not show while the game runs: to all but one seat, to anybody, and to others."""

    hand: tuple[str, ...]
    seed: str
    account: tuple[str, ...]


@pytest.fixture
def secrets(cast: Cast, game: Game) -> Secrets:
    """Return the hand of the seat to act, the seed, and Petra's token and password."""
    seat = get(f"/games/{game.pk}/")["to_act"][0]
    hand = get(f"/games/{game.pk}/", bearer(accounts(cast, game)[seat]))["view"]["hand"]
    made = create_token(by=cast.petra, name="mine", scopes=["play"])
    cast.petra.set_password("petra's own")
    cast.petra.save()
    return Secrets(
        (json.dumps(hand), json.dumps(hand, separators=(",", ":"))),
        bytes(Seed.objects.get(game=game).secret).hex(),
        (made.secret, made.token.digest, cast.petra.password, str(made.token.pk)),
    )


@pytest.mark.parametrize("who", ["nobody", "nora", "olga", "paul", "petra", "session"])
def test_no_response_shows_a_secret_of_a_running_game_or_of_another_account(
    cast: Cast, game: Game, secrets: Secrets, who: str
) -> None:
    seat = get(f"/games/{game.pk}/")["to_act"][0]
    playing = accounts(cast, game)
    caller = playing[1 - seat] if who == "session" else getattr(cast, who, None)
    client = EVERYBODY
    if caller is not None:
        client = logged_in(caller) if who == "session" else bearer(caller)
    hidden = [
        *(secrets.hand if caller != playing[seat] else ()),
        secrets.seed,
        *(secrets.account if caller != cast.petra else ()),
    ]
    for path, text in everything_read(client, game).items():
        assert [each for each in hidden if each in text or each in text.lower()] == [], path
    own = get(f"/games/{game.pk}/", client)["view"].get("hand")
    assert bool(own) == (caller in playing.values())


def test_a_spectators_view_does_not_depend_on_hidden_cards(cast: Cast, game: Game) -> None:
    position = log.latest(game)
    hidden = position.ruleset.hidden(position.state, None)
    other = position.ruleset.with_hidden(position.state, None, tuple(reversed(hidden)))
    shown = get(f"/games/{game.pk}/")["view"]
    assert shown == json.loads(json.dumps(replay.view(replace(position, state=other), None)))
    assert replay.view(position, 0) != replay.view(position, None)


def test_the_seed_and_all_cards_are_public_once_the_game_is_over(cast: Cast, game: Game) -> None:
    secret = bytes(Seed.objects.get(game=game).secret).hex()
    move(bearer(cast.paul), game, game.seq + 1, {"type": "resign"})
    assert get(f"/games/{game.pk}/")["seed"] == secret
    assert secret in EVERYBODY.get(f"{ROOT}/games/{game.pk}/log/").content.decode()


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "purge"])
def test_no_method_at_any_address_returns_500(cast: Cast, game: Game, method: str) -> None:
    client = bearer(cast.olga)
    for path in asked(game, method):
        answer = client.generic(method, f"{ROOT}/{path}", "{}", "application/json")
        assert answer.status_code < 500, (method, path)
