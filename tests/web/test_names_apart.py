"""What is kept for members or found by words never tells others the names that are for members."""

import pytest
from django.test import Client

from league import hooks
from league.apps.series.core.rule import Rule
from league.core.verbs.entering import EnterPlayers
from league.models import Competition, Entry
from league.projections.standings import compute_standings
from league.services.clubs import change_club
from tests.apps.series.year import evening, year
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import finished, opened
from tests.league.test_names_in_logs import of_olga, shown
from tests.league.walking import text_of

HIDDEN = ("Paul Pike", "Petra Plum")


@pytest.fixture
def of_club(monkeypatch: pytest.MonkeyPatch) -> Client:
    """A browser that a club's people use without an account, such as a kiosk's."""
    monkeypatch.setattr(hooks, "OF_CLUB", [lambda request, club: "HTTP_X_KIOSK" in request.META])
    return Client(headers={"X-Kiosk": "yes"})


@pytest.fixture
def played(cast: Cast) -> Competition:
    competition = finished(cast, 4)
    compute_standings(competition.pk)
    shown(cast, "members")
    return competition


def tells(text: str) -> list[str]:
    return [name for name in HIDDEN if name in text]


@pytest.mark.parametrize("name", ["names", "standings", "pairings"])
def test_a_print_that_a_member_had_is_not_that_of_others(cast: Cast, played: Competition, name: str) -> None:
    address = f"/competitions/{played.slug}/print/{name}.pdf?stage=1&round=1"
    told = [tells(text_of(client.get(address))) for client in (of_olga(cast), Client(), of_olga(cast))]
    assert told == [[*HIDDEN], [], [*HIDDEN]]
    tags = [client.get(address)["ETag"] for client in (of_olga(cast), Client())]
    assert tags[0] != tags[1]


@pytest.mark.parametrize("path", ["entries.csv", "standings.csv", "entries/", "standings/"])
def test_a_browser_of_the_club_gets_from_the_api_what_everybody_gets(
    played: Competition, of_club: Client, path: str
) -> None:
    answers = [each.get(f"/api/v1/competitions/{played.pk}/{path}") for each in (of_club, Client())]
    assert [tells(each.content.decode()) for each in answers] == [[], []]
    assert tells(of_club.get(f"/competitions/{played.slug}/entries/").content.decode()) == [*HIDDEN]


def test_a_page_of_a_series_has_a_tag_for_each_reader(cast: Cast, of_club: Client) -> None:
    series = year(cast, Rule(), evening(cast))
    shown(cast, "members")
    tags = {
        each.get(f"/clubs/{cast.club.slug}/series/{series.slug}/")["ETag"] for each in (of_club, Client())
    }
    assert len(tags) == 2


def test_a_person_s_page_names_others_as_the_public_reads_them(cast: Cast) -> None:
    finished(cast, 4)
    shown(cast, "short")
    page = Client().get(f"/players/{cast.paul_plays.pk}/").content.decode()
    assert "Petra P." in page and tells(page) == []


def test_the_log_is_not_searched_by_names_that_the_reader_does_not_read(
    cast: Cast, played: Competition
) -> None:
    address = f"/competitions/{played.slug}/log/?q="
    for word in ("Plum", "plu", "petra"):
        found = [client.get(f"{address}{word}").content.decode() for client in (Client(), of_olga(cast))]
        assert ["has finished" in each for each in found] == [False, True], word
    number = Entry.objects.get(competition=played, name="Petra Plum").public_name
    assert "has finished" in Client().get(f"{address}{number.replace(' ', '+')}").content.decode()


def test_a_name_of_a_team_with_a_word_of_anybody_of_the_club_is_not_public(cast: Cast) -> None:
    competition = opened(cast, lineup="partners", team_size=2)
    pair = [cast.paul_plays.pk, cast.petra_plays.pk]
    act(cast.olga, competition, EnterPlayers, players=pair, name="Friends of Quince")
    shown(cast, "short")
    entry = Entry.objects.get(competition=competition)
    assert entry.public_name == "Friends of Quince"
    change_club(by=cast.olga, club=cast.club, name=cast.club.name, timezone="UTC", names="full")
    PlayerFactory.create(club=cast.club, name="Quentin Quince")
    shown(cast, "short")
    entry.refresh_from_db()
    assert (entry.name, entry.public_name) == ("Friends of Quince", "Paul P. & Petra P.")
