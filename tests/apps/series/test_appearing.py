"""Who counts in a series and never played is shown nowhere in public; who is in its table is."""

import json
from pathlib import Path

import pytest
from django.test import Client

from league import verify
from league.apps.series import queries
from league.apps.series.core import events as e
from league.apps.series.core.rule import Rule
from league.apps.series.models import Series
from league.models import Player
from league.projections import appearing
from league.services import gate
from league.services.players import create_player
from tests.apps.series.year import evening, say, typed, year
from tests.factories import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def unseen(cast: Cast) -> Player:
    return create_player(by=cast.olga, club=cast.club, name="Zenzi Unseen")


@pytest.fixture
def series(cast: Cast, unseen: Player) -> Series:
    """A series of those who are counted: of them one has never played, and one is typed in."""
    typed_in = create_player(by=cast.olga, club=cast.club, name="Theo Typed")
    made = year(cast, Rule(), evening(cast, 4), ranked="counted")
    people = tuple(str(each.pk) for each in (unseen, typed_in, cast.paul_plays))
    return say(cast, made, e.Counted(players=people, since="2026-01-01"), typed((typed_in, "5")), e.Closed())


def test_only_who_is_in_the_table_is_public(cast: Cast, series: Series, unseen: Player) -> None:
    club, stranger = cast.club.slug, Client()
    of_club = [f"/clubs/{club}/", f"/clubs/{club}/players/", f"/clubs/{club}/series/{series.slug}/"]
    of_series = [
        f"/api/v1/series/{series.pk}/{part}" for part in ("", "table/", "table.csv", "log/", "export/")
    ]
    more = [f"/api/v1/clubs/{club}/players/", "/players/?name=Zenz", "/sitemap.xml", "/sitemap-players.xml"]
    for address in (*of_club, *of_series, *more, f"{of_club[2]}feed/", f"{of_club[2]}chart/"):
        answer = stranger.get(address)
        content = answer.getvalue().decode()
        assert "Zenzi" not in content, address
        if "/log/" not in address and "/export/" not in address:
            assert str(unseen.pk) not in content, address
    for address in (f"/players/{unseen.pk}/", f"/api/v1/players/{unseen.pk}/", f"{of_club[2]}{unseen.pk}/"):
        assert stranger.get(address).status_code == 404
    assert "Theo Typed" in stranger.get(of_club[1]).content.decode()


def test_a_series_file_names_who_played_and_is_verified(
    series: Series, unseen: Player, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in queries.lines(series)]
    named = {line["name"] for line in lines if line.keys() == {"player", "name"}}
    assert "Theo Typed" in named and "Zenzi Unseen" not in named
    file = tmp_path / "year.jsonl"
    file.write_text("\n".join(queries.lines(series)))
    assert verify.main([str(file)]) == 0


def test_who_appears_by_a_series_is_made_anew_and_compared(
    cast: Cast, series: Series, unseen: Player
) -> None:
    assert [*gate.of_club(cast.club.pk)] == []
    Player.objects.filter(pk=unseen.pk).update(appeared=True)
    appearing.rebuild(cast.club.pk)
    assert not Player.objects.get(pk=unseen.pk).appeared
    assert Player.objects.get(name="Theo Typed").appeared
