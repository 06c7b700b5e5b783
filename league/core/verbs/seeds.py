"""Seeds: the order in which a stage of all entries takes them in, by values from elsewhere or by hand."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Label, Length
from games.engine.values import replace
from league.core.events import AND_SERVER, Event
from league.core.intake import in_seed_order, seeded_by_lots
from league.core.state import values as v
from league.core.state.competition import Competition, Seeds
from league.core.state.plan import StagePlan
from league.core.verb import LIVE, Button, Caution, EntryVerb, Events, Given, Verb

"""By what a stage can say that it is seeded when it starts."""


def seedable(plan: StagePlan | None) -> bool:
    """Return whether an order seeds the entries of a stage, and not lots or the stage before."""
    return plan is not None and plan.intake.source == "entries" and not seeded_by_lots(plan.intake)


class Seeded(Event, type="seeded"):
    """The entries of the next stage are seeded in this order, with what it was made of.

    ``values`` are those of the first so many: points of the rating list, or places, which add up in a team.
    """

    title = "Seeds"
    found_by = "seeding, seeded, best first"
    said_by = AND_SERVER
    text = "The seeds are set by hand: %(entries)s."
    text_entered = "The seeds are in the order of entering: %(entries)s."
    text_rating = "The seeds are set by the ratings: %(entries)s."
    text_series = "The seeds are set by the year’s table: %(entries)s."
    text_evening = "The seeds are set by the last evening: %(entries)s."
    by: v.SeededBy
    entries: Annotated[v.Entries, Help("the best seed first")]
    values: Annotated[tuple[Annotated[int, Between(-(10**9), 10**9)], ...], Length(0, v.MAX_ENTRIES)] = ()

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        told = {
            "entered": cls.text_entered,
            "rating": cls.text_rating,
            "series": cls.text_series,
            "evening": cls.text_evening,
        }
        return told.get(str(fields["by"]), cls.text)

    def apply(self, state: Competition) -> Competition:
        if not seedable(state.next_plan):
            raise Illegal("The next stage is not seeded by an order.")
        if len({*self.entries}) < len(self.entries) or not all(map(state.entry, self.entries)):
            raise Illegal("Name each entry once.")
        if self.values and self.by in ("hand", "entered"):
            raise Illegal("Seeds by hand, or in the order of entering, have no values.")
        values = dict(zip(self.entries, self.values, strict=False))
        if self.by != "hand" and self != _by_values(state, self.by, values):
            raise Illegal("The seeds do not follow from their values and the order of entering.")
        return replace(state, seeds=Seeds(self.by, self.entries, self.values, _next_number(state)))


def _next_number(state: Competition) -> int:
    return len(state.stages) + 1


def _by_values(state: Competition, by: v.SeededBy, values: Mapping[str, int]) -> Seeded:
    """Return the seeds by values, level ones in the order of entering, and then those without a value."""
    live = [entry.id for entry in state.entries if entry.live]
    sign = -1 if by == "rating" else 1
    known = sorted((entry for entry in live if entry in values), key=lambda entry: sign * values[entry])
    others = [entry for entry in live if entry not in values]
    return Seeded(by, (*known, *others), tuple(values[entry] for entry in known))


def seeded_at_start(state: Competition, given: Given) -> Events:
    """Return the seeds of a stage that begins, where it says by what; none where they were set by hand."""
    plan = state.next_plan
    by = _by_itself(plan) if plan and seedable(plan) else ""
    if not by or not given.seeds:
        return ()
    now, number = state.seeds, _next_number(state)
    if now.stage == number and now.by != by:
        return ()
    event = _by_values(state, by, given.seeds)
    return () if now == Seeds(event.by, event.entries, event.values, number) else (event,)


def _by_itself(plan: StagePlan) -> v.SeededBy:
    """Return by what a stage is seeded without a verb, if it is; which of several series is not said."""
    match plan.intake.seeding.partition("/")[0]:
        case "rating":
            return "rating"
        case "series":
            return "series"
    return ""


class _OfSeeds(Verb):
    """What both verbs share."""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return seedable(state.next_plan)

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        names = {entry.id: entry.name for entry in state.entries if entry.live}
        order = ", ".join(names[entry] for entry in in_seed_order(state, _next_number(state), [*names]))
        return (Caution(text("Seeds now: %(names)s.", names=order)),) if order else ()


class SetSeeds(_OfSeeds, key="set-seeds"):
    """Seed the entries of a stage that takes all of them and has not begun, the best first.

    The log has the order and the values from which it was made, so that everybody can check it. Entries
    without a value follow in the order of entering, and so do those who come later.
    """

    taken_back_by = ("set-seeds", "set-seed")
    set_seeds = Button(
        "Set the seeds",
        "The entries are seeded by this. Everybody can read in the log in what order and with what values.",
        "Set them again.",
        statuses=LIVE,
        part="entries",
        asks=("by",),
        rank=70,
        rare=True,
    )

    by: Annotated[
        Literal["rating", "series", "evening", "entered"],
        Label(
            "By",
            (
                ("rating", text("by the ratings")),
                ("series", text("by the year’s table")),
                ("evening", text("by the last evening")),
                ("entered", text("in the order of entering")),
            ),
        ),
        Help("the best first"),
    ]

    def decide(self, state: Competition, given: Given) -> Events:
        if self.by != "entered" and not given.seeds:
            raise Illegal("There is no such order yet.", fields=["by"])
        return (_by_values(state, self.by, {} if self.by == "entered" else given.seeds),)


class SetSeed(EntryVerb, _OfSeeds, key="set-seed"):
    """Make an entry the seed with a number, by hand; those from there on move down.

    That is for a stage that takes all entries and has not begun.
    """

    taken_back_by = ("set-seed", "set-seeds")
    set_seed = Button(
        "Set a seed",
        "The entry has this seed; those from there on move down. Everybody can read it in the log.",
        "Set it again, or set all seeds.",
        statuses=LIVE,
        part="entries",
        asks=("entry", "seed"),
        rank=75,
        rare=True,
    )

    seed: Annotated[int, Between(1, v.MAX_ENTRIES), Label("Seed"), Help("1 is the best")]

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return seedable(state.next_plan) and super().offered(state, button)

    def decide(self, state: Competition, given: Given) -> Events:
        state.entry(self.entry)
        live = [entry.id for entry in state.entries if entry.live]
        order = [entry for entry in in_seed_order(state, _next_number(state), live) if entry != self.entry]
        order.insert(self.seed - 1, self.entry)
        return (Seeded("hand", tuple(order)),)
