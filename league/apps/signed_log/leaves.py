"""Entering everything new into the signed log: one leaf for each entry of a log that must not be changed.

One process at a time does so, whoever it is: it holds the lock of the log's row.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Greatest

from games import database_time
from games import log as games
from games.engine.chain import stamp
from games.models import Game
from games.transparency.proofs import SALT_BYTES, commitment
from league.apps.signed_log.models import LeafKind, LogHead, LogLeaf, LogNode, LogSalt, SignedLog
from league.apps.signed_log.queries import (
    LONG_AGO,
    RECORDS,
    STEP,
    Tree,
    called,
    dated_leaves,
    entry_logs,
    newest_heads,
    root_of,
)
from league.hooks.upkeep import EntryLog
from league.models import ClubChange, Import, Player
from league.queries.due import SETTLED
from league.services.tampering import imported

MOST: Final = 2000
"""How many leaves are entered in one transaction."""
RUNNING: Final = timedelta(seconds=60)
"""How long the head of a running game may be old before its next one is entered."""
_LONGEST: Final = timedelta(minutes=15)
"""Longer than any transaction takes: what was written earlier can be seen by now."""
_AHEAD: Final = timedelta(minutes=1)
_EARLY: Final = timedelta(days=1)
_Kind: Final = ClubChange.Kind
OF_PLAYERS: Final = (
    _Kind.PLAYER_MADE,
    _Kind.PLAYER_CHANGED,
    _Kind.PLAYERS_MERGED,
    _Kind.CONTACT_CHANGED,
    *(_Kind.INVITED, _Kind.INVITATION_REVOKED),
)
"""The changes whose leaves lose their salts when the player whom they are about is forgotten."""
_LEVELS: Final = (8, 16, 24, 32)

_OVER: Final = (Game.Status.FINISHED, Game.Status.ABANDONED)

Since: TypeAlias = datetime | None
Log: TypeAlias = tuple[str, UUID]
_Finder: TypeAlias = Callable[[Since, int, set[Log]], Iterator["New"]]
_UNLIKE: Final = Q(entered=None) | ~Q(entered=F("seq"))
_LAST: Final = ("seq", "entered", "entered_head", "entered_salt", "held")
"""A log's length, what its last leaf says, and the hash of the entry that it has there."""


@dataclass(frozen=True)
class New:
    """What is to be entered. A value that must not be guessed is committed to."""

    kind: str
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


def enter_all(*, whenever: bool = False) -> None:
    """Enter everything that is new, some of it at a time.

    New is what was written since the last time; what has no leaf, ``whenever`` it says that it was written,
    is looked for among everything. So what was dated by a clock that was behind is found too.

    Nothing is entered of a log that does not hold what its last leaf says: another history would be published
    with a genuine proof. It is noted, and all others go on.
    """
    refused = set[Log]()
    while _enter_some(refused, whenever=whenever):
        pass


@transaction.atomic
def _enter_some(refused: set[Log], *, whenever: bool) -> bool:
    """Enter new things; return whether there may be more. Add the logs that are refused."""
    signed_log = locked()
    began = database_time.asked()
    since = signed_log.as_of - _LONGEST if signed_log.as_of and not whenever else None
    new, before = list[New](), len(refused)
    for records in RECORDS:
        rows = records.without_leaf()
        rows = rows.filter(at__gte=since) if since else rows
        some = rows[: MOST - len(new)]
        new += [New(records.kind, *records.of(row), records.value(row), committed=True) for row in some]
    finders: list[_Finder] = [*(partial(_of_log, each) for each in entry_logs()), _of_games]
    for find in finders:
        new += find(since, MOST - len(new), refused)
    append(signed_log, new)
    more = len(new) >= MOST or len(refused) > before
    if not more:
        told = {f"{called(kind)} {pk}" for kind, pk in refused}
        told |= set() if whenever else {*signed_log.contradicted.splitlines()}
        signed_log.contradicted, signed_log.as_of = "\n".join(sorted(told)), began
        signed_log.save(update_fields=["as_of", "contradicted"])
    return more


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
        row = LogLeaf(index=index, kind=each.kind, subject=each.subject, seq=each.seq, at=at)
        row.head = bytes.fromhex(head)
        row.hash = row.made_hash()
        leaves.append(row)
        salts += [LogSalt(leaf=row, salt=salt)] if salt else []
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


def _leaves(kind: str) -> QuerySet[LogLeaf]:
    return LogLeaf.objects.filter(kind=kind, subject=OuterRef("pk")).order_by("-seq")


def _of_log(logs: EntryLog, since: Since, most: int, refused: set[Log]) -> Iterator[New]:
    kind = logs.kind
    rows = logs.logs().annotate(**_last_leaf(kind))
    if since:
        brought = Import.objects.filter(at__gte=since).exclude(competition=None).values("competition")
        rows = rows.filter(Q(changed_at__gte=since) | Q(pk__in=brought))
    others = rows.filter(_UNLIKE).exclude(pk__in=[pk for _, pk in refused])
    entry = logs.entries().filter(**{logs.subject: OuterRef("pk"), "seq": OuterRef("entered")})
    behind = others.annotate(held=Subquery(entry.values("hash"))).order_by("pk")
    for pk, *last in behind.values_list("pk", *_LAST)[:most]:
        if not _goes_on(*last):
            refused.add((kind, pk))
            continue
        entries = logs.entries().filter(**{logs.subject: pk, "seq__gt": last[1] or 0}).order_by("seq")[:most]
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


def _last_leaf(kind: str) -> Mapping[str, Subquery]:
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


# ---- What was left out, or dated wrongly ---------------------------------------------------------


def _logs() -> Iterator[tuple[str, QuerySet[Any], str]]:
    """Yield the logs of each kind, and the column that says when one last got an entry."""
    yield LeafKind.GAME, Game.kept.all(), "moved_at"
    for each in entry_logs():
        yield each.kind, each.logs(), "changed_at"


def left_out(*, stopped: bool) -> Iterator[str]:
    """Yield a sentence for everything that is older than it may be without a leaf.

    Where workers have ``stopped``, as of a database that was restored, their last sign counts.
    """
    last = SignedLog.objects.values_list("as_of", flat=True).first() if stopped else None
    before = (last or database_time.asked()) - SETTLED
    behind = Q(entered=None) | Q(entered__lt=F("seq"))
    for kind, logs, column in _logs():
        rows = logs.annotate(entered=Subquery(_leaves(kind).values("seq")[:1]))
        rows = rows.filter(behind, **{f"{column}__lt": before}).order_by("pk")
        for pk in rows.values_list("pk", flat=True):
            yield f"{called(kind)} {pk}: it has entries that were never published"
    for records in RECORDS:
        for subject, seq in map(records.of, records.without_leaf().filter(at__lt=before)):
            yield f"{records.kind.label} {subject}: entry {seq} was never published"


def dated_late() -> Iterator[str]:
    """Yield the logs whose last entry is dated later than its leaf."""
    for kind, logs, column in _logs():
        at = Greatest(OuterRef(column), LONG_AGO) - _AHEAD
        before = LogLeaf.objects.filter(kind=kind, subject=OuterRef("pk"), seq=OuterRef("seq"), at__lt=at)
        for pk in logs.filter(Exists(before)).order_by("pk").values_list("pk", flat=True):
            yield f"{called(kind)} {pk}: its last entry is dated later than it was published"


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
                yield f"{called(kind)} {subject}: {published}, and no import says so"
                break
