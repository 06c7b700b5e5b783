"""The plan of a competition: the editions that it names, and whether it fits the game and its formats."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message, either, plural, text
from games.engine.refusals import Illegal, Malformed, below, together
from games.engine.replay import AnyRuleset
from games.engine.values import replace
from league.core import formats, scoring
from league.core.drawing import drawing
from league.core.drawing.draw import entry_sizes, stage_sizes, table_sizes
from league.core.records import Rate
from league.core.standings import tie_breaks
from league.core.state.plan import Editions, Opening, StagePlan

# ---- Editions of draw engines, formats and scoring -----------------------------------------------

ROLES: Final = (1, 2, 3)
"""The editions of who may write what. Of the first, organisers wrote whatever the server wrote too.

Of the first two, results may leave out which seats left their games.
"""


class _Named(NamedTuple):
    """Something that has editions: its field in `Editions`, its title, the number named, and those known."""

    field: str
    title: str
    number: int
    known: Sequence[int]

    @property
    def unknown(self) -> Message:
        return text(
            "%(title)s: there is no edition %(number)d in this release, the newest is %(newest)d.",
            title=Message(self.title, {}),
            number=self.number,
            newest=self.known[-1],
        )


def _of(plan: StagePlan) -> Iterator[_Named]:
    named = plan.editions
    yield _Named("draws", text("Draw engine"), named.draws, sorted(drawing.EDITIONS))
    yield _Named("format", formats.find(plan.format).title, named.format, formats.editions(plan.format))
    yield _Named("scoring", text("Scoring"), named.scoring, sorted(scoring.EDITIONS))


def with_editions(plan: StagePlan) -> StagePlan:
    """Return the plan of a stage that is announced, with the newest editions where it names none.

    Raises `Malformed` for an edition that is not known here.
    """
    found = list(_of(plan))
    unknown = {
        f"editions.{each.field}": [each.unknown] for each in found if each.number not in (0, *each.known)
    }
    if unknown:
        raise Malformed(unknown)
    chosen = Editions(**{each.field: each.number or each.known[-1] for each in found})
    return replace(plan, editions=chosen)


def check_known(plan: StagePlan) -> None:
    """Raise `Illegal` where the plan of a stage in a log has something unknown here, or names no edition."""
    if plan.format not in formats.BY_KEY:
        raise Illegal("There is no format %(key)s in this release.", key=plan.format)
    if unknown := [key for key in plan.tie_breaks if key not in tie_breaks.BY_KEY]:
        raise Illegal("There is no tie-break %(key)s in this release.", key=unknown[0])
    for each in _of(plan):
        if each.number == 0:
            raise Illegal("A log names the editions of its draw engine, formats and scoring.")
        if each.number not in each.known:
            raise Illegal(each.unknown)
    try:
        with below("params"):
            formats.of(plan).read_params(plan)
    except Malformed as refusal:
        raise Illegal(refusal.sentence) from None


def check_roles(number: int) -> None:
    """Raise `Illegal` where a log names an edition of roles that is not known here."""
    if number not in ROLES:
        raise Illegal(_Named("roles", text("Roles"), number, ROLES).unknown)


# ---- Checks before the opening -------------------------------------------------------------------


def fitting(game: AnyRuleset, options: Mapping[str, Json]) -> tuple[tuple[int, ...], JsonObject]:
    """Return the numbers of seats for which a game accepts the options, and the options with defaults.

    Raises `Malformed` where it accepts them for no number of seats.
    """
    refused: Malformed | None = None
    fitting: list[int] = []
    complete: JsonObject = {}
    for seats in game.seats:
        try:
            complete = game.write_options(game.read_options(options, seats))
            fitting.append(seats)
        except Malformed as refusal:
            refused = refusal
    if refused and not fitting:
        raise refused
    return tuple(fitting), complete


def check_plans(opened: Opening) -> None:
    """Raise `Malformed` where stages do not fit the game or their formats; paths name the stage by index."""
    stages = (None, *opened.stages)
    with together() as each:
        for index, plan in enumerate(opened.stages):
            with each(), below(f"stages.{index}"):
                check_plan(opened, plan, stages[index])
        if not entry_sizes(opened):
            with each():
                raise Malformed({"team_size": [text("The game has no table for teams of this size.")]})


def check_plan(opened: Opening, plan: StagePlan, before: StagePlan | None) -> None:
    """Raise `Malformed` where a stage does not fit its format, the game, or the stage before."""
    format_ = formats.of(with_editions(plan))
    with together() as each:
        with each(), below("params"):
            format_.read_params(plan)
        with each():
            format_.check_plan(opened, plan)
        for check in (
            _check_tie_breaks,
            _check_table_size,
            _check_sizes,
            _check_match,
            _check_byes,
            _check_average,
            _check_match_points,
        ):
            with each():
                check(opened, plan)
        with each():
            _check_intake(plan, before)
        if plan.rounds == 0 and format_.rounds_asked:
            with each():
                raise Malformed({"rounds": [text("This format needs a number of rounds.")]})


def _check_tie_breaks(_opened: Opening, plan: StagePlan) -> None:
    if unknown := [key for key in plan.tie_breaks if key not in tie_breaks.BY_KEY]:
        raise Malformed({"tie_breaks": [text("There is no tie-break %(key)s.", key=unknown[0])]})


def _check_table_size(opened: Opening, plan: StagePlan) -> None:
    if (sizes := entry_sizes(opened)) and plan.table_size not in sizes:
        sentence = plural(
            "The game has no table for %(size)d entry; choose %(sizes)s.",
            "The game has no table for %(size)d entries; choose %(sizes)s.",
            plan.table_size,
            size=plan.table_size,
            sizes=either([str(size) for size in sizes]),
        )
        raise Malformed({"table_size": [sentence]})


def _check_match(opened: Opening, plan: StagePlan) -> None:
    if plan.match and stage_sizes(opened, plan) != (2,):
        raise Malformed({"best_of": [text("Only at tables of two sides can a match have several games.")]})


def _check_byes(_opened: Opening, plan: StagePlan) -> None:
    """Raise `Malformed` where a stage whose format can't give them plans byes on request or late credit."""
    sentences = {
        "requested_byes": text(
            "In this format nobody can ask for a bye: choose rounds for everybody, or Swiss."
        ),
        "late_rounds": text(
            "In this format a late entry earns nothing for rounds that it missed: choose rounds for "
            "everybody, or Swiss."
        ),
    }
    ignored = formats.of(with_editions(plan)).ignores
    if wrong := {name: [told] for name, told in sentences.items() if name in ignored and vars(plan)[name]}:
        raise Malformed(wrong)


def _check_average(opened: Opening, plan: StagePlan) -> None:
    if not plan.scoring.average:
        return
    sentence = None
    if not formats.of(with_editions(plan)).open_tables:
        sentence = text("Only where tables open one by one can points be averages.")
    elif Rate(plan.scoring, plan.table_size, opened.low_wins).low_points_win:
        sentence = text("Where the fewest points win, missing tables cannot count 0.")
    if sentence:
        raise Malformed({"scoring.average": [sentence]})


def _check_match_points(opened: Opening, plan: StagePlan) -> None:
    points = plan.scoring.match_points
    sentence = None
    if points and (opened.lineup != "boards" or stage_sizes(opened, plan) != (2,)):
        sentence = text("Match points are for teams whose players sit at different tables of two.")
    elif len(points) not in (0, 3):
        sentence = text("Give three numbers: for a team match that is won, drawn, lost.")
    elif sorted(map(Fraction, points), reverse=True) != [*map(Fraction, points)]:
        sentence = text(
            "A team match that is won earns no less than one drawn, and that no less than one lost."
        )
    if sentence:
        raise Malformed({"scoring.match_points": [sentence]})


def _check_sizes(opened: Opening, plan: StagePlan) -> None:
    """Raise `Malformed` where the divisions can't have the sizes that the plan asks for."""
    sizes = plan.intake.sizes
    if sizes and len(sizes) >= plan.groups:
        raise Malformed({"intake.sizes": [_too_many_sizes(plan.groups - 1)]})
    allowed = stage_sizes(opened, plan)
    for size in sizes:
        if allowed and not table_sizes(size, allowed, plan.table_size):
            least = min(allowed)
            sentence = plural(
                "No table can be made of %(size)d entry: it takes %(least)d.",
                "No table can be made of %(size)d entries: it takes %(least)d.",
                size,
                size=size,
                least=least,
            )
            raise Malformed({"intake.sizes": [sentence]})


def _too_many_sizes(most: int) -> Message:
    return plural(
        "Give at most %(count)d size: the last division takes all who are left.",
        "Give at most %(count)d sizes: the last division takes all who are left.",
        most,
    )


def _check_intake(plan: StagePlan, before: StagePlan | None) -> None:
    intake = plan.intake
    if before is None and intake.source != "entries":
        raise Malformed({"intake.source": [text("The first stage must be for all entries.")]})
    if intake.source == "best" and intake.best == 0:
        raise Malformed({"intake.best": [text("This must say how many of each group qualify.")]})
    if intake.source == "promotion" and before and plan.groups != before.groups:
        raise Malformed(
            {
                "groups": [
                    text("This must be the same as in the stage before: %(count)d.", count=before.groups)
                ]
            }
        )
