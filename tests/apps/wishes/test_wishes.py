"""What the people of a club wish for draws: kept, dropped, forgotten, and heeded in every competition."""

from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from games.engine.refusals import Illegal, Malformed
from league import log
from league.admin.consequences import what_was_done
from league.apps.people.services import merge_players
from league.apps.wishes.models import PlayerWish
from league.apps.wishes.queries import contradicted, in_draws, partners_apart
from league.apps.wishes.services import drop_wish, keep_wish
from league.core.drawing.wishes import of_entries
from league.core.standings.ranking import standings
from league.core.state.competition import Competition as State
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import ClubChange, Competition, Player
from league.services.players import remove_player
from league.words.club_changes import change_in_words
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act, enter
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.web.conftest import record_all


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def state_of(competition: Competition) -> State:
    return log.latest(Competition.objects.get(pk=competition.pk))


def players_in(competition: Competition) -> list[Player]:
    """The players of a competition, in the order of their entries."""
    state = state_of(competition)
    return [Player.objects.get(pk=entry.players[0]) for entry in state.entries]


def keep(cast: Cast, player: Player, kind: str, **wish: Any) -> PlayerWish:
    return keep_wish(by=cast.olga, player=player, kind=kind, **wish)


def started(cast: Cast, entries: int, **plan: Any) -> Competition:
    stage = {"name": "Evening", "format": "rounds", "rounds": 3, "table_size": 4, **plan}
    competition = opened(cast, entries, stages=[stage])
    act(cast.olga, competition, StartCompetition)
    return competition


def cut_off(competition: Competition) -> dict[str, Any]:
    """The cut-off of the last draw."""
    *_, event = competition.events.filter(event__type="cut_off").order_by("seq")
    found: dict[str, Any] = event.event
    return found


def test_a_draw_heeds_what_its_people_wish_and_says_so_without_a_reason(cast: Cast) -> None:
    competition = started(cast, 9)
    one, other, third, *_ = players_in(competition)
    keep(cast, one, "apart", other=other, reason="They had a quarrel")
    keep(cast, third, "table", table=2, reason="A wheelchair")
    act(cast.olga, competition, DrawRound)
    state, cut = state_of(competition), cut_off(competition)
    first, second, fixed = (state.entry_with(str(each.pk)) for each in (one, other, third))
    assert first and second and fixed and state.drawn_round
    (wish,) = cut["wishes"]["between"]
    assert {*wish["entries"]} == {first.id, second.id} and wish["wish"] == "apart"
    assert cut["wishes"]["tables"] == [{"entry": fixed.id, "table": 2}]
    tables = [table.entries for table in state.drawn_round.tables]
    assert not any({first.id, second.id} <= {*table} for table in tables)
    assert fixed.id in tables[1]
    assert "quarrel" not in str(cut) and "wheelchair" not in str(cut)


def test_wishes_that_no_draw_can_keep_refuse_it_by_name(cast: Cast, olga: Client) -> None:
    competition = started(cast, 4)
    one, other, *_ = players_in(competition)
    keep(cast, one, "apart", other=other)
    seq = Competition.objects.get(pk=competition.pk).seq
    page = olga.get(f"/admin/league/competition/{competition.pk}/do/draw/")
    assert "With 1 table no seating keeps this wish" in page.content.decode()
    with pytest.raises(Illegal, match="With 1 table no seating keeps this wish"):
        act(cast.olga, competition, DrawRound)
    assert Competition.objects.get(pk=competition.pk).seq == seq


def test_who_would_like_to_sit_together_does_as_far_as_tables_go_the_leaders_first(cast: Cast) -> None:
    competition = started(cast, 8)
    people = players_in(competition)
    keep(cast, people[0], "apart", other=people[1])
    for one, other in pairwise(people[2:]):
        keep(cast, one, "together", other=other, always=False)
    keep(cast, people[0], "together", other=people[2], always=False)
    keep(cast, people[1], "together", other=people[2], always=False)
    act(cast.olga, competition, DrawRound)
    state = state_of(competition)
    entry = {each.pk: state.entry_with(str(each.pk)) for each in people}
    ids = [found.id for each in people if (found := entry[each.pk])]
    kept = {frozenset(map(ids.index, wish["entries"])) for wish in cut_off(competition)["wishes"]["between"]}
    assert kept == {frozenset(pair) for pair in ((0, 1), (0, 2), (2, 3), (3, 4), (5, 6), (6, 7))}
    assert state.drawn_round
    tables = [{*map(ids.index, table.entries)} for table in state.drawn_round.tables]
    assert sorted(map(sorted, tables)) == [[0, 2, 3, 4], [1, 5, 6, 7]]


def test_after_a_round_the_one_who_is_ahead_sits_with_whom_two_would_like_to(cast: Cast) -> None:
    competition = started(cast, 8)
    for verb in (DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    people, place = players_in(competition), [row.entry for row in standings(state_of(competition), 1)]
    ids = [entry.id for entry in state_of(competition).entries]
    behind, ahead = next(
        (one, other)
        for one, other in combinations(range(8), 2)
        if place.index(ids[one]) > place.index(ids[other])
    )
    last = next(each for each in map(ids.index, reversed(place)) if each not in (behind, ahead))
    keep(cast, people[behind], "apart", other=people[ahead])
    for each in (behind, ahead):
        keep(cast, people[last], "together", other=people[each], always=False)
    act(cast.olga, competition, DrawRound)
    wishes = cut_off(competition)["wishes"]["between"]
    together = [{*map(ids.index, wish["entries"])} for wish in wishes if wish["wish"] == "together"]
    assert together == [{last, ahead}]


def test_where_a_schedule_says_who_meets_nobody_is_promised_what_is_only_hoped(cast: Cast) -> None:
    competition = started(cast, 8, format="round_robin")
    one, other, *_ = players_in(competition)
    keep(cast, one, "together", other=other, always=False)
    act(cast.olga, competition, DrawRound)
    assert "wishes" not in cut_off(competition)


def test_before_the_start_the_organiser_is_told_what_everybody_will_read(cast: Cast, olga: Client) -> None:
    competition = opened(cast, 9)
    one, other, *_ = players_in(competition)
    keep(cast, one, "apart", other=other, reason="A quarrel")
    page = olga.get(f"/admin/league/competition/{competition.pk}/do/start/").content.decode()
    assert "Everybody will be able to read in the log:" in page and "never at one table" in page
    assert "quarrel" not in page


def test_a_wish_of_who_is_another_player_now_counts_for_that_one(cast: Cast) -> None:
    competition = started(cast, 9)
    one, other, *_ = players_in(competition)
    former = PlayerFactory.create(club=cast.club)
    keep(cast, former, "apart", other=other)
    merge_players(by=cast.olga, kept=one, merged=former)
    state = state_of(competition)
    (wish,) = of_entries(in_draws(competition.pk, state), state).between
    entries = {state.entry_with(str(each.pk)) for each in (one, other)}
    assert {*wish.entries} == {entry.id for entry in entries if entry}


def test_who_comes_to_a_drop_in_evening_sits_with_nobody_who_is_kept_apart(cast: Cast) -> None:
    competition = started(cast, 3, format="drop_in", rounds=1)
    one, comes = players_in(competition)[0], PlayerFactory.create(club=cast.club)
    keep(cast, comes, "apart", other=one, reason="A quarrel")
    keep(cast, comes, "table", table=7)
    for verb in (DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    enter(cast.olga, competition, [comes])
    assert not [*state_of(competition).tables()]
    enter(cast.olga, competition, [PlayerFactory.create(club=cast.club)])
    state = state_of(competition)
    assert state.current_round
    (table,) = state.current_round.tables
    first, late = (state.entry_with(str(each.pk)) for each in (one, comes))
    assert first and late and len({first.id, late.id}.intersection(table.entries)) == 1
    *_, seated = competition.events.filter(event__type="waiting_seated").order_by("seq")
    assert [{*each["entries"]} for each in seated.event["wishes"]["between"]] == [{first.id, late.id}]
    assert "quarrel" not in str(seated.event)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"kind": "apart"}, {"kind": "together", "always": False}),
        ({"kind": "apart"}, {"kind": "apart", "always": False}),
        ({"kind": "apart"}, {"kind": "apart", "reason": "Another one"}),
        ({"kind": "apart_first"}, {"kind": "apart_first", "always": False}),
        ({"kind": "apart_last", "always": False}, {"kind": "together"}),
        ({"kind": "table", "table": 1}, {"kind": "table", "table": 2}),
    ],
)
def test_another_wish_about_the_same_replaces_the_first_only_when_told_to(
    cast: Cast, first: dict[str, Any], second: dict[str, Any]
) -> None:
    one, other = cast.paul_plays, cast.petra_plays
    about: dict[str, Any] = {} if first["kind"] == "table" else {"other": other}
    kept = keep(cast, one, **about, **{"reason": "A quarrel", **first})
    with pytest.raises(Malformed) as refused:
        keep(cast, one, **about, **second)
    assert [*refused.value.errors] == ["instead"]
    assert keep(cast, one, **about, **first) == kept == PlayerWish.objects.get()
    wish = keep(cast, one, **about, **second, instead=True)
    assert PlayerWish.objects.get() == wish != kept and wish.reason == second.get("reason", "")
    assert [*contradicted({})] == []


@pytest.mark.parametrize("second", [("apart_last", True), ("apart", False), ("together", False)])
def test_two_wishes_about_the_same_that_make_sense_together_both_count(
    cast: Cast, olga: Client, second: tuple[str, bool]
) -> None:
    competition = started(cast, 9)
    one, other, *_ = players_in(competition)
    keep(cast, one, "apart_first", other=other)
    page = f"/admin/league/player/{other.pk}/wishes/"
    sent = {"kind": second[0], "other": one.pk, "possible": "" if second[1] else "on"}
    olga.post(page, sent)
    assert PlayerWish.objects.count() == 2 and [*contradicted({})] == []
    told = olga.get(f"/admin/league/competition/{competition.pk}/do/draw/").content.decode()
    assert "not at one table in the first round" in told
    act(cast.olga, competition, DrawRound)
    kinds = {wish["wish"] for wish in cut_off(competition)["wishes"]["between"]}
    assert kinds == {"apart_first", second[0]} - {"together"}
    asked = olga.post(page, {"kind": "together", "other": one.pk}).content.decode()
    assert "This contradicts: “" in asked and "Replace it" in asked


def test_a_page_asks_before_a_wish_replaces_another_and_keeps_what_is_typed(cast: Cast, olga: Client) -> None:
    keep(cast, cast.petra_plays, "apart", other=cast.paul_plays, reason="A quarrel")
    page = f"/admin/league/player/{cast.paul_plays.pk}/wishes/"
    assert "Replace" not in olga.get(page).content.decode()
    sent = {"kind": "together", "other": cast.petra_plays.pk, "reason": "Made it up again"}
    asked = olga.post(page, sent).content.decode()
    assert "This contradicts: “never at one table”." in asked and "Replace it" in asked
    assert "Made it up again" in asked
    assert PlayerWish.objects.get().reason == "A quarrel"
    olga.post(page, {**sent, "instead": "on"})
    assert PlayerWish.objects.get().reason == "Made it up again"


@pytest.mark.parametrize(("kind", "field"), [("table", "table"), ("apart", "other")])
def test_a_wish_needs_what_it_is_about(cast: Cast, kind: str, field: str) -> None:
    with pytest.raises(Malformed) as refused:
        keep(cast, cast.paul_plays, kind)
    assert [*refused.value.errors] == [field]


def test_only_organisers_keep_and_drop_wishes(cast: Cast) -> None:
    wish = keep(cast, cast.paul_plays, "table", table=1)
    with pytest.raises(PermissionDenied):
        keep_wish(by=cast.paul, player=cast.paul_plays, kind="table", table=2)
    with pytest.raises(PermissionDenied):
        drop_wish(by=cast.paul, player=cast.paul_plays, wish=str(wish.pk))


def test_the_record_says_that_there_is_a_wish_and_commits_to_it(cast: Cast) -> None:
    wish = keep(cast, cast.paul_plays, "apart", other=cast.petra_plays, reason="A quarrel")
    (change,) = ClubChange.objects.filter(values__has_key="wish_sealed")
    told = change_in_words(change)
    assert "wish for draws" in told and "Petra" not in told and "quarrel" not in str(change.values)
    assert str(cast.petra_plays.pk) not in str(change.values)
    PlayerWish.objects.filter(pk=wish.pk).update(kind="apart_last")
    assert [*contradicted({})] == [f"wish {wish.pk}: it was changed past the service"]


def test_with_a_person_their_wishes_and_salts_are_forgotten(cast: Cast) -> None:
    one = PlayerFactory.create(club=cast.club)
    keep(cast, one, "apart", other=cast.petra_plays)
    keep(cast, one, "table", table=1)
    remove_player(by=cast.olga, player=one)
    assert not PlayerWish.objects.exists()
    assert [*contradicted({})] == []


@pytest.mark.parametrize("first", [True, False])
def test_an_organiser_keeps_and_drops_a_wish_whose_reason_is_on_its_own_page_alone(
    cast: Cast, olga: Client, first: bool
) -> None:
    if (cast.paul_plays.pk < cast.petra_plays.pk) != first:
        cast = replace(cast, paul_plays=cast.petra_plays, petra_plays=cast.paul_plays)
    page = f"/admin/league/player/{cast.paul_plays.pk}/wishes/"
    kept = olga.post(
        page, {"kind": "apart", "other": cast.petra_plays.pk, "reason": "A quarrel"}, follow=True
    )
    assert "never at one table" in kept.content.decode() and "A quarrel" in kept.content.decode()
    wish = PlayerWish.objects.get()
    for player, path, told in (
        (cast.petra_plays, "change", False),
        (cast.petra_plays, "wishes", False),
        (cast.paul_plays, "change", False),
        (cast.paul_plays, "wishes", True),
    ):
        shown = olga.get(f"/admin/league/player/{player.pk}/{path}/").content.decode()
        assert "never at one table" in shown and ("A quarrel" in shown) == told
    wrong = olga.post(page, {"kind": "table", "other": "", "table": ""}).content.decode()
    assert "Say which table." in wrong
    gone = olga.post(page, {"drop": wish.pk}, follow=True)
    assert "The wish is gone." in gone.content.decode() and not PlayerWish.objects.exists()


def test_a_players_wishes_are_for_organisers_of_the_club_alone(cast: Cast) -> None:
    page = f"/admin/league/player/{cast.paul_plays.pk}/wishes/"
    assert logged_in(cast.nora).get(page).status_code in (302, 403, 404)
    assert logged_in(cast.paul).get(page).status_code in (302, 403, 404)


def test_partners_who_wish_not_to_meet_are_named_at_entry_and_before_start_and_draw(
    cast: Cast, olga: Client
) -> None:
    plan = {"name": "Evening", "format": "rounds", "rounds": 1, "table_size": 2}
    competition = opened(cast, stages=[plan], lineup="partners", team_size=2)
    one, other, *more = cast.people(4)
    keep(cast, one, "apart", other=other)
    act(cast.olga, competition, EnterPlayers, players=tuple(str(each.pk) for each in more))
    start = f"/admin/league/competition/{competition.pk}/do/start/"
    assert "wish not to be at one table" not in olga.get(start).content.decode()
    before = Competition.objects.get(pk=competition.pk).seq
    act(cast.olga, competition, EnterPlayers, players=(str(one.pk), str(other.pk)))
    competition.refresh_from_db()
    assert sorted((one.name, other.name)) == sorted(*partners_apart(competition.pk))
    said = what_was_done(cast.olga, competition, before)
    assert "wish not to be at one table" in said and one.name in said
    assert "wish not to be at one table" in olga.get(start).content.decode()
