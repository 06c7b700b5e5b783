"""The release gate: everything stored, replayed by this release, and each difference in words.

A release must not change the result of a recorded game or competition: such a change belongs in a new version
of the ruleset. To find what a rebuild would change, it is done and rolled back.
"""

import hashlib
import json
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet

from games import archiving, packages, partitions, rebuilding
from games import log as games
from games.engine.refusals import NotReplayable, Refusal
from games.models import Game, Seat
from games.verifier import WrongLog
from league import log
from league.core import verifier
from league.core.verbs.results import ResultRecorded
from league.core.verifier import DIFFERENT
from league.models import (
    Bye,
    Club,
    ClubGame,
    Competition,
    Entry,
    EntryPlayer,
    GameRating,
    Player,
    Rating,
    Ratings,
    Round,
    RoundStandings,
    Stage,
    Standings,
    Table,
    TableSeat,
    VerifiedLog,
)
from league.ops.database.base import NEAREST
from league.ops.folders import TOP
from league.ops.prepare import schema_differences
from league.projections import appearing, public_names, ratings, standings
from league.projections.standings import compute_standings
from league.queries import due
from league.services import shares, tampering
from league.services.shares import Done, Place, Step, steps

Check: TypeAlias = Callable[[UUID], Iterator[str]]
"""Yields what is wrong with a subject."""
Rows: TypeAlias = Mapping[tuple[type[Model], Any], Mapping[str, Any]]
"""Rows by table and key, as column → value."""

_BELOW: Final[Mapping[type[Model], str]] = {
    Entry: "competition",
    EntryPlayer: "entry__competition",
    Stage: "competition",
    Round: "stage__competition",
    Bye: "round__stage__competition",
    Table: "round__stage__competition",
    TableSeat: "table__round__stage__competition",
    RoundStandings: "competition",
}
"""Where each table of rows names its competition."""
_LONGEST: Final = 200
_SHARES: Final[Mapping[type[Model], int]] = {Game: 50, Competition: 1}
"""How many subjects a process gets at a time."""


def verify(*, processes: int, since: Place, changed: bool = False, stopped: bool = False) -> Iterator[Step]:
    """Check every log that comes after a place, and what is stored of it; yield each step in order.

    Each game and competition is locked while it is looked at. With ``changed`` those are left out that this
    release has found good at the head that they have now. Where workers have ``stopped``, what they have not
    followed yet is told if they should have before.
    """
    parts = {
        "schema": _of_schema(),
        "archives": archiving.wrong_archives(tampering.imported),
        "partitions": partitions.wrong_bounds(),
    }
    found = [each for of, part in parts.items() for each in shares.to_its_end(of, part)]
    if wrong := [*found, *tampering.differences()]:
        yield Step(Place(), 0, Done(0, wrong))
    checks: Mapping[type[Model], Check] = {
        Game: of_game,
        Competition: partial(of_competition, stopped=stopped),
    }
    stages = {
        str(model._meta.verbose_name_plural): shares.Stage(
            partial(_to_verify, model, changed), _SHARES[model], partial(_verified, model, check)
        )
        for model, check in checks.items()
    }
    clubs = str(Club._meta.verbose_name_plural)
    stages[clubs] = shares.Stage(Club.objects.all, 1, partial(_clubs_verified, stopped))
    yield from steps(stages, processes=processes, since=since)


def _of_schema() -> Iterator[str]:
    yield from (f"schema: there should be {each}" for each in schema_differences())


def _to_verify(model: type[Model], changed: bool) -> QuerySet[Any]:
    rows: QuerySet[Any] = model._default_manager.all()
    if model is Game:
        rows = partitions.with_logs(Game.kept.all())
    good = VerifiedLog.objects.filter(stream=OuterRef("pk"), head=OuterRef("head"), release=_release())
    return rows.exclude(Exists(good)) if changed else rows


def _verified(model: type[Model], check: Check, ids: Sequence[UUID]) -> Done:
    """Check subjects, and note the heads of those that are good."""
    entries, wrong, good = 0, list[str](), list[VerifiedLog]()
    for pk in ids:
        with transaction.atomic():
            found = _found(check, pk)
            row: Any = model._default_manager.filter(pk=pk)[0]
        if isinstance(row, Game):
            entries += row.seq
        name = row.slug if isinstance(row, Competition) else pk
        wrong += [f"{model._meta.verbose_name} {name}: {each}" for each in found]
        if not found:
            good.append(VerifiedLog(stream=pk, head=row.head, release=_release()))
    VerifiedLog.objects.bulk_create(
        good, update_conflicts=True, unique_fields=["stream"], update_fields=["head", "release"]
    )
    return Done(entries, wrong)


def _clubs_verified(stopped: bool, ids: Sequence[UUID]) -> Done:
    """Check the rating lists of clubs."""
    wrong = list[str]()
    for pk in ids:
        with transaction.atomic():
            wrong += [f"club {pk}: {each}" for each in _found(partial(of_club, stopped=stopped), pk)]
    return Done(0, wrong)


def _found(check: Check, pk: UUID) -> list[str]:
    """Return what is wrong with a subject, and with what its check ended if it did: that stops no other."""
    found = list[str]()
    try:
        with transaction.atomic():
            found.extend(check(pk))
    except Exception as error:  # whatever a row makes of the code is a finding
        why = f"{type(error).__name__}: {_short(error)}"
        found.append(f"it can't be checked further, a value is damaged or contradicts others: {why}")
    return found


@cache
def _release() -> str:
    """Return a digest of the code that verifies."""
    code = packages.fingerprint() + packages.digest_of(TOP / "league")
    return hashlib.sha256(code.encode()).hexdigest()


def of_game(pk: UUID) -> Iterator[str]:
    """Yield what is wrong with a game: in its log, or between the log and its rows."""
    game = Game.objects.select_for_update(no_key=True).get(pk=pk)
    if not games.has_its_seed(game):
        yield "its secret seed is not the one to which its opening commits: the seed was changed"
        return
    try:
        games.verified(game)
    except WrongLog as wrong:
        yield str(wrong)
        return
    kept = [Game.objects.filter(pk=pk), Seat.objects.filter(game=pk)]
    try:
        yield from _changed_by(lambda: rebuilding.rebuild([pk]), kept)
    except (Refusal, NotReplayable) as refused:
        yield f"it cannot be replayed: {refused}"


def of_competition(pk: UUID, *, stopped: bool = False) -> Iterator[str]:
    """Yield what is wrong with a competition: in its log, its draws, its results, or in its rows.

    Where workers have ``stopped``, standings follow the log as far as they had the time.
    """
    competition = Competition.objects.select_for_update(no_key=True).get(pk=pk)
    try:
        log.verified(competition)
    except WrongLog as wrong:
        yield str(wrong)
        return
    steps = list(verifier.steps(log.as_file(competition)))
    yield from _of_events(steps)
    if lag := _lag(competition, Standings, stopped):
        yield f"its standings {lag}"
    kept = _kept_of(competition, standings.games_of(step.event for step in steps))
    yield from _changed_by(lambda: standings.rebuild(pk), kept, lambda: compute_standings(pk))


def of_club(pk: UUID, *, stopped: bool = False) -> Iterator[str]:
    """Yield what differs in a club's rating lists once they have followed the logs as they are now.

    Of a competition whose log can't be read the lists are taken to be right; its own check names it.
    """
    ratings.lock(pk)
    competitions = Competition.objects.filter(club=pk).order_by("pk")
    for competition in competitions.iterator():
        if lag := _lag(competition, Ratings, stopped):
            yield f"the ratings of competition {competition.slug} {lag}"

    try:
        yield from _of_lists(pk, competitions, ())
    except Exception:  # whatever the rows of one make of the code
        unreadable = [each.pk for each in competitions.iterator() if not _is_readable(each)]
        if not unreadable:
            raise
        yield from _of_lists(pk, competitions, unreadable)
    if any(_of_people(pk)):  # people come and leave meanwhile: nobody waits for this where nothing is wrong
        public_names.lock(pk)
        yield from _of_people(pk)


def _of_people(club: UUID) -> Iterator[str]:
    for pk, now, said in appearing.wrong(club):
        yield f"player {pk}: appeared and unplayed are {now}, the logs give {said}"
    called = public_names.called_in_public(club)
    for each in Player.objects.filter(club=club).order_by("pk"):
        if each.public_name != called[each.pk]:
            yield f"player {each.pk}: the public name does not follow from name and choices"


def _of_lists(club: UUID, competitions: QuerySet[Competition], unreadable: Sequence[UUID]) -> Iterator[str]:
    def follow() -> None:
        lagging = competitions.exclude(ratings__as_of=F("seq")).exclude(pk__in=unreadable)
        for each in lagging.values_list("pk", flat=True):
            ratings.compute_ratings(each)

    lists = [Rating.objects.filter(club=club), GameRating.objects.filter(club=club)]
    yield from _changed_by(lambda: ratings.rebuild(club, as_listed=unreadable), lists, follow)


def _is_readable(competition: Competition) -> bool:
    try:
        return bool(log.state_at(competition, competition.seq))
    except Exception:
        return False


def _lag(competition: Competition, reaching: type[Standings | Ratings], stopped: bool) -> str:
    """Return how far rows lag behind a log, if a worker should have brought them up to it long ago."""
    as_of = (
        reaching._default_manager.filter(competition=competition).values_list("as_of", flat=True).first() or 0
    )
    settled = competition.changed_at < due.settled(stopped=stopped)
    if as_of == competition.seq or (as_of < competition.seq and not settled):
        return ""
    return f"are as of entry {as_of}, the log has {competition.seq}"


def _of_events(steps: Sequence[verifier.Step]) -> Iterator[str]:
    for step in steps:
        if isinstance(step.event, ResultRecorded) and not _is_of_its_game(step.event):
            yield f"entry {step.after.seq} does not tell how its game ended"
    for seq, event, verdict in verifier.verdicts(steps):
        if verdict == "different":
            yield f"entry {seq}: {DIFFERENT[type(event)]}"


def _is_of_its_game(event: ResultRecorded) -> bool:
    game = Game.objects.filter(pk=event.game).first()
    if game is None:
        return False
    seats = game.result.get("seats") if isinstance(game.result, dict) else []
    recorded = [{"seat": each.seat, "rank": each.rank, "score": each.score} for each in event.seats]
    return (game.head, game.status) == (event.head, event.status) and _is_same(seats, recorded)


# ---- What a rebuild would change --------------------------------------------------------------


def _kept_of(competition: Competition, opened: Sequence[UUID]) -> list[QuerySet[Any]]:
    """Return all rows that follow a competition's log, those of its games whatever these say."""
    kept = [model._default_manager.filter(**{path: competition}) for model, path in _BELOW.items()]
    games_ = ClubGame.objects.filter(Q(competition=competition) | Q(game__in=opened))
    return [Competition.objects.filter(pk=competition.pk), *kept, games_]


def _changed_by(
    rebuild: Callable[[], object], kept: list[QuerySet[Any]], follow: Callable[[], object] = lambda: None
) -> Iterator[str]:
    """Yield what a rebuild would change in rows, once those that lag have followed the logs."""
    with transaction.atomic():
        follow()
        before = _rows(kept)
        rebuild()
        after = _rows(kept)
        transaction.set_rollback(True)
    for key in sorted({*before, *after}, key=lambda key: (key[0].__name__, str(key[1]))):
        yield from _of_row(key, before.get(key), after.get(key))


def _rows(kept: list[QuerySet[Any]]) -> Rows:
    return {
        (query.model, row["pk"]): row for query in kept for row in query.all().values("pk", *_columns(query))
    }


def _columns(query: QuerySet[Any]) -> list[str]:
    return [field.attname for field in query.model._meta.concrete_fields]


def _of_row(
    key: tuple[type[Model], Any], stored: Mapping[str, Any] | None, now: Mapping[str, Any] | None
) -> Iterator[str]:
    row = f"{key[0]._meta.verbose_name} {key[1]}"
    if stored is None:
        yield f"{row} is missing"
    elif now is None:
        yield f"{row} is in no log"
    else:
        # A game's own row, or a competition's, is named by whoever tells what is wrong with it.
        row = "" if key[0] in _SHARES else f"{row}: "
        for name in stored:
            if not _is_same(stored[name], now[name]):
                yield f"{row}{name} is {_short(stored[name])}, the log gives {_short(now[name])}"


def _is_same(one: object, other: object) -> bool:
    """Return whether two values are, and are written, the same: true is no 1 in JSON, and 5.0 no 5."""
    texts = (json.dumps(each, sort_keys=True, default=repr) for each in (one, other))
    return one == other and len({*texts}) == 1


def _short(value: object) -> str:
    if isinstance(value, list):
        return _short(", ".join(map(_short, value)))
    if value in NEAREST:
        return "beyond what can be read"
    return textwrap.shorten(str(value), _LONGEST)


def beacon_rounds() -> Sequence[int]:
    """Return the rounds of the public beacon whose values are taken as they are stored."""
    return log.beacon_rounds()
