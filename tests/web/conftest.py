"""Fixtures of the tests of pages: the cast, and a quick game besides the real ones."""

from collections.abc import Callable
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client

from league.models import Account, Competition
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.conftest import cast, tally
from tests.league.playing import in_play, play_all

__all__ = ["cast", "tally"]

Visit = Callable[[Account], Client]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    cache.clear()


@pytest.fixture
def same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in every run."""
    monkeypatch.setattr("games.log.secrets", SimpleNamespace(token_bytes=lambda size: bytes(range(size))))


@pytest.fixture
def as_account() -> Visit:
    """A function that returns a client which is logged in."""

    def log_in(account: Account) -> Client:
        client = Client()
        client.force_login(account)
        return client

    return log_in


@pytest.fixture
def played(cast: Cast) -> Competition:
    """A competition of eight whose first round is played and counted."""
    competition = in_play(cast)
    record_all(competition)
    return competition


def record_all(competition: Competition, number: int = 1) -> None:
    """Play and record every game of a round, and compute the standings."""

    for game in play_all(competition, number):
        record_result(game_id=game)
    compute_standings(competition.pk)
    competition.refresh_from_db()


class Outline(HTMLParser):
    """What a page is made of: its tags with their attributes, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def all(self, *names: str) -> list[dict[str, str]]:
        """Return the attributes of every tag of these names."""
        return [attributes for tag, attributes in self.tags if tag in names]
