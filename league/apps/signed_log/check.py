"""What `verify_logs` compares: everything that was published, with what is stored and heads from elsewhere.

Each difference becomes a sentence that names it.
"""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from heapq import merge
from itertools import groupby, islice
from operator import attrgetter
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, Subquery

from games import log as games
from games import partitions
from games.engine.chain import stamp
from games.models import Game
from games.transparency import merkle, notes
from games.transparency.notes import Checkpoint, Key, WrongNote
from games.transparency.proofs import commitment, read_head
from games.verify import NotText, lines_of
from league.apps.signed_log import leaves, signing
from league.apps.signed_log.models import LeafKind, LogEpoch, LogHead, LogKey, LogLeaf, LogNode, SignedLog
from league.apps.signed_log.queries import (
    RECORDS,
    STEP,
    Records,
    called,
    entry_logs,
    gaps,
    value_of_epoch,
)
from league.hooks.upkeep import LOGS, EntryLog
from league.models import ClubChange, PlayerRecord
from league.services.shares import to_its_end

Stored: TypeAlias = Iterator[tuple[UUID, int, bytes]]
"""What entries commit to as they are stored: of which log, its number there, and the value."""
_OF_PEOPLE: Final = (LeafKind.CLUB, LeafKind.PLAYER)
"""The commitments whose salts are forgotten with a person."""
_UNSALTED: Final = Q(kind__in=_OF_PEOPLE) & (Q(salt=None) | Q(salt__salt=b""))
_TOGETHER: Final = 200
"""Logs that are looked at together."""


def add_arguments(parser: ArgumentParser) -> None:
    """Let the command take heads that were kept elsewhere."""
    parser.add_argument(
        "--head",
        metavar="FILE",
        type=_content,
        action="append",
        default=[],
        help="a head of the signed log that was kept elsewhere; can be given several times",
    )


def _content(file: str) -> str:
    try:
        return "\n".join(lines_of(file))
    except (OSError, NotText) as error:
        raise ArgumentTypeError(str(error)) from None


def differences(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for everything that differs from what was published.

    ``head`` are heads as they were signed. Where workers have ``stopped``, what they have not entered yet is
    told if they should have before.
    """
    kept, given = None, options.get("head", ())
    try:
        kept = signing.kept()
    except signing.CannotSign as refusal:
        yield f"signed log: {refusal}"
    if not SignedLog.objects.exists():
        if kept or given or LogLeaf.objects.exists():
            yield "signed log: it is gone"
        return
    parts = (
        _of_tree(given, kept),
        signing.not_signed(),
        *map(_of_logs, (*LeafKind, *(each.kind for each in LOGS))),
        _without_salts(),
        _of_practice(),
        leaves.dated_late(),
        leaves.dated_early(),
        leaves.left_out(stopped=options.get("stopped", False)),
    )
    for part in parts:
        yield from to_its_end("signed log", part)


def remarks() -> Iterator[str]:
    """Yield when nothing was published, and what can't be compared any more since people were removed."""
    for since, until in gaps():
        between = f"From {stamp(since)} to {stamp(until)}"
        yield f"{between} nothing was published, although entries were written."
    if erased := LogLeaf.objects.filter(_UNSALTED).count():
        yield f"Not compared, since people were removed: {erased} leaves of the signed log."


# ---- The tree ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Known:
    """A head that is known from somewhere."""

    whence: str
    size: int
    root: bytes
    at: datetime | None = None


_size: Final = attrgetter("size")


class _Range:
    """The tree of the leaves seen so far: the roots of its largest complete subtrees, from left to right."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, bytes]] = []

    def add(self, leaf: bytes) -> Iterator[tuple[int, bytes]]:
        """Take the next leaf; yield the level and hash of each node that is complete now."""
        level, node = 0, leaf
        while self._parts and self._parts[-1][0] == level:
            node, level = merkle.node_hash(self._parts.pop()[1], node), level + 1
            yield level, node
        self._parts.append((level, node))

    def root(self) -> bytes:
        """Return the root of all leaves so far."""
        if not self._parts:
            return merkle.EMPTY
        *left, (_, node) = self._parts
        for _, part in reversed(left):
            node = merkle.node_hash(part, node)
        return node


def _of_tree(given: Iterable[str], kept: Checkpoint | None) -> Iterator[str]:
    elsewhere, wrong = _known(given, kept)
    yield from wrong
    known = merge(_published(), sorted(elsewhere, key=_size), key=_size)
    head = next(known, None)
    rows = LogNode.objects.values_list("level", "index", "hash").iterator()
    nodes = {(level, index): bytes(hash_) for level, index, hash_ in rows}
    tree, size = _Range(), 0
    since: datetime | None = None
    for row in LogLeaf.objects.order_by("index").iterator():
        if row.index != size:
            yield f"signed log: leaf {size} is missing"
            return
        if row.made_hash() != bytes(row.hash):
            yield f"signed log: leaf {size} has another hash than what it says"
        if since and row.at < since:
            yield f"signed log: leaf {size} is dated before the head that was published before it"
        size += 1
        for level, node in tree.add(bytes(row.hash)):
            if level % STEP == 0 and nodes.get((level, (size >> level) - 1)) != node:
                yield f"signed log: node {(size >> level) - 1} of level {level} is wrong"
        while head and head.size <= size:
            if head.root != tree.root():
                yield f"signed log: the first {size} leaves are not those of {head.whence}"
            since = head.at or since
            head = next(known, None)
    while head:
        yield f"signed log: it was cut: {head.whence} has {head.size} leaves, and {size} are here"
        head = next(known, None)


def _published() -> Iterator[_Known]:
    for row in LogHead.objects.filter(size__gt=0).order_by("size", "pk").iterator():
        yield _Known(f"the head that was published at {stamp(row.at)}", row.size, bytes(row.root), row.at)


def _known(given: Iterable[str], kept: Checkpoint | None) -> tuple[list[_Known], list[str]]:
    """Return the heads that are known from elsewhere, and a sentence for each that the log did not sign."""
    known, wrong = list[_Known](), list[str]()
    if kept:
        known.append(_Known("the head that is kept beside the key", kept.size, kept.root))
    for text, whence in ((text, f"the given head {n}") for n, text in enumerate(given, 1)):
        try:
            head = _signed_head(text)
        except WrongNote as error:
            wrong.append(f"signed log: {whence} is wrong: {error}")
        else:
            known.append(_Known(whence, head.size, head.root))
    stored = {(head.size, bytes(head.root)) for head in LogHead.objects.filter(size__in=map(_size, known))}
    if LogLeaf.objects.exists() and not LogHead.objects.exists():
        wrong.append("signed log: it has leaves, and no head is stored")
    missing = [each.whence for each in known if (each.size, each.root) not in stored]
    wrong += [f"signed log: {whence} is not among the heads that are stored" for whence in missing]
    return known, wrong


def _signed_head(text: str) -> Checkpoint:
    """Return a head that a key of this log signed, or that an email tells without; raise `WrongNote`.

    See `read_head` for its forms.
    """
    head = read_head(text)
    publics = LogKey.objects.values_list("public", flat=True)
    keys = [Key(head.checkpoint.origin, _hex(each)) for each in publics] if head.note else []
    if head.note and not any(notes.is_signed_by(head.note, key) for key in keys):
        raise WrongNote("no key of this log signed it")
    return head.checkpoint


# ---- Entries -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Leaf:
    """A leaf of a log, with its salt where it is a commitment that can be opened."""

    subject: UUID
    seq: int
    head: bytes
    salt: bytes | None
    at: datetime

    def is_of(self, value: bytes) -> bool:
        expected = bytes.fromhex(commitment(self.salt, value)) if self.salt else value
        return expected == self.head


def of_games(ids: Sequence[UUID]) -> Iterator[str]:
    """Yield what differs in the logs of games from what was published of them."""
    return _of_logs(LeafKind.GAME, ids)


def _of_logs(kind: str, only: Sequence[UUID] | None = None) -> Iterator[str]:
    """Yield what differs in logs of a kind."""
    rows = LogLeaf.objects.filter(kind=kind).order_by("subject", "seq")
    rows = rows if only is None else rows.filter(subject__in=only)
    values = rows.values_list("subject", "seq", "head", "salt__salt", "at").iterator()
    found = (
        _Leaf(subject, seq, bytes(head), bytes(salt) if salt else None, at)
        for subject, seq, head, salt, at in values
    )
    logs = (list(group) for _, group in groupby(found, key=attrgetter("subject")))
    while some := list(islice(logs, _TOGETHER)):
        stored = dict[UUID, dict[int, bytes]]()
        for subject, seq, value in _stored(kind)({each[0].subject: each for each in some}):
            stored.setdefault(subject, {})[seq] = value
        for log_ in some:
            of_log = _of_log(kind, log_, stored.get(log_[0].subject, {}))
            yield from (f"{called(kind)} {log_[0].subject}: {wrong}" for wrong in of_log)


def _of_log(kind: str, leaves: Sequence[_Leaf], stored: Mapping[int, bytes]) -> Iterator[str]:
    if not stored:
        yield f"it is gone; {stamp(leaves[0].at)} it was published"
        return
    for leaf in leaves:
        value = stored.get(leaf.seq)
        if value is None:
            yield f"entry {leaf.seq}, published {stamp(leaf.at)}, is missing: the log was cut"
            return
        committed = kind in (*_OF_PEOPLE, *(each.kind for each in entry_logs()))
        if committed and leaf.salt is None:
            if kind not in _OF_PEOPLE:
                yield f"the salt of entry {leaf.seq} is gone"
        elif not leaf.is_of(value):
            at = stamp(leaf.at)
            yield f"entry {leaf.seq} is not the one that was published {at}: the log was rewritten"
            return


_Wanted: TypeAlias = Mapping[UUID, Sequence[_Leaf]]


def _value(of: Callable[[Any], bytes], stored: Any) -> bytes:
    """Return the bytes of what is stored; none, as nothing has that was published, where it has none."""
    try:
        return of(stored)
    except (ValueError, TypeError, RecursionError):
        return b""


_hex: Final = partial(_value, bytes.fromhex)


def _games(wanted: _Wanted) -> Stored:
    """Yield the hashes of entries; of a log in an archive only the number and hash of the last one."""
    seqs = {leaf.seq for leaves in wanted.values() for leaf in leaves}
    for (game, seq), hash_ in games.hashes(wanted, seqs).items():
        yield game, seq, _hex(hash_)
    for row in partitions.archived(Game.objects.filter(pk__in=wanted)).only("seq", "head"):
        yield from ((row.pk, leaf.seq, leaf.head) for leaf in wanted[row.pk] if leaf.seq < row.seq)
        yield row.pk, row.seq, _hex(row.head)


def _entries(logs: EntryLog, wanted: _Wanted) -> Stored:
    rows = logs.entries().filter(**{f"{logs.subject}__in": wanted})
    for subject, seq, hash_ in rows.values_list(logs.subject, "seq", "hash"):
        yield subject, seq, _hex(hash_)


def _recorded(records: Records, wanted: _Wanted) -> Stored:
    for row in records.model._default_manager.filter(**{f"{records.subject}__in": wanted}).iterator():
        yield *records.of(row), _value(records.value, row)


def _keys(wanted: _Wanted) -> Stored:
    yield from ((pk, key.number, _hex(key.public)) for pk in wanted for key in LogKey.objects.all())


def _epochs(wanted: _Wanted) -> Stored:
    yield from ((pk, each.number, value_of_epoch(each)) for pk in wanted for each in LogEpoch.objects.all())


def _stored(kind: str) -> Callable[[_Wanted], Stored]:
    """Return what yields what is stored of a kind of leaves."""
    found: Mapping[str, Callable[[_Wanted], Stored]] = {
        LeafKind.GAME: _games,
        LeafKind.KEY: _keys,
        LeafKind.EPOCH: _epochs,
        **{records.kind: partial(_recorded, records) for records in RECORDS},
        **{logs.kind: partial(_entries, logs) for logs in entry_logs()},
    }
    return found[kind]


def _without_salts() -> Iterator[str]:
    """Yield what has no salt although nobody was forgotten with it: a removal is a record that has its salt.

    Changes of before the column say of nobody whom they are about.
    """
    back = PlayerRecord.objects.filter(player=OuterRef("player"), removed=False, seq__gt=OuterRef("seq"))
    removals = PlayerRecord.objects.filter(~Exists(back), removed=True)
    salted = LogLeaf.objects.exclude(_UNSALTED)
    of_player = LogLeaf.objects.filter(_UNSALTED, kind=LeafKind.PLAYER)
    unsalted = of_player.filter(subject=OuterRef("player"), seq=OuterRef("seq"))
    later = removals.filter(~Exists(unsalted), player=OuterRef("subject"), seq__gt=OuterRef("seq"))
    for pk in {*of_player.exclude(Exists(later)).values_list("subject", flat=True)}:
        yield f"player {pk}: a salt of its leaves is gone, and the player was not removed"
    changes = ClubChange.objects.exclude(about=None)
    first = changes.filter(pk__in=salted.filter(kind=LeafKind.CLUB).values("seq")).order_by("pk")[:1]
    leaf = LogLeaf.objects.filter(_UNSALTED, kind=LeafKind.CLUB, subject=OuterRef("club"), seq=OuterRef("pk"))
    before = Q(about=None, pk__lt=Subquery(first.values("pk")))
    forgotten = before | Exists(removals.filter(player=OuterRef("about")))
    gone = ClubChange.objects.filter(Exists(leaf)).exclude(forgotten, kind__in=leaves.OF_PLAYERS)
    for change in gone.order_by("pk"):
        yield f"the record of club {change.club_id}: the salt of change {change.pk} is gone"


def _of_practice() -> Iterator[str]:
    """Yield games that were published, but which say that they are for practice."""
    kept = Exists(LogLeaf.objects.filter(kind=LeafKind.GAME, subject=OuterRef("pk")))
    for pk in Game.objects.filter(kept, practice=True).order_by("pk").values_list("pk", flat=True):
        yield f"game {pk}: it was flagged as practice past the service"
