"""Opening a competition, the first entry of its log, what it tells about itself, and entering many players.

What it tells can be changed at any time: the club's audit record says who did. All else that follows the
opening is `league.services.verbs`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import repeat
from typing import Annotated, Any, Final, Required, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import ngettext

from games.engine import clocks, shapes
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.jsontypes import Json
from games.engine.messages import text
from games.engine.refusals import Malformed, below, together
from games.engine.shapes import Length
from league import hooks, log
from league.callers import ByAccount
from league.choices import EventRole
from league.core.commitment import Tree
from league.core.course import instants, unclear
from league.core.details import MOST_PRIZES, TIMING, NewDetails
from league.core.details import check as check_prizes
from league.core.presets import CLUB_PRESET, Preset
from league.core.state.plan import Entering, Opening, Qualified, StagePlan, Waits
from league.core.state.values import FIRST_YEAR, LAST_YEAR, Entropy, Lineup, Overdue, Pace
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.stages import read_plan
from league.core.verbs.start import Opened, opening_of
from league.files.file import Progress, no_progress
from league.files.pictures import rewritten
from league.log import Author
from league.models import Account, Club, ClubChange, Competition, Details, Job, Picture, Player
from league.models.names import address_of
from league.projections import public_names
from league.queries import permissions
from league.queries.names import MOST_NAMES, name_list
from league.services.audit import Values, note_change
from league.services.casual_games import in_zone_of
from league.services.checking import check
from league.services.jobs import KINDS, KindOfJob, Result
from league.services.players import NewPlayer, create_players
from league.services.verbs import follow, new_tree, perform

# ---- Details -------------------------------------------------------------------------------------

FIELDS: Final = (
    *("begins_on", "begins_at", "ends_on", "place", "description", "contact", "prizes", "picture_text"),
    *TIMING,
)
_MOVED: Final = ("begins_on", "begins_at", "ends_on", "place")
_PERSONAL: Final = ("description", "contact", "prizes", "picture_text")
"""What may name people: the record says that it changed, but not what it was."""


@transaction.atomic
def change_details(*, by: Account, competition: Competition, values: Mapping[str, Any]) -> Details:
    """Return the details with these values of `FIELDS`; fields that are left out keep theirs.

    ``prizes`` are of type `league.core.details.Prize`. Raises `Malformed` and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    stored = _locked(competition)
    before = _told(stored)
    _written(stored, values)
    now = _told(stored)
    _note(by, competition, before, now)
    if any(now[name] != before[name] for name in _MOVED):
        hooks.competition_moved(stored.competition, {name: before[name] for name in _MOVED})
    return stored


_TIMES: Final[Mapping[str, Callable[[str], object]]] = {
    "begins_on": date.fromisoformat,
    "begins_at": time.fromisoformat,
    "ends_on": date.fromisoformat,
}


def values_of(told: NewDetails) -> dict[str, Any]:
    """Return the values that `change_details` takes; raise `Malformed` for a day that no calendar has."""
    values = dict(vars(told))
    for name, read in _TIMES.items():
        try:
            values[name] = read(values[name]) if values[name] is not None else None
        except ValueError:
            raise Malformed({name: [text("There is no such day or time.")]}) from None
    return values


@transaction.atomic
def take_in_details(*, competition: Competition, told: NewDetails) -> Details:
    """Return the details of a competition that comes from another server; raises `Malformed`."""
    return _written(_locked(competition), values_of(told))


def check_details(club: Club, values: Mapping[str, Any]) -> None:
    """Raise `Malformed` where no competition of the club can have these details."""
    _filled(Details(competition=Competition(club=club)), values)


def _written(stored: Details, values: Mapping[str, Any]) -> Details:
    _filled(stored, values).save()
    return stored


def _filled(stored: Details, values: Mapping[str, Any]) -> Details:
    for name, value in values.items():
        assert name in FIELDS, name
        setattr(stored, name, value)
    if "prizes" in values:
        if len(values["prizes"]) > MOST_PRIZES:
            raise Malformed({"prizes": [text("At most %(most)d prizes can be listed.", most=MOST_PRIZES)]})
        check_prizes(values["prizes"])
        stored.prizes = [shapes.write(each) for each in values["prizes"]]
    _check_times(stored)
    check(stored, against_others=False)
    return stored


def _locked(competition: Competition) -> Details:
    """Return the stored details, made empty where there are none, locked against other changes."""
    Details.objects.get_or_create(competition=competition)
    return Details.objects.select_for_update(of=("self",), no_key=True).get(pk=competition.pk)


def _check_times(details: Details) -> None:
    between = text("This day must be between %(first)s and %(last)s.", first=FIRST_YEAR, last=LAST_YEAR)
    errors: dict[str, list[str]] = {
        name: [between]
        for name in ("begins_on", "ends_on")
        if (day := getattr(details, name)) and not FIRST_YEAR <= day.year <= LAST_YEAR
    }
    if errors:
        raise Malformed(errors)
    if details.begins_on is None and (details.ends_on or details.begins_at):
        errors["begins_on"] = [text("Give the first day too.")]
    elif details.begins_on and details.ends_on and details.ends_on < details.begins_on:
        errors["ends_on"] = [text("The last day can’t be before the first.")]
    elif details.begins_on and details.begins_at:
        wall, zone = datetime.combine(details.begins_on, details.begins_at), details.competition.club.zone
        # Of two such times in autumn it is the first, as in calendars, and pages name its zone.
        if not instants(wall, zone) and (asked := unclear(wall, zone)):
            errors["begins_at"] = [asked]
    if bool(details.break_after) != bool(details.break_minutes):
        errors["break_minutes"] = [text("Say both: after which round the break is, and how long.")]
    if errors:
        raise Malformed(errors)


@transaction.atomic
def set_picture(*, by: Account, competition: Competition, data: bytes) -> Details:
    """Return the details with a picture; raises `Malformed` for one that can't be used, PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    picture = rewritten(data)
    stored = _locked(competition)
    before = _told(stored)
    Picture.objects.update_or_create(competition=competition, defaults={"data": picture.data})
    stored.picture = picture.digest
    stored.picture_width, stored.picture_height = picture.width, picture.height
    stored.save()
    _note(by, competition, before, _told(stored))
    return stored


@transaction.atomic
def remove_picture(*, by: Account, competition: Competition) -> Details:
    """Return the details without a picture, which is erased; raises PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    stored = _locked(competition)
    before = _told(stored)
    Picture.objects.filter(competition=competition).delete()
    stored.picture, stored.picture_text = "", ""
    stored.picture_width = stored.picture_height = 0
    stored.save()
    _note(by, competition, before, _told(stored))
    return stored


def _told(details: Details) -> Mapping[str, Any]:
    return {name: getattr(details, name) for name in (*FIELDS, "picture")}


def _note(by: Account, competition: Competition, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    changed = [name for name, value in after.items() if value != before[name]]
    was: Values = {name: _noted(name, before[name]) for name in changed}
    now: Values = {name: _noted(name, after[name], replaced=bool(before[name])) for name in changed}
    kind = ClubChange.Kind.COMPETITION_DESCRIBED
    note_change(by, competition.club, kind, competition.name, before=was, after=now)


def _noted(name: str, value: Any, *, replaced: bool = False) -> str | None:
    """Return what the record, which can't be erased, says of a value."""
    if not value:
        return None
    if name in (*_PERSONAL, "picture"):
        return "other" if replaced else "some"
    return str(value)


# ---- Opening -------------------------------------------------------------------------------------


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
    qualified: Qualified


def given_by(preset: Preset, name: str) -> Given:
    """Return what a competition with a preset's game and settings is opened with."""
    kept: Any = {**preset.settings(), "name": name}
    with below("clock"):
        kept["clock"] = shapes.read(Clock, kept["clock"])
    opened: Given = kept
    return opened


def given_by_kept(by: Account, club: Club, preset: str, ruleset: str, name: str, slug: str) -> Given:
    """Return what a preset of the club's own opens, by its id; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    found = [of_app([club.pk]).get(f"{CLUB_PRESET}{preset}") for of_app in hooks.KEPT_PRESETS]
    kept = next(filter(None, found), None)
    if kept is None or kept.ruleset != ruleset.partition("@")[0]:
        raise Malformed({"club_preset": [text("The club has no such preset for this game.")]})
    opened = given_by(kept, name)
    opened["slug"] = slug
    return opened


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


# ---- Entering many players at once: those of the club who were chosen, and newcomers by name -----

_STAYING = ("applied", "waiting", "entered")


@dataclass(frozen=True)
class Entrants:
    """Who enters: players by id, then names in their order; ``add`` makes players of unknown names.

    A name that comes again is another person's where it is among the names of ``several``. ``meant`` has for
    each name the id of the player who is meant, "new", or an empty text where only one can be. With
    ``newcomers`` all names are those of people who are new to the club, even where a player has the name.
    ``teams`` are the names of the teams that these make, in their order, empty for a team without a name.
    """

    players: Annotated[tuple[Annotated[str, Length(36, 36)], ...], Length(0, MOST_NAMES)] = ()
    names: Annotated[tuple[Annotated[str, Length(1, 1000)], ...], Length(0, MOST_NAMES)] = ()
    add: bool = False
    several: Annotated[tuple[Annotated[str, Length(1, 1000)], ...], Length(0, MOST_NAMES)] = ()
    meant: Annotated[tuple[Annotated[str, Length(0, 36)], ...], Length(0, MOST_NAMES)] = ()
    newcomers: bool = False
    teams: Annotated[tuple[Annotated[str, Length(0, 100)], ...], Length(0, MOST_NAMES)] = ()


@transaction.atomic
def enter_players(
    *,
    by: Account,
    competition: Competition,
    entrants: Entrants,
    seq: int | None = None,
    progress: Progress = no_progress,
) -> int:
    """Enter those who have not entered yet, each on their own or in teams; return how many entries those are.

    Raises what `entering` and the verb raise; then nobody has entered and nobody was made.
    """
    if progress is no_progress:  # a job, which is long, locks the club at its end, or is done again
        public_names.lock(competition.club_id)
    verbs = entering(by=by, competition=competition, entrants=entrants)
    if verbs:
        perform(ByAccount(by), competition=competition, verb=verbs, seq=seq, progress=progress)
    return len(verbs)


@transaction.atomic
def entering(*, by: Account, competition: Competition, entrants: Entrants) -> Sequence[EnterPlayers]:
    """Make players of new names; return the verbs that enter those who have not entered yet.

    Raises `Malformed` with ``names`` where a name stands for nobody or for several players.
    """
    listed = name_list(competition.club, entrants.names, several=entrants.several, meant=entrants.meant)
    known = [None] * len(listed.names) if entrants.newcomers else listed.chosen()
    errors = [] if entrants.newcomers else listed.errors()
    if not (entrants.add or entrants.newcomers):
        errors += listed.errors_of_unknown()
    if errors:
        raise Malformed({"names": errors})
    named = _with_new(by, competition.club, listed.names, known)
    ids = [*entrants.players, *(str(player.pk) for player in named)]
    state = log.latest(Competition.objects.get(pk=competition.pk))
    entered = {frozenset(entry.players) for entry in state.entries if entry.status in _STAYING}
    teams = zip(*[iter(ids)] * state.opening.team_size, strict=True)
    named_teams = dict.fromkeys(zip(teams, entrants.teams or repeat(""), strict=False))
    return [EnterPlayers(team, name) for team, name in named_teams if frozenset(team) not in entered]


def _with_new(
    by: Account, club: Club, names: Sequence[str], known: Sequence[Player | None]
) -> Sequence[Player]:
    """Return the player of each name; where it has none, one is made."""
    new = [NewPlayer(name) for name, player in zip(names, known, strict=True) if player is None]
    made = iter(create_players(by=by, club=club, new=new) if new else ())
    return [player or next(made) for player in known]


def _enter_players(job: Job, progress: Progress) -> Result:
    entrants = shapes.read(Entrants, job.given["entrants"])
    entered = enter_players(
        by=job.by,
        competition=Competition.objects.select_related("club").get(jobs=job),
        entrants=entrants,
        progress=progress,
    )
    return Result({"entered": entered})


def _entered(job: Job) -> str:
    count = job.result["entered"]
    added = ngettext("%(count)d entry was added.", "%(count)d entries were added.", count)
    return added % {"count": count}


KINDS[Job.Kind.ENTER_PLAYERS] = KindOfJob(_enter_players, _entered)
