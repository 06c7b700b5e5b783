"""Latecomers on the desk: who comes while a round is played is seated in the next one."""

from html import unescape
from typing import Any

import pytest
from django.test import Client

from games.verifier import GOOD, UNFINISHED
from league import tasks
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Entry
from league.queries.competitions import state_of
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import PLAN, opened, play_all, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, offers, page, page_text, post
from tests.league.test_verify import checked, exported


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


@pytest.fixture
def evening(cast: Cast) -> Competition:
    """Round 1 of a club night is being played without the last of nine entries."""
    plan = {**PLAN, "rounds": 3}
    competition = opened(cast, 9, pace="automatic", entering={"check_in": True}, stages=[plan])
    for entry in competition.entries.order_by("number")[:8]:
        act(cast.olga, competition, CheckInEntry, entry=entry.pk)
    act(cast.olga, competition, StartCompetition)
    tasks.advance(str(competition.pk))
    return competition


def latecomer(competition: Competition) -> Entry:
    return competition.entries.get(number=9)


def player_of(entry: Entry) -> str:
    return state_of(entry.competition).entry(str(entry.pk)).players[0]


def seated(competition: Competition, number: int) -> set[str]:
    found = tables(competition, number)
    return {name for table in found for name in table.seats.values_list("entry__name", flat=True)}


def play_round(competition: Competition, number: int) -> None:
    """Play all games of the round; the automatic pace closes it, and draws and publishes the next one."""
    for game in play_all(competition, number):
        tasks.record_result(str(game))
    tasks.advance(str(competition.pk))


def said(answer: Any) -> str:
    (message,) = answer.context["messages"]
    return str(message)


def test_who_is_marked_as_present_during_a_round_plays_in_the_next_one(
    olga: Client, evening: Competition
) -> None:
    late = latecomer(evening)
    assert late.name not in seated(evening, 1)
    assert "absent next round" in page_text(page(olga, evening))
    assert late.name in page_text(ask(olga, evening, "present"))
    assert "In round 2 after all:" in said(post(olga, evening, "present", entries=[late.pk]))
    assert "absent next round" not in page_text(page(olga, evening))
    play_round(evening, 1)
    assert late.name in seated(evening, 2)
    assert len(seated(evening, 2)) == 9


def test_who_checks_in_after_the_draw_is_told_on_its_page_and_seated_by_a_new_draw(
    olga: Client, cast: Cast
) -> None:
    plan = {**PLAN, "rounds": 1}
    competition = opened(cast, 9, entering={"check_in": True}, stages=[plan])
    for entry in competition.entries.order_by("number")[:8]:
        act(cast.olga, competition, CheckInEntry, entry=entry.pk)
    for verb in (StartCompetition, DrawRound):
        act(cast.olga, competition, verb)
    late = latecomer(competition)
    act(cast.olga, competition, CheckInEntry, entry=late.pk)
    told = f"Here since the draw: {late.name}. Without a new draw they miss round 1."
    for shown in (page(olga, competition), ask(olga, competition, "publish")):
        assert told in unescape(page_text(shown)) and "do/redraw/" in page_text(shown)
    assert late.name not in seated(competition, 1)
    post(olga, competition, "redraw", reason="one more came")
    assert "Here since the draw" not in page_text(page(olga, competition))
    act(cast.olga, competition, PublishRound)
    byes = {bye.entry.name for bye in competition.stages.get().rounds.get().byes.all()}
    assert late.name in seated(competition, 1) | byes
    report = checked(exported(competition))
    assert (report.code, report.events_with("different")) == (UNFINISHED, [])


def test_an_evening_with_a_latecomer_is_verified_without_the_server(cast: Cast, evening: Competition) -> None:
    act(cast.olga, evening, CheckInEntry, entry=latecomer(evening).pk)
    for number in (1, 2, 3):
        play_round(evening, number)
    report = checked(exported(evening))
    assert (report.code, report.running, report.events_with("different")) == (GOOD, 0, [])


def test_a_newcomer_who_is_entered_during_a_round_plays_in_the_next_one(
    olga: Client, cast: Cast, evening: Competition
) -> None:
    newcomer = PlayerFactory.create(club=cast.club)
    act(cast.olga, evening, EnterPlayers, players=[newcomer.pk])
    assert page_text(page(olga, evening)).count("absent next round") == 1
    play_round(evening, 1)
    assert newcomer.name in seated(evening, 2)


def test_who_never_comes_is_drawn_in_no_round(evening: Competition) -> None:
    play_round(evening, 1)
    assert len(seated(evening, 2)) == 8
    assert latecomer(evening).name not in seated(evening, 2)


@pytest.mark.parametrize(
    ("verbs", "promised"),
    [
        (("absent", "present"), "In round 3 after all"),
        (("withdraw", "return-entry"), "Playing again from round 3 on"),
    ],
)
def test_what_the_desk_says_is_what_happens(
    olga: Client, evening: Competition, verbs: tuple[str, str], promised: str
) -> None:
    play_round(evening, 1)
    late = latecomer(evening)
    answers = [post(olga, evening, verb, entries=[late.pk]) for verb in verbs]
    assert promised in said(answers[-1])
    play_round(evening, 2)
    assert late.name in seated(evening, 3)


def test_in_the_last_round_no_further_round_is_named(olga: Client, evening: Competition) -> None:
    for number in (1, 2):
        play_round(evening, number)
    late = latecomer(evening)
    early = evening.entries.get(number=8)
    post(olga, evening, "withdraw", entries=[early.pk])
    assert "from round" not in page_text(olga.get(f"/competitions/{evening.slug}/entries/"))
    for verb, sentence in (("withdraw", "Withdrawn:"), ("return-entry", "Playing again:")):
        assert said(post(olga, evening, verb, entries=[late.pk])).startswith(sentence)
    assert "absent" not in offers(olga, evening)
    other = PlayerFactory.create(club=evening.club)
    out = f"{late.pk} {player_of(late)}"
    answer = post(olga, evening, "substitute", out=out, into=other.pk)
    assert said(answer) == f"{other.name} plays in place of {late.name}."
