"""Entering everything new into the signed log: one leaf for each entry of a log that must not be changed.

One process at a time does so, whoever it is: it holds the lock of the log's row.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias, TypeVar
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Greatest

from games import database_time
from games import log as games
from games.engine.chain import stamp
from games.models import Game
from games.transparency.proofs import SALT_BYTES, Leaf, commitment
from league import log
from league.choices import LeafKind
from league.models import (
    ClubChange,
    ClubGame,
    Competition,
    Import,
    LogHead,
    LogLeaf,
    LogNode,
    LogSalt,
    Player,
    PlayerRecord,
    SignedLog,
)
from league.queries.signed_log import (
    LONG_AGO,
    SETTLED,
    STEP,
    Tree,
    dated_leaves,
    newest_heads,
    root_of,
    value_of_change,
    value_of_record,
)

MOST: Final = 2000
"""How many leaves are entered in one transaction."""
RUNNING: Final = timedelta(seconds=60)
"""How long the head of a running game may be old before its next one is entered."""
_LONGEST: Final = timedelta(minutes=15)
"""Longer than any transaction takes: what was written earlier can be seen by now."""
_AHEAD: Final = timedelta(minutes=1)
_EARLY: Final = timedelta(days=1)
_CALLED: Final = {
    LeafKind.GAME: "game",
    LeafKind.COMPETITION: "competition",
    LeafKind.CLUB: "the record of club",
    LeafKind.PLAYER: "player",
}
_Kind: Final = ClubChange.Kind
OF_CLUBS: Final = (_Kind.CLUB_MADE, _Kind.CLUB_CHANGED)
OF_MEMBERS: Final = (
    _Kind.MEMBER_ADDED,
    _Kind.MEMBER_CHANGED,
    _Kind.MEMBER_REMOVED,
    _Kind.INVITATION_ACCEPTED,
)
OF_INVITED: Final = (_Kind.INVITED, _Kind.INVITATION_REVOKED)
"""The changes that offer a player's account a role, which nobody has yet."""
OF_PLAYERS: Final = (
    _Kind.PLAYER_MADE,
    _Kind.PLAYER_CHANGED,
    _Kind.PLAYERS_MERGED,
    _Kind.CONTACT_CHANGED,
    *OF_INVITED,
)
"""The changes whose leaves lose their salts when the player whom they are about is forgotten."""
_LEVELS: Final = (8, 16, 24, 32)

_OVER: Final = (Game.Status.FINISHED, Game.Status.ABANDONED)

Since: TypeAlias = datetime | None
Log: TypeAlias = tuple[LeafKind, UUID]
Row = TypeVar("Row", bound=Model)
_UNLIKE: Final = Q(entered=None) | ~Q(entered=F("seq"))
_LAST: Final = ("seq", "entered", "entered_head", "entered_salt", "held")
"""A log's length, what its last leaf says, and the hash of the entry that it has there."""


@dataclass(frozen=True)
class New:
    """What is to be entered. A value that must not be guessed is committed to."""

    kind: LeafKind
    subject: UUID
    seq: int
    value: bytes
    committed: bool = False


def locked() -> SignedLog:
    """Return the log's row, locked until the end of the transaction; it is made where there is none."""
    if not SignedLog.objects.exists():
        number = uuid4()
        name = f"{urlsplit(settings.SITE_URL).netloc}/{str(number)[:8]}"
        SignedLog.objects.bulk_create([SignedLog(id=number, name=name)], ignore_conflicts=True)
    return SignedLog.objects.select_for_update(no_key=True).get()


def settled(*, stopped: bool) -> datetime:
    """Return the time of which everything must have been followed by now: entered, counted, rated.

    Where workers have ``stopped``, as of a database that was restored, their last sign counts.
    """
    last = SignedLog.objects.values_list("as_of", flat=True).first() if stopped else None
    return (last or database_time.asked()) - SETTLED


def enter_all(*, whenever: bool = False) -> int:
    """Enter everything that is new, some of it at a time; return how many leaves that made.

    New is what was written since the last time; what has no leaf, ``whenever`` it says that it was written,
    is looked for among everything. So what was dated by a clock that was behind is found too.

    Nothing is entered of a log that does not hold what its last leaf says: another history would be published
    with a genuine proof. It is noted, and all others go on.
    """
    entered, refused = 0, set[Log]()
    while True:
        made, more = _enter_some(refused, whenever=whenever)
        entered += made
        if not more:
            return entered


@transaction.atomic
def _enter_some(refused: set[Log], *, whenever: bool) -> tuple[int, bool]:
    """Enter new things; return how many, and whether there may be more. Add the logs that are refused."""
    signed_log = locked()
    began = database_time.asked()
    since = signed_log.as_of - _LONGEST if signed_log.as_of and not whenever else None
    new, before = list[New](), len(refused)
    for find in (_of_players, _of_clubs):
        new += find(since, MOST - len(new))
    for find_in_logs in (_of_competitions, _of_games):
        new += find_in_logs(since, MOST - len(new), refused)
    append(signed_log, new)
    more = len(new) >= MOST or len(refused) > before
    if not more:
        told = {f"{_CALLED[kind]} {pk}" for kind, pk in refused}
        told |= set() if whenever else {*signed_log.contradicted.splitlines()}
        signed_log.contradicted, signed_log.as_of = "\n".join(sorted(told)), began
        signed_log.save(update_fields=["as_of", "contradicted"])
    return len(new), more


def append(signed_log: SignedLog, new: Sequence[New]) -> None:
    """Write leaves at the end of the log, whose row is locked."""
    if not new:
        return
    now = database_time.asked()
    at = max(now, newest_heads().values_list("at", flat=True).first() or now)  # never before a head
    leaves, salts = list[LogLeaf](), list[LogSalt]()
    for index, each in enumerate(new, signed_log.size):
        salt = secrets.token_bytes(SALT_BYTES) if each.committed else b""
        head = commitment(salt, each.value) if salt else each.value.hex()
        leaf = Leaf(each.kind, str(each.subject), each.seq, head)
        row = LogLeaf(
            index=index,
            kind=each.kind,
            subject=each.subject,
            seq=each.seq,
            head=bytes.fromhex(head),
            hash=leaf.hash,
            at=at,
        )
        leaves.append(row)
        if salt:
            salts.append(LogSalt(leaf=row, salt=salt))
    LogLeaf.objects.bulk_create(leaves)
    LogSalt.objects.bulk_create(salts)
    before, signed_log.size = signed_log.size, signed_log.size + len(leaves)
    _write_nodes(before, signed_log.size)
    signed_log.save(update_fields=["size"])


def forget_salts(player: Player) -> None:
    """Delete the salts of all leaves that were made of what is known about a person."""
    mine = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player))
    salts = LogSalt.objects.filter(leaf__kind=LeafKind.PLAYER, leaf__subject__in=mine.values("pk"))
    told = Q(about__in=mine.values("pk")) | Q(about=None, subject__in=mine.values("name"))
    changes = ClubChange.objects.filter(told, club=player.club, kind__in=OF_PLAYERS)
    named = LogSalt.objects.filter(
        leaf__kind=LeafKind.CLUB, leaf__subject=player.club_id, leaf__seq__in=changes.values("pk")
    )
    (salts | named).delete()


def _write_nodes(before: int, size: int) -> None:
    """Write the nodes that are complete now, level by level."""
    for level in _LEVELS:
        tree, numbers = Tree(), range(before >> level, size >> level)
        LogNode.objects.bulk_create(
            LogNode(level=level, index=number, hash=_root(tree, level, number)) for number in numbers
        )


def _root(tree: Tree, level: int, index: int) -> bytes:
    """Return the hash of a node from the 256 below it that are kept."""
    return root_of([tree(level - STEP, (index << STEP) + number) for number in range(1 << STEP)])


# ---- What is new ---------------------------------------------------------------------------------


def _leaves(kind: LeafKind) -> QuerySet[LogLeaf]:
    return LogLeaf.objects.filter(kind=kind, subject=OuterRef("pk")).order_by("-seq")


def _new(rows: QuerySet[Row], since: Since, kind: LeafKind, subject: str, seq: str) -> QuerySet[Row]:
    """Return the rows without a leaf, of those since a time."""
    leaf = LogLeaf.objects.filter(kind=kind, subject=OuterRef(subject), seq=OuterRef(seq))
    later = rows.filter(at__gte=since) if since else rows
    return later.exclude(Exists(leaf)).order_by("pk")


def _of_players(since: Since, most: int) -> Iterator[New]:
    rows = PlayerRecord.objects.all()
    for record in _new(rows, since, LeafKind.PLAYER, "player", "seq")[:most]:
        yield New(LeafKind.PLAYER, record.player, record.seq, value_of_record(record), committed=True)


def _of_clubs(since: Since, most: int) -> Iterator[New]:
    rows = ClubChange.objects.all()
    for change in _new(rows, since, LeafKind.CLUB, "club", "pk")[:most]:
        yield New(LeafKind.CLUB, change.club_id, change.pk, value_of_change(change), committed=True)


def _imports(since: Since) -> QuerySet[Import]:
    return Import.objects.filter(at__gte=since) if since else Import.objects.none()


def imported(since: datetime) -> Q:
    """Return what is true of the games that were imported since a time."""
    imports = _imports(since)
    of_competitions = ClubGame.objects.filter(competition__in=imports.values("competition"))
    games_ = imports.exclude(game=None).values("game")
    return Q(pk__in=games_) | Q(pk__in=of_competitions.values("game"))


def _of_competitions(since: Since, most: int, refused: set[Log]) -> Iterator[New]:
    kind = LeafKind.COMPETITION
    rows = Competition.objects.annotate(**_last_leaf(kind))
    if since:
        imported = _imports(since).exclude(competition=None).values("competition")
        rows = rows.filter(Q(changed_at__gte=since) | Q(pk__in=imported))
    others = rows.filter(_UNLIKE).exclude(pk__in=[pk for _, pk in refused])
    entry = log.entry_of(OuterRef("pk"), OuterRef("entered"))
    behind = others.annotate(held=Subquery(entry.values("hash"))).order_by("pk")
    for pk, *last in behind.values_list("pk", *_LAST)[:most]:
        if not _goes_on(*last):
            refused.add((kind, pk))
            continue
        entries = log.rows_of([pk]).filter(seq__gt=last[1] or 0).order_by("seq")[:most]
        most -= len(entries)
        for each in entries:
            yield New(kind, pk, each.seq, bytes.fromhex(each.hash), committed=True)


def _of_games(since: Since, most: int, refused: set[Log]) -> Iterator[New]:
    """Yield openings, the heads of games that are over, and those of running ones from time to time."""
    kind = LeafKind.GAME
    rows = Game.kept.annotate(**_last_leaf(kind))
    if since:
        rows = rows.filter(Q(status__in=Game.Status.values, moved_at__gte=since) | imported(since))
    now = database_time.now()
    due = Q(entered=None) | Q(status__in=_OVER) | Q(entered_at__lte=now - RUNNING) | Q(entered_at__gt=now)
    others = rows.filter(_UNLIKE, due).exclude(pk__in=[pk for _, pk in refused])
    entry = games.entry_of(OuterRef("pk"), OuterRef("entered"))
    behind = others.annotate(held=Subquery(entry.values("hash"))).order_by("moved_at", "pk")
    found = list(behind.values_list("pk", "head", *_LAST)[: most // 2])
    opened = games.hashes([pk for pk, _, _, entered, *_ in found if entered is None], [1])
    for pk, head, *last in found:
        if not _goes_on(*last):
            refused.add((kind, pk))
            continue
        if (pk, 1) in opened:
            yield New(kind, pk, 1, bytes.fromhex(opened[pk, 1]))
        if last[0] > 1:
            yield New(kind, pk, last[0], bytes.fromhex(head))


def _last_leaf(kind: LeafKind) -> Mapping[str, Subquery]:
    """Return what is known of the last leaf of a log, by the names of `_LAST`."""
    columns = {"entered": "seq", "entered_at": "at", "entered_head": "head", "entered_salt": "salt__salt"}
    return {name: Subquery(_leaves(kind).values(column)[:1]) for name, column in columns.items()}


def _goes_on(seq: int, entered: int | None, head: bytes, salt: bytes | None, held: str | None) -> bool:
    """Return whether a log goes on after its last leaf; ``held`` is the hash of its entry there."""
    if entered is None:
        return True
    with suppress(ValueError):
        value = bytes.fromhex(held or "")
        made = bytes.fromhex(commitment(bytes(salt), value)) if salt else value
        return seq > entered and made == bytes(head)
    return False


# ---- What was left out ---------------------------------------------------------------------------


def left_out(before: datetime) -> Iterator[str]:
    """Yield a sentence for everything that is older than it may be without a leaf."""
    behind = Q(entered=None) | Q(entered__lt=F("seq"))
    rows = Game.kept.annotate(entered=Subquery(_leaves(LeafKind.GAME).values("seq")[:1]))
    for pk in rows.filter(behind, moved_at__lt=before).order_by("pk").values_list("pk", flat=True):
        yield f"game {pk}: it has entries that were never published"
    events = Competition.objects.annotate(entered=Subquery(_leaves(LeafKind.COMPETITION).values("seq")[:1]))
    for pk in events.filter(behind, changed_at__lt=before).order_by("pk").values_list("pk", flat=True):
        yield f"competition {pk}: it has entries that were never published"
    of_change = LogLeaf.objects.filter(kind=LeafKind.CLUB, subject=OuterRef("club"), seq=OuterRef("pk"))
    for change in ClubChange.objects.filter(~Exists(of_change), at__lt=before).order_by("pk"):
        yield f"the record of club {change.club_id}: change {change.pk} was never published"
    of_record = LogLeaf.objects.filter(kind=LeafKind.PLAYER, subject=OuterRef("player"), seq=OuterRef("seq"))
    for record in PlayerRecord.objects.filter(~Exists(of_record), at__lt=before).order_by("pk"):
        yield f"player {record.player}: record {record.seq} was never published"


# ---- What is dated ahead, or was published late --------------------------------------------------


def dated_ahead() -> Iterator[str]:
    """Yield what is dated later than the database's clock, or than its leaf."""
    ahead = database_time.asked() + _AHEAD
    leaf = LogLeaf.objects.filter(subject=OuterRef("pk"), seq=OuterRef("seq"))
    rows: tuple[tuple[str, type[Game | Competition], str, LeafKind], ...] = (
        ("game", Game, "moved_at", LeafKind.GAME),
        ("competition", Competition, "changed_at", LeafKind.COMPETITION),
    )
    for called, model, column, kind in rows:
        entered = leaf.filter(kind=kind, at__lt=Greatest(OuterRef(column), LONG_AGO) - _AHEAD)
        found = model._default_manager.annotate(ahead=Q(**{f"{column}__gt": ahead}), later=Exists(entered))
        found = found.filter(Q(ahead=True) | Q(later=True)).order_by("pk")
        for pk, is_ahead in found.values_list("pk", "ahead"):
            than = "ahead of the database's clock" if is_ahead else "later than it was published"
            yield f"{called} {pk}: its last entry is dated {than}"
    for change in ClubChange.objects.filter(at__gt=ahead).order_by("pk"):
        yield f"the record of club {change.club_id}: change {change.pk} is dated ahead of the clock"
    for record in PlayerRecord.objects.filter(at__gt=ahead).order_by("pk"):
        yield f"player {record.player}: record {record.seq} is dated ahead of the database's clock"


def dated_early() -> Iterator[str]:
    """Yield once what is dated more than a day before it was published, though others were meanwhile."""
    late = (
        dated_leaves()
        .filter(Q(found__lt=Greatest("at", LONG_AGO) - _EARLY))
        .annotate(dated=Greatest("found", LONG_AGO))
    )
    rows = late.order_by("kind", "subject", "seq").values_list("kind", "subject", "dated", "index", "at")
    for (kind, subject), leaves in groupby(rows.iterator(), key=itemgetter(0, 1)):
        for *_of, dated, index, at in leaves:
            before = LogHead.objects.filter(size__lte=index).latest("size")
            if dated <= before.at - SETTLED:
                published = f"an entry of {stamp(dated)} was not published before {stamp(at)}"
                yield f"{_CALLED[kind]} {subject}: {published}, and no import says so"
                break
