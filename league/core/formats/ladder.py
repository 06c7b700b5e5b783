"""Ladder: every entry has a rung; entries at a table redistribute their rungs in the order they finish."""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import ClassVar, TypeAlias

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal, Malformed
from league.core.drawing.bracket import finishing
from league.core.formats.base import Answering
from league.core.formats.challenging import Reach, Rungs
from league.core.formats.rounds import OpenPlay
from league.core.records import Reached
from league.core.state.challenges import Challenge, Cost, Unanswered
from league.core.state.competition import Competition, Point, Stage, Table
from league.core.state.plan import Opening, StagePlan

Won: TypeAlias = tuple[Message, int]
"""How an entry won or lost its rung last, and which it had then among those on the ladder."""
Step: TypeAlias = tuple[int, Point, int, Table | Challenge | str]
"""What can move rungs: an event's number, its round, the table's number, and table, challenge or newcomer."""


class Ladder(OpenPlay):
    """Open play in which beating an entry above takes its rung.

    Late entries start at the bottom. Who has withdrawn leaves the ladder, and those below move up.
    """

    key = "ladder"
    title = "Ladder"
    summary = "Challenge those above you at any time: the winner takes the highest rung of the table."
    edition = 3
    params: ClassVar[type] = Rungs
    ignores = OpenPlay.ignores | {"scoring.average", "tie_breaks", "line", "line_level"}

    def rules(self, plan: StagePlan) -> Sequence[Message]:
        params = self.read_params(plan)
        reach = params.reach
        first = {
            "lots": text("The first rungs are drawn by lot."),
            "rating": text("The first rungs are by the ratings."),
            "series": text("The first rungs are by the year’s table."),
        }.get(plan.intake.seeding.partition("/")[0], text("The first rungs are as entered."))
        near = plural(
            "Challenge whom you like up to %(count)d rung away.",
            "Challenge whom you like up to %(count)d rungs away.",
            reach,
        )
        return (
            text("The winner of a table takes its highest rung, the next ones those below."),
            *([text("A walkover counts as won.")] if plan.editions.rung_is_rank else []),
            near if reach else text("Challenge whom you like."),
            *params.told(),
            *([first] if plan.intake.source == "entries" else []),
            text(
                "Who enters late begins at the bottom; who withdraws leaves the ladder, and has the old rung "
                "again on coming back in the same stage, unless results since then gave another."
            ),
            *([_within(plan.hours)] if plan.hours else []),
        )

    def ranked_by(self) -> Message:
        return text(
            "The rung is the rank: points and tie-breaks decide nothing. Who has left comes after, in the "
            "order of the rungs left; in the end, who left without a table is last."
        )

    def ranked_first_by(self) -> Message:
        return text("The rung is the rank; points decide nothing")

    def check_plan(self, opening: Opening, plan: StagePlan) -> None:
        if self.answering(plan) and plan.table_size != 2:
            sentence = text("Challenges can wait for an answer only where tables are for two.")
            raise Malformed({"params.answer_days": [sentence]})

    def answering(self, plan: StagePlan) -> Answering | None:
        params = self.read_params(plan)
        if not params.answer_days:
            return None
        return Answering(params.answer_days, params.open_challenges, params.again_days)

    def cost_of(self, state: Competition, stage: Stage, challenge: Challenge, how: Unanswered) -> Cost:
        orders = (self.order(state, stage, group, len(stage.rounds)) for group in stage.groups)
        order = next((order for order in orders if {*challenge.entries} <= {*order}), [])
        if not order or order.index(challenge.by) < order.index(challenge.entry):
            return "nothing"
        refused = [
            each for each in state.challenges if each.at[0] == stage.number and each.status == "refused"
        ]
        cost: Cost = self.read_params(stage.plan).cost(
            how, sum(each.entry == challenge.entry for each in refused)
        )
        return cost

    def check_table(self, state: Competition, stage: Stage, entries: Sequence[str]) -> None:
        reach = self.read_params(stage.plan).reach
        for group in stage.groups:
            order = self.order(state, stage, group, len(stage.rounds))
            rungs = [order.index(entry) for entry in entries if entry in order]
            if reach and rungs and max(rungs) - min(rungs) > reach:
                raise Illegal("A table's rungs may be at most %(reach)s apart.", reach=reach)

    def opponents(self, state: Competition, stage: Stage, entry: str) -> Sequence[str]:
        reach = self.read_params(stage.plan).reach or len(stage.entries)
        orders = (self.order(state, stage, group, len(stage.rounds)) for group in stage.groups)
        order = next((order for order in orders if entry in order), [entry])
        own = order.index(entry)
        return [each for each in order[max(0, own - reach) : own + reach + 1] if each != entry]

    def order(self, state: Competition, stage: Stage, group: Sequence[str], through: int) -> list[str]:
        """Return the entries of a group that are on the ladder after a round, from the top rung down."""
        return [*self._rungs(state, stage, group, through)]

    def reached(self, state: Competition, stage: Stage, through: int) -> dict[str, Reached]:
        found: dict[str, Reached] = {}
        by_rung = stage.plan.editions.rung_is_rank
        for group in stage.groups:
            rungs = self._rungs(state, stage, group, through)
            climbed = self.climbed(state, stage, group, through) if len(rungs) < len(group) else {}
            left = (entry for entry in climbed if entry not in rungs)
            found |= {
                entry: Reached(len(rungs) + (place if by_rung else 1), text("Left the ladder"))
                for place, entry in enumerate(left, 1)
            }
            found |= {
                entry: Reached(rung, text("Rung %(rung)s, %(why)s", rung=rung, why=why))
                for rung, (entry, why) in enumerate(rungs.items(), 1)
            }
        return found

    def _rungs(
        self, state: Competition, stage: Stage, group: Sequence[str], through: int
    ) -> dict[str, Message]:
        """Return why each entry that is on the ladder has its rung, from the top rung down."""
        at = (stage.number, max(through, 1))
        climbed = self.climbed(state, stage, group, through)
        there = [entry for entry in climbed if state.entry(entry).takes_part(at)]
        return {entry: _moved(*climbed[entry], rung) for rung, entry in enumerate(there, 1)}

    def climbed(self, state: Competition, stage: Stage, group: Sequence[str], through: int) -> dict[str, Won]:
        """Return the same of a group with those who have left, with the rung that each entry had then.

        The tables count in the order in which they were first decided, with the results that they have now.
        """
        return _climbed(state, stage, group, through, lambda table: table.finished)


class LastCorrected(Ladder):
    """The second edition: a correction counts as played last, and a win of who has left counts."""

    edition = 2
    params = Reach

    def climbed(self, state: Competition, stage: Stage, group: Sequence[str], through: int) -> dict[str, Won]:
        return _climbed(state, stage, group, through, _last_result, keeps_left=True)


class KeptRungs(LastCorrected):
    """The first edition: who has withdrawn keeps the rung."""

    edition = 1

    def _rungs(
        self, state: Competition, stage: Stage, group: Sequence[str], through: int
    ) -> dict[str, Message]:
        return {entry: why for entry, (why, _) in self.climbed(state, stage, group, through).items()}


def _climbed(
    state: Competition,
    stage: Stage,
    group: Sequence[str],
    through: int,
    by: Callable[[Table], int],
    *,
    keeps_left: bool = False,
) -> dict[str, Won]:
    order, last = list(group), (stage.number, max(through, 1))
    entries = {entry: state.entry(entry) for entry in group}
    since = {entry: entries[entry].since(last) for entry in group}

    def here(entry: str, seq: int, at: Point) -> bool:
        return not (entries[entry].turns and entries[entry].was_out(seq, at))

    def rung(entry: str, seq: int, at: Point) -> tuple[int, int]:
        """Return its rung then, and how many of those who are there in the end stand above it."""
        above = [*takewhile(entry.__ne__, order)]
        then = 1 + sum(here(each, seq, at) for each in above)
        return then, sum(entries[each].takes_part(last) for each in above)

    steps: list[Step] = [(entries[entry].came_by, since[entry], 0, entry) for entry in group]
    steps += _played(stage, group, through, by, walkovers=not keeps_left)
    steps += _unanswered(state, stage, group, through)
    won = dict[str, Won]()
    for seq, at, number, step in sorted(steps, key=lambda each: each[:3]):
        if isinstance(step, str):
            # A table of the round in which it left and came back got it its rung, not the return.
            won.setdefault(step, (_first_rung(state, stage, step, at), rung(step, seq, at)[0]))
            continue
        if isinstance(step, Challenge):
            moving = _given_up(step, [each for each in order if here(each, seq, at)])
            why = text("since a challenge in round %(round)d that was not accepted", round=at[1])
        else:
            # Those who were all there at a walkover are level, and keep their rungs.
            finished = finishing(state, stage, order if step.walked_over else group, [step])
            moving = finished if keeps_left else _moving(finished, step)
            why = text("since round %(round)d, table %(table)d", round=at[1], table=number)
        before = {entry: rung(entry, seq, at) for entry in moving}
        for place, entry in zip(sorted(map(order.index, moving)), moving, strict=True):
            order[place] = entry
        for entry in moving:
            now = rung(entry, seq, at)
            if now != before[entry] and at >= since[entry]:
                won[entry] = why, now[0]
    return {entry: won[entry] for entry in order}


def _played(
    stage: Stage, group: Sequence[str], through: int, by: Callable[[Table], int], *, walkovers: bool
) -> Iterator[Step]:
    counted = {"played", "walkover"} if stage.plan.editions.rung_is_rank and walkovers else {"played"}
    for each in stage.shown_rounds[:through]:
        for number, table in each.numbered:
            if table.status in counted and {*table.entries} <= {*group}:
                yield by(table), (stage.number, each.number), number, table


def _unanswered(state: Competition, stage: Stage, group: Sequence[str], through: int) -> Iterator[Step]:
    for each in state.challenges:
        known = each.at[0] == stage.number and each.at[1] <= through and {*each.entries} <= {*group}
        if known and each.costs != "nothing":
            yield each.closed, each.at, 0, each


def _given_up(challenge: Challenge, order: Sequence[str]) -> Sequence[str]:
    """Return who redistribute their rungs where a challenge costs something, the new order first.

    ``order`` are those on the ladder then. A correction may have put the challenger above since.
    """
    if not {*challenge.entries} <= {*order}:
        return ()
    by, entry = map(order.index, challenge.entries)
    if challenge.costs == "lost":
        return challenge.entries if by > entry else ()
    below = order[entry + 1 : entry + 2]
    return (*below, challenge.entry)


def _first_rung(state: Competition, stage: Stage, entry: str, since: Point) -> Message:
    """Return why an entry has the rung that no table has moved it from since it came, or came back."""
    if since[0] == stage.number:
        if since > state.entry(entry).spells[0][0]:
            return text("returned in round %(round)d", round=since[1])
        return text("entered at the bottom")
    if stage.origin:
        return text("by lot")
    if stage.plan.intake.source != "entries":
        return text("by the stage before")
    if stage.plan.intake.seeding == "lots":
        return text("by lot")
    return text("by the seeds") if state.seeds.stage == stage.number else text("in the order of entry")


def _moved(why: Message, then: int, rung: int) -> Message:
    """Return why an entry has its rung that got it, or one above or below it, in another way before."""
    if rung < then:
        return plural(
            "up from rung %(then)d (%(why)s): %(count)d above has left",
            "up from rung %(then)d (%(why)s): %(count)d above have left",
            then - rung,
            then=then,
            why=why,
        )
    if rung > then:
        return plural(
            "down from rung %(then)d (%(why)s): %(count)d has come in above",
            "down from rung %(then)d (%(why)s): %(count)d have come in above",
            rung - then,
            then=then,
            why=why,
        )
    return why


def _within(hours: int) -> Message:
    days, rest = divmod(hours, 24)
    if rest:
        return plural("A round lasts %(count)d hour.", "A round lasts %(count)d hours.", hours)
    return plural("A round lasts %(count)d day.", "A round lasts %(count)d days.", days)


def _moving(finished: Sequence[str], table: Table) -> Sequence[str]:
    """Return who redistribute their rungs: who had left before the table ended takes none from others."""
    last = max((at for at, entry in enumerate(finished) if entry not in table.gone), default=-1)
    return [entry for at, entry in enumerate(finished) if entry not in table.gone or at > last]


def _last_result(table: Table) -> int:
    """Return the event that brought the result which a table has now."""
    return max(result.seq for result in table.results)
