"""Who won: the page of a finished competition, shared places, and certificates."""

import re

from django.test import Client

from league.core.verbs.course import FinishCompetition
from league.core.verbs.entries import ExpelEntry, WithdrawEntry
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.rounds import CloseRound
from league.models import Competition, Player
from league.projections.standings import compute_standings
from league.queries.pictures import places_of
from league.queries.standings import places_in
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, finished, in_play, moved, pairs_in_play, play_all, stands, tables
from tests.league.test_admin_scope import logged_in
from tests.league.walking import text_of

WINNERS = "/competitions/{}/winners/"
PRINT = "/competitions/{}/print/certificates.pdf"


def page_of(competition: Competition, client: Client | None = None) -> str:
    return (client or Client()).get(WINNERS.format(competition.slug)).content.decode()


def test_the_page_has_the_podium_and_a_text_to_share(cast: Cast) -> None:
    competition = finished(cast)
    best = places_of(competition)[:3]
    shown = page_of(competition)
    podium = shown[shown.index('class="podium"') : shown.index("</ol>", shown.index('class="podium"'))]
    assert all(each.name in podium for each in best)
    shared = shown[shown.index("<textarea") : shown.index("</textarea>")]
    assert re.search(rf"^1st place( \(by lot\))?: {best[0].name}$", shared, re.MULTILINE)
    assert f"/competitions/{competition.slug}/winners/" in shared


def test_there_are_no_winners_before_the_end(cast: Cast) -> None:
    competition = in_play(cast)
    assert Client().get(WINNERS.format(competition.slug)).status_code == 404
    assert "/winners/" not in Client().get(f"/competitions/{competition.slug}/").content.decode()


def test_the_first_of_groups_of_equal_level_share_first_place(cast: Cast) -> None:
    competition = finished(cast, 8, stages=[{**PLAN, "groups": 2}])
    places = places_of(competition)
    assert [each.place for each in places] == [1, 1, 3, 3, 5, 5, 7, 7]
    assert all(each.shared for each in places)
    assert page_of(competition).count("Shared 1st place") == 2


def test_an_organiser_prints_certificates_for_all_or_for_chosen_entries(cast: Cast) -> None:
    competition = finished(cast)
    first, *others = places_of(competition)
    path = f"/admin/league/competition/{competition.pk}/print/certificates.pdf"
    client = logged_in(cast.olga)
    every = text_of(client.get(path))
    assert all(each.name in every for each in (first, *others))
    chosen = text_of(client.get(path, {"entry": first.entry}))
    assert "Certificate" in chosen
    assert "1st place" in chosen
    assert first.name in chosen
    assert others[0].name not in chosen


def test_a_player_prints_only_their_own_certificate(cast: Cast) -> None:
    competition = finished(cast)
    own = text_of(logged_in(cast.paul).get(PRINT.format(competition.slug)))
    assert cast.paul_plays.name in own
    assert cast.petra_plays.name not in own
    assert "Your certificate" in page_of(competition, logged_in(cast.paul))
    for client in (Client(), logged_in(cast.nora)):
        assert client.get(PRINT.format(competition.slug)).status_code == 404


def test_bots_are_marked_on_certificates(cast: Cast) -> None:
    competition = finished(cast)
    first, second, *_ = places_of(competition)
    Player.objects.filter(pk__in=first.own_of).update(bot=True)
    path = f"/admin/league/competition/{competition.pk}/print/certificates.pdf"
    printed = text_of(logged_in(cast.olga).get(path))
    assert f"{first.name} (bot)" in printed
    assert f"{second.name} (bot)" not in printed


def test_who_was_expelled_or_never_came_is_last_and_marked_and_has_no_certificate(cast: Cast) -> None:
    competition = in_play(cast, 8, stages=[{**PLAN, "rounds": 1}])
    one, other = (table.seats.all()[3] for table in tables(competition))
    act(cast.olga, competition, MarkNoShow, table=one.table_id, entry=one.entry_id)
    for place in competition.games.all():
        for seat in range(3 if place.table_id == one.table_id else 4):
            moved(place.game, seat, {"type": "say", "number": seat})
        record_result(game_id=place.pk)
    act(cast.olga, competition, ExpelEntry, entry=other.entry_id, reason="cheated")
    gone = competition.entries.exclude(pk__in=(one.entry_id, other.entry_id))[0]
    act(cast.olga, competition, WithdrawEntry, entry=gone.pk)
    for verb in (CloseRound, FinishCompetition):
        act(cast.olga, competition, verb)
    competition.refresh_from_db()
    *_others, last, before = places_of(competition)
    assert {(each.name, each.gone) for each in (last, before)} == {
        (other.entry.name, "expelled"),
        (one.entry.name, "did not play"),
    }
    page = page_of(competition)
    cross = Client().get(f"/competitions/{competition.slug}/cross-table/").content.decode()
    assert (page.count("(expelled)"), page.count("(did not play)"), cross.count("expelled")) == (1, 1, 1)
    assert page.count("(withdrawn)") in (1, 2), "once in all places, and on the podium where it stands there"
    compute_standings(competition.pk)
    rows = stands(competition)
    told = {(each.name, each.gone) for each in (last, before)}
    assert {(row.entry.name, row.gone) for row in rows[-2:]} == told
    for part in ("", "cross-table/", "entries/"):
        shown = Client().get(f"/competitions/{competition.slug}/{part}").content.decode()
        assert shown.count("did not play") == 1, part
    path = f"/admin/league/competition/{competition.pk}/print/certificates.pdf"
    printed = text_of(logged_in(cast.olga).get(path))
    assert printed.count("of 6 entries") == 6 and other.entry.name not in printed
    standing = places_in(competition.entries.all())
    assert {place.count for place in standing.values()} == {6}
    assert {one.entry_id, other.entry_id} == {each.pk for each in competition.entries.all()} - standing.keys()


def test_a_team_that_is_named_after_its_players_has_their_names_once(cast: Cast) -> None:
    competition = pairs_in_play(cast)
    for game in play_all(competition):
        record_result(game_id=game)
    for verb in (CloseRound, FinishCompetition):
        act(cast.olga, competition, verb)
    competition.refresh_from_db()
    first, *_ = places_of(competition)
    path = f"/admin/league/competition/{competition.pk}/print/certificates.pdf?entry={first.entry}"
    printed = text_of(logged_in(cast.olga).get(path))
    page = page_of(competition).partition("All places")[0]
    assert [(page + printed).count(player) for player in first.players] == [2, 2]
