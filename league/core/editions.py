"""The editions of draw engines, formats and scoring: which are known here, and which a stage has."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed, below
from games.engine.values import replace
from league.core import formats, scoring
from league.core.drawing import drawing
from league.core.standings import tie_breaks
from league.core.state.plan import Editions, StagePlan

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


def named(plan: StagePlan) -> StagePlan:
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


def check(plan: StagePlan) -> None:
    """Raise `Illegal` where the plan of a stage in a log has something unknown here, or names no edition."""
    if plan.format not in formats.BY_KEY:
        raise Illegal(text("There is no format %(key)s in this release.", key=plan.format))
    if unknown := [key for key in plan.tie_breaks if key not in tie_breaks.BY_KEY]:
        raise Illegal(text("There is no tie-break %(key)s in this release.", key=unknown[0]))
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
