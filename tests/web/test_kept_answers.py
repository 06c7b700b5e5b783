"""Answers that are kept for all who ask: only what changes them has them made again, or sent again."""

from collections.abc import Iterator

import pytest
from django.test import Client

from league.models import Competition

PAGES = ("", "cross-table/", "charts/", "live/")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The kept answers that are made meanwhile, by their tags."""
    tags: list[str] = []
    monkeypatch.setattr("league.web.competitions._PAGES", Noting(tags))
    yield tags


class Noting:
    """Keeps contents for good, and notes the tag of each."""

    def __init__(self, tags: list[str]) -> None:
        self._tags, self._kept = tags, dict[str, object]()

    def get(self, tag: str, make: object) -> object:
        if tag not in self._kept:
            assert callable(make)
            self._tags.append(tag)
            self._kept[tag] = make()
        return self._kept[tag]


def asked(address: str, *queries: str) -> set[tuple[int, bytes, str]]:
    """Return the different answers, by status, content and tag."""
    answers = [Client().get(f"{address}?{query}") for query in queries]
    return {(each.status_code, each.content, each["ETag"]) for each in answers}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_made_once_whatever_else_its_address_has(
    page: str, played: Competition, made: list[str]
) -> None:
    address = f"/competitions/{played.slug}/{page}"
    assert len(asked(address, "", "x=1", "&&y=2", "utm_source=a&x=%00")) == len(made) == 1
    if page != "live/":
        assert len(asked(address, "stage=1", "stage=01&x", "y&stage=0001")) == 1 == len(made) - 1


def test_a_page_beyond_the_last_is_made_no_oftener_than_there_are_entries(
    played: Competition, made: list[str]
) -> None:
    asked(f"/competitions/{played.slug}/", *(f"page={number}" for number in range(8, 40)))
    assert len(made) == 1


def test_links_of_a_page_keep_the_language_that_its_address_names(
    played: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.web.competitions.STANDINGS_SHOWN", 3)
    page = Client().get(f"/competitions/{played.slug}/?lang=de&x=1").content.decode()
    assert 'rel="next" href="?lang=de&amp;page=2"' in page
