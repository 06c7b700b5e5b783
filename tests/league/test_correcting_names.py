"""A player's name is corrected on the desk: everything that people read has it, in every competition."""

import pytest
from django.test import Client

from league import log
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import CorrectName, WithdrawEntry
from league.models import Competition, Entry, Player
from league.projections.standings import compute_standings
from league.queries.pictures import places_of
from league.services import gate
from league.services.players import change_player, remove_player
from league.words.event_text import stored_sentences
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import finished, in_play, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_verify import checked, exported
from tests.league.walking import text_of

WRONG, RIGHT = "Paul Pike", "Paul Pyke"


def correct(cast: Cast, player: Player | None = None, name: str = RIGHT) -> None:
    player = player or cast.paul_plays
    change_player(by=cast.olga, player=player, name=name, account=player.account, active=True)


def names(competition: Competition) -> list[str]:
    return list(Entry.objects.filter(competition=competition).values_list("name", flat=True))


def kinds(competition: Competition) -> list[str]:
    return [str(entry.event["type"]) for entry in log.entries(Competition.objects.get(pk=competition.pk))]


def shown(competition: Competition, page: str) -> str:
    return Client().get(f"/competitions/{competition.slug}/{page}").content.decode()


def printed(competition: Competition, name: str) -> str:
    return text_of(Client().get(f"/competitions/{competition.slug}/print/{name}.pdf"))


@pytest.mark.parametrize("page", ["", "entries/", "rounds/", "live/", "cross-table/"])
def test_pages_of_a_running_competition_have_the_right_name_once(cast: Cast, page: str) -> None:
    competition = in_play(cast)
    compute_standings(competition.pk)
    assert WRONG in shown(competition, page)
    correct(cast)
    assert RIGHT in shown(competition, page)
    assert WRONG not in shown(competition, page)


@pytest.mark.parametrize("name", ["pairings", "cards", "names"])
def test_prints_of_a_published_round_have_the_right_name_once(cast: Cast, name: str) -> None:
    competition = in_play(cast)
    correct(cast)
    assert RIGHT in printed(competition, name)
    assert WRONG not in printed(competition, name)


@pytest.mark.parametrize("page", ["", "winners/", "entries/", "cross-table/"])
def test_pages_of_a_finished_competition_have_the_right_name(cast: Cast, page: str) -> None:
    competition = finished(cast)
    compute_standings(competition.pk)
    correct(cast)
    assert RIGHT in shown(competition, page)
    assert WRONG not in shown(competition, page)


def test_a_certificate_has_the_right_name(cast: Cast) -> None:
    competition = finished(cast)
    correct(cast)
    path = f"/admin/league/competition/{competition.pk}/print/certificates.pdf"
    certificates = text_of(logged_in(cast.olga).get(path))
    assert (RIGHT in certificates, WRONG in certificates) == (True, False)
    assert RIGHT in [each.name for each in places_of(Competition.objects.get(pk=competition.pk))]


def test_the_log_says_of_a_name_of_its_own_both_names_and_who_corrected_them(cast: Cast) -> None:
    competition = in_play(cast)
    act(cast.olga, competition, CorrectName, entry=competition.entries.get(name=WRONG).pk, name="The Pikes")
    act(cast.olga, competition, CorrectName, entry=competition.entries.get(name="The Pikes").pk, name="Pikes")
    last = log.entries(Competition.objects.get(pk=competition.pk))[-1]
    assert (last.role, last.account) == ("organiser", str(cast.olga.pk))
    assert stored_sentences([last]) == ("The Pikes is now written Pikes.",)


@pytest.mark.parametrize("make", [in_play, finished])
def test_the_file_of_the_competition_is_still_verified_and_rows_are_those_of_a_rebuild(
    cast: Cast, make: type
) -> None:
    competition = make(cast)
    before = checked(exported(competition)).code
    correct(cast)
    assert checked(exported(competition)).code == before
    compute_standings(competition.pk)
    assert list(gate.of_competition(competition.pk)) == []


def test_withdrawn_entries_have_the_right_name_too(cast: Cast) -> None:
    competition = opened(cast, 2)
    act(cast.olga, competition, WithdrawEntry, entry=competition.entries.get(name=WRONG).pk)
    act(cast.olga, competition, EnterPlayers, players=[cast.paul_plays.pk])
    correct(cast)
    assert names(competition) == [RIGHT, "Petra Plum", RIGHT]


def test_a_team_named_after_its_players_follows_and_one_with_a_name_of_its_own_does_not(cast: Cast) -> None:
    competition = opened(cast, lineup="boards", team_size=2)
    cem, dana = PlayerFactory.create(club=cast.club), PlayerFactory.create(club=cast.club)
    act(cast.olga, competition, EnterPlayers, players=[cast.paul_plays.pk, cast.petra_plays.pk])
    act(cast.olga, competition, EnterPlayers, players=[cem.pk, dana.pk], name="Anchors")
    correct(cast)
    correct(cast, cem, "Cem")
    assert names(competition) == ["Paul Pyke & Petra Plum", "Anchors"]


def test_a_name_that_the_club_has_twice_gets_a_number(cast: Cast) -> None:
    competition = opened(cast, 2)
    correct(cast, name="Petra Plum")
    assert names(competition) == ["Petra Plum", "Petra Plum (2)"]


def test_the_name_of_a_player_who_was_removed_stays_hidden(cast: Cast) -> None:
    competition = finished(cast)
    correct(cast)
    remove_player(by=cast.olga, player=cast.paul_plays)
    assert names(competition)[0] == "Former player 1"
    entry = competition.entries.get(number=1)
    act(cast.olga, competition, CorrectName, entry=entry.pk, name="Paul Pike junior")
    assert names(competition)[0] == "Former player 1"


def test_another_name_for_a_player_who_was_removed_is_that_of_the_entry_and_not_in_the_log(
    cast: Cast,
) -> None:
    competition = finished(cast)
    removed = remove_player(by=cast.olga, player=cast.paul_plays)
    assert removed is not None
    correct(cast, removed, "A guest")
    assert names(competition)[0] == "A guest"
    assert "name_corrected" not in kinds(competition)
    compute_standings(competition.pk)
    assert list(gate.of_competition(competition.pk)) == []


def test_what_does_not_change_the_name_writes_nothing(cast: Cast) -> None:
    competition = opened(cast, 2)
    change_player(by=cast.olga, player=cast.paul_plays, name=WRONG, account=None, active=False)
    assert "name_corrected" not in kinds(competition)


def test_on_the_desk_the_form_of_the_player_is_enough(cast: Cast) -> None:
    competition = in_play(cast)
    olga, path = logged_in(cast.olga), f"/admin/league/player/{cast.paul_plays.pk}/change/"
    fields = {"name": RIGHT, "account": cast.paul.pk, "active": "on", "email": "", "phone": "", "note": ""}
    assert "If you correct the name, it is corrected in all competitions" in olga.get(path).content.decode()
    olga.post(path, fields)
    assert RIGHT in names(competition)


def test_a_player_found_by_the_former_name_is_in_the_list_under_the_new_one(cast: Cast) -> None:
    path = (
        f"/admin/league/player/{cast.paul_plays.pk}/change/?_changelist_filters=q%3Dpike%26active__exact%3D1"
    )
    fields = {"name": "Pavel Pyke", "account": "", "active": "on", "email": "", "phone": "", "note": ""}
    shown = logged_in(cast.olga).post(path, fields, follow=True)
    assert shown.redirect_chain[-1][0].endswith("?q=Pavel+Pyke&active__exact=1")
    assert [player.name for player in shown.context["cl"].result_list] == ["Pavel Pyke"]
