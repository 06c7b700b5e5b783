"""Competitions: opening, entries, and the course of the whole.

Each verb but the first returns what stands in the log after it. With ``seq`` it is written at just that place
and the same again is answered as before; without one it is written wherever the log stands.
"""

import secrets
from collections.abc import Mapping, Sequence
from uuid import UUID, uuid5

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.engine import chance, clocks, shapes
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.jsontypes import Json
from games.engine.refusals import Malformed
from league import log, permissions
from league.competition import commands
from league.competition.events import Entering, Event, Lineup, Opened, Pace, StagePlan
from league.competition.state import Competition as State
from league.log import Appended, Author
from league.models import Account, Club, Competition, Player
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
) -> Competition:
    """Return a new competition of the club, its rules fixed for good; nobody has entered yet.

    ``stages`` and ``entering`` are JSON as the log holds it (`league.competition.events.StagePlan`,
    `Entering`); the clock is that of each game. Raises `Malformed` and PermissionDenied.
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
    """Return the plans that the JSON says; raise `Malformed` with the number of the stage in each path.

    A format without parameters need not be given any.
    """
    plans, errors = [], {}
    for number, stage in enumerate(stages):
        try:
            plans.append(
                shapes.read(StagePlan, {"params": {}, **stage} if isinstance(stage, dict) else stage)
            )
        except Malformed as refusal:
            errors.update({f"stages.{number}.{path}": said for path, said in refusal.errors.items()})
    if errors:
        raise Malformed(errors)
    return plans


def _slug(slug: str, name: str) -> str:
    """Return the address that was asked for, or a free one made of the name; raise `Malformed`."""
    if not slug:
        return _free_slug(slugify(name)[:60] or "competition")
    try:
        Competition._meta.get_field("slug").run_validators(slug)
    except ValidationError as error:
        raise Malformed({"slug": error.messages}) from None
    return slug


def _free_slug(stem: str) -> str:
    taken = {*Competition.objects.filter(slug__startswith=stem).values_list("slug", flat=True)}
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (stem, *numbered) if slug not in taken)


# ---- Entries -------------------------------------------------------------------------------------


def open_entries(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """Let players enter themselves."""
    return direct(by=by, competition=competition, command=told("entries_opened"), seq=seq)


def close_entries(*, by: Account, competition: Competition, seq: int | None = None) -> Appended:
    """Let only organisers enter anybody from here on."""
    return direct(by=by, competition=competition, command=told("entries_closed"), seq=seq)


def enter(
    *,
    by: Account,
    competition: Competition,
    players: Sequence[UUID],
    name: str = "",
    affiliation: str = "",
    from_round: int | None = None,
    seq: int | None = None,
) -> Appended:
    """Enter a player, or a team of players, of the club; a team without a name is called by its players.

    After the start it is a late entry, from the next round to be published unless a later one is named.
    """
    names = _names(competition, players)

    def command(state: State) -> commands.Events:
        return commands.enter(
            state,
            # Named by its place in the log, so that a retry enters nobody a second time.
            entry=str(uuid5(competition.pk, f"entry {state.seq + 1}")),
            name=name or " & ".join(names),
            players=[str(player) for player in players],
            affiliation=affiliation,
            from_round=from_round,
        )

    return direct(by=by, competition=competition, command=command, seq=seq)


def _names(competition: Competition, players: Sequence[UUID]) -> Sequence[str]:
    """Return the names of active players of the club, in order; raise `Malformed`."""
    names = dict(
        Player.objects.filter(club=competition.club_id, active=True, pk__in=players).values_list("pk", "name")
    )
    unknown = [number for number, player in enumerate(players) if player not in names]
    if unknown:
        raise Malformed(
            {f"players.{number}": [_("The club has no such active player.")] for number in unknown}
        )
    return [names[player] for player in players]


def withdraw(
    *,
    by: Account,
    competition: Competition,
    entry: UUID,
    reason: str = "",
    from_round: int | None = None,
    seq: int | None = None,
) -> Appended:
    """Withdraw an entry from a round on; before the start its place goes to the first that waits."""

    def command(state: State) -> commands.Events:
        return commands.withdraw(state, entry=str(entry), reason=reason, from_round=from_round)

    return direct(by=by, competition=competition, command=command, seq=seq)


def substitute(
    *,
    by: Account,
    competition: Competition,
    entry: UUID,
    out: UUID,
    into: UUID,
    reason: str = "",
    from_round: int | None = None,
    seq: int | None = None,
) -> Appended:
    """Let another player of the club play for an entry, from the next round or a later one on."""
    _names(competition, [into])

    def command(state: State) -> commands.Events:
        return commands.substitute(
            state, entry=str(entry), out=str(out), into=str(into), reason=reason, from_round=from_round
        )

    return direct(by=by, competition=competition, command=command, seq=seq)


# ---- The course of the whole ---------------------------------------------------------------------


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
