"""The signed log over all logs (docs/signed-log.md): its tree, its newest head, and proofs."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, reduce
from hashlib import sha256
from itertools import islice
from operator import or_
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Case, Exists, F, Model, OuterRef, Q, QuerySet, Subquery, Value, When, Window
from django.db.models.functions import Greatest, Lag

from games import database_time
from games.engine.chain import canonical, stamp
from games.models import Game
from games.transparency import merkle, notes
from games.transparency.notes import Key, Note, WrongNote
from games.transparency.proofs import Proof
from league import log
from league.apps.signed_log.models import (
    LeafKind,
    LogEpoch,
    LogHead,
    LogKey,
    LogLeaf,
    LogNode,
    LogSalt,
    SignedLog,
)
from league.hooks.upkeep import LOGS, EntryLog
from league.models import ClubChange, ClubGame, Competition, Import, PlayerRecord
from league.queries.due import SETTLED

STILL: Final = timedelta(minutes=10)
"""For so long nothing may have been entered: workers do so every 15 seconds."""
LONG_AGO: Final = Value(datetime(2000, 1, 1, tzinfo=UTC))
"""Before all entries, and far from the earliest date of PostgreSQL."""
STEP: Final = 8
"""Nodes are kept on every so many levels; those between are computed from at most 128 others."""
MOST_ENTRIES: Final = 1000
"""How many leaves are told at once."""
_TOGETHER: Final = 100
"""How many times between heads are looked at together."""
_MOST_TRIED: Final = 20
"""In how many heads a witness's right signature is looked for: the service writes no wrong one."""


# ---- The tree ------------------------------------------------------------------------------------


class Tree:
    """The nodes of the tree as `games.transparency.merkle` asks for them; each row is read once."""

    def __init__(self) -> None:
        self._tiles: dict[tuple[int, int], Mapping[int, bytes]] = {}

    def __call__(self, level: int, index: int) -> bytes:
        """Return the root of a complete subtree; raises KeyError for one that is not there."""
        kept, above = level - level % STEP, level % STEP
        row = [self._kept(kept, index << above | number) for number in range(1 << above)]
        return root_of(row)

    def _kept(self, level: int, index: int) -> bytes:
        tile = level, index >> STEP
        if tile not in self._tiles:
            first = index >> STEP << STEP
            self._tiles[tile] = _rows(level, first, first + (1 << STEP))
        return self._tiles[tile][index]


def root_of(row: Sequence[bytes]) -> bytes:
    """Return the root over neighbouring nodes of a level, as many as a power of two."""
    while len(row) > 1:
        row = [merkle.node_hash(*row[at : at + 2]) for at in range(0, len(row), 2)]
    return row[0]


def _rows(level: int, start: int, end: int) -> Mapping[int, bytes]:
    kept = LogNode.objects.filter(level=level) if level else LogLeaf.objects.all()
    rows = kept.filter(index__gte=start, index__lt=end).values_list("index", "hash")
    return {index: bytes(hash_) for index, hash_ in rows}


# ---- What leaves commit to -----------------------------------------------------------------------


def value_of_epoch(epoch: LogEpoch) -> bytes:
    """Return what the leaf of an epoch holds."""
    told = {"origin": epoch.origin, "previous": epoch.previous, "reason": epoch.reason}
    return sha256(canonical(told)).digest()


def _value_of_change(change: ClubChange) -> bytes:
    told = {
        "account": str(change.account_id) if change.account_id else None,
        "at": stamp(change.at),
        "club": str(change.club_id),
        "kind": change.kind,
        "subject": change.subject,
        "values": change.values,
    }
    # Changes of before the column have none.
    return canonical({**told, "about": str(change.about)} if change.about else told)


def _value_of_record(record: PlayerRecord) -> bytes:
    told = {
        "account": str(record.account) if record.account else None,
        "at": stamp(record.at),
        "club": str(record.club),
        "merged_into": str(record.merged_into) if record.merged_into else None,
        "removed": record.removed,
    }
    return canonical(told)


@dataclass(frozen=True)
class Records:
    """A table whose rows have a leaf each: the columns that say of what a row is, and its number there.

    ``value`` returns what the leaf of a row commits to.
    """

    kind: LeafKind
    model: type[Model]
    subject: str
    seq: str
    value: Callable[[Any], bytes]

    def without_leaf(self) -> QuerySet[Any]:
        """Return the rows that have none, in order."""
        leaf = LogLeaf.objects.filter(kind=self.kind, subject=OuterRef(self.subject), seq=OuterRef(self.seq))
        return self.model._default_manager.exclude(Exists(leaf)).order_by("pk")

    def of(self, row: Any) -> tuple[UUID, int]:
        """Return of what a row is, and its number there."""
        return getattr(row, self.subject), getattr(row, self.seq)


COMPETITIONS: Final = EntryLog(
    LeafKind.COMPETITION, LeafKind.COMPETITION.label, Competition.objects.all, log.all_rows, "competition"
)


def entry_logs() -> Sequence[EntryLog]:
    """Return the kinds of logs all of whose entries have a leaf: competitions, and those of apps."""
    return [COMPETITIONS, *LOGS]


def called(kind: str) -> str:
    """Return how sentences call a kind of leaves."""
    return {each.kind: each.called for each in LOGS}.get(kind) or LeafKind(kind).label


RECORDS: Final = (
    Records(LeafKind.PLAYER, PlayerRecord, "player", "seq", _value_of_record),
    Records(LeafKind.CLUB, ClubChange, "club_id", "pk", _value_of_change),
)


# ---- Heads ---------------------------------------------------------------------------------------


class Witness(NamedTuple):
    """A witness whose key the site knows and whose signature is right, and when it saw a head."""

    name: str
    at: datetime


@dataclass(frozen=True)
class Head:
    """A published head: as it was signed, with the signatures of witnesses; and the key that is in force now.

    ``seen_by`` are the witnesses whose signatures could be checked.
    """

    row: LogHead
    note: str
    key: Key
    seen_by: Sequence[Witness]

    @property
    def witnesses(self) -> Sequence[str]:
        """Return their names."""
        return [each.name for each in self.seen_by]

    @property
    def root(self) -> str:
        """Return the root of the tree, 64 hex digits."""
        return bytes(self.row.root).hex()

    @property
    def at(self) -> str:
        """Return when it was signed, as logs write it."""
        return stamp(self.row.at)

    @cached_property
    def witnessed(self) -> Head | None:
        """Return the newest head of the present epoch that a witness signed, None without any."""
        known = [key.partition("+")[0] for key in settings.LOG_WITNESSES]
        rows = newest_heads().filter(
            cosignatures__witness__in=known, epoch=LogEpoch.objects.order_by("-number")[:1]
        )
        heads = map(_head, rows[:_MOST_TRIED] if known else ())
        return next((head for head in heads if head and head.seen_by), None)

    @property
    def epochs(self) -> QuerySet[LogEpoch]:
        """Return all epochs."""
        return LogEpoch.objects.order_by("number")


def newest_head() -> Head | None:
    """Return the head that was published last, None before the first one."""
    return _head(newest_heads().first())


def is_behind(head: Head, before: datetime) -> bool:
    """Return whether leaves that were entered before a time are in no head."""
    return LogLeaf.objects.filter(index__gte=head.row.size, at__lt=before).exists()


def stands_still() -> datetime | None:
    """Return since when nothing new is entered or signed, None where that is not long ago."""
    as_of, before = SignedLog.objects.values_list("as_of", flat=True).first(), database_time.now() - STILL
    if as_of and as_of < before:
        return as_of
    head = newest_head()
    return head.row.at if head and is_behind(head, before) else None


def contradicted() -> Sequence[str]:
    """Return the kind and id of each log that contradicts what was published of it."""
    return "\n".join(SignedLog.objects.values_list("contradicted", flat=True)).splitlines()


def dated_leaves() -> QuerySet[LogLeaf]:
    """Return the leaves with the time at which each entry was ``found`` to be dated.

    Not those of what was imported, or there before the first head.
    """
    first = LogHead.objects.order_by("at").values_list("size", flat=True).first() or 0
    imported = Import.objects.exclude(competition=None).values("competition")
    brought = ClubGame.objects.filter(Q(competition__in=imported) | Q(game__imported__isnull=False))
    of_game = Game.kept.exclude(Exists(brought.filter(game=OuterRef("pk")))).filter(pk=OuterRef("subject"))
    events = log.rows_of(Competition.objects.exclude(pk__in=imported).values_list("pk", flat=True))
    seq = OuterRef("seq")
    entries: Mapping[Q, QuerySet[Any]] = {
        Q(kind=LeafKind.GAME, seq=1): of_game.values("opened_at"),
        Q(kind=LeafKind.GAME): of_game.filter(seq=seq).values("moved_at"),
        Q(kind=LeafKind.COMPETITION): events.filter(competition=OuterRef("subject"), seq=seq).values("at"),
        **{
            Q(kind=each.kind): each.entries()
            .filter(**{each.subject: OuterRef("subject"), "seq": seq})
            .values("at")
            for each in LOGS
        },
        **{
            Q(kind=each.kind): each.model._default_manager.filter(
                **{each.subject: OuterRef("subject"), each.seq: seq}
            ).values("at")
            for each in RECORDS
        },
    }
    found = Case(*(When(which, then=Subquery(dates[:1])) for which, dates in entries.items()))
    return LogLeaf.objects.filter(index__gte=first).annotate(found=found)


def gaps(since: datetime | None = None) -> Sequence[tuple[datetime, datetime]]:
    """Return the times between two heads, of those since a time, that were long although entries waited."""
    before, start = (Window(Lag(each), order_by=["epoch", "size"]) for each in ("at", "size"))
    heads = LogHead.objects.filter(at__range=(since or LONG_AGO.value, datetime.max.replace(tzinfo=UTC)))
    long = heads.annotate(before=before, start=start).filter(at__gt=F("before") + SETTLED)
    rows = iter(long.order_by("epoch", "size").values_list("before", "at", "start", "size"))
    found = list[tuple[datetime, datetime]]()
    while some := list(islice(rows, _TOGETHER)):
        new = reduce(or_, (Q(index__gte=first, index__lt=size) for _, _, first, size in some))
        leaves = dated_leaves().filter(new).exclude(Q(found=None))
        dated = sorted(leaves.values_list("index", Greatest("found", LONG_AGO)))
        for last, at, first, size in some:
            its = (when for _, when in dated[bisect(dated, (first,)) : bisect(dated, (size,))])
            if any(last - SETTLED < when < at - SETTLED for when in its):
                found.append((last, at))
    return found


def _head(row: LogHead | None) -> Head | None:
    if row is None:
        return None
    note, found = row.note, list[Witness]()
    for line in row.cosignatures.values_list("line", flat=True):
        # A wrong one is left out: for its sake verifiers would refuse the whole note.
        with suppress(WrongNote):
            found.extend(witness for witness in [seen_by(row.note, line)] if witness)
            note += f"{line}\n"
    key = Key(row.epoch.origin, bytes.fromhex(LogKey.objects.latest("number").public))
    return Head(row, note, key, found)


def seen_by(note: str, line: str) -> Witness | None:
    """Return the witness whose signature a line is below a head; None for one that isn't known here.

    Raises `WrongNote` for a wrong line.
    """
    signature = notes.read_signature(line)
    signed = Note(notes.read_note(note).text, (signature,))
    for key in map(notes.read_key, settings.LOG_WITNESSES):
        if seconds := notes.cosigned_at(signed, key):
            return Witness(key.name, datetime.fromtimestamp(seconds, UTC))
    return None


def newest_heads() -> QuerySet[LogHead]:
    """Return the published heads, the newest first."""
    return LogHead.objects.select_related("epoch").order_by("-epoch", "-size")


# ---- Proofs --------------------------------------------------------------------------------------


def proof_of_game(game: Game) -> Proof | None:
    """Return the proof that a game's log is in the signed tree, as far as it is; None if nothing of it is."""
    return proof_of(LeafKind.GAME, game.pk, game.seq)


def proof_of_competition(competition: Competition) -> Proof | None:
    """Return the proof that a competition's public log is in the signed tree, as `proof_of_game` does."""
    return proof_of(*_public(competition))


def _public(competition: Competition) -> tuple[str, UUID, int]:
    """Return of what log it is, and its last entry that everybody may read."""
    last = competition.seq if competition.withheld_from is None else competition.withheld_from - 1
    return LeafKind.COMPETITION, competition.pk, last


def proof_of(kind: str, subject: UUID, last: int) -> Proof | None:
    """Return the proof that a log up to its entry ``last`` is in the signed tree, as `proof_of_game` does."""
    return next(_proofs_of([(kind, subject, last)]))


def proofs_of_log(of: EntryLog, row: Any) -> Sequence[Proof]:
    """Return the proofs of a log and of the competitions that it builds on; nothing where it has none yet."""
    own, *others = _proofs_of([(of.kind, row.pk, row.seq), *map(_public, of.competitions(row))])
    return [each for each in (own, *others) if each] if own else ()


def _proofs_of(logs: Sequence[tuple[str, UUID, int]]) -> Iterator[Proof | None]:
    newest, tree = newest_head(), Tree()
    heads = [each for each in (newest.witnessed, newest) if each] if newest else []
    for kind, subject, last in logs:
        leaves = LogLeaf.objects.select_related("salt").filter(kind=kind, subject=subject, seq__lte=last)
        leaf = leaves.order_by("-seq").first()
        head = next((each for each in heads if leaf and each.row.size > leaf.index), None)
        yield _proof(leaf, head, tree) if leaf and head else None


def _proof(leaf: LogLeaf, head: Head, tree: Tree) -> Proof:
    salt: LogSalt | None = getattr(leaf, "salt", None)
    return Proof(
        kind=leaf.kind,
        id=str(leaf.subject),
        seq=leaf.seq,
        index=leaf.index,
        path=merkle.inclusion(tree, leaf.index, head.row.size),
        note=notes.read_note(head.note),
        key=str(head.key),
        salt=bytes(salt.salt) if salt else b"",
    )


def inclusion(leaf_hash: bytes, size: int) -> tuple[int, Sequence[bytes]] | None:
    """Return the index of a leaf and its path in the published tree of a size; None where it isn't there."""
    if size > _published():
        return None
    leaf = LogLeaf.objects.filter(hash=leaf_hash, index__lt=size).first()
    return (leaf.index, merkle.inclusion(Tree(), leaf.index, size)) if leaf else None


def consistency(first: int, second: int) -> Sequence[bytes] | None:
    """Return the proof that the tree of a size begins with that of another; None where there are no such."""
    if not 0 < first <= second <= _published():
        return None
    return merkle.consistency(Tree(), first, second)


def entries(start: int, end: int) -> Sequence[Mapping[str, Any]]:
    """Return index and hash of published leaves from ``start`` to before ``end``, `MOST_ENTRIES` at most."""
    rows = _rows(0, start, min(end, _published(), start + MOST_ENTRIES))
    return [{"index": index, "hash": hash_.hex()} for index, hash_ in sorted(rows.items())]


def _published() -> int:
    """Return the size of the newest published tree."""
    return newest_heads().values_list("size", flat=True).first() or 0
