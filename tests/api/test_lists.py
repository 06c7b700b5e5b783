"""Lists by cursor, and by time."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import resolve

from api.views.base import Resource
from api.views.docs import document
from games.models import Game
from league.models import Competition, Player
from league.queries import keysets
from league.services.competitions import open_competition
from tests.api.desks import STAGE
from tests.api.web import EVERYBODY, NOBODY, ROOT, assert_problem, bearer, get
from tests.factories import Cast, PlayerFactory

BEGAN = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def full(cast: Cast) -> Cast:
    """Return the cast with 5 games, 5 competitions and 5 players more, several of them level in order."""
    for number in range(5):
        at = BEGAN + timedelta(days=number // 2)
        game = cast.game("tally")
        Game.objects.filter(pk=game.pk).update(opened_at=at, moved_at=at + timedelta(days=1))
        made = open_competition(
            by=cast.olga, club=cast.club, name="Winter", ruleset="tally", options={}, stages=[STAGE]
        )
        status = "finished" if number % 2 else "playing"
        Competition.objects.filter(pk=made.pk).update(opened_at=at, status=status)
        PlayerFactory.create(club=cast.club, name=f"Ann {number // 2}")
    return cast


def parts(address: str) -> Iterator[Any]:
    """Yield the parts of a list that is read by cursor."""
    following: str | None = f"{ROOT}{address}"
    while following:
        part = EVERYBODY.get(following).json()
        assert "count" not in part and part["previous"] is None
        yield part
        following = part["next"]


ADDRESSES = (
    *("/games/?", "/games/?ordering=opened_at&", "/games/?ordering=-moved_at&", "/competitions/?"),
    *("/competitions/?ordering=name&", "/clubs/{club}/players/?", "/clubs/{club}/players/?search=ann&"),
)


def test_parts_by_cursor_are_the_list(full: Cast) -> None:
    for each in ADDRESSES:
        address = each.format(club=full.club.slug)
        whole = get(f"{address}page_size=100")["results"]
        read = [*parts(f"{address}page_size=2&cursor=")]
        assert len(whole) >= 5 and max(len(part["results"]) for part in read) == 2
        assert [row["id"] for part in read for row in part["results"]] == [row["id"] for row in whole]


def test_a_row_that_is_added_meanwhile_moves_no_other(full: Cast) -> None:
    address = f"/clubs/{full.club.slug}/players/?page_size=4&cursor="
    pages = parts(address)
    names = [row["name"] for row in next(pages)["results"]]
    PlayerFactory.create(club=full.club, name="Aaron")
    names += [row["name"] for part in pages for row in part["results"]]
    assert sorted(names) == sorted(Player.objects.exclude(name="Aaron").values_list("name", flat=True))


def test_a_cursor_of_another_list_or_of_nobody_is_refused(full: Cast) -> None:
    following = get("/games/?page_size=2&cursor=")["next"]
    other = following.replace("/games/?", "/games/?ordering=opened_at&")
    for wrong in (other, f"{ROOT}/games/?cursor=nonsense", f"{ROOT}/games/?cursor=%00"):
        assert_problem(EVERYBODY.get(wrong), 400, "malformed")["errors"]["cursor"]


def test_games_by_time(full: Cast) -> None:
    for query, count in (
        ("since=2026-11-03", 1),
        ("since=0552-09-20T07:01:32-16:30", 5),
        ("since=2026-11-02T00:00:00Z&until=2026-11-03", 2),
        ("until=2026-11-01", 0),
        ("updated_since=2026-11-03T00:00:00Z", 3),
        ("until=2026-11-01T02:00:00%2B02:00", 0),
    ):
        assert get(f"/games/?{query}")["count"] == count, query


def test_competitions_and_players_by_time(full: Cast) -> None:
    assert get("/competitions/?since=2026-11-03")["count"] == 1
    assert get("/competitions/?updated_since=2026-11-03")["count"] == 5
    players = f"/clubs/{full.club.slug}/players/"
    Player.objects.update(created_at=BEGAN)
    then = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    assert get(f"{players}?updated_since={then}")["count"] == 0
    Player.objects.filter(name="Ann 1").update(active=False)
    Player.objects.filter(name="Ann 2").update(active=True)
    assert get(f"{players}?updated_since={then}")["count"] == 2
    assert get(f"{players}?since={then}")["count"] == 0
    assert_problem(EVERYBODY.get(f"{ROOT}/games/?since=yesterday"), 400, "malformed")


def test_an_empty_odd_or_repeated_parameter_is_refused(full: Cast) -> None:
    players = f"/clubs/{full.club.slug}/players/"
    for address, name in (
        *(("/games/?awaited=", "awaited"), ("/games/?awaited=you", "awaited"), ("/games/?club=%20", "club")),
        *(("/games/?status=", "status"), ("/games/?since=", "since"), ("/games/?ordering=", "ordering")),
        *(("/games/?ordering=,", "ordering"), ("/games/?ruleset=", "ruleset"), ("/games/?page=", "page")),
        *(("/games/?status=active&status=finished", "status"), ("/games/?player=%00", "player")),
        *((f"{players}?active=maybe", "active"), (f"{players}?name=", "name")),
        *((f"/clubs/{full.club.slug}/stream/?wait=", "wait"), ("/competitions/?slug=", "slug")),
    ):
        shown = assert_problem(bearer(full.paul).get(f"{ROOT}{address}"), 400, "malformed")
        assert [*shown["errors"]] == [name], address
    assert get(f"{players}?active=True")["count"] == get(players)["count"]


def test_addresses_take_the_parameters_that_the_schema_has() -> None:
    fills = {"id": NOBODY, "slug": "x", "seq": 1, "key": "k", "version": 1, "code": "c"}
    for path, item in document()["paths"].items():
        func: Any = resolve(path.format(**fills, delivery=NOBODY, announcement=NOBODY, link=NOBODY)).func
        for method, operation in item.items():
            view = func.view_class(**func.view_initkwargs)
            view.request = SimpleNamespace(method=method.upper())
            described = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
            if isinstance(view, Resource):
                assert sorted(view.parameters()) == sorted(described), (method, path)


def test_numbered_pages_end_where_cursors_go_on(full: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keysets.Numbered, "MOST", 4)
    pages = [get(f"/games/?page_size=2&page={number}") for number in (1, 2)]
    assert [page["count"] for page in pages] == [4, 4]
    assert pages[1]["next"] is None
    assert_problem(EVERYBODY.get(f"{ROOT}/games/?page_size=2&page=3"), 404, "not_found")
    read = [row for part in parts("/games/?page_size=2&cursor=") for row in part["results"]]
    assert len(read) == 5
    assert read[:4] == [row for page in pages for row in page["results"]]
