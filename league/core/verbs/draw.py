"""Draw a round, change the draft, discard it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated
from uuid import UUID, uuid5

from games.engine.chance import Chance
from games.engine.messages import Message, both, text
from games.engine.refusals import Illegal
from games.engine.shapes import Described, Help, Label, Length
from games.engine.values import replace
from league.core import formats
from league.core.course import absent_entries, last_round, missed_last, too_few_present
from league.core.drawing.draw import Draw, boards_of
from league.core.drawing.drawing import begun
from league.core.events import AND_SERVER, Event, apply
from league.core.intake import due_play_offs
from league.core.sizes import by_itself, coming, coming_play_offs, too_many
from league.core.sizes import fixed as sizes_fixed
from league.core.sizes import in_words as sizes_in_words
from league.core.standings import ranking
from league.core.state import values as v
from league.core.state.competition import Competition, Pending, Round, Stage, Tables
from league.core.state.cut_offs import CutOff, Reveal, Sizes
from league.core.state.updates import (
    Seating,
    begun_stage,
    check_round,
    current_stage,
    discarded,
    drawn_round,
    refuse_unless_running,
    seats_of,
    with_round,
)
from league.core.verb import RUNNING, Button, Caution, Events, Given, Verb
from league.core.verbs.course import held
from league.core.verbs.cut_off import (
    NOT_FILLED,
    Seated,
    by_chance,
    can_be_filled,
    filled_by,
    lots_events,
    origin_of,
    planned_order,
)
from league.core.verbs.days import absences
from league.core.verbs.presence import Present
from league.core.verbs.stages import stage_events
from league.core.verbs.wishes import refuse_broken, wishes_told, with_numbers
from league.core.weighing import arrived_since_draw, reseated

# ---- Draw ----------------------------------------------------------------------------------------


class Drawn(Event, type="drawn"):
    """A round is proposed: its tables, byes, and ``idle`` entries.

    Idle entries are out of a knockout, or have no more rounds in their schedule. All of it follows from the
    state at the cut-off and from the seed.
    """

    title = "Round drawn"
    found_by = "drawn, pairings, seating"
    said_by = AND_SERVER
    text = "Round %(round)s is drawn."
    text_open = "Round %(round)s is prepared: its tables are opened one by one."
    stage: v.Count
    round: v.Count
    tables: Annotated[tuple[Seating, ...], Length(0, v.MAX_ENTRIES)]
    report: Annotated[v.AnyObject, Described("DrawReport"), Help("the quality of the draw, in numbers")]
    reveal: Annotated[Reveal, Help("the secret value of the draw")]
    byes: Annotated[v.Entries, Help("entries left over when all tables are full")] = ()
    idle: Annotated[v.Entries, Help("entries that no longer play in this stage")] = ()
    open: Annotated[bool, Help("whether players open tables at any time while the round lasts")] = False

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_open if fields.get("open") else cls.text

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        stage = current_stage(state, self.stage)
        expected = _next_number(state, stage)
        if self.round != expected:
            raise Illegal("The next round to draw is round %(round)d.", round=expected)
        pending = state.pending_for("round", self.stage, self.round)
        origin = origin_of(pending, self.reveal)
        assert pending is not None
        if stage.drawn_round:
            raise Illegal("Drawing the round again needs a new cut-off.")
        tables = tuple(seating.as_table(stage.plan) for seating in self.tables)
        frozen = pending.frozen
        check_round(frozen, frozen.stages[-1], self.round, tables, self.byes + self.idle)
        drafts = (*state.drafts, origin)
        proposal = Round(
            number=self.round,
            status="drawn",
            tables=Tables(tables),
            byes=self.byes,
            idle=self.idle,
            proposed=tables,
            proposed_byes=self.byes,
            placed=tables,
            placed_byes=self.byes,
            report=self.report,
            origins=drafts,
            open=self.open,
            rooms=state.rooms,
            before=tuple(each.tables for each in frozen.stages[-1].rounds),
            queue=() if formats.of(stage.plan).seats_waiting else None,
        )
        state = replace(state, drafts=drafts, drafted_at=state.drafted_at or state.seq + 1)
        return reseated(with_round(state, stage, proposal))


def _next_number(state: Competition, stage: Stage) -> int:
    """Return the number of the round that can be drawn, or drawn again; raise `Illegal`."""
    if stage.current_round:
        raise Illegal("Round %(round)d is being played.", round=stage.current_round.number)
    return state.next_round


def _refuse_after_last(state: Competition, stage: Stage) -> None:
    """Raise `Illegal` where the stage has no other round, and no play-off."""
    rounds = formats.of(stage.plan).rounds(state, stage)
    if _next_number(state, stage) > rounds and not due_play_offs(state):
        raise Illegal("All rounds of this stage have been played.")


def proposed(state: Competition, stage: Stage, draw: Draw, seed: bytes, reveal: Reveal) -> Drawn:
    """Return the event for a draw of the next round that was made with the seed."""
    number = state.next_round
    tables = _seated(state, stage, number, draw, UUID(bytes=seed[:16]))
    open_tables = formats.of(stage.plan).open_tables
    return Drawn(stage.number, number, tables, draw.report, reveal, draw.byes, draw.idle, open_tables)


def _seated(
    state: Competition, stage: Stage, number: int, draw: Draw, namespace: UUID
) -> tuple[Seating, ...]:
    """Return the tables of a draw with players in the seats; a match of teams has a table for each board."""
    opening, boards = state.opening, boards_of(state.opening)
    lineups = {entry.id: entry.lineup((stage.number, number)) for entry in state.entries}
    return tuple(
        Seating(
            table=str(uuid5(namespace, f"{order}.{board}")),
            seats=seats_of(table.entries, lineups, board if opening.lineup == "boards" else None),
            group=table.group,
            board=board,
            label=table.label,
        )
        for order, table in enumerate(draw.tables, 1)
        for board in range(1, boards + 1)
    )


def draw_round(pending: Pending, seed: bytes, reveal: Reveal) -> Drawn:
    """Return the draw of the round of a cut-off; raise `Illegal` where none is possible."""
    state = pending.frozen
    stage = begun_stage(state)
    number = _next_number(state, stage)
    _refuse_too_few(state)
    draw = _draw(state, stage, number, Chance(seed), pending.cut_off)
    refuse_broken(state, stage, number, draw)
    drawn = proposed(state, stage, draw, seed, reveal)
    # Byes alone are a round of a schedule, or of a bracket, whose other entries have left.
    if not (drawn.tables or drawn.byes or drawn.open):
        raise Illegal(_too_few(state))
    return drawn


def _refuse_too_few(state: Competition) -> None:
    if too_few_present(state):
        raise Illegal(_too_few(state))


def _too_few(state: Competition) -> Message:
    return text("Too few entries are present to play round %(round)d.", round=state.next_round)


def _draw(state: Competition, stage: Stage, number: int, chance: Chance, cut_off: CutOff) -> Draw:
    """Return the draw of a round: the format's, or after all its rounds the play-offs for the next stage.

    Tables of a cut-off with an order are filled by it. Those with a fixed number have it; the others are
    numbered by the standings, where the format says so.
    """
    format_, boards = formats.of(stage.plan), boards_of(state.opening)
    if number <= format_.rounds(state, stage):
        if cut_off.seating:
            turns = format_.bye_turns(state, stage)
            drawing = replace(begun(state, stage, number, chance), turns=turns)
            draw = drawing.each_group(partial(drawing.in_order, order=cut_off.order))
        else:
            draw = format_.propose(state, stage, number, chance)
            draw = _by_standing(state, stage, draw) if format_.numbers_by_standing else draw
        return with_numbers(draw, state.wishes, boards, state.rooms)
    due = due_play_offs(state)
    if not due:
        raise Illegal("All rounds of this stage have been played.")
    return begun(state, stage, number, chance).play_offs(due)


def _by_standing(state: Competition, stage: Stage, draw: Draw) -> Draw:
    """Return a draw with the tables of each group by the ranks of who sits there, the leaders' first."""
    if not stage.shown_rounds:
        return draw
    ranks = {entry: rank for _, entry, rank in ranking.order(state, stage.number).ranks()}
    tables = sorted(
        draw.tables, key=lambda table: (table.group, sorted(ranks[entry] for entry in table.entries))
    )
    return replace(draw, tables=tuple(tables))


def _of_sizes(state: Competition) -> Iterator[Caution]:
    """Yield what the sizes set ahead, or the rooms, mean for the tables of the next draw."""
    sizes = [size for group in coming(state) for size in group]
    if not sizes:
        return
    tables = sizes_in_words(sizes)
    source = by_itself(state).source
    if source == "set":
        yield Caution(text("As set for this round: %(tables)s.", tables=tables), "draw-sizes")
    elif source == "rooms":
        yield Caution(text("As many tables as the rooms have: %(tables)s.", tables=tables), "set-rooms")
    if sentence := too_many(state):
        yield Caution(sentence, "set-rooms")


class DrawRound(Verb, key="draw"):
    """Draw the next round, or with a reason draw an unpublished one again. Without one nothing changes then.

    What goes into the draw is fixed first (`cut_off`). If the competition waits for a public beacon, the
    draw follows when its value is known. The drafts that were replaced, and the reasons, are published with
    the round. Who has come since the draw is in the new one; the draft is discarded for that, and public.
    """

    uses_secret = True
    reason: Annotated[v.Note, Label("Reason"), Help("why it is drawn again, for everyone to read")] = ""
    seating: Annotated[
        Seated,
        Label(
            "Tables",
            (
                ("", text("as planned")),
                ("lots", text("drawn")),
                ("standing", text("filled by the standings")),
                ("given", text("filled by another order")),
            ),
        ),
        Help(
            "drawn, or filled by the standings or another order, the best at table 1, whoever met before; "
            "empty: as the stage says"
        ),
    ] = ""

    order: Annotated[
        str,
        Length(0, 100),
        Label("By"),
        Help(
            "where `seating` is `given`, by which order: evening, series, rating or entered; of several "
            "series that is the last opened, and series/ADDRESS another one; empty: as the stage says, or "
            "else by the series"
        ),
    ] = ""

    sizes: Annotated[Sizes, Label("Sizes")] = ()

    taken_back_by = ("discard-draw",)
    draw = Button(
        "Draw the round",
        "The tables of the next round are drawn. Only organisers see them until you publish the round.",
        "“Discard the draw”, or draw the round again, until it is published.",
        statuses=RUNNING,
        part="round",
        steps=("draw",),
    )
    open_round = Button(
        "Prepare the round",
        "Once you publish the round, its tables are opened one by one while it lasts.",
        "“Discard the round”, until it is published.",
        statuses=RUNNING,
        part="round",
        steps=("draw",),
    )
    fill_tables = Button(
        "Fill tables by standings",
        "The best of the standings sit at table 1, the next at table 2 and so on, short tables last, whoever "
        "met before. Only organisers see them until you publish the round.",
        "“Discard the draw”, or draw the round again, until it is published.",
        statuses=RUNNING,
        part="round",
        steps=("draw",),
        asks=("seating", "order"),
        rank=70,
        rare=True,
    )
    draw_sizes = Button(
        "Draw with other tables",
        "The tables of the next round have the sizes that you choose. Only organisers see them until you "
        "publish the round.",
        "“Discard the draw”, or draw the round again, until it is published.",
        statuses=RUNNING,
        part="round",
        steps=("draw",),
        asks=("sizes",),
        rank=70,
        rare=True,
    )
    redraw = Button(
        "Draw again",
        "The tables are drawn again with other lots. This draw and its exchanges are discarded.",
        "This can’t be undone. Everybody sees this draw and your reason, at the latest with the round.",
        statuses=RUNNING,
        part="round",
        steps=("publish",),
        asks=("reason",),
        danger=True,
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        if button.key == "draw-sizes":
            return sizes_fixed(state) is None
        if button.key == "fill-tables":
            return bool(state.stage and can_be_filled(state.stage.plan))
        return (button.key == "open-round") == bool(state.stage and formats.of(state.stage.plan).open_tables)

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        if too_few_present(state):
            remedy = "present" if absent_entries(state) else ""
            return [Caution(_too_few(state), remedy, stops=True)]
        names = {entry.id: entry.name for entry in state.entries}
        told = [*wishes_told(state)]
        away_now = absent_entries(state) - {entry.id for entry in arrived_since_draw(state)}
        if away := [name for entry, name in names.items() if entry in away_now]:
            missing = text(
                "Round %(round)d begins without %(names)s.", names=both(away), round=state.next_round
            )
            told.append(Caution(missing, "present"))
        if state.stage and not state.current_round and state.next_round <= (last_round(state) or 0):
            found = formats.of(state.stage.plan).without_absent(state, state.stage, state.next_round)
            told += [Caution(each, "present") for each in found]
        told += _of_sizes(state)
        if missed := missed_last(state):
            still = text(
                "%(names)s did not come to the last round, and take part in the next. Still away?",
                names=both(missed),
            )
            told.append(Caution(still, "absent"))
        return told + [
            Caution(
                text(
                    "%(names)s play off for the last place; the others do not play.",
                    names=both([names[entry] for entry in each.entries]),
                )
            )
            for each in (coming_play_offs(state, state.stage) if state.stage else ())
        ]

    @classmethod
    def draws(cls, state: Competition) -> bool:
        return True

    def wanted_order(self, state: Competition) -> str:
        """Return which order from elsewhere the draw depends on, empty for none."""
        planned = planned_order(state)
        if self.seating == "given":
            return self.order or planned or "series"
        return "" if self.seating else planned

    def decide(self, state: Competition, given: Given) -> Events:
        stage = begun_stage(state)
        _refuse_after_last(state, stage)
        if self.reason and not stage.drawn_round and state.pending is None:
            raise Illegal("No draw waits to be drawn again: leave out the reason.")
        if state.pending is None:
            _refuse_too_few(state)
        elif self._is_done(stage, state.pending, given):
            return ()
        seated = [
            *(_discarding(state, stage, self.reason) if arrived_since_draw(state) else ()),
            *absences(state, given.away),
        ]
        for event in seated:
            state = apply(state, event)
        anew = state.pending is None or self.reason
        filled = filled_by(state, self.seating, given.order, given.ordered_by) if anew else NOT_FILLED
        sizes = (self.sizes or by_itself(state).sizes) if anew else ()
        events, _ = by_chance(state, given, "round", draw_round, self.reason, filled, sizes)
        return (*seated, *events)

    def _is_done(self, stage: Stage, pending: Pending, given: Given) -> bool:
        """Return whether the round is drawn for this reason, or its draw waits for the beacon."""
        cut_off = pending.cut_off
        if cut_off.purpose != "round" or self.reason.strip() not in ("", cut_off.reason):
            return False
        return bool(stage.drawn_round or (cut_off.beacon and cut_off.beacon not in given.beacon))


# ---- Discard draw --------------------------------------------------------------------------------


class DrawDiscarded(Event, type="draw_discarded"):
    """An unpublished draw is thrown away; everybody can read it now, and the next one is a new draw."""

    title = "Draw discarded"
    found_by = "redraw, drawn again"
    text = "The unpublished round %(round)s is discarded."
    stage: v.Count
    round: v.Count
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        drawn_round(state, self.stage, self.round)
        return discarded(state, self.reason)


class DiscardDraw(Verb, key="discard-draw"):
    """Discard the draw of a round that is not published; everybody can read it then, and the reason.

    With the automatic pace the competition is paused too.
    """

    taken_back_by = ("draw",)
    discard_draw = Button(
        "Discard the draw",
        "The round is no longer drawn. Everybody sees the discarded draw and your reason.",
        "Draw the round again; that is a new draw.",
        statuses=RUNNING,
        part="round",
        steps=("publish",),
        asks=("reason",),
        danger=True,
    )

    discard_round = Button(
        "Discard the round",
        "The round is no longer prepared. Everybody sees your reason.",
        "Prepare the round again.",
        statuses=RUNNING,
        part="round",
        steps=("publish",),
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return (button.key == "discard-round") == bool(state.drawn_round and state.drawn_round.open)

    def decide(self, state: Competition, given: Given) -> Events:
        stage = begun_stage(state)
        if stage.drawn_round is None:
            raise Illegal("No round waits to be published.")
        return *_discarding(state, stage, self.reason), *held(state, self.reason)


def _discarding(state: Competition, stage: Stage, reason: str) -> Iterator[Event]:
    """Yield that a draw is discarded, and that those who came since then are here for the round."""
    yield DrawDiscarded(stage.number, state.next_round, reason)
    yield from (Present(entry.id, state.next_round) for entry in arrived_since_draw(state))


# ---- Complete draw -------------------------------------------------------------------------------


class CompleteDraw(Verb, key="complete-draw"):
    """Make the draw whose cut-off waits for a round of the public beacon, now that its value is known."""

    audience = "system"
    uses_secret = True

    def decide(self, state: Competition, given: Given) -> Events:
        if not state.awaited_beacon or state.pending is None:
            raise Illegal("No draw waits for the beacon.")
        match state.pending.cut_off.purpose:
            case "groups":
                return stage_events(state, given)
            case "round":
                return by_chance(state, given, "round", draw_round)[0]
            case "lots":
                return lots_events(state, given)[0]
