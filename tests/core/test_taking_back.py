"""Mistakes: what takes each act of an organiser back, and what stands against that."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from games.engine import shapes
from games.engine.refusals import Illegal
from league.core.state import challenges
from league.core.state.competition import Competition, Entries, Stage, Tables
from league.core.state.plan import Entering, Intake, Waits
from league.core.verb import Given, Verb
from league.core.verbs import ORGANISER_VERBS
from league.core.verbs.rounds import RoundReopened
from tests.core.crosstable import (
    after,
    entered,
    plan,
    played,
    published,
    results,
    started,
    table_at,
)
from tests.core.deciding import NOW, apply_for, decide
from tests.core.formats.test_open_play import ladder
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"
FULL = Entering(places=2)
APPROVAL = Entering(approval=True)
CHECKED = Entering(check_in=True)
TWO_STAGES = (plan(rounds=1), plan(name="Final", rounds=1))
ONE_ROUND = plan(rounds=1)
ASKED = plan(requested_byes=1)
ALL = "Ann > Ben > Cem > Dana"
PAIR = {"entries": [uid("Ann"), uid("Ben")]}


def act(state: Competition, key: str, **fields: Any) -> Competition:
    """The state after an organiser's verb, as the API reads it."""
    verb: Verb = shapes.read(ORGANISER_VERBS[key], fields)
    named = fields.get("players") or [fields.get("into")]
    given = Given(uid("competition"), NOW, players={player: "Zoe" for player in named if player})
    return after(state, *decide(state, verb, given))


def public(state: Competition) -> Competition:
    """The state without its history: what the log alone remembers. Secret values stay used, lots drawn."""
    stages = tuple(map(_now, state.stages))
    entries = Entries(replace(entry, was=(), turns=()) for entry in state.entries)
    return replace(
        state,
        seq=0,
        shown=0,
        reason="",
        stages=stages,
        entries=entries,
        final_stages=0,
        withdrawn=(),
        before_start="preparing",
        before_end="running",
        next_k=0,
        drafts=(),
        challenges=challenges.waiting(state.challenges),
    )


def _now(stage: Stage) -> Stage:
    rounds = tuple(
        replace(
            each,
            moved=(),
            tables=Tables(replace(table, earlier=(), left=()) for table in each.tables),
        )
        for each in stage.rounds
    )
    return replace(stage, rounds=rounds, corrected=False, origin=None, lots=None)


def waiting() -> Competition:
    """Cem waits for a place, and one is free."""
    state = act(entered("Ann Ben Cem", entering=FULL), "withdraw", entry=uid("Ann"))
    return act(state, "take-back-decision", entry=uid("Cem"))


def applied() -> Competition:
    """Ann has applied."""
    state = act(entered("", entering=APPROVAL), "open")
    return after(state, *apply_for(state, entry=uid("Ann"), name="Ann", players=[uid("player Ann")]))


BEN: dict[str, Any] = {"entry": uid("Ben"), "seed": 1}


def seeded(verb: str, **fields: Any) -> Competition:
    """Four who are seeded in an order, before the start."""
    return act(entered(FOUR, plan(intake=Intake(seeding="order"))), verb, **fields)


def running() -> Competition:
    return published(started(FOUR), FOUR)


def decided() -> Competition:
    state = published(started(FOUR), "Ann > Ben > Cem > Dana")
    return after(state, *results(state, "Ann > Ben > Cem > Dana"))


def closed() -> Competition:
    return played(started(FOUR), "Ann > Ben > Cem > Dana")


def over() -> Competition:
    return played(started(FOUR, ONE_ROUND), "Ann > Ben > Cem > Dana")


def drawn() -> Competition:
    return act(started(FOUR), "draw")


DANA: dict[str, Any] = {"entry": uid("Dana"), "opponent": uid("Ben")}


def on_ladder() -> Competition:
    """Four on a ladder whose challenges wait for an answer."""
    return ladder(3, 1, answer_days=2, refused="lost")


OPEN: dict[str, Any] = {"challenge": on_ladder().seq + 1}


def refused_once() -> Competition:
    return act(act(on_ladder(), "challenge", **DANA), "refuse-challenge", **OPEN)


def between() -> Competition:
    return played(started(FOUR, *TWO_STAGES), "Ann > Ben > Cem > Dana")


def table() -> str:
    return table_at(running(), "Ann", "Ben").id


RESULT = [{"seat": seat, "rank": seat + 1, "score": 9 - seat} for seat in range(4)]
BACKWARDS = [{"seat": seat, "score": seat} for seat in range(4)]
SEASON = shapes.write(plan(name="Spring"))
WHY = {"reason": "a mistake"}


@dataclass(frozen=True)
class Case:
    """A state, an act, and what takes it back: keys of verbs with their fields."""

    before: Callable[[], Competition]
    act: tuple[str, dict[str, Any]]
    back: tuple[str, dict[str, Any]]


def of(before: Callable[[], Competition], key: str, back: str, given: Any = None, then: Any = None) -> Case:
    return Case(before, (key, given or {}), (back, then or {}))


def two_teams() -> Competition:
    return entered("Reds:Ann,Ben Blues:Cem,Dana", lineup="boards", team_size=2)


def reds(*players: str) -> dict[str, Any]:
    return {"entry": uid("Reds"), "players": tuple(uid(f"player {player}") for player in players)}


def ann(**more: Any) -> dict[str, Any]:
    return {"entry": uid("Ann"), **more}


def at_table(**more: Any) -> dict[str, Any]:
    return {"table": table(), **more}


SUBSTITUTION = {"out": uid("player Ann"), "into": uid("player Zoe")}
BACK_AGAIN = {"into": uid("player Ann"), "out": uid("player Zoe")}

CASES = [
    of(lambda: entered(FOUR), "open", "close-entries"),
    of(lambda: act(entered(FOUR), "open"), "close-entries", "open"),
    of(applied, "approve", "take-back-decision", ann(), ann()),
    of(applied, "reject", "take-back-decision", ann(), ann()),
    of(applied, "withdraw", "return-entry", ann(), ann()),
    of(waiting, "admit", "take-back-decision", {"entry": uid("Cem")}, {"entry": uid("Cem")}),
    of(waiting, "withdraw", "return-entry", {"entry": uid("Cem")}, {"entry": uid("Cem")}),
    of(lambda: entered(FOUR), "withdraw", "return-entry", ann(), ann()),
    of(running, "withdraw", "return-entry", ann(), ann()),
    of(running, "withdraw", "return-entry", ann(from_round=3), ann()),
    of(lambda: entered(FOUR, entering=CHECKED), "check-in", "check-out", ann(), ann()),
    of(lambda: entered("Ann Ben"), "absent", "present", ann(), ann()),
    of(running, "absent", "present", ann(), ann()),
    of(lambda: entered(FOUR, ASKED), "request-bye", "present", ann(), ann(round=1)),
    of(lambda: played(started(FOUR, ASKED), ALL), "request-bye", "present", ann(), ann()),
    of(lambda: act(running(), "absent", **ann()), "present", "absent", ann(), ann()),
    of(lambda: entered(FOUR), "substitute", "substitute", ann(**SUBSTITUTION), ann(**BACK_AGAIN)),
    of(lambda: entered(FOUR), "correct-name", "correct-name", ann(name="Anne"), ann(name="Ann")),
    of(over, "correct-name", "correct-name", ann(name="Anne"), ann(name="Ann")),
    of(running, "substitute", "substitute", ann(**SUBSTITUTION), ann(**BACK_AGAIN)),
    of(running, "substitute", "substitute", ann(**SUBSTITUTION, points="stand_in"), ann(**BACK_AGAIN)),
    of(two_teams, "set-line-up", "set-line-up", reds("Ben", "Ann"), reds("Ann", "Ben")),
    of(lambda: entered(FOUR), "start", "take-back-start", {}, WHY),
    of(lambda: act(entered(FOUR), "open"), "start", "take-back-start", {}, WHY),
    of(
        lambda: act(entered(FOUR, entering=CHECKED), "check-in", entry=uid("Ann")),
        "cancel",
        "reopen",
        WHY,
        WHY,
    ),
    of(
        lambda: entered(FOUR),
        "change-settings",
        "change-settings",
        {"settings": {"name": "Spring", "stages": [{"rounds": 5}]}},
        {"settings": {"name": "Club night", "stages": [{"rounds": 3}]}},
    ),
    of(lambda: started(FOUR), "draw", "discard-draw", {}, WHY),
    of(lambda: started(FOUR), "set-wish", "set-wish", {**PAIR, "wish": "apart"}, {**PAIR, "wish": "none"}),
    of(lambda: seeded("set-seed", **BEN), "set-seeds", "set-seed", {"by": "entered"}, BEN),
    of(lambda: seeded("set-seeds", by="entered"), "set-seed", "set-seeds", BEN, {"by": "entered"}),
    of(lambda: started(FOUR), "set-sizes", "set-sizes", {"sizes": ((2, 2),)}, {}),
    of(lambda: started(FOUR), "set-rooms", "set-rooms", {"without": (1,)}, {}),
    of(lambda: started(FOUR), "fix-table", "fix-table", ann(table=1), ann(table=0)),
    of(lambda: started(FOUR), "set-round-day", "set-round-day", {"day": "2026-10-01"}, {"day": None}),
    of(running, "no-show", "take-back-outcome", at_table(**ann()), at_table(**ann(), **WHY)),
    of(running, "forfeit", "take-back-outcome", at_table(**ann(), **WHY), at_table(**ann(), **WHY)),
    of(decided, "forfeit", "take-back-outcome", at_table(**ann(), **WHY), at_table(**ann(), **WHY)),
    of(running, "walk-over", "reopen-table", at_table(entries=[uid("Ann")]), at_table(**WHY)),
    of(running, "void", "reopen-table", at_table(**WHY), at_table(**WHY)),
    of(closed, "void", "reopen-table", at_table(**WHY), at_table(**WHY)),
    of(decided, "rule", "reopen-table", at_table(seats=RESULT, **WHY), at_table(**WHY)),
    of(decided, "close-round", "reopen-round", {}, WHY),
    of(closed, "adjust", "take-back-adjustment", ann(points="-3", **WHY), ann()),
    of(running, "pause", "resume", WHY),
    of(lambda: act(running(), "pause"), "resume", "pause"),
    of(running, "set-deadline", "set-deadline", {"deadline": "2026-09-09T18:00:00Z"}, {"deadline": None}),
    of(running, "set-checking", "set-checking", {"required": True}, {"required": False}),
    of(running, "give-time", "give-time", at_table(minutes=5), at_table(minutes=-5)),
    of(on_ladder, "challenge", "withdraw-challenge", DANA, OPEN),
    of(lambda: act(on_ladder(), "challenge", **DANA), "refuse-challenge", "reopen-challenge", OPEN, OPEN),
    of(lambda: act(on_ladder(), "challenge", **DANA), "withdraw-challenge", "reopen-challenge", OPEN, OPEN),
    of(refused_once, "reopen-challenge", "withdraw-challenge", OPEN, OPEN),
    of(running, "add-stage", "remove-stage", {"stage": SEASON}),
    of(running, "add-season", "remove-stage", {"name": "Spring"}),
    of(between, "start-stage", "take-back-stage", {}, WHY),
    of(over, "finish", "reopen", {}, WHY),
    of(lambda: entered(FOUR), "cancel", "reopen", WHY, WHY),
    of(lambda: act(entered(FOUR), "open"), "cancel", "reopen", WHY, WHY),
    of(closed, "cancel", "reopen", WHY, WHY),
    of(lambda: act(closed(), "pause", **WHY), "cancel", "reopen", WHY, WHY),
]


def titled(case: Case) -> str:
    return f"{case.act[0]} {case.back[0]}"


def refused(state: Competition, key: str, sentence: str, **fields: Any) -> None:
    with pytest.raises(Illegal, match=sentence):
        act(state, key, **fields)


@pytest.mark.parametrize("case", CASES, ids=titled)
def test_an_act_and_what_takes_it_back_leave_the_state_as_it_was(case: Case) -> None:
    before = case.before()
    (key, fields), (back, then) = case.act, case.back
    changed = act(before, key, **fields)
    assert public(changed) != public(before)
    assert public(act(changed, back, **then)) == public(before)
    assert back in ORGANISER_VERBS[key].taken_back_by


def test_every_act_names_what_takes_it_back() -> None:
    for key, verb in ORGANISER_VERBS.items():
        assert verb.taken_back_by, key
        assert {*verb.taken_back_by} <= {*ORGANISER_VERBS}, key


# ---- Rounds --------------------------------------------------------------------------------------


def test_a_withdrawn_round_uses_up_no_number_and_no_result() -> None:
    state = act(drawn(), "publish")
    withdrawn = act(state, "withdraw-round", **WHY)
    assert public(withdrawn) == public(started(FOUR))
    assert withdrawn.next_round == 1
    assert [each.number for each in withdrawn.withdrawn] == [1]
    again = act(act(withdrawn, "draw"), "publish")
    tables = {table.id for _, _, table in again.tables()}
    assert tables.isdisjoint(table.id for table in again.withdrawn_tables())


def test_a_round_of_which_a_game_has_begun_is_not_withdrawn() -> None:
    refused(decided(), "withdraw-round", "table 1 has begun; what was played there would be lost", **WHY)
    state = running()
    verb = shapes.read(ORGANISER_VERBS["withdraw-round"], WHY)
    with pytest.raises(Illegal, match="table 1 has begun"):
        decide(state, verb, Given(uid("competition"), NOW, begun=frozenset([table()])))


def test_the_automatic_pace_pauses_where_it_would_do_the_same_again() -> None:
    automatic = {"pace": "automatic", "waits": Waits(0, 0)}
    state = published(started(FOUR, **automatic), FOUR)
    withdrawn = act(state, "withdraw-round", **WHY)
    assert (withdrawn.status, withdrawn.reason) == ("paused", "a mistake")
    reopened = act(played(started(FOUR, **automatic), "Ann > Ben > Cem > Dana"), "reopen-round", **WHY)
    assert reopened.status == "paused"


def test_a_closed_round_on_which_another_stands_is_not_reopened() -> None:
    state = published(closed(), FOUR)
    refused(state, "reopen-round", "Round 2 is not closed", **WHY)
    with pytest.raises(Illegal, match="1 round was published after it and would be lost"):
        after(state, RoundReopened(1, 1, "a mistake"))
    season = act(between(), "start-stage")
    refused(season, "reopen-round", "Stage 2 was made from these standings; its groups and 0 .* lost", **WHY)


def test_reopening_a_round_discards_the_draw_of_the_next() -> None:
    state = act(act(closed(), "draw"), "reopen-round", **WHY)
    assert state.stage and [each.status for each in state.stage.rounds] == ["published"]


def test_the_start_of_a_stage_with_a_published_round_is_not_taken_back() -> None:
    state = act(between(), "start-stage")
    state = act(act(state, "draw"), "publish")
    refused(state, "take-back-stage", "1 published round of stage 2 would be lost", **WHY)
    refused(running(), "take-back-start", "1 published round of stage 1 would be lost", **WHY)


def test_taking_back_the_start_gives_absences_for_want_of_a_check_in_back() -> None:
    before = entered(FOUR, entering=CHECKED)
    for name in ("Ann", "Ben"):
        before = act(before, "check-in", entry=uid(name))
    assert public(act(act(before, "start"), "take-back-start", **WHY)) == public(before)


def test_only_a_stage_that_was_added_and_has_not_begun_is_removed() -> None:
    refused(between(), "remove-stage", "added after the opening")
    state = act(act(over(), "add-stage", stage=SEASON), "start-stage")
    refused(state, "remove-stage", "Stage 2 has begun")


# ---- Tables --------------------------------------------------------------------------------------


def test_a_walkover_is_turned_round() -> None:
    state = published(started("Ann Ben"), "Ann Ben")
    at = {"table": table_at(state, "Ann", "Ben").id}
    wrong = act(state, "walk-over", entries=[uid("Ann")], **at)
    right = act(wrong, "walk-over", entries=[uid("Ben")], **at)
    assert table_at(right, "Ann", "Ben").outcome_of == {uid("Ann"): "no_show", uid("Ben"): "walkover"}
    assert public(act(right, "reopen-table", **at, **WHY)) == public(wrong)


def test_an_earlier_ruling_counts_again_once_the_later_one_is_taken_back() -> None:
    first = act(decided(), "rule", **at_table(seats=RESULT, **WHY))
    other = [{**seat, "score": 10} for seat in RESULT[:1]] + RESULT[1:]
    second = act(act(first, "rule", **at_table(seats=other, **WHY)), "void", **at_table(**WHY))
    assert public(act(act(second, "reopen-table", **at_table(**WHY)), "reopen-table", **at_table(**WHY))) == (
        public(first)
    )


def test_a_table_of_a_closed_round_is_not_left_undecided() -> None:
    state = act(act(running(), "void", **at_table(**WHY)), "close-round")
    refused(state, "reopen-table", "reopen the round first", **at_table(**WHY))
    reopened = act(act(state, "reopen-round", **WHY), "reopen-table", **at_table(**WHY))
    assert public(reopened) == public(running())


def test_a_game_that_ended_without_an_entry_does_not_count_once_the_entry_is_back() -> None:
    state = act(running(), "no-show", **at_table(**ann()))
    state = after(state, *results(state, "Ann > Ben > Cem > Dana"))
    back = act(state, "take-back-outcome", **at_table(**ann()), **WHY)
    assert (table_at(back, "Ann").status, table_at(back, "Ann").results) == ("abandoned", ())
    # A game that was over before the entry was forfeited was played by all.
    forfeited = act(decided(), "forfeit", **at_table(**ann()), **WHY)
    same = act(forfeited, "take-back-outcome", **at_table(**ann()), **WHY)
    assert table_at(same, "Ann").status == "played"


# ---- The end -------------------------------------------------------------------------------------


def test_what_changes_after_the_end_marks_standings_as_corrected() -> None:
    finished = act(over(), "finish")
    with pytest.raises(Illegal, match="over"):
        act(finished, "void", **at_table(**WHY))
    reopened = act(finished, "reopen", **WHY)
    assert [stage.corrected for stage in reopened.stages] == [False]
    corrected = act(reopened, "rule", **at_table(seats=BACKWARDS, **WHY))
    assert [stage.corrected for stage in act(corrected, "finish").stages] == [True]
    assert public(act(finished, "rule", **at_table(seats=BACKWARDS, **WHY))) == public(
        act(corrected, "finish")
    )


def test_a_stage_that_begins_after_the_end_was_never_final() -> None:
    reopened = act(act(over(), "finish"), "reopen", **WHY)
    season = act(act(reopened, "add-stage", stage=SEASON), "start-stage")
    assert [stage.corrected for stage in act(act(season, "draw"), "publish").stages] == [False, False]


def test_a_result_changed_in_an_earlier_stage_marks_that_stage_as_corrected() -> None:
    state = act(between(), "start-stage")
    state = act(state, "rule", **at_table(seats=RESULT, **WHY))
    assert [stage.corrected for stage in state.stages] == [True, False]


def test_a_cancelled_competition_loses_its_draw_when_it_is_reinstated() -> None:
    cancelled = act(drawn(), "cancel", **WHY)
    assert cancelled.withheld_from is None
    reinstated = act(cancelled, "reopen", **WHY)
    assert (reinstated.status, reinstated.drawn_round, reinstated.withheld_from) == ("running", None, None)


# ---- Entries -------------------------------------------------------------------------------------


def test_an_admission_into_a_published_round_is_not_taken_back() -> None:
    state = act(act(waiting(), "enter", players=[uid("player Zoe")]), "start")
    state = act(state, "withdraw", entry=uid("Ben"))
    state = act(state, "admit", entry=uid("Cem"))
    assert state.stage and uid("Cem") in state.stage.entries
    back = act(state, "take-back-decision", entry=uid("Cem"))
    assert (back.entry(uid("Cem")).status, uid("Cem") in back.stage.entries) == ("waiting", False)  # type: ignore[union-attr]
    seated = act(act(state, "draw"), "publish")
    refused(seated, "take-back-decision", "published round already, so withdraw instead", entry=uid("Cem"))
