"""What is kept for members or found by words never tells others the names that are for members."""

from base64 import urlsafe_b64decode
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from django.test import Client
from pytest_django import Settings

from league import hooks
from league.apps.people.services import merge_players
from league.apps.series.core.rule import Rule
from league.core.verbs.entering import EnterPlayers
from league.models import Competition, Entry, Player
from league.ops.answers import tag_of
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


def test_the_list_of_players_in_parts_tells_no_name_in_its_cursor(cast: Cast) -> None:
    finished(cast, 4)
    shown(cast, "short")
    address = f"/api/v1/clubs/{cast.club.slug}/players/?cursor=&page_size=1"
    (cursor,) = parse_qs(urlsplit(Client().get(address).json()["next"]).query)["cursor"]
    told = urlsafe_b64decode(cursor).lower()
    assert not any(word in told for word in (b"paul", b"petra", b"player", b"search_name"))
    following = f"/api/v1/clubs/{cast.club.slug}/players/?cursor={quote(cursor)}&page_size=9"
    assert len(Client().get(following).json()["results"]) >= 1
    assert Client().get(following.replace(cursor[:4], "AAAA", 1)).status_code == 400


@pytest.mark.parametrize("path", ["players/", "players.csv"])
def test_players_are_found_by_the_names_that_the_reader_reads(cast: Cast, path: str) -> None:
    finished(cast, 4)
    shown(cast, "short")
    address = f"/api/v1/clubs/{cast.club.slug}/{path}?name="
    found = [client.get(f"{address}plum").content.decode() for client in (Client(), of_olga(cast))]
    assert ["Petra" in each for each in found] == [False, True]
    assert "Petra P." in Client().get(f"{address}petra").content.decode()


def test_a_tag_can_not_be_made_by_who_guesses_names(settings: Settings) -> None:
    before = tag_of("Petra Plum")
    assert before == tag_of("Petra Plum")
    settings.SECRET_KEY = "another"
    assert before != tag_of("Petra Plum")


def test_who_is_merged_keeps_what_they_chose_for_themselves(cast: Cast) -> None:
    Player.objects.filter(pk=cast.petra_plays.pk).update(names="members", audience="nobody", findable=False)
    kept = PlayerFactory.create(club=cast.club, name="Petra Plum")
    merge_players(by=cast.olga, kept=kept, merged=cast.petra_plays)
    kept.refresh_from_db()
    assert (kept.account, kept.names, kept.audience) == (cast.petra, "members", "nobody")
    assert kept.public_name.startswith("Member ")
