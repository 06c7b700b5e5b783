"""The leaves of the signed log, and the proof that one is in it, in the form of https://c2sp.org/tlog-proof.

docs/signed-log.md is the specification.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, NamedTuple

from games.engine.chain import canonical, stamp
from games.lines import WrongLog, parsed
from games.transparency import merkle, notes
from games.transparency.merkle import WrongProof
from games.transparency.notes import Checkpoint, Key, Note, WrongNote

HEADER: Final = "c2sp.org/tlog-proof@v1"
SALT_BYTES: Final = 32
_COMMITMENT: Final = b"trefoil/leaf/1"
_TOLD: Final = re.compile(r"\b([0-9]{1,18}) [^0-9]+ ([0-9a-f]{64})\b")
"""The line of an email that tells size and root, in any language."""


@dataclass(frozen=True)
class Leaf:
    """An entry of the signed log: entry ``seq`` of a log of some kind, by its id, has this head.

    ``head`` is 64 hex digits: a hash, or a `commitment`.
    """

    kind: str
    id: str
    seq: int
    head: str

    @property
    def hash(self) -> bytes:
        """Return its hash in the tree."""
        data = {"head": self.head, "id": self.id, "kind": self.kind, "seq": self.seq}
        return merkle.leaf_hash(canonical(data))  # type: ignore[arg-type]


def commitment(salt: bytes, value: bytes) -> str:
    """Return the commitment to a value, 64 hex digits; without the salt of 32 bytes nobody can guess it."""
    return sha256(_COMMITMENT + salt + value).hexdigest()


@dataclass(frozen=True)
class Proof:
    """That a leaf is in the tree of a signed checkpoint.

    ``salt`` opens a commitment; it is empty where the head itself is in the leaf. ``key`` is the log's key as
    whoever made the proof names it.
    """

    kind: str
    id: str
    seq: int
    index: int
    path: Sequence[bytes]
    note: Note
    key: str
    salt: bytes = b""

    def __str__(self) -> str:
        more = {"id": self.id, "key": self.key, "kind": self.kind, "salt": self.salt.hex(), "seq": self.seq}
        path = "".join(f"{b64encode(each).decode()}\n" for each in self.path)
        extra = b64encode(canonical(more)).decode()  # type: ignore[arg-type]
        return f"{HEADER}\nextra {extra}\nindex {self.index}\n{path}\n{self.note}"


def read_proof(text: str) -> Proof:
    """Return the proof of its text; raise `WrongNote`. Nothing is checked but the form."""
    before, gap, note = text.partition("\n\n")
    header, extra, index, *path = [*before.split("\n"), "", ""]
    if not gap or header != HEADER or not extra.startswith("extra ") or not index.startswith("index "):
        raise WrongNote("it is not a proof of the form c2sp.org/tlog-proof@v1 with the line extra")
    try:
        more = parsed(None, notes.decoded(extra.removeprefix("extra ")).decode())
        return Proof(
            kind=str(more["kind"]),
            id=str(more["id"]),
            seq=int(more["seq"]),
            index=int(index.removeprefix("index ")),
            path=[notes.decoded(line) for line in path if line],
            note=notes.read_note(note),
            key=str(more["key"]),
            salt=bytes.fromhex(more["salt"]),
        )
    except (ValueError, TypeError, KeyError, WrongLog):
        raise WrongNote("the line extra or index of the proof is not as it should be") from None


def read_proofs(text: str) -> Sequence[Proof]:
    """Return the proofs of a text, one below the other, at least one; raise `WrongNote`."""
    parts = re.split(rf"^(?={re.escape(HEADER)}$)", text, flags=re.MULTILINE)
    return [read_proof(each) for each in parts if each] or [read_proof(text)]


class Logged(NamedTuple):
    """A log in a file: its kind, its lines, and whether it can have no more entries.

    ``id`` is empty where the file does not name it; ``called`` tells it from others of the file.
    """

    kind: str
    lines: Iterable[str]
    over: bool
    id: str = ""
    called: str = ""


@dataclass(frozen=True)
class Proven:
    """What a proof proves of a log: up to which of its entries it is in the tree of which checkpoint.

    ``key`` signed that; ``named`` says whether it was given beside the proof. ``witnesses`` are names, each
    with the time in seconds since 1970.
    """

    seq: int
    entries: int
    checkpoint: Checkpoint
    key: Key
    named: bool
    witnesses: tuple[tuple[str, int], ...]


def check(
    proof: Proof,
    kind: str,
    hashes: Sequence[str],
    *,
    over: bool = False,
    log: str = "",
    key: Key | None = None,
    witnesses: Sequence[Key] = (),
) -> Proven:
    """Return what a proof proves of the log whose entries have these hashes.

    A log that is ``over`` is proven by its last entry alone: to an earlier one anybody can add others.
    ``log`` is the id of the log, where its file names it. Without a ``key`` that of the proof is taken. Each
    of the ``witnesses`` must have signed. Raises `WrongProof` and `WrongNote`.
    """
    if proof.kind != kind or (log and proof.id != log):
        raise WrongProof(f"it is the proof for the {proof.kind} {proof.id}")
    if not 0 < proof.seq <= len(hashes):
        raise WrongProof(f"the signed log has entry {proof.seq}, and the file does not")
    if over and proof.seq < len(hashes):
        raise WrongProof(
            f"it is for its entry {proof.seq}, and the file is over with entry {len(hashes)}: "
            "what comes between is not proven; get the newest proof"
        )
    signer = key or notes.read_key(proof.key)
    if not notes.is_signed_by(proof.note, signer):
        raise WrongProof(f"the head of the signed log is not signed by {signer}")
    checkpoint = notes.read_checkpoint(proof.note.text)
    if checkpoint.origin != signer.name:
        raise WrongProof(f"{signer} signed the head of another log, {checkpoint.origin}")
    head = hashes[proof.seq - 1]
    if proof.salt:
        head = commitment(proof.salt, bytes.fromhex(head))
    leaf = Leaf(kind, proof.id, proof.seq, head)
    merkle.check_inclusion(leaf.hash, proof.index, checkpoint.size, proof.path, checkpoint.root)
    seen = tuple((each.name, _seen(proof.note, each)) for each in witnesses)
    return Proven(proof.seq, len(hashes), checkpoint, signer, key is not None, seen)


def _seen(note: Note, witness: Key) -> int:
    seconds = notes.cosigned_at(note, witness)
    if seconds is None:
        raise WrongProof(f"the witness {witness.name} did not sign this head")
    return seconds


def in_words(proven: Proven) -> Iterator[str]:
    """Yield what a proof proves as lines of text."""
    head = proven.checkpoint
    yield from entries_in_words(proven)
    yield f"its head: {head.size} leaves, root {head.root.hex()}, {head.at}"
    yield f"signed by {proven.key}"
    if (epoch := notes.epoch_of(head.origin)) != 1:
        yield f"unchecked: this is epoch {epoch} of the log, and earlier heads may contradict it"
    if not proven.named:
        yield "unchecked: whether that is the log’s key; give the one that you know with --key"
    for name, seconds in proven.witnesses:
        yield f"witnessed by {name}, {stamp(datetime.fromtimestamp(seconds, UTC))}"
    if not proven.witnesses:
        yield "not witnessed: give the keys of witnesses with --witness"


def entries_in_words(proven: Proven, called: str = "") -> Iterator[str]:
    """Yield which entries of a log are proven as lines of text; ``called`` tells it from others."""
    of = f"{called}, " if called else ""
    yield f"in the signed log {proven.checkpoint.origin}: {of}entry {proven.seq} of {proven.entries}"
    if proven.seq < proven.entries:
        yield f"NOT in the signed log: {of}what comes after entry {proven.seq}; nothing proves it"


# ---- Two heads -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Head:
    """A head that somebody kept: its note, which the line of an email has not, and the key beside it."""

    checkpoint: Checkpoint
    note: Note | None = None
    key: Key | None = None

    def __str__(self) -> str:
        head = self.checkpoint
        return " ".join([f"{head.size} leaves, root {head.root.hex()}", *([head.at] if head.at else [])])


def read_head(text: str) -> Head:
    """Return a head of its text; raise `WrongNote`. Nothing is checked but the form.

    It may be the note by itself, the JSON of the API or of a witness, or the line of an email.
    """
    key = None
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        data = json.loads(text)
        text, key = str(data["note"]), data.get("key")
    try:
        note = notes.read_note(text)
    except WrongNote:
        if told := _TOLD.search(text):
            return Head(Checkpoint("", int(told[1]), bytes.fromhex(told[2])))
        raise
    return Head(notes.read_checkpoint(note.text), note, notes.read_key(str(key)) if key else None)


def compared(
    heads: Sequence[Head], path: Sequence[bytes] | None, *, key: Key | None, witnesses: Sequence[Key] = ()
) -> Iterator[str]:
    """Yield what two heads of a log prove, in words: that the larger tree begins with the smaller one.

    ``path`` is the proof of that. Without a ``key`` that which is named beside a head is taken. Each of the
    ``witnesses`` must have signed the larger one. Raises `WrongProof` and `WrongNote`.
    """
    small, large = sorted(heads, key=lambda head: head.checkpoint.size)
    one, other = small.checkpoint, large.checkpoint
    if path is None and one.size < other.size:
        raise WrongProof(
            f"give the proof with --path: signed-log/consistency/?first={one.size}&second={other.size}"
        )
    for head in (small, large):
        yield f"the head: {head}"
        yield _signer(head, key)
    if one.origin and other.origin and notes.log_of(one.origin) != notes.log_of(other.origin):
        raise WrongProof(f"they are heads of two logs, {one.origin} and {other.origin}")
    if other.at and one.at > other.at:
        raise WrongProof(f"the log had {other.size} leaves at {other.at}, and {one.size} later: it was cut")
    merkle.check_consistency(one.size, other.size, path or (), one.root, other.root)
    yield f"verified: the log of {other.size} leaves begins with the log of {one.size} leaves"
    if one.origin and other.origin not in ("", one.origin):
        yield f"in between a new epoch began, {other.origin}"
    for each in witnesses:
        seconds = _seen(large.note or Note("", ()), each)
        yield f"witnessed by {each.name}, {stamp(datetime.fromtimestamp(seconds, UTC))}"


def _signer(head: Head, given: Key | None) -> str:
    """Return in words who signed a head; raise `WrongProof` if it wasn't the key."""
    key = given or head.key
    if head.note is None or key is None:
        return "unchecked: " + ("who signed it; give the key with --key" if head.note else "nobody signed it")
    # Each epoch has a name of its own, with the same key.
    signer = Key(head.checkpoint.origin, key.public)
    if not notes.is_signed_by(head.note, signer):
        raise WrongProof(f"the head of {head.checkpoint.size} leaves is not signed by {signer}")
    return f"signed by {signer}" + ("" if given else "; unchecked: whether that is the log’s key")
