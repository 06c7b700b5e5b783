"""The toy games and one that a club defines work on every page and operation.

Pages come from the URL patterns and operations from the API's schema: a new one is tested automatically, or
fails until the test knows a value for its parameters.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from html.parser import HTMLParser
from itertools import product
from typing import Any, Final
from uuid import UUID

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern
from django.urls.resolvers import RoutePattern
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from api.views.docs import document
from games import log, rules
from games.engine import replay
from games.engine.replay import AnyRuleset, Position
from games.models import Game
from games.models.moves import Move
from games.packages import policy_of
from games.rules.card_game import CardGame
from league.core import presets
from league.models import Account, Competition
from league.models.events import Event
from league.projections.standings import compute_standings
from league.queries.games import seat_of
from league.services.accounts import create_token
from league.services.automatic import record_result
from league.urls import urlpatterns
from league.web.site import SITEMAPS
from tests import factories
from tests.api.conftest import one_connection
from tests.api.test_schema import schema
from tests.api.web import ROOT, SCOPES, bearer
from tests.apps import of_site
from tests.factories import Cast
from tests.league.playing import PLAN, in_play, moved
from tests.league.walking import addresses, rows_of, text_of
from tests.rules.recording import Recorder, as_clients_see
from tests.shared import shared_rows
from tests.toys import TOYS

__all__ = ["one_connection"]

pytestmark = pytest.mark.django_db
CHECKS: list[Any] = [not_a_server_error, status_code_conformance, response_schema_conformance]


@dataclass(frozen=True)
class World:
    """A competition at one game, of which one table is over, and a casual game of Paul and Petra, begun."""

    ruleset: AnyRuleset
    cast: Cast
    competition: Competition
    over: Game
    begun: Game
    secret: str


DEFINED: Final = rules.of(CardGame.key, CardGame.shipped["canasta"])
"""A game that is data: its definition stands in the opening of each competition and game."""


@pytest.fixture(scope="module", params=[*TOYS, DEFINED], ids=lambda ruleset: ruleset.title)
def ruleset(request: pytest.FixtureRequest) -> Iterator[AnyRuleset]:
    with rules.registered(request.param):
        yield request.param


@pytest.fixture(scope="module")
def everything(
    ruleset: AnyRuleset, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[World]:
    """The world, made once for all tests of a game; each test's own changes are rolled back."""
    with shared_rows(django_db_blocker):
        yield made(ruleset)


@pytest.fixture
def world(everything: World, db: None) -> World:
    cache.clear()
    return replace(
        everything,
        competition=Competition.objects.get(pk=everything.competition.pk),
        over=Game.objects.get(pk=everything.over.pk),
        begun=Game.objects.get(pk=everything.begun.pk),
    )


def made(ruleset: AnyRuleset) -> World:
    cast = factories.cast()
    plan = {**PLAN, "rounds": 1, "table_size": 2}
    competition = in_play(cast, 4, ruleset=ruleset.key, stages=[plan])
    over, begun = competition.games.all()[0].game, cast.game(ruleset.key)
    play(over)
    record_result(game_id=over.pk)
    compute_standings(competition.pk)
    play(begun, until=2)
    create_token(by=cast.paul, name="phone", scopes=SCOPES)
    for app in of_site("faces").values():
        app.made(cast, ruleset)
    secret = create_token(by=cast.olga, name="x", scopes=SCOPES).secret
    return World(ruleset, cast, competition, over, begun, secret)


def play(game: Game, until: int = 1000) -> None:
    """Play a game on until it is over or its log has so many entries: by its bot, or by hand."""
    while not game.is_over and game.seq < until:
        position = log.latest(game)
        seat = replay.to_act(position)[game.seq % len(replay.to_act(position))]
        move = a_move(position, seat)
        game = moved(game, seat, move)


def a_move(position: Position, seat: int) -> Any:
    """Return the bot's move, or on paper a confirmation, else the first one that is offered."""
    choices = replay.choices(position, seat)
    if not position.ruleset.dealt:
        first = next((choice for choice in choices if choice.type == "confirm"), choices[0])
        known = {name: each.values[0] for name, each in first.fields.items() if each.values}
        return {"type": first.type, **known}
    offered = [as_clients_see(choice.as_json()) for choice in choices]
    return policy_of(position.ruleset).choose(seat, as_clients_see(replay.view(position, seat)), offered)


def logged_in(account: Any) -> Client:
    client = Client()
    client.force_login(account)
    return client


# ---- Pages ---------------------------------------------------------------------------------------

SECRET = re.compile(r"<(?:str:)?(?:token|uidb64)>|<uuid:token_id>")
"""What is in the addresses that only a mail, or their owner, knows: no game shows there."""

NOT_FOR_EVERYBODY: Final = (
    *("own", "asking", "accept_game", "decline_game", "emails_again"),  # posted
    *("rematch", "gestures", "end_session", "remove_passkey"),
    "authorize",  # asked by programs
    *("end_other_sessions", "passkey_log_in", "ask_passkey", "make_passkey", "ask_new_passkey"),
    *("devices", "program"),  # one's own, and of programs
    *("scores", "card_scores", "round_scores", "check_scores"),  # of scorekeepers
    *("game_log", "game_draws"),  # of one's own practice games
    "competition_picture",  # not there without a picture
    *("competition_winners", "frames", "embedded", "embedded_frames"),  # not there before the end
    *(name for app in of_site("faces").values() for name in app.NOT_FOR_EVERYBODY),
    *(name for app in of_site("every_page").values() for name in app.POSTED),
)


def values(world: World) -> dict[str, Sequence[Any]]:
    """Return what the parts of pages' addresses can stand for, by the page's first folder and their names."""
    found = [app.values(world.ruleset) for app in of_site("faces").values() if hasattr(app, "values")]
    return {
        "clubs/slug": [world.cast.club.slug],
        "sitemap-<slug:section>.xml/section": [*SITEMAPS],
        "clubs/year": [world.competition.opened_at.year],
        "players/player_id": [world.cast.paul_plays.pk],
        "competitions/slug": [world.competition.slug],
        "in/slug": [world.competition.slug],
        "games/game_id": [world.over.pk, world.begun.pk],
        "rules/key": [world.ruleset.key],
        **{name: each for values in found for name, each in values.items()},
    }


def pages(world: World) -> Iterator[str]:
    """Yield every page that everybody reads: verbs are posted, mails have secrets, kiosks have cookies."""
    known, patterns = values(world), list[Any](urlpatterns)
    for pattern in patterns:
        route = str(pattern.pattern)
        if not isinstance(pattern, URLPattern) or not isinstance(pattern.pattern, RoutePattern):
            continue  # folders, and what leads the addresses of earlier files to those of now
        if SECRET.search(route) or pattern.name in NOT_FOR_EVERYBODY:
            continue
        if pattern.name == "purposes" and not world.ruleset.dealt:
            continue
        names = re.findall(r"<(?:\w+:)?(\w+)>", route)
        folder = route.partition("/")[0]
        for parts in product(*(known[f"{folder}/{name}"] for name in names)):
            yield "/" + re.sub(r"<[^>]*>", "{}", route).format(*parts)


SENT = ("/account/logout/", "/language/")
"""What is no page: forms are sent to it."""


def test_anyone_can_open_every_page(world: World) -> None:
    walked = [*pages(world)]
    assert len(walked) > 25
    for client in (Client(), logged_in(world.cast.paul), logged_in(world.cast.olga)):
        for path in walked:
            answer = client.get(path, {"after": "1"}, follow=True)
            assert answer.status_code == (405 if path in SENT else 200), path


def test_its_pages_use_its_own_templates(world: World) -> None:
    table = text_of(Client().get(f"/games/{world.over.pk}/"))
    page = text_of(Client().get(f"/rules/{world.ruleset.key}/"))
    assert world.ruleset.title in table
    assert all(f' id="{number}"' in page for number in world.ruleset.rule_numbers)
    assert ("Played" in table) == world.ruleset.dealt


def seated(world: World, seat: int) -> Account:
    """Return the account of who sits at a seat of the casual game."""
    return (world.cast.paul, world.cast.petra)[seat]


class Forms(HTMLParser):
    """The forms of a page: the fields that each would send, the first offer chosen, blanks filled with 1."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append({})
        if tag == "input" and self.found and given.get("name"):
            filled = given.get("value", "") or ("1" if "required" in given else "")
            self.found[-1].setdefault(given["name"], filled)


def test_a_move_can_be_made_on_its_page(world: World) -> None:
    (seat, *_) = replay.to_act(log.latest(world.begun))
    client = logged_in(seated(world, seat))
    shown = Forms(text_of(client.get(f"/games/{world.begun.pk}/"))).found
    sent = next(form for form in shown if form.get("type") in world.ruleset.moves)
    answer = client.post(f"/games/{world.begun.pk}/play/", sent)
    assert answer.status_code == 302, text_of(answer)
    world.begun.refresh_from_db()
    assert world.begun.seq == 3


# ---- The desk ------------------------------------------------------------------------------------


SHOWN: Final = ("changelist", "change", "history", "export", "file")
SHOWING: Final = (Competition, Game, Move, Event)
"""What a game shows in: other pages of the desk are the same whatever is played."""


def test_every_page_of_the_desk_that_shows_it_can_be_opened(world: World) -> None:
    Game.objects.update(moved_at=timezone.now() - timedelta(hours=1))
    rows = dict(rows_of(world.cast, world.competition))
    rows[Game] = world.begun
    olga = logged_in(world.cast.olga)
    for each in (address for address in addresses(rows) if address.model in SHOWING):
        answer = olga.get(each.path, follow=True)
        shown = each.name.endswith(SHOWN)
        assert answer.status_code in ((200,) if shown else (200, 403, 404, 405)), each.path
    for path in (f"/admin/games/game/{game.pk}/change/" for game in (world.over, world.begun)):
        assert world.ruleset.title in text_of(olga.get(path))


def test_the_first_page_of_the_desk_shows_unconfirmed_rounds(world: World) -> None:
    Game.objects.update(moved_at=timezone.now() - timedelta(hours=1))
    page = text_of(logged_in(world.cast.olga).get("/admin/"))
    assert ("the scores of deal 1 are not confirmed" in page) == (not world.ruleset.dealt)


def test_its_competitions_can_be_set_up_from_every_plan(world: World) -> None:
    olga = logged_in(world.cast.olga)
    add = "/admin/league/competition/add/"
    assert world.ruleset.title in text_of(olga.get(add))
    for plan, options in product(presets.PRESETS, ("", *world.ruleset.presets)):
        asked = f"{add}?ruleset={world.ruleset.key}&plan={plan}" + (f"&options={options}" if options else "")
        answer = olga.get(asked)
        assert answer.status_code == 200, asked
        assert answer.context["form"].initial is not None, asked


# ---- The API -------------------------------------------------------------------------------------

OPERATIONS = [
    pytest.param(toy, path, method, id=f"{toy.key}-{method}-{path}")
    for toy in TOYS
    for path, item in document()["paths"].items()
    for method in item
    if "/games/" in path or "/rulesets/" in path
]
"""The operations in which a game shows; test_schema.py tries all."""


MISSING: Final = UUID(int=1)
"""The id of webhooks and imports, of which the club has none."""


def ids(world: World, path: str) -> dict[str, Sequence[Any]]:
    """Return what the parts of an operation's path can stand for."""
    kinds: dict[str, Sequence[Any]] = {
        "games": [world.over.pk, world.begun.pk],
        "competitions": [world.competition.pk],
        "players": [world.cast.paul_plays.pk],
        "tokens": [world.cast.paul.tokens.all()[0].pk],
        "clubs": [MISSING],
    }
    for app in of_site("faces").values():
        kinds |= app.ids()
    return {
        "id": [str(each) for each in kinds.get(path.split("/")[3], ())],
        "slug": [world.cast.club.slug],
        "key": [world.ruleset.key],
        "seq": [1, 2],
        "version": [world.ruleset.version],
        "code": ["stale"],
        "delivery": [1],
        "link": [str(MISSING)],
        **{name: [str(each) for each in found] for name, found in kinds.items()},
    }


@pytest.fixture
def olga(world: World) -> APIClient:
    return bearer(world.cast.olga)


SIGNED = re.compile("/signed-log/|/proof/")
"""What is not there yet, since nothing has been signed."""


def test_every_get_of_the_api_works(world: World, olga: APIClient) -> None:
    paul = bearer(world.cast.paul)
    apps = of_site("faces").values()
    for_seats = {path for app in apps for path in getattr(app, "FOR_SEATS", ())}
    refused = {path for app in apps for path in getattr(app, "REFUSED", ())}
    for path, item in document()["paths"].items():
        for parts in product(*(ids(world, path)[name] for name in re.findall(r"{(\w+)}", path))):
            asked = re.sub(r"{\w+}", "{}", path).format(*parts)
            query = f"?ruleset={world.ruleset.key}" if "ratings" in path else ""
            query = "?search=paul" if path.endswith("/players/") else query
            if "get" in item:
                answers = {client.get(f"{asked}{query}").status_code for client in (paul, olga)}
                found = str(MISSING) not in asked and not SIGNED.search(path)
                found = found and path.removeprefix(f"{ROOT}/") not in refused
                if path.removeprefix(f"{ROOT}/") in for_seats:
                    found = any(seat_of(world.cast.paul, UUID(part)) is not None for part in parts)
                assert (200 in answers) == found and answers <= {200, 400, 403, 404}, asked


@pytest.mark.parametrize(("ruleset", "path", "method"), OPERATIONS, indirect=["ruleset"], scope="module")
def test_every_operation_answers_as_the_schema_says(
    world: World, one_connection: None, path: str, method: str
) -> None:
    given_for = ids(world, path)
    names = re.findall(r"{(\w+)}", path)
    strategies = {name: st.sampled_from(given_for[name]) for name in names}

    @settings(max_examples=2, suppress_health_check=[*HealthCheck])
    @given(st.data())
    def check(data: st.DataObject) -> None:
        parameters = data.draw(st.fixed_dictionaries(strategies))
        operation = schema()[path][method]
        case = data.draw(operation.as_strategy(GenerationMode.POSITIVE, path_parameters=parameters))
        headers = {"Authorization": f"Bearer {world.secret}", "Accept-Encoding": "identity"}
        answer = case.call(headers=headers)
        case.validate_response(answer, checks=CHECKS)

    check()


def test_a_game_is_opened_and_played_to_its_end_over_the_api(world: World, olga: APIClient) -> None:
    players = [str(world.cast.paul_plays.pk), str(world.cast.petra_plays.pk)]
    response = {"club": world.cast.club.slug, "ruleset": world.ruleset.key, "players": players}
    game = olga.post(f"{ROOT}/games/", response).json()
    clients = (bearer(world.cast.paul), bearer(world.cast.petra))
    for seq in range(2, 100):
        seat = seq % 2 if seq % 2 in game["to_act"] else game["to_act"][0]
        position = log.latest(Game.objects.get(pk=game["id"]))
        answer = clients[seat].post(
            f"{ROOT}/games/{game['id']}/moves/", {"seq": seq, "move": a_move(position, seat)}
        )
        assert answer.status_code == 201, answer.content
        game = answer.json()
        if game["status"] == "finished":
            break
    assert game["status"] == "finished"
    exported = clients[0].get(f"{ROOT}/games/{game['id']}/log/")
    assert f'"ruleset": "{world.ruleset.name}"' in text_of(exported)


# ---- The bot -------------------------------------------------------------------------------------


def test_its_bot_plays_if_cards_are_dealt(ruleset: AnyRuleset) -> None:
    from league.management.commands.demo import _played_by_bots

    assert (ruleset.key in _played_by_bots()) == ruleset.dealt
    if ruleset.dealt:
        game = Recorder(ruleset.key, ruleset.seats[-1])
        game.play()
        assert game.position.status == "finished"
