"""The check-in list: by organisers, at a kiosk, from people's own phones, and without scripts."""

import re
from typing import Any

import pytest
from django.test import Client

from league.apps.hall.queries import check_in_of, link_to
from league.apps.hall.services import make_kiosk, set_self_check_in
from league.core.verbs.course import CancelCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.presence import CheckInAllEntries, CheckInEntry
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Entry, Member
from league.models.events import Event
from league.services.players import create_player
from tests.factories import AccountFactory, Cast, MemberFactory
from tests.league.acting import act
from tests.league.playing import opened
from tests.league.test_correcting_names import RIGHT, correct
from tests.league.test_desk_verbs import page_text
from tests.league.test_two_of_one_name import NAME, of_two
from tests.web.conftest import Outline, Visit

SCRIPT = {"X-Requested-With": "XMLHttpRequest"}


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return opened(cast, 4, entering={"check_in": True})


def address(competition: Competition) -> str:
    return f"/competitions/{competition.slug}/check-in/"


def text(client: Client, competition: Competition, **query: str) -> str:
    answer = client.get(address(competition), query)
    assert answer.status_code == 200
    return answer.content.decode()


def post(client: Client, competition: Competition, fields: dict[str, Any], **headers: str) -> str:
    answer = client.post(address(competition), fields, follow=True, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def entry(competition: Competition, name: str = "Paul Pike") -> Entry:
    return Entry.objects.get(competition=competition, name=name)


def written(competition: Competition) -> list[tuple[str, str, bool]]:
    """Return who wrote which check-in: the event, the role, and whether there is an account."""
    events = Event.objects.filter(competition=competition, event__type__startswith="checked_")
    return [(each.event["type"], each.role, bool(each.account)) for each in events.order_by("seq")]


def names(html: str) -> list[str]:
    return [each["data-key"] for each in Outline(html).all("li") if "data-key" in each]


def test_the_list_has_the_name_of_a_person_once_after_a_correction(cast: Cast) -> None:
    competition = opened(cast, 2, entering={"check_in": True})
    correct(cast)
    found = check_in_of(competition).people
    assert [(each.entry.name, list(each.players)) for each in found] == [(RIGHT, []), ("Petra Plum", [])]


def test_the_list_has_the_name_of_the_second_of_two_once(client: Client, cast: Cast) -> None:
    competition = of_two(cast)
    client.force_login(cast.olga)
    shown = text(client, competition)
    assert f"{NAME} (2)</span>" in shown
    assert "<small>" not in shown


def test_the_list_is_the_main_button_of_the_desk_until_somebody_is_here(
    cast: Cast, as_account: Visit
) -> None:
    competition, olga = opened(cast, 5, entering={"check_in": True}), as_account(cast.olga)
    desk = f"/admin/league/competition/{competition.pk}"

    def main() -> list[str]:
        shown = page_text(olga.get(f"{desk}/change/"))
        return re.findall(r'class="tf-button primary" href="([^"]*)"', shown)

    assert main() == [address(competition)]
    assert f'href="{desk}/do/start/"' in text(olga, competition)
    act(cast.olga, competition, CheckInAllEntries)
    assert main() == [f"{desk}/do/start/"]


def test_the_page_of_a_scorekeeper_leads_to_the_list(cast: Cast, as_account: Visit) -> None:
    competition = opened(cast, 3, entering={"check_in": True})
    keeper = as_account(MemberFactory.create(club=cast.club, role=Member.Role.SCOREKEEPER).account)
    assert address(competition) in keeper.get("/scores/").content.decode()
    assert keeper.get(address(competition)).status_code == 200


class TestAnOrganiser:
    @pytest.fixture
    def olga(self, cast: Cast, as_account: Visit) -> Client:
        return as_account(cast.olga)

    def test_checks_people_in_and_takes_it_back(self, olga: Client, competition: Competition) -> None:
        assert "Nobody has checked in yet" in text(olga, competition)
        paul = entry(competition).pk
        page = post(olga, competition, {"in": paul})
        assert "Checked in: Paul Pike." in page
        assert "1 of 4 checked in" in page
        assert "Not checked in any more: Paul Pike." in post(olga, competition, {"out": paul})
        assert written(competition) == [("checked_in", "organiser", True), ("checked_out", "organiser", True)]

    def test_checks_nobody_in_twice(self, olga: Client, competition: Competition) -> None:
        for _ in range(2):
            post(olga, competition, {"in": entry(competition).pk})
        assert len(written(competition)) == 1

    def test_is_asked_about_the_other_of_one_name(
        self, olga: Client, cast: Cast, competition: Competition
    ) -> None:
        namesake = create_player(by=cast.olga, club=cast.club, name="Paul  PIKE")
        act(cast.olga, competition, EnterPlayers, players=[namesake.pk])
        first = entry(competition).pk
        assert "Checked in: Paul Pike." in post(olga, competition, {"in": first})
        told = r"Paul Pike already checked in at \d\d:\d\d"
        page = post(olga, competition, {"in": first})
        assert re.search(rf"{told}: are you the other one\?", page)
        post(olga, competition, {"in": Entry.objects.get(members__player=namesake).pk})
        assert re.search(rf"{told}\.", post(olga, competition, {"in": first}))

    def test_checks_all_in_at_once(self, olga: Client, competition: Competition) -> None:
        assert "Everybody is checked in." in post(olga, competition, {"all": "1"})
        assert "Nobody is missing" in text(olga, competition)

    def test_finds_names_without_a_script(self, olga: Client, competition: Competition) -> None:
        assert names(text(olga, competition, name="PÍKE")) == ["paul pike"]
        assert "No name like this." in text(olga, competition, name="xyz")
        post(olga, competition, {"in": entry(competition).pk})
        assert "paul pike" not in names(text(olga, competition, show="missing"))

    def test_gets_the_list_alone_for_a_script(self, olga: Client, competition: Competition) -> None:
        part = post(olga, competition, {"in": entry(competition).pk}, **SCRIPT)
        assert "<html" not in part
        assert "Checked in: Paul Pike." in part
        assert "1 of 4 checked in" in part

    @pytest.mark.parametrize("typed", ["Müßig", "muessig", "mussig"])
    def test_finds_umlauts_however_they_are_typed(self, olga: Client, cast: Cast, typed: str) -> None:
        competition = opened(cast, lineup="partners", team_size=2, entering={"check_in": True})
        players = [cast.paul_plays.pk, cast.petra_plays.pk]
        act(cast.olga, competition, EnterPlayers, players=players, name="Anna Müßig")
        assert len(names(text(olga, competition, name=typed))) == 1

    def test_finds_a_team_by_its_players(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast, lineup="partners", team_size=2, entering={"check_in": True})
        players = [cast.paul_plays.pk, cast.petra_plays.pk]
        act(cast.olga, competition, EnterPlayers, players=players, name="The Reds")
        assert names(text(olga, competition, name="plum")) == ["the reds paul pike petra plum"]

    @pytest.mark.parametrize("sent", [{"in": "nobody"}, {"in": "0" * 36}, {"out": ""}])
    def test_is_told_of_an_unknown_entry(
        self, olga: Client, competition: Competition, sent: dict[str, str]
    ) -> None:
        assert "no such entry" in post(olga, competition, sent)
        assert written(competition) == []

    def test_gets_an_error_for_an_empty_form(self, olga: Client, competition: Competition) -> None:
        assert olga.post(address(competition)).status_code == 400

    def started(self, cast: Cast, competition: Competition) -> Entry:
        """Start the competition without its last entry, which has not checked in."""
        for each in Entry.objects.filter(competition=competition).order_by("number")[:3]:
            act(cast.olga, competition, CheckInEntry, entry=each.pk)
        for verb in (StartCompetition, DrawRound, PublishRound):
            act(cast.olga, competition, verb)
        return Entry.objects.get(competition=competition, checked_in=False)

    def test_checks_in_a_latecomer_and_takes_it_back(
        self, olga: Client, cast: Cast, competition: Competition
    ) -> None:
        late = self.started(cast, competition)
        page = text(olga, competition)
        assert "The competition has started." in page
        assert 'name="all"' not in page
        assert "Checked in, and here from round 2 on:" in post(olga, competition, {"in": late.pk})
        assert "Not checked in any more:" in post(olga, competition, {"out": late.pk})

    def test_takes_back_no_check_in_of_a_round_that_is_played(
        self, olga: Client, cast: Cast, competition: Competition
    ) -> None:
        self.started(cast, competition)
        assert "Here for a round already" in post(olga, competition, {"out": entry(competition).pk})

    def test_is_told_once_the_competition_is_over(
        self, olga: Client, cast: Cast, competition: Competition
    ) -> None:
        act(cast.olga, competition, CancelCompetition, reason="snow")
        assert "The competition is over." in text(olga, competition)


def test_a_competition_without_check_in_says_so(client: Client, cast: Cast) -> None:
    assert "has no check-in" in text(client, opened(cast, 2))


def test_a_scorekeeper_checks_people_in(cast: Cast, as_account: Visit, competition: Competition) -> None:
    sam = AccountFactory.create()
    MemberFactory.create(club=cast.club, account=sam, role=Member.Role.SCOREKEEPER)
    post(as_account(sam), competition, {"in": entry(competition).pk})
    assert written(competition) == [("checked_in", "scorekeeper", True)]


class TestAKiosk:
    @pytest.fixture
    def kiosk(self, cast: Cast, client: Client, competition: Competition) -> Client:
        made = make_kiosk(by=cast.olga, competition=competition, name="Tablet at the door")
        client.post(link_to(made))
        return client

    def test_checks_people_in_and_takes_it_back(self, kiosk: Client, competition: Competition) -> None:
        post(kiosk, competition, {"in": entry(competition).pk})
        post(kiosk, competition, {"out": entry(competition).pk})
        assert written(competition) == [("checked_in", "kiosk", False), ("checked_out", "kiosk", False)]

    def test_leads_to_the_list_until_the_end(
        self, kiosk: Client, cast: Cast, competition: Competition
    ) -> None:
        home = f"/competitions/{competition.slug}/kiosk/"
        assert address(competition) in kiosk.get(home).content.decode()
        act(cast.olga, competition, CheckInAllEntries)
        act(cast.olga, competition, StartCompetition)
        assert address(competition) in kiosk.get(home).content.decode()
        act(cast.olga, competition, CancelCompetition, reason="snow")
        assert address(competition) not in kiosk.get(home).content.decode()

    def test_does_not_check_all_in_at_once(self, kiosk: Client, competition: Competition) -> None:
        assert 'name="all"' not in text(kiosk, competition)
        assert "be done at a kiosk" in post(kiosk, competition, {"all": "1"})
        assert written(competition) == []

    def test_of_another_competition_has_no_list(self, kiosk: Client, cast: Cast) -> None:
        other = opened(cast, 3, entering={"check_in": True})
        assert names(text(kiosk, other)) == []
        assert "own phone is off" in post(kiosk, other, {"in": entry(other).pk})
        assert written(other) == []


class TestAPhone:
    """Anybody's browser, without an account."""

    def test_has_no_list_while_it_is_off(self, client: Client, competition: Competition) -> None:
        page = text(client, competition)
        assert "Check-in from your own phone is off" in page
        assert names(page) == []

    def test_checks_in_once_an_organiser_has_switched_it_on(
        self, client: Client, cast: Cast, competition: Competition
    ) -> None:
        set_self_check_in(by=cast.olga, competition=competition, on=True)
        assert "Checked in: Paul Pike." in post(client, competition, {"in": entry(competition).pk})
        assert written(competition) == [("checked_in", "player", False)]

    def test_takes_no_check_in_back(self, client: Client, cast: Cast, competition: Competition) -> None:
        set_self_check_in(by=cast.olga, competition=competition, on=True)
        post(client, competition, {"in": entry(competition).pk})
        assert 'name="out"' not in text(client, competition)
        post(client, competition, {"out": entry(competition).pk})
        assert entry(competition).checked_in

    def test_of_a_player_with_an_account_is_like_any_other(
        self, cast: Cast, as_account: Visit, competition: Competition
    ) -> None:
        assert names(text(as_account(cast.paul), competition)) == []
