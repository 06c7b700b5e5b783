"""Opening a competition: the first entry of its log. All that follows is `league.services.verbs`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Required, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from games.engine import clocks, shapes
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.jsontypes import Json
from games.engine.messages import text
from games.engine.refusals import Malformed, below, together
from league import log
from league.choices import EventRole
from league.core.commitment import Tree
from league.core.state.plan import Entering, Opening, StagePlan, Waits
from league.core.state.values import Entropy, Lineup, Overdue, Pace
from league.core.verbs.stages import read_plan
from league.core.verbs.start import Opened, opening_of
from league.log import Author
from league.models import Account, Club, Competition
from league.models.names import address_of
from league.queries import permissions
from league.services.casual_games import in_zone_of
from league.services.details import change_details, check_details
from league.services.verbs import follow, new_tree


class Given(TypedDict, total=False):
    """What a competition is opened with; what is left out is as in `Opening`.

    ``stages``, ``entering`` and ``waits`` are JSON as the log holds it (`StagePlan`, `Entering`, `Waits`).
    The clock is that of each game, and ``details`` are as in `change_details`.
    """

    name: Required[str]
    ruleset: Required[str]
    options: Required[Mapping[str, Json]]
    stages: Required[Sequence[object]]
    slug: str
    entering: object
    clock: Clock
    waits: object
    details: Mapping[str, Any] | None
    pace: Pace
    lineup: Lineup
    team_size: int
    overdue: Overdue
    entropy: Entropy
    aided: bool
    open_hands: int | None


_TAKEN: Final = text("There is already a competition with this address.")
_READ: Final = ("stages", "slug", "entering", "clock", "waits", "details")


def open_competition(*, by: Account, club: Club, **given: Unpack[Given]) -> Competition:
    """Return a new competition of the club, without entries; its rules never change.

    Raises `Malformed` with all that is wrong, and PermissionDenied.
    """
    permissions.require_organiser(club.pk, by)
    tree = new_tree()
    opening = check_opening(club=club, root=tree.root, **given)
    with transaction.atomic():
        address = given.get("slug") or free_slug(given["name"])
        made = _opened(club, address, opening, _organiser(by), tree)
        if details := given.get("details"):
            change_details(by=by, competition=made, values=details)
    return made


def check_opening(*, club: Club, root: str, **given: Unpack[Given]) -> Opened:
    """Return the opening that a competition would have; raise `Malformed` with all that is wrong."""
    plans: Sequence[StagePlan] | None = None
    parts: dict[str, Any] = {name: value for name, value in given.items() if name not in _READ}
    with together() as each:
        with each():
            plans = _plans(given["stages"])
        with each():
            parts["clock"] = shapes.write(clocks.read(in_zone_of(club, given.get("clock", NO_CLOCK))))
        with each():
            parts["entering"] = shapes.read(Entering, given.get("entering") or {})
        with each():
            parts["waits"] = shapes.read(Waits, given.get("waits") or {})
        with each():
            _check_slug(given.get("slug", ""))
        with each():
            check_details(club, given.get("details") or {})
        if plans is not None and {"clock", "entering", "waits"} <= parts.keys():
            with each():
                announced = Opening(seats=(), low_wins=False, stages=tuple(plans), root=root, **parts)
                opening = opening_of(announced)
    return opening


def _organiser(account: Account) -> Author:
    return Author(EventRole.ORGANISER, str(account.pk))


def _opened(club: Club, slug: str, opening: Opened, author: Author, tree: Tree) -> Competition:
    try:
        with transaction.atomic():
            appended = log.open_competition(
                club=club.pk, slug=slug, opening=opening, author=author, tree=tree
            )
            follow(appended)
    except IntegrityError:
        raise Malformed({"slug": [_TAKEN]}) from None
    return appended.competition


def _plans(stages: Sequence[object]) -> Sequence[StagePlan]:
    """Return the plans that the JSON says; raise `Malformed` with the number of the stage in each path."""
    plans: list[StagePlan] = []
    with together() as each:
        for number, stage in enumerate(stages):
            with each(), below(f"stages.{number}"):
                plans.append(read_plan(stage))
    return plans


def _check_slug(slug: str) -> None:
    """Raise `Malformed` for an address that a competition can't have; an empty one is made of the name."""
    try:
        if slug:
            Competition._meta.get_field("slug").run_validators(slug)
    except ValidationError as error:
        raise Malformed({"slug": error.messages}) from None
    if slug and Competition.objects.filter(slug=slug).exists():
        raise Malformed({"slug": [_TAKEN]})


def free_slug(name: str) -> str:
    """Return an address that no competition has, made of a name; a free address is returned as it is."""
    stem = address_of(name)[:60] or "competition"
    taken = {*Competition.objects.filter(slug__startswith=stem).values_list("slug", flat=True)}
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (stem, *numbered) if slug not in taken)
