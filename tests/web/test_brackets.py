"""Brackets on the page and on paper: what they say beside the names, and where they open on a phone."""

import re
from html import unescape

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.presence import MarkAbsent, MarkNoShow
from league.core.verbs.results import AwardWalkover, ForfeitEntry
from league.core.verbs.rooms import SetRooms
from league.core.verbs.rulings import SetResult
from league.models import Competition
from league.queries.competitions import entrants_of
from league.queries.pictures import brackets_of
from league.services.competitions import change_details
from tests.factories import Cast
from tests.league.acting import act
from tests.league.brackets import CUP, DOUBLE, closed, drawn_next, in_round, started, words_in
from tests.league.playing import tables
from tests.league.test_admin_scope import logged_in
from tests.league.walking import text_of


def printed(competition: Competition) -> str:
    return " ".join(text_of(Client().get(f"/competitions/{competition.slug}/print/bracket.pdf")).split())


def page_of(competition: Competition) -> str:
    return Client().get(f"/competitions/{competition.slug}/charts/").content.decode()


def test_a_printed_bracket_names_its_rounds_its_half_and_the_page(cast: Cast) -> None:
    told = printed(in_round(cast, 11, 1))
    for words in (
        "Upper bracket · Page 1 of 2",
        "Lower bracket · Page 2 of 2",
        "Upper final",
        "Lower round 6",
    ):
        assert words in told


def test_a_big_bracket_is_printed_on_pages_that_have_every_name(cast: Cast) -> None:
    competition = in_round(cast, 33, 1)
    told = printed(competition)
    assert "Page 1 of 5" in told
    assert all(entry.name in told for entry in competition.entries.all())


@pytest.mark.parametrize("plan", [CUP, DOUBLE])
def test_what_decided_in_place_of_play_is_told_in_the_box(cast: Cast, plan: dict[str, object]) -> None:
    competition = in_round(cast, 8, 1, plan)
    empty, left, set_, missed = tables(competition)
    name = {
        seat.pk: seat.entry for table in tables(competition) for seat in table.seats.select_related("entry")
    }
    (here, away), (_, leaves), (_, wins), (_, late) = (
        [name[seat.pk] for seat in table.seats.order_by("number")] for table in (empty, left, set_, missed)
    )
    act(cast.olga, competition, AwardWalkover, table=empty.pk, entries=[here.pk])
    act(cast.olga, competition, ForfeitEntry, table=left.pk, entry=leaves.pk, reason="ill")
    act(cast.olga, competition, MarkNoShow, table=missed.pk, entry=late.pk)
    seats = [{"seat": seat, "score": seat} for seat in (0, 1)]
    act(cast.olga, competition, SetResult, table=set_.pk, seats=seats, reason="as both say")
    closed(cast, competition, 1)
    told = {(here.name, "walkover"), (away.name, "no-show"), (leaves.name, "forfeit"), (late.name, "no-show")}
    assert words_in(competition) == told | {(wins.name, "result set")}
    for words in ("walkover", "forfeit", "result set"):
        assert words in printed(competition) and words in page_of(competition)


def test_a_result_that_was_typed_from_a_sheet_is_one_like_any_other(cast: Cast) -> None:
    competition = in_round(cast, 4, 1)
    seats = [{"seat": seat, "score": seat} for seat in (0, 1)]
    act(cast.olga, competition, SetResult, table=tables(competition)[0].pk, seats=seats)
    assert words_in(closed(cast, competition, 1)) == set()


def test_who_is_absent_or_has_withdrawn_before_a_round_is_told_in_the_box(cast: Cast) -> None:
    competition = closed(cast, in_round(cast, 8, 1), 1)
    upper = brackets_of(competition, 1, entrants_of(competition).names)[0]
    meeting = [[slot.name for slot in match.slots] for match in upper.columns[1].matches]
    ids = {entry.name: entry.pk for entry in competition.entries.all()}
    (absent, _), (gone, _) = meeting
    act(cast.olga, competition, MarkAbsent, entry=ids[absent])
    act(cast.olga, competition, WithdrawEntry, entry=ids[gone], reason="ill")
    drawn_next(cast, competition)
    assert words_in(competition) == {(absent, "absent"), (gone, "withdrawn")}


def test_a_match_to_which_nobody_comes_is_not_drawn(cast: Cast) -> None:
    for bracket in brackets_of(competition := started(cast, 5), 1, entrants_of(competition).names):
        for column in bracket.columns:
            notes = [[slot.note for slot in match.slots] for match in column.matches]
            assert ["bye", "bye"] not in notes


def test_the_desk_says_in_advance_who_has_to_lose_for_a_second_final(cast: Cast) -> None:
    said = r"After a final lost by ([\w ]+), a second final follows\."
    competition = in_round(cast, 4, 2)
    desk, address = logged_in(cast.olga), f"/admin/league/competition/{competition.pk}/change/"
    assert not re.search(said, desk.get(address).content.decode())
    drawn_next(cast, closed(cast, competition, 2))
    found = re.search(said, desk.get(address).content.decode())
    assert found is not None
    unbeaten = competition.entries.get(name=found[1])
    assert not unbeaten.seats.filter(rank=2).exists()
    drawn_next(cast, closed(cast, competition, 3))
    change_details(by=cast.olga, competition=competition, values={"round_minutes": 30})
    timed = re.search(rf"{said} It would begin about [\d:]+", desk.get(address).content.decode())
    assert timed is not None


def test_the_desk_offers_how_to_decide_a_table_that_somebody_has_left(cast: Cast) -> None:
    competition = in_round(cast, 4, 1)
    desk, address = logged_in(cast.olga), f"/admin/league/competition/{competition.pk}/change/"
    table = tables(competition)[1]
    gone = table.seats.get(number=0).entry
    assert "and the table is undecided" not in desk.get(address).content.decode()
    act(cast.olga, competition, WithdrawEntry, entry=gone.pk, reason="ill")
    page = desk.get(address).content.decode()
    assert f"Round 1, table 2 is undecided after a withdrawal: {gone.name}." in page
    stays = table.seats.exclude(entry=gone).get().entry_id
    for key in ("walk-over", "forfeit"):
        (query,) = re.findall(rf'/do/{key}/(\?table={table.pk}&amp;entries={stays})"', page)
        form = desk.get(f"/admin/league/competition/{competition.pk}/do/{key}/{unescape(query)}")
        assert key != "walk-over" or re.search(f'value="{stays}"[^>]* checked', form.content.decode())
    act(cast.olga, competition, ForfeitEntry, table=table.pk, entry=gone.pk, reason="ill")
    assert "and the table is undecided" not in desk.get(address).content.decode()


def test_a_table_that_somebody_has_left_has_its_number_in_the_rooms(cast: Cast) -> None:
    competition = started(cast, 4)
    act(cast.olga, competition, SetRooms, rooms=[{"name": "Hall", "first": 5, "last": 8}])
    drawn_next(cast, competition)
    gone = tables(competition)[1].seats.get(number=0).entry
    act(cast.olga, competition, WithdrawEntry, entry=gone.pk, reason="ill")
    page = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/change/").content.decode()
    assert f"Round 1, table 6 is undecided after a withdrawal: {gone.name}." in page


def test_a_bracket_says_who_comes_from_which_table(cast: Cast) -> None:
    competition = in_round(cast, 8, 1)
    for told in (printed(competition), page_of(competition)):
        assert "winner of table 4" in told and "loser of table 4" in told


def test_a_bracket_has_a_place_for_the_match_for_third_place_from_the_start(cast: Cast) -> None:
    competition = in_round(cast, 4, 1, CUP)
    (bracket,) = brackets_of(competition, 1, entrants_of(competition).names)
    _final, third = bracket.columns[-1].matches
    assert (third.label, [str(slot.note) for slot in third.slots]) == (
        "third place",
        ["loser of table 1", "loser of table 2"],
    )


def test_a_bracket_opens_on_a_phone_at_the_round_that_is_played(phone: Page, plain: Page, cast: Cast) -> None:
    competition = in_round(cast, 11, 4)
    for page in (phone, plain):
        page.goto(f"/competitions/{competition.slug}/charts/")
        if page is plain:
            page.set_viewport_size({"width": 390, "height": 800})
            page.get_by_role("link", name="To the round that is being played").first.click()
        expect(page.get_by_text("Upper semi-finals").first).to_be_in_viewport(ratio=1)
        box = page.locator("#bracket-1-now").bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_standings_of_a_cup_say_what_ranks_before_points(cast: Cast) -> None:
    competition = closed(cast, in_round(cast, 4, 1), 1)
    told = "The rank is how far one came in the cup; points decide only among those who came equally far"
    paper = text_of(Client().get(f"/competitions/{competition.slug}/print/standings.pdf"))
    assert told in " ".join(paper.split())
    for page in ("", "hall/"):
        assert told in Client().get(f"/competitions/{competition.slug}/{page}").content.decode()
