"""The vocabulary: every event reads back from the JSON it writes; what is not an event is malformed."""

import pytest

from games.engine.refusals import Illegal, Malformed
from league.competition import events as e
from league.competition import fold
from tests.league.pure.crosstable import HEAD, entered, opening, placings, plan, started, uid

ANN, BEN, TABLE, GAME = map(uid, ("Ann", "Ben", "table", "game"))
SEATS = ((ANN, uid("player Ann")), (BEN, uid("player Ben")))

EVERY_EVENT: tuple[e.Event, ...] = (
    opening(plan(scoring=e.Scoring(best=3), tie_breaks=("wins",), intake=e.Intake("best", best=2))),
    e.EntriesOpened(),
    e.EntriesClosed(),
    e.Applied(ANN, "Ann", (uid("player Ann"),)),
    e.Entered(ANN, "Ann", (uid("player Ann"),), from_round=3),
    e.Approved(ANN, waiting=True),
    e.Rejected(ANN, "the club is for adults"),
    e.Admitted(ANN),
    e.CheckedIn(ANN),
    e.Withdrawn(ANN, 2, "ill"),
    e.Returned(ANN, 4),
    e.Substituted(ANN, uid("player Ann"), uid("player Cem"), 2, "holiday"),
    e.Absent(ANN, 2),
    e.Present(ANN, 2),
    e.Started(),
    e.StageAdded(plan()),
    e.StageStarted(1, ((ANN, BEN),), (e.Carried(ANN, "7/2"),)),
    e.Drawn(1, 1, (e.Seating(TABLE, SEATS, label="final"),), {"repeats": 0}, idle=(uid("Cem"),)),
    e.SeatsMoved(1, 1, ((ANN, BEN),), "they share a car"),
    e.Published(1, 1, (e.TableGame(TABLE, GAME),), "2026-11-21T18:00:00Z"),
    e.DeadlineSet(1, 1, "2026-11-28T18:00:00Z", "snow"),
    e.TableOpened(1, 1, TABLE, SEATS, (GAME,)),
    e.Replayed(TABLE, GAME, uid("another game")),
    e.ResultRecorded(TABLE, GAME, HEAD, "finished", placings("Ann > Ben")),
    e.Ruled(TABLE, placings("Ann = Ben"), "a wrong deal"),
    e.NoShow(TABLE, ANN),
    e.Forfeited(TABLE, ANN, "left early"),
    e.WalkedOver(TABLE, (ANN,)),
    e.Voided(TABLE, "a wrong pack"),
    e.Adjusted(ANN, "-1/2", "late"),
    e.RoundClosed(1, 1),
    e.Paused("dinner"),
    e.Resumed(),
    e.Cancelled("snow"),
    e.Finished(),
)


@pytest.mark.parametrize("event", EVERY_EVENT, ids=lambda event: type(event).__name__)
def test_an_event_reads_back_from_what_it_writes(event: e.Event) -> None:
    assert e.read(e.write(event)) == event


def test_every_event_has_an_example_here() -> None:
    assert {type(event) for event in EVERY_EVENT} == {*e.EVENTS.values()}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ("withdrawn", ""),
        ({"type": "vanished"}, "type"),
        ({"type": "withdrawn"}, "entry"),
        ({"type": "withdrawn", "entry": "Ann"}, "entry"),
        ({"type": "withdrawn", "entry": ANN, "from_round": 0}, "from_round"),
        ({"type": "withdrawn", "entry": ANN, "mood": "sad"}, "mood"),
        ({"type": "adjusted", "entry": ANN, "points": "1.5", "reason": "why"}, "points"),
        ({"type": "adjusted", "entry": ANN, "points": "1/0", "reason": "why"}, "points"),
        ({"type": "published", "stage": 1, "round": 1, "games": [], "deadline": "soon"}, "deadline"),
        ({"type": "drawn", "stage": 1, "round": 1, "tables": [], "report": {"spread": 0.5}}, "report"),
        ({"type": "drawn", "stage": 1, "round": 1, "tables": [{"table": TABLE, "seats": [[ANN]]}]}, "report"),
    ],
)
def test_what_is_not_an_event_is_malformed_and_says_where(data: object, path: str) -> None:
    with pytest.raises(Malformed) as refusal:
        e.read(data)
    assert path in refusal.value.errors


def test_a_log_begins_with_its_opening_and_holds_no_second_one() -> None:
    with pytest.raises(Illegal, match="empty"):
        fold.fold([])
    with pytest.raises(Illegal, match="begins with"):
        fold.fold([e.Started()])
    with pytest.raises(Illegal, match="open already"):
        fold.apply(entered("Ann Ben"), opening())


def test_the_fold_counts_events() -> None:
    assert fold.fold([opening()]).seq == 1
    assert started("Ann Ben").seq == 1 + 2 + 2
