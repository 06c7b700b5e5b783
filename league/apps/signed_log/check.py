"""What was changed past the service: everything that the signed log holds, compared with what is stored.

Each difference becomes a sentence that names it. Whoever has a head from elsewhere can have the tree compared
with that too.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from heapq import merge
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import Any, Final, TypeAlias, TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, Subquery

from games import log as games
from games import partitions
from games.engine.chain import stamp
from games.models import Game, Seat
from games.transparency import merkle, notes
from games.transparency.notes import Checkpoint, Key, WrongNote
from games.transparency.proofs import commitment, read_head
from league import log
from league.choices import LeafKind
from league.models import (
    Club,
    ClubChange,
    ClubGame,
    Competition,
    EntryPlayer,
    LogEpoch,
    LogHead,
    LogKey,
    LogLeaf,
    LogNode,
    Member,
    Player,
    PlayerRecord,
    SignedLog,
)
from league.ops.schema import rows_of_nothing
from league.queries.signed_log import STEP, leaf_of, value_of_change, value_of_epoch, value_of_record
from league.services import sequencing, signing
from league.services.shares import to_its_end

Values: TypeAlias = Mapping[int, bytes]
"""What entries of a log commit to, by their numbers."""
_COMMITTED: Final = (LeafKind.COMPETITION, LeafKind.CLUB, LeafKind.PLAYER)
_UNSALTED: Final = Q(kind__in=[LeafKind.CLUB, LeafKind.PLAYER]) & (Q(salt=None) | Q(salt__salt=b""))
_TOGETHER: Final = 200
"""Logs that are looked at together."""


def differences(given: Iterable[str] = (), *, stopped: bool = False) -> Iterator[str]:
    """Yield a sentence for everything that differs from what was published.

    ``given`` are heads as they were signed. Where workers have ``stopped``, what they have not entered yet is
    told if they should have before.
    """
    kept = None
    try:
        kept = signing.kept()
    except signing.CannotSign as refusal:
        yield f"signed log: {refusal}"
    if not SignedLog.objects.exists():
        if kept or [*given] or LogLeaf.objects.exists():
            yield "signed log: it is gone"
        return
    parts = (
        _of_tree(given, kept),
        signing.not_signed(),
        _of_logs(LeafKind.GAME, "game", _games),
        _of_logs(LeafKind.COMPETITION, "competition", _competitions),
        _of_logs(LeafKind.CLUB, "the record of club", _clubs),
        _of_logs(LeafKind.PLAYER, "player", _records),
        _of_logs(LeafKind.KEY, "the keys of signed log", _keys),
        _of_logs(LeafKind.EPOCH, "the epochs of signed log", _epochs),
        _without_salts(),
        _of_players(),
        _of_clubs(),
        _of_casual_games(),
        _of_practice(),
        rows_of_nothing(),
        sequencing.dated_ahead(),
        sequencing.dated_early(),
        sequencing.left_out(sequencing.settled(stopped=stopped)),
    )
    for part in parts:
        yield from to_its_end("signed log", part)


def erased() -> int:
    """Return how many leaves can't be compared any more, since their salts were deleted with a person."""
    return LogLeaf.objects.filter(_UNSALTED).count()


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

    def add(self, leaf: bytes, completed: Callable[[int, bytes], None]) -> None:
        """Take the next leaf; tell the level and hash of each node that is complete now."""
        level, node = 0, leaf
        while self._parts and self._parts[-1][0] == level:
            node, level = merkle.node_hash(self._parts.pop()[1], node), level + 1
            completed(level, node)
        self._parts.append((level, node))

    def root(self) -> bytes:
        """Return the root of all leaves so far."""
        if not self._parts:
            return merkle.EMPTY
        *left, (_, node) = self._parts
        for _, part in reversed(left):
            node = merkle.node_hash(part, node)
        return node


class _Nodes:
    """The nodes that are stored, read along with the leaves."""

    def __init__(self) -> None:
        levels = LogNode.objects.order_by("level").values_list("level", flat=True).distinct()
        self._rows = {
            level: LogNode.objects.filter(level=level).order_by("index").iterator() for level in levels
        }
        self._next = {level: next(rows, None) for level, rows in self._rows.items()}

    def has(self, level: int, index: int, node: bytes) -> bool:
        """Return whether a node is stored with this hash; nodes of a level are asked for in order."""
        while (row := self._next.get(level)) and row.index < index:
            self._next[level] = next(self._rows[level], None)
        return row is not None and (row.index, bytes(row.hash)) == (index, node)


def _of_tree(given: Iterable[str], kept: Checkpoint | None) -> Iterator[str]:
    elsewhere, wrong = _known(given, kept)
    yield from wrong
    known = merge(_published(), sorted(elsewhere, key=_size), key=_size)
    head = next(known, None)
    nodes, tree, size, made = _Nodes(), _Range(), 0, list[tuple[int, bytes]]()
    since: datetime | None = None
    for row in LogLeaf.objects.order_by("index").iterator():
        if row.index != size:
            yield f"signed log: leaf {size} is missing"
            return
        if leaf_of(row).hash != bytes(row.hash):
            yield f"signed log: leaf {size} has another hash than what it says"
        if since and row.at < since:
            yield f"signed log: leaf {size} is dated before the head that was published before it"
        made.clear()
        tree.add(bytes(row.hash), lambda level, node: made.append((level, node)))
        size += 1
        for level, node in made:
            if level % STEP == 0 and not nodes.has(level, (size >> level) - 1, node):
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
    return _of_logs(LeafKind.GAME, "game", _games, ids)


def _of_logs(
    kind: LeafKind,
    called: str,
    read: Callable[[Mapping[UUID, Sequence[_Leaf]]], Mapping[UUID, Values]],
    only: Sequence[UUID] | None = None,
) -> Iterator[str]:
    """Yield what differs in logs of a kind; ``read`` returns the values of entries as they are stored."""
    rows = LogLeaf.objects.filter(kind=kind).order_by("subject", "seq")
    rows = rows if only is None else rows.filter(subject__in=only)
    values = rows.values_list("subject", "seq", "head", "salt__salt", "at").iterator()
    leaves = (
        _Leaf(subject, seq, bytes(head), bytes(salt) if salt else None, at)
        for subject, seq, head, salt, at in values
    )
    logs = (list(group) for _, group in groupby(leaves, key=lambda leaf: leaf.subject))
    while some := list(islice(logs, _TOGETHER)):
        stored = read({log[0].subject: log for log in some})
        for log_ in some:
            of_log = _of_log(kind, log_, stored.get(log_[0].subject, {}))
            yield from (f"{called} {log_[0].subject}: {wrong}" for wrong in of_log)


def _of_log(kind: LeafKind, leaves: Sequence[_Leaf], stored: Values) -> Iterator[str]:
    if not stored:
        yield f"it is gone; {stamp(leaves[0].at)} it was published"
        return
    for leaf in leaves:
        value = stored.get(leaf.seq)
        if value is None:
            yield f"entry {leaf.seq}, published {stamp(leaf.at)}, is missing: the log was cut"
            return
        if kind in _COMMITTED and leaf.salt is None:
            if kind == LeafKind.COMPETITION:
                yield f"the salt of entry {leaf.seq} is gone"
        elif not leaf.is_of(value):
            at = stamp(leaf.at)
            yield f"entry {leaf.seq} is not the one that was published {at}: the log was rewritten"
            return


def _games(wanted: Mapping[UUID, Sequence[_Leaf]]) -> Mapping[UUID, Values]:
    """Return the hashes of entries; of a log in an archive only the number and hash of the last one."""
    seqs = {leaf.seq for leaves in wanted.values() for leaf in leaves}
    archived = partitions.archived(Game.objects.filter(pk__in=wanted)).only("seq", "head")
    return {
        **_by_log((game, seq, _hex(hash_)) for (game, seq), hash_ in games.hashes(wanted, seqs).items()),
        **{
            game.pk: {leaf.seq: leaf.head for leaf in wanted[game.pk] if leaf.seq < game.seq}
            | {game.seq: _hex(game.head)}
            for game in archived
        },
    }


def _by_log(stored: Iterable[tuple[UUID, int, bytes]]) -> Mapping[UUID, Values]:
    found: dict[UUID, dict[int, bytes]] = {}
    for subject, seq, value in stored:
        found.setdefault(subject, {})[seq] = value
    return found


Stored = TypeVar("Stored")


def _value(of: Callable[[Stored], bytes], stored: Stored) -> bytes:
    """Return the bytes of what is stored; none, as nothing has that was published, where it has none."""
    try:
        return of(stored)
    except (ValueError, TypeError, RecursionError):
        return b""


_hex: Final = partial(_value, bytes.fromhex)


def _competitions(wanted: Mapping[UUID, Sequence[_Leaf]]) -> Mapping[UUID, Values]:
    rows = log.rows_of(wanted).only("competition", "seq", "hash")
    return _by_log((row.competition_id, row.seq, _hex(row.hash)) for row in rows)


def _clubs(wanted: Mapping[UUID, Sequence[_Leaf]]) -> Mapping[UUID, Values]:
    rows = ClubChange.objects.filter(club__in=wanted).iterator()
    return _by_log((row.club_id, row.pk, _value(value_of_change, row)) for row in rows)


def _records(wanted: Mapping[UUID, Sequence[_Leaf]]) -> Mapping[UUID, Values]:
    rows = PlayerRecord.objects.filter(player__in=wanted).iterator()
    return _by_log((row.player, row.seq, _value(value_of_record, row)) for row in rows)


def _keys(wanted: Mapping[UUID, Sequence[_Leaf]]) -> Mapping[UUID, Values]:
    keys = {key.number: _hex(key.public) for key in LogKey.objects.all()}
    return dict.fromkeys(wanted, keys)


def _epochs(wanted: Mapping[UUID, Sequence[_Leaf]]) -> Mapping[UUID, Values]:
    epochs = {epoch.number: value_of_epoch(epoch) for epoch in LogEpoch.objects.all()}
    return dict.fromkeys(wanted, epochs)


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
    gone = ClubChange.objects.filter(Exists(leaf)).exclude(forgotten, kind__in=sequencing.OF_PLAYERS)
    for change in gone.order_by("pk"):
        yield f"the record of club {change.club_id}: the salt of change {change.pk} is gone"


# ---- Rows that follow records --------------------------------------------------------------------


def _of_players() -> Iterator[str]:
    """Yield each player whose row says something else than its record."""
    newest = PlayerRecord.objects.order_by("player", "-seq").distinct("player")
    players = ((row.pk, row) for row in Player.objects.order_by("pk").iterator())
    records = ((row.player, row) for row in newest.iterator())
    # Both in the order of ids, so that no more than one of each is in memory.
    both: Iterator[tuple[UUID, Player | PlayerRecord]] = merge(players, records, key=itemgetter(0))
    for pk, rows in groupby(both, key=itemgetter(0)):
        found = [row for _, row in rows]
        player = next((row for row in found if isinstance(row, Player)), None)
        record = next((row for row in found if isinstance(row, PlayerRecord)), None)
        yield from (f"player {pk}: {wrong}" for wrong in _of_player(player, record))


def _of_player(player: Player | None, record: PlayerRecord | None) -> Iterator[str]:
    if player is None:
        if record and not record.removed:
            yield "it was removed past the service"
    elif record is None:
        yield "it was added past the service"
    else:
        if player.anonymous != record.removed:
            row, says = ("not " * (not removed) for removed in (player.anonymous, record.removed))
            yield f"it is {row}removed, by the record it is {says}removed: changed past the service"
        if player.account_id != record.account:
            now, by_record = player.account_id or "none", record.account or "none"
            yield f"the account is {now}, by the record {by_record}: linked or unlinked past the service"
        if player.club_id != record.club:
            yield "it was moved to another club past the service"
        if player.merged_into_id != record.merged_into:
            yield "it was merged, or taken apart again, past the service"


def _of_clubs() -> Iterator[str]:
    """Yield each club, member and player that is not what the club's record made of it."""
    for club in Club.objects.order_by("pk").iterator():
        fields, about = dict[str, Any](), dict[UUID, dict[str, Any]]()
        known = False
        for change in ClubChange.objects.filter(club=club).order_by("pk").iterator():
            values = change.values if isinstance(change.values, dict) else {}
            now = {name: pair[-1] for name, pair in values.items() if isinstance(pair, list) and pair}
            if change.kind in sequencing.OF_CLUBS:
                fields |= now
            elif change.about and change.kind not in sequencing.OF_INVITED:
                about.setdefault(change.about, {}).update(now)
            if change.kind == ClubChange.Kind.CLUB_MADE and change.account_id:
                known = True
                about.setdefault(change.account_id, {})["role"] = "owner"
        yield from (
            f"club {club.pk}: its {name} was changed past the service"
            for name, value in fields.items()
            if getattr(club, name, value) != value
        )
        yield from (f"club {club.pk}: {wrong}" for wrong in _of_people(club, about, known))


def _of_people(club: Club, about: Mapping[UUID, Mapping[str, Any]], known: bool) -> Iterator[str]:
    """Yield who has another role or name than the club's record says; of all members if it is ``known``."""
    roles = dict(Member.objects.filter(club=club).values_list("account", "role"))
    for account in sorted({*roles, *(each for each, now in about.items() if "role" in now)}):
        role, recorded = roles.get(account), about.get(account, {}).get("role")
        if role != recorded and (known or account in about):
            yield f"the role of account {account} is {role}, by the record {recorded}"
    for pk, name in Player.objects.filter(club=club, anonymous=False).values_list("pk", "name"):
        if about.get(pk, {}).get("name", name) != name:
            yield f"player {pk} has another name than the record says"
    removals = ClubChange.objects.filter(club=club, kind=ClubChange.Kind.PLAYER_REMOVED).order_by("pk")
    given = dict(removals.values_list("about", "subject"))
    # Those of before the column say of nobody whom they are about.
    earlier = removals.filter(about=None, values__played=[None, True]).values_list("subject", flat=True)
    removed = Player.objects.filter(club=club, anonymous=True).values_list("pk", "merged_into", "name")
    for pk, merged_into, name in removed:
        if (recorded := given.get(merged_into or pk)) != name and (recorded or name not in earlier):
            yield f"player {pk}, who is removed, has another name than the record of the removal says"


# ---- Games that are in no competition -------------------------------------------------------------


def _of_casual_games() -> Iterator[str]:
    """Yield what is in another club than its players, and casual games of another opener."""
    seats = Seat.objects.filter(game=OuterRef(OuterRef("game")))
    elsewhere = Player.objects.filter(pk__in=seats.values("player")).exclude(club=OuterRef("club"))
    casual = ClubGame.objects.filter(competition=None, game__practice=False).order_by("pk")
    for pk in casual.filter(Exists(elsewhere)).values_list("pk", flat=True):
        yield f"game {pk}: it is in another club than its players"
    for pk in casual.filter(recorded=True).values_list("pk", flat=True):
        yield f"game {pk}: it is in no competition, and said to be recorded in the log of one"
    strangers = EntryPlayer.objects.filter(entry__competition=OuterRef("pk"))
    strangers = strangers.exclude(player__club=OuterRef("club"))
    for pk in Competition.objects.filter(Exists(strangers)).order_by("pk").values_list("pk", flat=True):
        yield f"competition {pk}: it is in another club than its players"
    opened = games.openers(casual.exclude(made_by=None).values_list("pk", flat=True))
    for pk, account in casual.exclude(made_by=None).values_list("pk", "made_by").iterator():
        if opened.get(pk, str(account)) != str(account):
            yield f"game {pk}: its log says that another account opened it"
    later = casual.exclude(rematch_of=None).values_list("pk", "rematch_of")
    for pk, earlier in later.iterator():
        (one, other) = (
            {*Seat.objects.filter(game=each).values_list("player", flat=True)} for each in (pk, earlier)
        )
        if one != other:
            yield f"game {pk}: it is the rematch of a game of other players"


def _of_practice() -> Iterator[str]:
    """Yield games whose logs are to be kept, but which say that they are for practice."""
    kept = Exists(LogLeaf.objects.filter(kind=LeafKind.GAME, subject=OuterRef("pk")))
    of_club = Exists(ClubGame.objects.filter(game=OuterRef("pk")))
    for pk in Game.objects.filter(kept | of_club, practice=True).order_by("pk").values_list("pk", flat=True):
        yield f"game {pk}: it was flagged as practice past the service"
    for pk in games.kept_beside_practice():
        yield f"game {pk}: it is flagged as practice, but its log is one that is kept"
