"""A competition's log in words."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import gettext, override

from games.engine import shapes
from games.engine.kinds import Field, Flag, ListOf, OneOf, Record, Shape, Text, Whole
from games.engine.messages import text
from league.core.events import Event as CoreEvent
from league.core.verbs import EVENTS
from league.core.verbs.adjustments import AdjustPoints, TakeBackAdjustment
from league.core.verbs.deadlines import SetDeadline
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import ExpelEntry, ReturnEntry, SubstitutePlayer, WithdrawEntry
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.results import AwardWalkover, VoidTable
from league.core.verbs.rounds import PublishRound, WithdrawRound
from league.core.verbs.rulings import SetResult, TakeBackOutcome
from league.core.verbs.start import StartCompetition
from league.core.verbs.tables import PostponeTable, ReopenTable
from league.models import Competition
from league.queries.events import Named, events_of
from league.services.automatic import record_result
from league.words.event_text import Known, event_lines, kinds_called, sentence_of
from league.words.messages import translated
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened, play_all, tables

RAW = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}|[a-z]_[a-z]|[{}\[\]]|%\(|None|T\d\d:\d\d")
"""An id, a key, JSON, a param or a time as the log writes it."""

NAMES = Named(
    {"t": "Round 2, table 3", "e": "Anna", "f": "Ben", "p": "Cleo", "q": "Dora"},
    {"t": ("e", "f")},
    {(None, 2): "Cup"},
    frozenset([None]),
)
RESULT = [{"seat": 0, "rank": 2, "score": 30}, {"seat": 1, "rank": 1, "score": 45}]
SET = {"type": "ruled", "table": "t", "seats": RESULT, "reason": "typing error"}
FORFEIT = {"type": "forfeited", "entry": "e", "table": "t", "reason": "left"}

SAID: list[tuple[dict[str, Any], str]] = [
    (
        {"type": "result_recorded", "table": "t", "status": "finished", "seats": RESULT},
        "Round 2, table 3 has finished: Ben 1st (45), Anna 2nd (30).",
    ),
    (
        {"type": "result_recorded", "table": "t", "status": "abandoned", "seats": []},
        "Round 2, table 3 (Anna and Ben): the game ends unfinished. "
        "The table counts as it is decided otherwise, such as by totals entered by hand, or not at all.",
    ),
    (SET, "Round 2, table 3: the result is set: Ben 1st (45), Anna 2nd (30) (typing error)."),
    ({"type": "withdrawn", "entry": "e", "reason": "moved away"}, "Withdrawn: Anna (moved away)."),
    ({"type": "name_corrected", "entry": "e", "former": "Ana", "name": "Anna"}, "Ana is now written Anna."),
    ({"type": "withdrawn", "entry": "e", "from_round": 3}, "Withdrawn from round 3 on: Anna."),
    (
        {"type": "entered", "entry": "e", "name": "Anna", "from_round": 2},
        "Entered from round 2 on: Anna.",
    ),
    (
        {"type": "substituted", "entry": "e", "out": "p", "into": "q", "from_round": 2},
        "Dora plays for Anna in place of Cleo from round 2 on.",
    ),
    (
        {"type": "substituted", "entry": "e", "out": "p", "into": "q", "points": "stand_in"},
        "Dora plays for Anna in place of Cleo, for points of their own.",
    ),
    (
        {"type": "walked_over", "table": "t", "entries": ["f"]},
        "Round 2, table 3 is a walkover for Ben. Not there: Anna.",
    ),
    (
        {"type": "seats_moved", "round": 1, "swaps": [["e", "f"]], "reason": "cousins"},
        "Seats of round 1 are exchanged: Anna ↔ Ben (cousins).",
    ),
    ({"type": "drawn", "stage": 2, "round": 1}, "Round 1 of Cup is drawn."),
    (
        {"type": "postponed", "table": "t", "reason": "ill"},
        "Round 2, table 3 (Anna and Ben) is put off (ill).",
    ),
    ({"type": "stage_started", "stage": 2, "groups": []}, "Cup begins."),
    (
        {"type": "no_show", "entry": "gone", "table": "gone"},
        "a table: no-show of an entry.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), SAID)
def test_an_event_has_a_sentence(event: dict[str, object], sentence: str) -> None:
    assert sentence_of(event, Known(NAMES)) == sentence


def test_a_name_that_is_read_from_the_right_does_not_move_what_follows_it() -> None:
    arabic = Named({**NAMES.names, "e": "ليلى حسن"}, NAMES.seats)
    said = sentence_of(SAID[0][0], Known(arabic))
    assert said == "Round 2, table 3 has finished: Ben 1st (45), \u2068ليلى حسن\u2069 2nd (30)."
    assert translated(text("%(name)s does not take part.", name="ليلى")).startswith("\u2068ليلى\u2069 ")


def test_a_reason_is_told_once() -> None:
    told = sentence_of({"type": "recommitted", "root": "ab", "reason": "restored"})
    assert told == "The server commits to another secret for its draws (restored)."


@pytest.mark.parametrize(
    ("before", "told"),
    [
        (
            {**SET, "seats": [{**RESULT[0], "rank": 1, "score": 50}, {**RESULT[1], "rank": 2}]},
            "Anna 1st (50), Ben 2nd (45)",
        ),
        ({"type": "walked_over", "table": "t", "entries": ["e"]}, "walkover for Anna"),
        ({"type": "voided", "table": "t", "reason": "wrong pack"}, "void"),
    ],
)
def test_a_correction_says_what_was_before(before: dict[str, Any], told: str) -> None:
    said = sentence_of(SET, Known(NAMES, before=before))
    after = "Ben 1st (45), Anna 2nd (30)"
    assert said == f"Round 2, table 3: the result is corrected: {told} → {after} (typing error)."


def test_a_corrected_score_card_says_what_was_before() -> None:
    finished = SAID[0][0]
    before = {**finished, "seats": [{**RESULT[0], "score": 50}, RESULT[1]]}
    said = sentence_of(finished, Known(NAMES, before=before))
    told = sentence_of(before, Known(NAMES)).partition(": ")[2].removesuffix(".")
    now = "Ben 1st (45), Anna 2nd (30)"
    assert told != now and said == f"Round 2, table 3: the score card is corrected: {told} → {now}."
    assert sentence_of(finished, Known(NAMES, before=finished)) == f"Round 2, table 3 has finished: {now}."


@pytest.mark.parametrize(
    ("ruleset", "ranks", "told"),
    [
        ("scamper@1", (1, 2, 1, 2), "Anna 1st (20), Ben 2nd (40)"),
        ("scoops@1", (2, 1, 2, 1), "Ben 1st (80), Anna 2nd (50)"),
    ],
)
def test_a_ruling_tells_the_best_score_of_partners(ruleset: str, ranks: Sequence[int], told: str) -> None:
    pairs = replace(NAMES, seats={"t": ("e", "f", "e", "f")}, rulesets={None: ruleset})
    placed = zip(ranks, (50, 40, 20, 80), strict=True)
    seats = [{"seat": seat, "rank": rank, "score": score} for seat, (rank, score) in enumerate(placed)]
    said = sentence_of({**SET, "seats": seats}, Known(pairs))
    assert said == f"Round 2, table 3: the result is set: {told} (typing error)."


def test_what_is_taken_back_is_told() -> None:
    taken_back = {"type": "outcome_taken_back", "table": "t", "entry": "e", "reason": "was late"}
    told = sentence_of(taken_back, Known(NAMES, before=FORFEIT))
    assert told == "Taken back: Round 2, table 3: forfeit of Anna (left) (was late)."


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_every_event_has_a_title_a_sentence_and_words_to_find_it(event: type[CoreEvent]) -> None:
    assert event.text
    assert event.title
    assert event.found_by


def sample(shape: Shape) -> Any:
    """Return JSON of a shape; ids are those of `NAMES`."""
    match shape.bare:
        case Text(reference=reference) if reference:
            return {"entry": "e", "player": "p", "table": "t", "game": "g"}[reference.what]
        case Text(matching=matching) if matching and "Z" in matching.pattern:
            return "2026-05-03T18:00:00Z"
        case Text(matching=matching) if matching and matching.example == "2027-01-31":
            return "2026-05-03"
        case Text():
            return "0" * 36
        case ListOf(item=item, low=low):
            return [sample(item)] * max(1, low)
        case Record(fields=fields):
            return {field.name: sample(field.shape) for field in fields}
        case Whole(low=low):
            return max(low, 1)
        case Flag():
            return True
        case OneOf(values=values):
            return values[-1]
        case _:
            return {}


def sampled(kind: str, fields: tuple[Field, ...]) -> dict[str, Any]:
    texts = {
        "name": "Erna",
        "reason": "because",
        "text": "four leaves",
        "against_scores": "agreed",
        "points": "1",
    }
    event = {field.name: texts.get(field.name) or sample(field.shape) for field in fields}
    return {**event, "type": kind}


@pytest.mark.parametrize("kind", EVENTS)
@pytest.mark.parametrize("full", [True, False])
def test_no_sentence_has_an_id_a_key_or_json(kind: str, full: bool) -> None:
    fields = shapes.record(EVENTS[kind]).fields
    event = sampled(kind, fields if full else tuple(field for field in fields if field.required))
    for before in (None, event if EVENTS[kind].replaces else None):
        told = sentence_of(event, Known(NAMES, before=before and sampled_before(kind)))
        assert not RAW.search(told), told


def sampled_before(kind: str) -> dict[str, Any]:
    earlier = EVENTS[kind].replaces[-1]
    return sampled(earlier, shapes.record(EVENTS[earlier]).fields)


def test_titles_differ() -> None:
    assert len({event.title for event in EVENTS.values()}) == len(EVENTS)


# ---- In a competition ----------------------------------------------------------------------------


def said(competition: Competition) -> list[str]:
    """Return the sentences of the log, the latest event first."""
    competition.refresh_from_db()
    return [line.sentence for line in event_lines(list(events_of(competition, withheld=True)))]


def test_a_correction_after_a_correction_tells_the_last_one(cast: Cast) -> None:
    competition = in_play(cast, 4)
    for game in play_all(competition):
        record_result(game_id=game)
    table = tables(competition)[0]
    for score in (9, 7):
        seats = [{"seat": seat, "score": score if seat == 0 else seat} for seat in range(4)]
        act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason="misread")
    first, second = [each for each in said(competition) if "corrected" in each][::-1]
    assert "(3)" in first.partition("→")[0]
    assert "(9)" in first.partition("→")[2]
    assert "(9)" in second.partition("→")[0]
    assert "(7)" in second.partition("→")[2]
    act(cast.olga, competition, ReopenTable, table=table.pk, reason="it was right")
    taken_back = said(competition)[0]
    assert "(7)" in taken_back.partition("→")[0]
    assert "(9)" in taken_back.partition("→")[2]


def test_the_deadline_before_is_told(cast: Cast) -> None:
    competition = in_play(cast, 4)
    for day in ("2030-05-03", "2030-05-05"):
        act(cast.olga, competition, SetDeadline, deadline=f"{day}T18:00:00Z")
    assert said(competition)[0] == (
        "The deadline of round 1 is changed: 3 May 2030, 18:00 UTC → 5 May 2030, 18:00 UTC."
    )


def test_an_adjustment_that_is_taken_back_is_told(cast: Cast) -> None:
    competition = in_play(cast, 4)
    entry = competition.entries.get(name="Paul Pike")
    for points in ("1", "-2"):
        act(cast.olga, competition, AdjustPoints, entry=entry.pk, points=points, reason="phone")
    for points in ("-2", "1"):
        act(cast.olga, competition, TakeBackAdjustment, entry=entry.pk)
        sentence = f"Taken back: The points of Paul Pike are adjusted by {points} (phone)."
        assert said(competition)[0] == sentence


def test_tables_of_a_withdrawn_round_keep_their_names(cast: Cast) -> None:
    competition = in_play(cast, 4)
    table = tables(competition)[0]
    act(cast.olga, competition, PostponeTable, table=table.pk, reason="snow")
    act(cast.olga, competition, WithdrawRound, reason="wrong hall")
    assert re.match(r"Round 1, table 1 \(.*Paul Pike.*\) is put off", said(competition)[1])


def test_who_entered_alone_is_named_once_where_somebody_else_plays(cast: Cast) -> None:
    competition, into = in_play(cast, 4), cast.people(3)[2]
    entry = competition.entries.get(members__player=cast.paul_plays)
    swap: dict[str, Any] = {"out": cast.paul_plays.pk, "into": into.pk}
    act(cast.olga, competition, SubstitutePlayer, entry=entry.pk, **swap, points="stand_in")
    told = f"{into.name} plays in place of Paul Pike from round 2 on, for points of their own."
    assert told in said(competition) or told.replace(" from round 2 on", "") in said(competition)


def test_a_busy_log_has_no_id_key_or_json(cast: Cast) -> None:
    competition = in_play(cast, 8)
    one, other = tables(competition)
    entry, gone = one.seats.all()[0].entry, one.seats.all()[1].entry
    for verb, fields in (
        (MarkNoShow, {"table": one.pk, "entry": entry.pk}),
        (TakeBackOutcome, {"table": one.pk, "entry": entry.pk, "reason": "was late"}),
        (AwardWalkover, {"table": one.pk, "entries": [gone.pk]}),
        (VoidTable, {"table": other.pk, "reason": "wrong pack"}),
        (WithdrawEntry, {"entry": gone.pk, "reason": "ill"}),
        (
            SubstitutePlayer,
            {"entry": entry.pk, "out": entry.members.get().player_id, "into": cast.people(3)[2].pk},
        ),
    ):
        act(cast.olga, competition, verb, **fields)
    lines = said(competition)
    assert [line for line in lines if RAW.search(line)] == []
    assert f"Not there: {entry.name}" in "".join(lines).replace(" and ", "")


# ---- Finding events ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("walkover", {"walked_over"}),
        ("No-Show", {"no_show", "outcome_taken_back", "walked_over"}),
        ("correction", {"result_recorded", "ruled", "reopened", "round_reopened", "table_reopened"}),
        ("withdrew", {"withdrawn"}),
        ("substitute", {"substituted"}),
        ("postponed", {"postponed"}),
        ("zebra", set()),
        ("-", set()),
        ("_", set()),
    ],
)
def test_events_are_found_by_the_words_that_people_use(word: str, kinds: set[str]) -> None:
    assert {*kinds_called(word)} == kinds


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_event_is_found_by_each_word_of_its_sentences(language: str) -> None:
    missed = []
    with override(language):
        for kind, event in EVENTS.items():
            said = [getattr(event, name) for name in dir(event) if name == "text" or name.startswith("text_")]
            words = re.findall(
                r"[^\W\d_]{3,}", " ".join(re.sub(r"%\(\w+\)s", "", gettext(each)) for each in said)
            )
            missed += [(kind, word) for word in words if kind not in kinds_called(word)]
    assert missed == []


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", "expelled"), ("en", "disqualified"), ("de", "Ausschluss"), ("de", "ausgeschlossen")],
)
def test_who_was_expelled_is_found(client: Client, cast: Cast, language: str, word: str) -> None:
    competition = in_play(cast, 4)
    act(cast.olga, competition, ExpelEntry, entry=competition.entries.get(name="Paul Pike").pk, reason="rude")
    address, asked = f"/competitions/{competition.slug}/log/", {"q": f"{word} Paul"}
    page = client.get(address, asked, headers={"accept-language": language}).content.decode()
    assert "(rude)" in page


@pytest.mark.parametrize(
    ("term", "told"),
    [
        ("adjustment pike", "Paul Pike"),
        ("draw", "Round 1 is drawn."),
        ("penalty points", "because he was late"),
    ],
)
def test_the_public_log_is_searched_in_these_words(client: Client, cast: Cast, term: str, told: str) -> None:
    competition = in_play(cast, 4)
    entry = competition.entries.get(name="Paul Pike")
    reason = "because he was late"
    act(cast.olga, competition, AdjustPoints, entry=entry.pk, points="-1", reason=reason)
    page = client.get(f"/competitions/{competition.slug}/log/", {"q": term}).content.decode()
    assert told in page
    assert "Entered: Petra Plum." not in page


def test_who_leaves_or_comes_back_while_an_open_ended_round_is_played_does_so_at_once(cast: Cast) -> None:
    plan = {"name": "L", "format": "ladder", "rounds": 2, "table_size": 2, "intake": {"seeding": "order"}}
    competition = opened(cast, 3, stages=[plan])
    entry = competition.entries.get(name="Petra Plum").pk
    act(cast.olga, competition, StartCompetition)
    act(cast.olga, competition, DrawRound)
    act(cast.olga, competition, WithdrawEntry, entry=entry)
    act(cast.olga, competition, ReturnEntry, entry=entry)
    act(cast.olga, competition, PublishRound)
    act(cast.olga, competition, WithdrawEntry, entry=entry)
    act(cast.olga, competition, ReturnEntry, entry=entry)
    told = [line for line in said(competition)[::-1] if "Withdrawn" in line or "Playing again" in line]
    rung = "with the rung that the results since then give:"
    wanted = ["Withdrawn from round 1 on:", f"Playing again from round 1 on, {rung}"]
    wanted += ["Withdrawn:", f"Playing again, {rung}"]
    assert [each for each, line in zip(wanted, told, strict=True) if each not in line] == []
