"""Every event survives writing and reading as JSON; everything else is malformed."""

from typing import Any, Final

import pytest

from games.engine import shapes
from games.engine.kinds import Builders
from games.engine.refusals import Illegal, Malformed
from league.core import events
from league.core.commitment import DEPTH
from league.core.events import Event
from league.core.intake import Carried
from league.core.open_tables import TableOpened
from league.core.state.cut_offs import GivenText, PublishedReveal, Reveal
from league.core.state.plan import Intake, Scoring
from league.core.state.rooms import Room
from league.core.state.updates import Seating
from league.core.verbs import EVENTS
from league.core.verbs.adjustments import Adjusted
from league.core.verbs.course import Cancelled, Finished, Paused, Resumed
from league.core.verbs.cut_off import CutOffMade, LotsDrawn, Recommitted, TextGiven
from league.core.verbs.deadlines import DeadlineSet
from league.core.verbs.draw import Drawn
from league.core.verbs.entering import Admitted, Applied, Approved, Entered, EntriesClosed, Rejected
from league.core.verbs.entries import NameCorrected, Returned, Substituted, Withdrawn
from league.core.verbs.move_seat import SeatsMoved
from league.core.verbs.presence import Absent, CheckedIn, NoShow, Present
from league.core.verbs.results import Forfeited, Replayed, ResultRecorded, Voided, WalkedOver
from league.core.verbs.rooms import RoomsSet
from league.core.verbs.rounds import OpenedGame, Published, RoundClosed
from league.core.verbs.rulings import Ruled
from league.core.verbs.sizes import SizesSet
from league.core.verbs.stages import StageAdded, StageStarted
from league.core.verbs.start import EntriesOpened, Started
from tests.core.crosstable import HEAD, entered, opening, placings, plan, started
from tests.core.ids import uid

ANN, BEN, TABLE, GAME = map(uid, ("Ann", "Ben", "table", "game"))
REVEAL = Reveal(0, "0" * 64, ("1" * 64,) * DEPTH)
PUBLISHED = PublishedReveal(**vars(REVEAL), reason="too few")
SEATS = ((ANN, uid("player Ann")), (BEN, uid("player Ben")))

EXAMPLES: tuple[Event, ...] = (
    opening(plan(scoring=Scoring(best=3), tie_breaks=("wins",), intake=Intake("best", best=2))),
    EntriesOpened(),
    EntriesClosed(),
    Applied(ANN, "Ann", (uid("player Ann"),)),
    Entered(ANN, "Ann", (uid("player Ann"),), from_round=3),
    Approved(ANN, waiting=True),
    Rejected(ANN, "the club is for adults"),
    Admitted(ANN),
    CheckedIn(ANN),
    Withdrawn(ANN, 2, "ill"),
    Returned(ANN, 4),
    Substituted(ANN, uid("player Ann"), uid("player Cem"), "holiday", "stand_in", 2),
    NameCorrected(ANN, "Anne", "Ann"),
    Absent(ANN, 2),
    Present(ANN, 2),
    Started(),
    TextGiven("three", ANN),
    CutOffMade(
        3, "round", 1, 2, (ANN, BEN), (GivenText("one"), GivenText("two", ANN)), reason="new", sizes=((2,),)
    ),
    SizesSet(1, 2, ((5, 4), (4,))),
    RoomsSet((Room("Bar", 1, 4), Room("Hall", 5, 9)), (7,)),
    LotsDrawn(1, (BEN, ANN), REVEAL),
    Recommitted("0" * 64, "restored from a backup"),
    StageAdded(plan()),
    StageStarted(1, ((ANN, BEN),), (Carried(ANN, "7/2"),)),
    Drawn(1, 1, (Seating(TABLE, SEATS, label="final"),), {"repeats": 0}, REVEAL, idle=(uid("Cem"),)),
    SeatsMoved(1, 1, ((ANN, BEN),), "they share a car"),
    Published(1, 1, (OpenedGame(TABLE, GAME),), (PUBLISHED,), "2026-11-21T18:00:00Z"),
    DeadlineSet(1, 1, "2026-11-28T18:00:00Z", "snow"),
    TableOpened(1, 1, TABLE, SEATS, (GAME,)),
    Replayed(TABLE, GAME, uid("another game")),
    ResultRecorded(TABLE, GAME, HEAD, "finished", placings("Ann > Ben")),
    Ruled(TABLE, placings("Ann = Ben"), "a wrong deal"),
    NoShow(TABLE, ANN),
    Forfeited(TABLE, ANN, "left early"),
    WalkedOver(TABLE, (ANN,)),
    Voided(TABLE, "a wrong pack"),
    Adjusted(ANN, "-1/2", "late"),
    RoundClosed(1, 1),
    Paused("dinner"),
    Resumed(),
    Cancelled("snow"),
    Finished(),
)


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_an_event_survives_writing_and_reading(event: Event) -> None:
    assert events.read(events.write(event)) == event


SAMPLES: Final = {
    "an id": ANN,
    "64 hexadecimal digits": "0" * 64,
    "a key such as round_robin": "swiss",
    "a time in UTC": "2026-11-28T18:00:00Z",
}
LEAST: Final[Builders[Any]] = {
    "flag": lambda _shape, _: False,
    "number": lambda shape, _: shape.low,
    "text": lambda shape, _: SAMPLES.get(shape.matching.what, "1") if shape.matching else "x" * shape.low,
    "choice": lambda shape, _: shape.values[0],
    "list": lambda shape, parts: parts * shape.low,
    "rows": lambda shape, parts: parts * shape.low,
    "record": lambda shape, parts: {
        field.name: part for field, part in zip(shape.fields, parts, strict=True) if field.required
    },
    "object": lambda _shape, _: {},
    "either": lambda _, parts: parts[0],
}
"""The least that each kind of value can be."""


@pytest.mark.parametrize("kind", EVENTS.values(), ids=lambda kind: kind.__name__)
def test_an_event_with_only_required_fields_survives_writing_and_reading(kind: type[Event]) -> None:
    least = {"type": kind.type, **shapes.record(kind).fold(LEAST)}
    assert events.write(events.read(least)) == least


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ("withdrawn", ""),
        ({"type": "vanished"}, "type"),
        ({"type": "withdrawn"}, "entry"),
        ({"type": "withdrawn", "entry": "Ann"}, "entry"),
        ({"type": "withdrawn", "entry": ANN, "from_round": 0}, "from_round"),
        ({"type": "withdrawn", "entry": ANN, "mood": "sad"}, "mood"),
        ({"type": "adjusted", "entry": ANN, "points": "1.5.2", "reason": "why"}, "points"),
        ({"type": "adjusted", "entry": ANN, "points": "1/0", "reason": "why"}, "points"),
        ({"type": "published", "stage": 1, "round": 1, "games": [], "deadline": "soon"}, "deadline"),
        *(
            ({"type": "deadline_set", "stage": 1, "round": 1, "deadline": f"{day}T18:00:00Z"}, "deadline")
            for day in ("2026-02-30", "2026-13-01", "0000-01-01", "0001-01-01", "9999-12-31")
        ),
        ({"type": "drawn", "stage": 1, "round": 1, "tables": [], "report": {"spread": 0.5}}, "report"),
        ({"type": "drawn", "stage": 1, "round": 1, "tables": [{"table": TABLE, "seats": [[ANN]]}]}, "report"),
    ],
)
def test_an_invalid_event_is_malformed_with_the_path_of_the_error(data: object, path: str) -> None:
    with pytest.raises(Malformed) as refusal:
        events.read(data)
    assert path in refusal.value.errors


def test_a_log_begins_with_its_only_opening() -> None:
    with pytest.raises(Illegal, match="empty"):
        events.fold([])
    with pytest.raises(Illegal, match="must begin with"):
        events.fold([Started()])
    with pytest.raises(Illegal, match="opened already"):
        events.apply(entered("Ann Ben"), opening())


def test_the_fold_counts_events() -> None:
    assert events.fold([opening()]).seq == 1
    assert started("Ann Ben").seq == 1 + 2 + 3


def test_an_old_log_with_other_digits_is_still_read_and_new_entries_have_those_of_ascii() -> None:
    old = {"type": "adjusted", "entry": ANN, "points": "-٣", "reason": "why"}
    assert events.write(events.read(old)) == {**old, "points": "-3"}
