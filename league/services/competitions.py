"""Opening a competition: the first entry of its log. All that follows is `league.services.verbs`."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from games.engine import clocks, shapes
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.jsontypes import Json
from games.engine.messages import text
from games.engine.refusals import Malformed, below
from league import log
from league.choices import EventRole
from league.core.commitment import Tree
from league.core.state.plan import Entering, Opening, StagePlan, Waits
from league.core.state.values import Entropy, Lineup, Overdue, Pace
from league.core.verbs.stages import read_plan
from league.core.verbs.start import Opened, opening_of
from league.log import Author
from league.models import Account, Club, Competition
from league.queries import permissions
from league.services import commitments
from league.services.casual_games import in_zone_of
from league.services.details import change_details
from league.services.verbs import follow


class Chosen(TypedDict, total=False):
    """What an opening takes as it is, and has defaults for (`Opening`)."""

    pace: Pace
    lineup: Lineup
    team_size: int
    overdue: Overdue
    entropy: Entropy
    aided: bool
    open_hands: int | None


def open_competition(
    *,
    by: Account,
    club: Club,
    name: str,
    ruleset: str,
    options: Mapping[str, Json],
    stages: Sequence[object],
    slug: str = "",
    entering: object = None,
    clock: Clock = NO_CLOCK,
    waits: object = None,
    details: Mapping[str, Any] | None = None,
    **chosen: Unpack[Chosen],
) -> Competition:
    """Return a new competition of the club, without entries; its rules never change.

    ``stages``, ``entering`` and ``waits`` are JSON as the log holds it (`StagePlan`, `Entering`, `Waits`).
    The clock is that of each game, what is ``chosen`` is as in the opening, and ``details`` are as in
    `change_details`. Raises `Malformed` and PermissionDenied.
    """
    permissions.require_organiser(club.pk, by)
    tree = commitments.new_tree()
    announced = Opening(
        name=name,
        ruleset=ruleset,
        options=options,
        seats=(),
        low_wins=False,
        stages=tuple(_plans(stages)),
        root=tree.root,
        clock=shapes.write(clocks.read(in_zone_of(club, clock))),
        entering=shapes.read(Entering, entering or {}),
        waits=shapes.read(Waits, waits or {}),
        **chosen,
    )
    with transaction.atomic():
        made = _opened(club, _slug(slug, name), opening_of(announced), _organiser(by), tree)
        if details:
            change_details(by=by, competition=made, values=details)
    return made


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
        raise Malformed({"slug": [text("There is already a competition with this address.")]}) from None
    return appended.competition


def _plans(stages: Sequence[object]) -> Sequence[StagePlan]:
    """Return the plans that the JSON says; raise `Malformed` with the number of the stage in each path."""
    plans: list[StagePlan] = []
    errors: dict[str, list[str]] = {}
    for number, stage in enumerate(stages):
        try:
            with below(f"stages.{number}"):
                plans.append(read_plan(stage))
        except Malformed as refusal:
            errors |= refusal.errors
    if errors:
        raise Malformed(errors)
    return plans


def _slug(slug: str, name: str) -> str:
    """Return the address that was given, or a free one made of the name; raise `Malformed`."""
    if not slug:
        return free_slug(name)
    try:
        Competition._meta.get_field("slug").run_validators(slug)
    except ValidationError as error:
        raise Malformed({"slug": error.messages}) from None
    return slug


def free_slug(name: str) -> str:
    """Return an address that no competition has, made of a name; a free address is returned as it is."""
    stem = slugify(name)[:60] or "competition"
    taken = {*Competition.objects.filter(slug__startswith=stem).values_list("slug", flat=True)}
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (stem, *numbered) if slug not in taken)
