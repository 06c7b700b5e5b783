"""Evenings that were played before, or elsewhere: how totals are read, and how they count."""

import re
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.engine.refusals import Malformed, Refusal
from games.engine.values import replace
from league.apps.people.services import merge_players
from league.apps.series import projections, queries, services
from league.apps.series.core import events as e
from league.apps.series.core.rule import Rule, Value
from league.apps.series.core.state import TypedTotal
from league.apps.series.models import SeriesEvent
from league.models import Player
from league.services.automatic import record_result
from league.services.players import remove_player
from league.words.messages import translated
from tests.apps.series.test_desk import errors, page, send, text
from tests.apps.series.year import say, totals, typed, year
from tests.factories import Cast, PlayerFactory
from tests.league.playing import pairs_in_play, play_all
from tests.league.test_admin_scope import logged_in


def test_totals_are_read_from_lines_and_columns() -> None:
    read = services.lines_in("petra plum  1.5\n\nPaul Pike\t−12\t36\t2\n")
    assert [(each.points, each.deals, each.tables) for each in read] == [("3/2", 0, 0), ("-12", 36, 2)]
    assert [(each.number, each.name) for each in read] == [(1, "petra plum"), (3, "Paul Pike")]


def test_numbering_and_a_comma_are_no_part_of_a_name() -> None:
    written = "6. Kit Kapok 301\nFinn Fir, 299\n7\tPia Palm\t12\n- Ada Ash; 5"
    read = [(each.name, each.points) for each in services.lines_in(written)]
    assert read == [("Kit Kapok", "301"), ("Finn Fir", "299"), ("Pia Palm", "12"), ("Ada Ash", "5")]
    assert services.renamed(written, "Finn Fir", "Fynn Fir").split("\n")[1] == "Fynn Fir 299"


def test_lines_that_say_nothing_are_all_named() -> None:
    with pytest.raises(Malformed) as refused:
        services.lines_in(f"Paul Pike 1/0\nPetra Plum\nPetra Plum 7\nPaul Pike\t7\t{'9' * 5000}")
    said = [each[:7] for each in map(str, refused.value.errors["totals"])]
    assert said == ["Line 1:", "Line 2:", "Line 4:"]


def test_what_is_wrong_with_a_line_is_said_in_the_readers_language() -> None:
    with pytest.raises(Malformed) as refused:
        services.lines_in("1. Anke Roth\t12 Punkte")
    with override("de"):
        assert "Schreib" in translated(refused.value.errors["totals"][0])


@pytest.mark.parametrize(
    ("typed", "whole", "decimal"),
    [
        ("1,020", "1020", "1.02"),
        ("−1.150", "−1150", "−1.15"),
        ("12.000", "12000", "12.0"),
        ("１.０３３", "1033", "1.033"),
    ],
)
def test_a_total_that_can_be_thousands_or_a_decimal_is_asked_about(
    typed: str, whole: str, decimal: str
) -> None:
    with pytest.raises(Malformed) as refused:
        services.lines_in(f"Petra Plum\t{typed}\nPaul Pike\t7")
    (said,) = map(str, refused.value.errors["totals"])
    assert f"{typed} can mean {whole} or {decimal}" in said


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("typed", ["1.204", "1,020"])
def test_what_is_advised_is_written_as_the_language_does_and_then_read(language: str, typed: str) -> None:
    with override(language):
        with pytest.raises(Malformed) as refused:
            services.lines_in(f"Petra Plum\t{typed}")
        said = translated(refused.value.errors["totals"][0])
    sign = "," if language == "de" else "."
    decimal = f"1{sign}{typed[2:].rstrip('0')}"
    advised = re.findall(r"\d+(?:[.,]\d+)?", said)[-2:]
    assert f" {decimal}" in said and sign in advised[1]
    read = [services.lines_in(f"Petra Plum\t{each}")[0].points for each in advised]
    assert [Fraction(each) for each in read] == [
        int(typed.replace(typed[1], "")),
        Fraction(decimal.replace(",", ".")),
    ]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        *(("0.125", "1/8"), ("1020", "1020"), ("1.02", "51/50"), ("1.033.000", "1033000")),
        *(("1’033", "1033"), ("−1\u00a0033", "-1033"), ("1\u202f033", "1033")),
    ],
)
def test_totals_that_can_mean_one_thing_alone_are_read(typed: str, read: str) -> None:
    assert services.lines_in(f"Paul Pike {typed}")[0].points == read


@pytest.mark.parametrize("points", ["1" * 13, "1/0", "many", "1e9", ""])
def test_odd_totals_are_refused(cast: Cast, points: str) -> None:
    with pytest.raises(Malformed):
        say(cast, year(cast), typed((cast.paul_plays, points)))
    assert SeriesEvent.objects.count() == 1


def test_an_evening_without_totals_or_with_two_of_one_person_is_refused(cast: Cast) -> None:
    series = year(cast)
    for event in (typed(), typed((cast.paul_plays, "1"), (cast.paul_plays, "2"))):
        with pytest.raises(Refusal):
            say(cast, series, event)


def test_partners_name_each_other(cast: Cast) -> None:
    series, (paul, petra, *_others) = year(cast), map(str, [each.pk for each in cast.people(3)])
    pair = TypedTotal(paul, "1", partners=(petra,)), TypedTotal(petra, "1", partners=(paul,))
    alone = TypedTotal(petra, "1")
    for said in ((pair[0], alone), pair[:1]):
        with pytest.raises(Malformed, match="Partners name each other"):
            say(cast, series, e.EveningTypedIn(name="June", on="2026-06-01", totals=said))
    say(cast, series, e.EveningTypedIn(name="June", on="2026-06-01", totals=pair))


def test_negative_fractional_and_huge_totals_count_exactly(cast: Cast) -> None:
    series, people = year(cast), cast.people(3)
    numbers = ("-7/3", "1000000000", "999999999998/7")
    say(cast, series, typed(*zip(people, numbers, strict=True)))
    assert list(totals(series).values()) == ["999999999998/7", "1000000000", "-7/3"]


def test_totals_that_are_changed_are_marked_and_a_day_only_after_a_later_evening(cast: Cast) -> None:
    series = say(cast, year(cast), typed((cast.paul_plays, "5")))
    say(cast, series, e.EveningChanged(evening=2, on="2026-09-02", name="First"))
    assert not queries.evenings_of(series)[0].row.corrected
    say(cast, series, e.EveningChanged(evening=2, totals=typed((cast.paul_plays, "7")).totals))
    assert queries.evenings_of(series)[0].row.corrected and not [*projections.differences(stopped=False)]


# ---- Partners ------------------------------------------------------------------------------------


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


PAIRS = """1. Ada Berg & Ben Carter\t5200
Clara Dunn / Emma Frost\t4700
Hale, Ida + Kerr, Jack 4100
Leo Marsh and Mia North: 3900
Noah Orr & Olive Pratt\t3000\t24\t6
Quinn Ross & Sam Reed\t2500
"""


def test_partners_on_one_line_are_one_entry_as_of_an_evening_that_was_played(
    olga: Client, cast: Cast
) -> None:
    played = pairs_in_play(cast, 6)
    for game in play_all(played):
        record_result(game_id=game)
    series = year(cast, Rule(value=Value("beaten")))
    told = {"on": "2026-11-05", "name": "November", "totals": PAIRS, "add": "on", "field": "6"}
    send(olga, series, "type-in", **told)
    by_hand = queries.table_of(series).parts[0]
    services.add_evening(by=cast.olga, series=series, competition=played)
    series.refresh_from_db()
    by_cards = next(part for part in queries.table_of(series).parts if part.name != "November")
    assert by_hand.field == by_cards.field == 6
    assert {len(share.partners) for part in (by_hand, by_cards) for share in part.shares} == {1}
    assert [(share.rank, share.level) for share in by_hand.shares] == [
        (rank, 0) for rank in range(1, 7) for _partner in range(2)
    ]
    names = {str(pk): name for pk, name in Player.objects.values_list("pk", "name")}
    values = {names[row.person]: row.cells[0].value for row in queries.table_of(series).table.rows}
    assert [values[name] for name in ("Ada Berg", "Ben Carter", "Ida Hale", "Sam Reed")] == [100, 100, 60, 0]
    ida = Player.objects.get(name="Ida Hale").pk
    shown = text(olga.get(reverse("series_person", args=[cast.club.slug, series.slug, ida])))
    assert "Place 3 of 6" in shown


def test_partners_are_corrected_as_they_were_typed(olga: Client, cast: Cast) -> None:
    series = year(cast)
    send(olga, series, "type-in", on="2026-11-05", name="November", totals=PAIRS, add="on")
    (told,) = queries.evenings_of(series)
    query = f"?evening={told.evening.id}"
    shown = olga.get(page(series, "correct", query)).context["form"]["totals"].value()
    assert shown.split("\n")[1:5:3] == [
        "Clara Dunn & Emma Frost\t4700",
        "Noah Orr & Olive Pratt\t3000\t24\t6",
    ]
    send(olga, series, "correct", query, name="Pairs")
    assert queries.evenings_of(series)[0].evening == replace(told.evening, name="Pairs")
    apart = shown.replace("Ada Berg & Ben Carter\t5200", "Ada Berg\t5200\nBen Carter\t5200")
    send(olga, series, "correct", query, totals=apart)
    assert [each.partners for each in queries.evenings_of(series)[0].evening.totals[:2]] == [(), ()]
    assert queries.table_of(series).parts[0].field == 7


def test_unknown_partners_are_asked_about_like_others(olga: Client, cast: Cast) -> None:
    series, before = year(cast), Player.objects.count()
    told = {
        "on": "2026-11-05",
        "name": "November",
        "totals": "Pikke, Paul & Petra Plumm 3\nAda Berg/Zsa Gray 1",
    }
    answer = send(olga, series, "type-in", **told)
    assert "4 names are unknown" in text(answer)
    assert [name for name, *_rest in answer.context["form"].asked_like] == ["Paul Pikke", "Petra Plumm"]
    assert [*errors(send(olga, series, "type-in", **told, add="on"))] == ["totals"]
    said = {"is:Paul Pikke": "Paul Pike", "is:Petra Plumm": "Petra Plum"}
    answer = send(olga, series, "type-in", **told, **said)
    assert answer.context["form"]["totals"].value().startswith("Paul Pike & Petra Plum 3\n")
    send(olga, series, "type-in", **told, **said, add="on")
    assert Player.objects.count() == before + 2
    assert totals(series)[cast.paul_plays.pk] == totals(series)[cast.petra_plays.pk] == "3"


@pytest.mark.parametrize("typed", ["Jack Kerr, Sam Reed", "Jack Kerr\tSam Reed", "Jack, Sam, Ann"])
def test_a_comma_that_can_stand_between_people_adds_nobody(olga: Client, cast: Cast, typed: str) -> None:
    series, before = year(cast), Player.objects.count()
    told = {"on": "2026-11-05", "name": "November", "totals": f"{typed}\t5", "add": "on"}
    assert "This can be read as" in text(send(olga, series, "type-in", **told))
    assert Player.objects.count() == before
    PlayerFactory.create(club=cast.club, name="Sam Reed Jack Kerr")
    PlayerFactory.create(club=cast.club, name="Rock & Roll")
    send(olga, series, "type-in", **{**told, "totals": "Jack Kerr, Sam Reed 5\nRock & Roll 4"})
    assert len(totals(series)) == 2


def test_partners_who_were_merged_or_removed_stay_one_entry(olga: Client, cast: Cast) -> None:
    series = year(cast)
    send(olga, series, "type-in", on="2026-11-05", name="November", totals=PAIRS, add="on")
    before = queries.evenings_of(series)[0].evening
    ada, clara = (Player.objects.get(name=name) for name in ("Ada Berg", "Clara Dunn"))
    merge_players(by=cast.olga, kept=cast.paul_plays, merged=ada)
    remove_player(by=cast.olga, player=clara)
    query = f"?evening={before.id}"
    assert (
        olga.get(page(series, "correct", query))
        .context["form"]["totals"]
        .value()
        .startswith("Paul Pike & Ben Carter\t5200\n")
    )
    send(olga, series, "correct", query, name="Pairs")
    assert queries.evenings_of(series)[0].evening == replace(before, name="Pairs")
    assert queries.table_of(series).parts[0].field == 6
