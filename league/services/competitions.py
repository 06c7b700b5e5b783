"""Competitions: opening, entries, and the course of the whole.

Each verb but the first returns what stands in the log after it. With ``seq`` it is written at just that place
and the same again is answered as before; without one it is written wherever the log stands.
"""

import secrets
from collections.abc import Mapping, Sequence

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.engine import chance, clocks, shapes
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.jsontypes import Json
from games.engine.refusals import Malformed, below
from league import log, permissions
from league.competition import commands
from league.competition.events import Entering, Event, Opened, StagePlan
from league.competition.state import Competition as State
from league.competition.values import Lineup, Overdue, Pace
from league.log import Appended, Author
from league.models import Account, Club, Competition
from league.services.play import in_zone_of
from league.services.writing import direct, organiser, settle, told

# ---- Opening -------------------------------------------------------------------------------------


def open_competition(
    *,
    by: Account,
    club: Club,
    name: str,
    ruleset: str,
    options: Mapping[str, Json],
    stages: Sequence[object],
    slug: str = "",
    pace: Pace = "manual",
    lineup: Lineup = "single",
    team_size: int = 1,
    entering: object = None,
    clock: Clock = NO_CLOCK,
    overdue: Overdue = "organiser",
) -> Competition:
    """Return a new competition of the club, its rules fixed for good; nobody has entered yet.

    ``stages`` and ``entering`` are JSON as the log holds it (`league.competition.events.StagePlan`,
    `Entering`); the clock is that of each game, ``overdue`` says what becomes of games that run past their
    round's deadline. Raises `Malformed` and PermissionDenied.
    """
    permissions.require_organiser(club.pk, by)
    (opening,) = commands.open_competition(
        name=name,
        ruleset=ruleset,
        options=options,
        stages=_plans(stages),
        seed=secrets.token_hex(chance.SECRET_BYTES),
        clock=shapes.write(clocks.read(in_zone_of(club, clock))),
        pace=pace,
        lineup=lineup,
        team_size=team_size,
        entering=shapes.read(Entering, entering or {}),
        overdue=overdue,
    )
    return _opened(club, _slug(slug, name), opening, organiser(by))


def _opened(club: Club, slug: str, opening: Event, author: Author) -> Competition:
    assert isinstance(opening, Opened)
    try:
        with transaction.atomic():
            appended = log.open_competition(club=club.pk, slug=slug, opening=opening, author=author)
            settle(appended)
    except IntegrityError:
        raise Malformed({"slug": [_("There is a competition of this address already.")]}) from None
    return appended.competition


def _plans(stages: Sequence[object]) -> Sequence[StagePlan]:
    """Return the plans that the JSON says; raise `Malformed` with the number of the stage in each path."""
    plans: list[StagePlan] = []
    errors: dict[str, list[str]] = {}
    for number, stage in enumerate(stages):
        try:
            with below(f"stages.{number}"):
                plans.append(_plan(stage))
        except Malformed as refusal:
            errors |= refusal.errors
    if errors:
        raise Malformed(errors)
    return plans


def _plan(stage: object) -> StagePlan:
    """Return the plan that the JSON says; a format without parameters need not be given any."""
    return shapes.read(StagePlan, {"params": {}, **stage} if isinstance(stage, dict) else stage)


def _slug(slug: str, name: str) -> str:
    """Return the address that was asked for, or a free one made of the name; raise `Malformed`."""
    if not slug:
        return free_slug(name)
    try:
        Competition._meta.get_field("slug").run_validators(slug)
    except ValidationError as error:
        raise Malformed({"slug": error.messages}) from None
    return slug


def free_slug(name: str) -> str:
    """Return an address that no competition has, made of a name; a free address gives itself."""
    stem = slugify(name)[:60] or "competition"
    taken = {*Competition.objects.filter(slug__startswith=stem).values_list("slug", flat=True)}
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (stem, *numbered) if slug not in taken)


# ---- The course of the whole ---------------------------------------------------------------------


def open_entries(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """Let players enter themselves."""
    return direct(by=by, competition=competition, command=told("entries_opened"), seq=seq)


def close_entries(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """Let only organisers enter anybody from here on."""
    return direct(by=by, competition=competition, command=told("entries_closed"), seq=seq)


def add_stage(*, by: Account, competition: Competition, stage: object, seq: int | None = None) -> Appended:
    """Announce one more stage after the last, such as a league's next season.

    ``stage`` is JSON as the log holds it (`league.competition.events.StagePlan`). Raises `Malformed` where it
    fits neither its format nor the game. It begins by `start_stage`, at the automatic pace by itself.
    """
    with below("stage"):
        plan = _plan(stage)

    def command(state: State) -> commands.Events:
        with below("stage"):
            return commands.add_stage(state, plan=plan)

    return direct(by=by, competition=competition, command=command, seq=seq)


def add_season(
    *,
    by: Account,
    competition: Competition,
    name: str,
    promoted: int = 1,
    relegated: int = 1,
    carry: str = "0",
    seq: int | None = None,
) -> Appended:
    """Announce the last stage once more as a league's next season.

    The best ``promoted`` of each division go up, the last ``relegated`` go down, who is new begins at the
    bottom; ``carry`` is the part of the points that comes along. It begins by `start_stage`. At the automatic
    pace say it before the last round closes, for a competition without a stage to come is finished then.
    """

    def command(state: State) -> commands.Events:
        return commands.add_season(state, name=name, promoted=promoted, relegated=relegated, carry=carry)

    return direct(by=by, competition=competition, command=command, seq=seq)


def start_stage(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """Begin the next stage with those whom its intake takes in, once every round before is closed.

    The first stage begins with `start`. Raises `Illegal` where there is none to come, a round is open, or a
    group is too small for any table.
    """
    return direct(by=by, competition=competition, command=commands.start_stage, seq=seq)


def start(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """Start the competition and its first stage."""
    return direct(by=by, competition=competition, command=commands.start, seq=seq)


def pause(*, by: Account, competition: Competition, reason: str = "", seq: int | None = None) -> Appended:
    """Draw, publish and close nothing until it is resumed; results of open games still count."""
    return direct(by=by, competition=competition, command=told("paused", reason=reason), seq=seq)


def resume(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """End a pause."""
    return direct(by=by, competition=competition, command=told("resumed"), seq=seq)


def cancel(*, by: Account, competition: Competition, reason: str, seq: int | None = None) -> Appended:
    """End the competition without a winner."""
    return direct(by=by, competition=competition, command=told("cancelled", reason=reason), seq=seq)


def finish(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """End the competition; its standings are final."""
    return direct(by=by, competition=competition, command=told("finished"), seq=seq)
