"""Wishes for the draws of a competition: who is kept apart or together, and who has a fixed table.

They are public, without a reason. Those of a club's people come to them at each cut-off.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from games.engine.messages import Message, both, plural, text
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Label, Length
from games.engine.values import replace
from league.core import formats
from league.core.drawing.draw import Draw, boards_of
from league.core.drawing.drawing import engine_of
from league.core.drawing.wishes import (
    at_matches,
    cannot_keep,
    contradict,
    contradiction,
    counts_in,
    figures_of_tables,
    no_promise,
    numbered,
    opposed,
    refuse_contradiction,
    rules_of,
    said,
    unseatable,
)
from league.core.events import Event
from league.core.sizes import coming, coming_stage
from league.core.standings.ranking import standings
from league.core.state import values as v
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import FixedTable, Sizes, Wish, Wishes, WishKind
from league.core.state.plan import StagePlan
from league.core.state.rooms import Rooms
from league.core.verb import Button, Caution, EntryVerb, Events, Given, Verb

# ---- Keep apart or together ----------------------------------------------------------------------

OrNone: TypeAlias = Literal[WishKind, "none"]


@dataclass(frozen=True)
class _Between:
    entries: Annotated[v.Entries, Length(2, v.MAX_TEAM)]
    wish: Annotated[
        OrNone,
        Label(
            "Wish",
            (
                ("apart", text("never at one table")),
                ("apart_first", text("not in the first round")),
                ("apart_last", text("not in the last round")),
                ("together", text("together at one table")),
                ("none", text("no wish any more")),
            ),
        ),
        Help("first and last round are those of each stage"),
    ]
    always: Annotated[
        bool,
        Label("Always"),
        Help("no draw that breaks it is made; otherwise, where it can’t be kept, the bottom bears it"),
    ] = True
    also: Annotated[
        bool,
        Label("As well"),
        Help("what is wished about the same entries already stays, as “not in the first round”"),
    ] = False


class WishSet(_Between, Event, type="wish_set"):
    """Draws from here on keep entries apart or together, or no longer do."""

    title = "Wish for draws"
    found_by = "kept apart, together, never meet"
    text = "Wish for draws: %(entries)s never sit at one table."
    text_first = "Wish for draws: %(entries)s don’t sit at one table in a first round."
    text_last = "Wish for draws: %(entries)s don’t sit at one table in a last round."
    text_together = "Wish for draws: %(entries)s always sit at one table."
    text_together_possible = "Wish for draws: %(entries)s sit at one table if possible."
    text_possible = "Wish for draws: %(entries)s sit at different tables if possible."
    text_first_possible = "Wish for draws: %(entries)s sit at different tables in a first round if possible."
    text_last_possible = "Wish for draws: %(entries)s sit at different tables in a last round if possible."
    text_none = "No wish for draws any more: %(entries)s."

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        possible = fields.get("always") is False
        match fields["wish"]:
            case "none":
                return cls.text_none
            case "together":
                return cls.text_together_possible if possible else cls.text_together
            case "apart_first":
                return cls.text_first_possible if possible else cls.text_first
            case "apart_last":
                return cls.text_last_possible if possible else cls.text_last
            case _:
                return cls.text_possible if possible else cls.text

    def apply(self, state: Competition) -> Competition:
        if len({*self.entries}) < len(self.entries):
            raise Illegal("Name each entry once.", fields=["entries"])
        if gone := [
            name for entry in self.entries if not state.entry(entry).live for name in [_name(state, entry)]
        ]:
            raise Illegal("Not taking part: %(name)s.", name=gone[0])
        between = state.wishes.between
        about = [each for each in between if {*each.entries} == {*self.entries}]
        others = tuple(each for each in between if each not in about)
        if self.wish != "none":
            new = Wish(self.entries, self.wish, self.always)
            stay = [each for each in about if self.also and each.wish != self.wish]
            if clash := next((each for each in stay if opposed(each, new)), None):
                raise Illegal(contradict(clash, new, state))
            others = (*others, *stay, new)
            refuse_contradiction(others, state)
        return replace(state, wishes=replace(state.wishes, between=others))


def _name(state: Competition, entry: str) -> str:
    return state.entry(entry).name


class SetWish(_Between, Verb, key="set-wish"):
    """Keep entries apart or together in draws from the next one on, or no longer.

    Everybody can read which entries, in the log and in each cut-off; a reason is written nowhere. It replaces
    what was wished about the same entries, or counts ``also``, as not in the first round and not in the last.
    Wishes of the club's people about them do not count then.
    """

    taken_back_by = ("set-wish",)
    event = WishSet
    set_wish = Button(
        "Keep apart or together",
        "Draws from the next one on heed this. Everybody can read in the log which entries it is about; "
        "nobody can read why.",
        "Set “no wish any more” for the same entries.",
        part="entries",
        asks=("entries", "wish", "always", "also"),
        rank=80,
        rare=True,
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return _wishes_count(state)

    def decide(self, state: Competition, given: Given) -> Events:
        if self.wish != "none" and self.always:
            for plan in _plans_to_come(state):
                _refuse_for(state, plan, Wish(self.entries, self.wish))
        return (WishSet(**vars(self)),)


# ---- Fixed table ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _AtTable:
    entry: v.EntryId
    table: Annotated[
        int,
        Between(0, 1000),
        Label("Table"),
        Help("its number in every round; 0: none is fixed any more"),
    ]


class TableFixed(_AtTable, Event, type="table_fixed"):
    """From the next draw on an entry sits at the table with a number; opponents are drawn as ever."""

    title = "Fixed table"
    found_by = "always at table, same table"
    text = "Always at table %(table)s: %(entry)s."
    text_none = "No fixed table any more: %(entry)s."

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text if fields["table"] else cls.text_none

    def apply(self, state: Competition) -> Competition:
        state.entry(self.entry)
        tables = tuple(each for each in state.wishes.tables if each.entry != self.entry)
        if other := next((each for each in tables if each.table == self.table), None):
            raise Illegal(
                "Table %(table)d is %(name)s’s.",
                fields=["table"],
                table=self.table,
                name=_name(state, other.entry),
            )
        if self.table:
            tables = (*tables, FixedTable(self.entry, self.table))
        return replace(state, wishes=replace(state.wishes, tables=tables))


class FixTable(_AtTable, EntryVerb, key="fix-table"):
    """Let an entry sit at one table in all rounds: only its number moves, opponents stay as drawn.

    Where two entries with a fixed table are drawn to one, the lower number counts, and the report on the
    draw says so. Everybody can read it in the log; a reason is written nowhere.
    """

    taken_back_by = ("fix-table",)
    event = TableFixed
    fix_table = Button(
        "Fix a table",
        "The entry sits at this table in every round; opponents are drawn as ever. Everybody can read that.",
        "Give another table, or 0 for none.",
        part="entries",
        asks=("entry", "table"),
        rank=80,
        rare=True,
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return super().offered(state, button) and _wishes_count(state)


# ---- In a draw -----------------------------------------------------------------------------------


def with_numbers(draw: Draw, wishes: Wishes, boards: int, rooms: Rooms) -> Draw:
    """Return a draw whose tables have the numbers that are fixed, and the report on them."""
    fixed = at_matches(wishes.tables, boards, rooms)
    tables = numbered(draw.tables, fixed)
    return replace(draw, tables=tables, report={**draw.report, **figures_of_tables(tables, fixed)})


def refuse_broken(state: Competition, stage: Stage, number: int, draw: Draw) -> None:
    """Raise `Illegal`, with the wishes that conflict, where a draw breaks one that holds always."""
    wishes, last = state.wishes.between, formats.of(stage.plan).rounds(state, stage)
    seats = [[*table.entries] for table in draw.tables]
    entries = {entry for table in seats for entry in table} | {*draw.byes}
    broken = [
        wish for wish in wishes if wish.always and any(rules_of([wish], entries, number, last).broken(seats))
    ]
    if not broken:
        return
    for wish in broken:
        _refuse_for(state, stage.plan, wish)
    for group, playing in enumerate(state.field(stage, number), 1):
        sizes = [len(table.entries) for table in draw.tables if table.group == group]
        if conflict := unseatable(wishes, playing, sizes, number, last):
            raise Illegal(cannot_keep(conflict, state, sizes))
    raise Illegal(no_promise(broken[0], state, text("The schedule of this stage does not allow it.")))


def _refuse_for(state: Competition, plan: StagePlan, wish: Wish) -> None:
    """Raise `Illegal` where no draw of a stage can promise a wish."""
    if why := formats.of(plan).no_promise(plan, wish):
        raise Illegal(no_promise(wish, state, why))


# ---- Before a draw -------------------------------------------------------------------------------


def _plans_to_come(state: Competition) -> Sequence[StagePlan]:
    return state.plans[max(len(state.stages) - 1, 0) :]


def _wishes_count(state: Competition) -> bool:
    """Return whether a stage that is played, or to come, has draws that heed wishes."""
    return any(_heeded(plan) for plan in _plans_to_come(state))


def _heeded(plan: StagePlan) -> bool:
    return engine_of(plan).knows_wishes and formats.of(plan).heeds_wishes


def wishes_told(state: Competition) -> Iterator[Caution]:
    """Yield what an organiser should know of all wishes, those in the state, before the next draw."""
    wishes, plan = state.wishes, _plans_to_come(state)[0]
    playing = _playing(state)
    between = [wish for wish in wishes.between if sum(entry in playing for entry in wish.entries) > 1]
    if not (between or wishes.tables):
        return
    if not _heeded(plan):
        yield Caution(text("Wishes for draws don’t count in this stage."))
        return
    waiting = formats.of(plan).seats_waiting
    heeded = between if waiting else with_hopes(state, between)
    kept = [wish for wish in between if waiting or not wish.is_hope or replace(wish, always=True) in heeded]
    told = [said(wish, state) for wish in kept]
    for each in wishes.tables:
        if each.entry in playing:
            name = _name(state, each.entry)
            told.append(text("%(name)s always at table %(table)d", name=name, table=each.table))
    if told:
        yield Caution(text("Everybody will be able to read in the log: %(wishes)s.", wishes=both(told)))
    if missed := [said(wish, state) for wish in between if wish not in kept]:
        yield Caution(text("The next draw can’t keep: %(wishes)s.", wishes=both(missed)))
    yield from _not_kept(state, plan, heeded, playing)
    if waiting:
        return
    numbers = state.rooms.numbers(sum(map(len, coming(state))) * boards_of(state.opening))
    for each in wishes.tables:
        if each.entry in playing and each.table not in numbers:
            yield Caution(_no_such_table(each, _name(state, each.entry), numbers))


def with_hopes(
    state: Competition, wishes: Sequence[Wish], *, groups: bool = False, sizes: Sizes = ()
) -> tuple[Wish, ...]:
    """Return wishes for the next draw with those hopes that it can keep, as wishes, in place of all hopes.

    Who leads the standings comes first: the bottom of the field bears what can't be kept. ``sizes`` are those
    of the tables, if they are chosen; ``groups``: it is not a round that is drawn, but who is in which group.
    """
    if not (hopes := [replace(each, always=True) for each in wishes if each.is_hope]):
        return tuple(wishes)
    stage, kept = coming_stage(state), [each for each in wishes if not each.is_hope]
    if not groups:
        hopes = _by_place(state, stage, hopes) if stage else []
    playing, numbers = _playing(state), [size for group in (sizes or coming(state)) for size in group]
    number, last = _next_round(state, stage, groups)
    for wish in hopes:
        some = [*kept, wish]
        fits = not contradiction([each for each in some if counts_in(each, number, last)], state)
        if fits and stage and not groups:
            fits = not unseatable(some, playing, numbers, number, last)
        kept = some if fits else kept
    return tuple(kept)


def that_count(state: Competition, wishes: Sequence[Wish], *, groups: bool = False) -> list[Wish]:
    """Return the wishes that count in the next round, or where it is ``groups`` that are drawn."""
    number, last = _next_round(state, coming_stage(state), groups)
    return [each for each in wishes if counts_in(each, number, last)]


def _next_round(state: Competition, stage: Stage | None, groups: bool) -> tuple[int, int]:
    """Return the numbers of the next round and of the last one of its stage; 0 and 1 for groups."""
    if groups:
        return 0, 1
    last = formats.of(stage.plan).rounds(state, stage) if stage else _plans_to_come(state)[0].rounds
    return state.next_round, last


def _by_place(state: Competition, stage: Stage, hopes: Sequence[Wish]) -> list[Wish]:
    """Return the hopes of who plays that a draw of the stage might keep, of who leads its standings first."""
    plan, format_ = stage.plan, formats.of(stage.plan)
    if plan.groups > 1 or format_.sizes_fixed(plan):
        return []
    rows = standings(state, stage.number) if stage.shown_rounds else ()
    order = [each.entry for each in rows] or [entry.id for entry in state.entries]
    place, playing = {entry: at for at, entry in enumerate(order)}, {*_playing(state)}
    here = [each for each in hopes if playing.issuperset(each.entries) and not format_.no_promise(plan, each)]
    return sorted(here, key=lambda each: sorted(place.get(entry, len(order)) for entry in each.entries))


def _no_such_table(fixed: FixedTable, name: str, numbers: Sequence[int]) -> Message:
    if not numbers or numbers[-1] == len(numbers):
        return plural(
            "%(name)s can’t sit at table %(table)d: there is %(count)d.",
            "%(name)s can’t sit at table %(table)d: there are %(count)d.",
            len(numbers),
            name=name,
            table=fixed.table,
        )
    if len(numbers) == 1:
        return text(
            "%(name)s can’t sit at table %(table)d: there is one, number %(number)d.",
            name=name,
            table=fixed.table,
            number=numbers[0],
        )
    return text(
        "%(name)s can’t sit at table %(table)d: there are %(count)d, numbers %(first)d to %(last)d.",
        name=name,
        table=fixed.table,
        count=len(numbers),
        first=numbers[0],
        last=numbers[-1],
    )


def _playing(state: Competition) -> Sequence[str]:
    if stage := coming_stage(state):
        return [entry for group in state.field(stage, state.next_round) for entry in group]
    return [entry.id for entry in state.entries if entry.status == "entered"]


def _not_kept(
    state: Competition, plan: StagePlan, between: Sequence[Wish], playing: Sequence[str]
) -> Iterator[Caution]:
    if told := contradiction(that_count(state, between), state):
        yield Caution(told, stops=True)
        return
    for wish in between:
        if why := formats.of(plan).no_promise(plan, wish):
            yield Caution(no_promise(wish, state, why), stops=True) if wish.always else Caution(why)
            return
    if plan.groups == 1:
        sizes = [size for group in coming(state) for size in group]
        number, last = _next_round(state, coming_stage(state), groups=False)
        if conflict := unseatable(between, playing, sizes, number, last):
            yield Caution(cannot_keep(conflict, state, sizes), stops=True)
