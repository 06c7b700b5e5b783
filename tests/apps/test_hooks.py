"""What apps take part in: in the same transaction, in a stated order, writing tables of their own."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.models import Game
from league import hooks
from league.admin.competitions import CompetitionAdmin
from league.admin.players import PlayerAdmin
from league.callers import ByAccount
from league.hooks import upkeep
from league.models import Competition, Email
from league.queries import versions
from league.services.automatic import compute_standings
from league.services.play import make_move
from tests.factories import Cast
from tests.league.playing import in_play, opened

HOOKS: list[hooks.Hook[Any]] = [
    hooks.events_appended,
    hooks.game_ended,
    hooks.standings_computed,
    hooks.player_forgotten,
    upkeep.tidied,
]
WRITES = re.compile(r'(?:INSERT INTO|(?<!FOR )UPDATE|DELETE FROM) "?(\w+)')


@contextmanager
def connected(hook: hooks.Hook[Any], *functions: Callable[..., None]) -> Iterator[None]:
    """Let a hook call these functions last."""
    before = [*hook.functions]
    hook.functions += functions
    try:
        yield
    finally:
        hook.functions[:] = before


def refuse(*_: object) -> None:
    raise ZeroDivisionError


def ended(cast: Cast) -> Game:
    """Play a casual game to its end."""
    game = cast.game("tally")
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move={"type": "resign"})
    return game


def test_are_called_in_the_order_in_which_they_are_connected(cast: Cast) -> None:
    said = list[str]()
    with connected(hooks.events_appended, *(lambda _, name=name: said.append(name) for name in "abc")):
        opened(cast)
    assert said == ["a", "b", "c"]


def test_that_raise_refuse_the_events(cast: Cast) -> None:
    with connected(hooks.events_appended, refuse), pytest.raises(ZeroDivisionError):
        opened(cast)
    assert not Competition.objects.exists()


def test_that_raise_refuse_the_end_of_a_game(cast: Cast) -> None:
    with connected(hooks.game_ended, refuse), pytest.raises(ZeroDivisionError):
        ended(cast)
    assert Game.objects.get().seq == 1


def watched(function: Callable[..., None], written: set[tuple[str, str]]) -> Callable[..., None]:
    """Return the function of an app, which notes the app and each table that it writes."""
    app = function.__module__.split(".")[2]

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        written.update((app, table) for table in WRITES.findall(sql))
        return execute(sql, *rest)

    def call(*given: object) -> None:
        with connection.execute_wrapper(note):
            function(*given)

    return call


def test_write_tables_of_their_own_app_and_emails_alone(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    if there := apps.is_installed("league.apps.webhooks"):
        webhooks: Any = apps.get_model("webhooks", "Webhook")
        webhooks.objects.create(club=cast.club, url="https://club.example/", kinds=[*webhooks.Kind.values])
    written = set[tuple[str, str]]()
    for hook in HOOKS:
        monkeypatch.setattr(hook, "functions", [watched(each, written) for each in hook.functions])
    competition = in_play(cast, 2)
    ended(cast)
    compute_standings(competition_id=competition.pk)
    upkeep.tidied()
    assert not there or ("webhooks", "league_delivery") in written
    own = {app: {app, *getattr(apps.get_app_config(app), "packages", ())} for app, _ in written}
    emails = {(app, Email._meta.db_table) for app in own}
    assert written - emails <= {
        (app, model._meta.db_table)
        for app, labels in own.items()
        for label in labels
        for model in apps.get_app_config(label).get_models()
    }


def test_each_list_of_the_desk_has_pages_of_its_own() -> None:
    assert CompetitionAdmin.app_pages and PlayerAdmin.app_pages
    assert CompetitionAdmin.app_pages.keys().isdisjoint(PlayerAdmin.app_pages)


def test_halls_screens_change_with_what_an_app_shows(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = reverse("competition_hall_screens", args=[in_play(cast).slug])
    before = client.get(shown)["ETag"]
    assert client.get(shown)["ETag"] == before
    statement = versions._of_competition.__wrapped__
    monkeypatch.setattr(versions, "_of_competition", statement)
    monkeypatch.setattr(hooks, "VERSIONS", [*hooks.VERSIONS, "SELECT 'told anew'"])
    assert client.get(shown)["ETag"] != before
