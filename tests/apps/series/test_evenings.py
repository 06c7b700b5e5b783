"""What evenings give a series, from all the leagues that were ever recorded, and from totals."""

import json
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from games.engine.values import replace
from league.apps.series.core import evenings, telling
from league.apps.series.core.evenings import Parts, in_order, parts_of
from league.apps.series.core.parts import Part, Place, Share
from league.apps.series.core.presets import PRESETS
from league.apps.series.core.rule import NEWEST, Rule, Value
from league.apps.series.core.state import Evening, Series, TypedTotal
from league.core import events, portable, scoring
from league.core.agreed import AWAY
from league.core.standings import ranking
from league.core.state.competition import Competition
from tests.apps.series.years import rows, totals
from tests.core.ids import uid
from tests.recorded import FILES

RECORDED = sorted(FILES.glob("*.jsonl"))
EVENING = Evening(2, "2026-11-05", competition="c")
BEATEN = Rule(value=Value("beaten"), edition=NEWEST)


def state_in(file: Path, until: int | None = None) -> Competition:
    """Return the state of a recorded competition, after all its entries or so many."""
    log = portable.read(file.read_text(encoding="utf-8").split("\n")).log
    return events.fold(events.read(json.loads(line)["event"]) for line in log[:until])


def recorded(name: str) -> Parts:
    return parts_of(EVENING, state_in(FILES / f"{name}.jsonl"))


def by_person(part: Part) -> dict[str, Share]:
    return {share.person: share for share in part.shares}


def of(*totals: tuple[str, str], **more: Any) -> Parts:
    typed = tuple(TypedTotal(player, points) for player, points in totals)
    return parts_of(replace(Evening(2, "2026-11-05", "Opening", totals=typed), **more))


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_everybody_who_played_has_the_points_and_the_place_of_the_entry(file: Path) -> None:
    state = state_in(file)
    whole = parts_of(EVENING, state).whole
    records = [scoring.records(state, stage) for stage in state.stages]
    gone = ranking.gone(state)
    # On a ladder those who played nobody have a rung, and did not come.
    places = {
        entry: place
        for place, entry in ranking.final_places(state)
        if any(each[entry].lines for each in records if entry in each)
    }
    of_entry = {
        entry: sum(other < place for other in places.values()) + 1
        for entry, place in places.items()
        if entry not in gone
    }
    shares = by_person(whole)
    assert whole.field == len(of_entry) > 0
    for entry in of_entry:
        rows = [each[entry] for each in records if entry in each]
        total = sum((row.points - row.carried for row in rows), Fraction(0))
        lineups = state.entry(entry).lineups
        if len(lineups) == 1:
            assert {shares[player].points for player in lineups[0][1] if player in shares} == {total}
            assert {shares[player].rank for player in lineups[0][1] if player in shares} == {of_entry[entry]}


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_the_lists_of_an_evening_add_up_to_it_where_all_count(file: Path) -> None:
    state = state_in(file)
    if any(stage.plan.scoring.best or stage.adjustments for stage in state.stages):
        return
    parts = parts_of(EVENING, state)
    missed = {
        entry
        for stage in state.stages
        for entry, record in scoring.records(state, stage).items()
        if any(line.kind in AWAY and line.points for line in record.lines)
    }
    out = {player for entry in missed for player in state.entry(entry).players}
    for person, share in by_person(parts.whole).items():
        if person not in out:
            own = [by_person(each)[person].points for each in parts.lists if person in by_person(each)]
            assert sum(own, Fraction(0)) == share.points


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_what_is_stored_of_an_evening_is_all_that_it_gives(file: Path) -> None:
    parts = parts_of(EVENING, state_in(file))
    for part in (parts.whole, *parts.lists):
        stored = json.loads(json.dumps(evenings.as_json(part)))
        assert evenings.from_json(replace(part, shares=(), field=0, tables=0), stored) == part


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_an_evening_can_be_counted_after_each_of_its_entries(file: Path) -> None:
    length = len(portable.read(file.read_text(encoding="utf-8").split("\n")).log)
    for until in range(1, length, 7):
        for part in (parts := parts_of(EVENING, state_in(file, until))).lists:
            assert all(1 <= share.rank <= part.field for share in part.shares)
        assert all(1 <= share.rank <= parts.whole.field for share in parts.whole.shares)


def test_pairs_of_the_evening_are_persons_of_the_year() -> None:
    whole = recorded("partners-01").whole
    shares = by_person(whole)
    assert whole.field * 2 == len(whole.shares)
    for share in whole.shares:
        (partner,) = share.partners
        assert shares[partner]._replace(person=share.person, partners=share.partners) == share


@pytest.mark.parametrize("points", ["entry", "stand_in"])
def test_who_has_a_part_of_a_pairs_points_is_placed_by_these_and_the_partner_as_the_pair(points: str) -> None:
    # The pair has 1 point with who entered and 1 with the stand-in; the others have 1, 1, 1, 0, 0.
    log = portable.read((FILES / "partners-01.jsonl").read_text(encoding="utf-8").split("\n")).log
    said = [json.loads(line)["event"] for line in log]
    pair, at = said[2], next(at for at, each in enumerate(said) if each["type"] == "round_closed") + 1
    stays, out = pair["players"]
    into = uid("a stand-in")
    swap = {"type": "substituted", "entry": pair["entry"], "out": out, "into": into, "points": points}
    later = json.loads(json.dumps(said[at:]).replace(out, into))
    state = events.fold(map(events.read, [*said[:at], swap, *later]))
    whole = parts_of(EVENING, state).whole
    counted = in_order(Series(2, "Year", BEATEN, "everybody", (EVENING,)), {2: Parts(whole)})
    found = rows(BEATEN, counted)
    assert (found[stays].total, telling.own_points(found[stays])) == (100, None)
    if points == "entry":
        assert into not in found and found[out].cells == found[stays].cells
        return
    for person in (out, into):
        assert found[person].cells[0].place == Place(1, 3, own=True)
        assert (found[person].total, by_person(whole)[person].level) == (70, 0)
        assert telling.own_points(found[person])


def test_totals_are_ranked_with_shared_places() -> None:
    shares = by_person(of(("a", "60"), ("b", "-55/2"), ("c", "60"), ("d", "1000000000")).whole)
    assert [(shares[each].rank, shares[each].level) for each in "dacb"] == [(1, 0), (2, 1), (2, 1), (4, 0)]
    assert shares["b"].points == Fraction(-55, 2)


def test_the_lowest_total_is_first_where_low_wins() -> None:
    part = of(("a", "60"), ("b", "55"), low_wins=True, field=9, tables=2).whole
    assert [share.rank for share in part.shares] == [2, 1]
    assert (part.field, part.tables, part.low_wins) == (9, 2, True)


def test_partners_whose_totals_are_typed_in_share_a_place_that_counts_once() -> None:
    pairs = (("a", "50", "b"), ("b", "50", "a"), ("c", "40", "d"), ("d", "40", "c"))
    typed = tuple(TypedTotal(player, points, partners=(other,)) for player, points, other in pairs)
    part = parts_of(Evening(2, "2026-11-05", "Pairs", totals=typed)).whole
    assert part.field == 2
    assert [(share.rank, share.level) for share in part.shares] == [(1, 0), (1, 0), (2, 0), (2, 0)]


def test_a_total_of_several_lists_counts_as_so_many_where_lists_count() -> None:
    typed = (TypedTotal("a", "18400", tables=20, deals=970), TypedTotal("b", "900"))
    evening = Evening(2, "2026-11-05", "Until November", totals=typed)
    rule = PRESETS["germering"].rule
    parts = in_order(Series(2, "Year", rule, "everybody", (evening,)), {2: parts_of(evening)})
    assert [part.list for part in parts] == [*range(1, 21)]
    assert sum(by_person(part)["a"].deals for part in parts) == 970
    assert totals(rule, parts) == {"a": (1, Fraction(18_400, 24)), "b": (2, Fraction(900, 24))}
    assert rows(rule, parts)["a"].played == 20


def test_evenings_without_shares_are_left_out_but_keep_their_numbers() -> None:
    first, second = Evening(2, "2026-11-05", "One"), Evening(3, "2026-11-12", "Two")
    state = Series(3, "Year", Rule(), "everybody", (first, second))
    (part,) = in_order(state, {2: Parts(evenings.part_of(first)), 3: of(("a", "1"))})
    assert (part.evening, part.on) == (2, date(2026, 11, 5))


def test_who_was_two_players_has_what_both_had() -> None:
    state = Series(
        4, "Year", Rule(), "everybody", (Evening(2, "2026-11-05", "One"),), merged=(("b", "c"), ("c", "a"))
    )
    (part,) = in_order(state, {2: of(("a", "10"), ("b", "7"), ("d", "20"))})
    assert [(share.person, str(share.points), share.rank) for share in part.shares] == [
        ("a", "17", 2),
        ("d", "20", 1),
    ]
