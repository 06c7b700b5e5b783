"""Signed notes, the checkpoints of logs, and the signatures of witnesses, in the forms of C2SP.

https://c2sp.org/signed-note, https://c2sp.org/tlog-checkpoint and https://c2sp.org/tlog-cosignature
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256, sha512
from typing import Final, NamedTuple

from games.transparency.merkle import HASH_BYTES

# ---- Ed25519 -------------------------------------------------------------------------------------

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_ONE: Final = pow(2, (_P - 1) // 4, _P)


class _Point(NamedTuple):
    """A point in extended homogeneous coordinates (5.1.4): x = X/Z, y = Y/Z, x·y = T/Z."""

    x: int
    y: int
    z: int
    t: int


_NEUTRAL: Final = _Point(0, 1, 1, 0)


def _add(one: _Point, other: _Point) -> _Point:
    a = (one.y - one.x) * (other.y - other.x) % _P
    b = (one.y + one.x) * (other.y + other.x) % _P
    c = 2 * one.t * other.t * _D % _P
    d = 2 * one.z * other.z % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return _Point(e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(factor: int, point: _Point) -> _Point:
    product = _NEUTRAL
    while factor:
        if factor & 1:
            product = _add(product, point)
        point, factor = _add(point, point), factor >> 1
    return product


def _encoded(point: _Point) -> bytes:
    inverse = pow(point.z, -1, _P)
    x, y = point.x * inverse % _P, point.y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(KEY_BYTES, "little")


def _decoded(encoded: bytes) -> _Point | None:
    """Return the point of its encoding (5.1.3), None where there is none."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if x * x % _P != square:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if x * x % _P != square or (x == 0 and sign):
        return None
    x = _P - x if x & 1 != sign else x
    return _Point(x, y, 1, x * y % _P)


_BASE_Y: Final = 4 * pow(5, -1, _P) % _P
_BASE: Final = _decoded(_BASE_Y.to_bytes(KEY_BYTES, "little"))


def is_signed(message: bytes, signature: bytes, public: bytes) -> bool:
    """Return whether the key of 32 bytes signed the message with this signature of 64 bytes."""
    if len(signature) != SIGNATURE_BYTES or len(public) != KEY_BYTES:
        return False
    key, number = _decoded(public), int.from_bytes(signature[32:], "little")
    if key is None or number >= _ORDER:
        return False
    assert _BASE is not None
    hashed = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % _ORDER
    minus_key = _Point(_P - key.x, key.y, 1, _P - key.t)
    return _encoded(_add(_times(number, _BASE), _times(hashed, minus_key))) == signature[:32]


# ---- Signed notes --------------------------------------------------------------------------------

ED25519: Final = 1
COSIGNATURE: Final = 4
MOST_SIGNATURES: Final = 100
_ID_BYTES: Final = 4
_TIME_BYTES: Final = 8
_LAST_SECOND: Final = 253_402_300_799
"""That of the year 9999, the last that can be told."""
_NAME: Final = re.compile(r"[^\s+]{1,200}")
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,17}")
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")


class WrongNote(Exception):
    """A text that is not the note, key or checkpoint that it should be; the message says why."""


def decoded(text: str) -> bytes:
    """Return the bytes of a base64 text in its one form; raise `WrongNote`."""
    try:
        value = b64decode(text, validate=True)
    except (NotBase64, ValueError):
        raise WrongNote("a part of it is not base64") from None
    if b64encode(value).decode() != text:
        raise WrongNote("a part of it is not base64 in its one form")
    return value


# ---- Keys ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Key:
    """A public key with its owner's name, written ``<name>+<id>+<type and key>``."""

    name: str
    public: bytes
    kind: int = ED25519

    @property
    def id(self) -> bytes:
        """Return the 4 bytes that name the key in signatures."""
        return sha256(f"{self.name}\n".encode() + bytes([self.kind]) + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.kind]) + self.public).decode()}"


def read_key(text: str) -> Key:
    """Return the key of its text; raise `WrongNote`."""
    name, _, rest = text.strip().partition("+")
    key_id, _, data = rest.partition("+")
    kind_and_key = decoded(data)
    if not _NAME.fullmatch(name) or len(kind_and_key) != 1 + KEY_BYTES:
        raise WrongNote("it is not a key of the form NAME+ID+KEY")
    key = Key(name, kind_and_key[1:], kind_and_key[0])
    if key.kind not in (ED25519, COSIGNATURE) or key.id.hex() != key_id:
        raise WrongNote("the key’s id does not fit its name and bytes")
    return key


# ---- Notes ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Signature:
    """A line below a note: whose it is, the id of the key, and what the key made."""

    name: str
    key_id: bytes
    made: bytes

    def __str__(self) -> str:
        return f"— {self.name} {b64encode(self.key_id + self.made).decode()}"


@dataclass(frozen=True)
class Note:
    """A text, which ends with a newline, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n" + "".join(f"{each}\n" for each in self.signatures)

    def made_by(self, key: Key) -> Sequence[bytes]:
        """Return the signatures that name a key."""
        return [each.made for each in self.signatures if (each.name, each.key_id) == (key.name, key.id)]


def read_note(text: str) -> Note:
    """Return the note of its text; raise `WrongNote`. No signature is checked."""
    body, gap, below = text.rpartition("\n\n")
    lines = below.split("\n")
    if not gap or lines.pop() != "" or not lines or _CONTROL.search(text):
        raise WrongNote("it is not a text with signatures below it")
    if len(lines) > MOST_SIGNATURES:
        raise WrongNote("it has too many signatures")
    return Note(f"{body}\n", tuple(map(read_signature, lines)))


def read_signature(line: str) -> Signature:
    """Return the signature of a line; raise `WrongNote`."""
    dash, name, made = [*line.split(" "), "", "", ""][:3]
    value = decoded(made)
    if dash != "—" or not _NAME.fullmatch(name) or len(value) <= _ID_BYTES or line.count(" ") != 2:
        raise WrongNote("a line below it is not a signature")
    return Signature(name, value[:_ID_BYTES], value[_ID_BYTES:])


def is_signed_by(note: Note, key: Key) -> bool:
    """Return whether the key signed the note; raise `WrongNote` for a wrong signature in its name."""
    message = note.text.encode()
    return _all_right(
        [is_signed(message, made, key.public) for made in note.made_by(key)] if key.kind == ED25519 else []
    )


def _all_right(found: Sequence[bool]) -> bool:
    if not all(found):
        raise WrongNote("a signature is not that of the key that it names")
    return bool(found)


def cosigned_message(text: str, seconds: int) -> bytes:
    """Return what a witness signs: that it saw a checkpoint, at a time in seconds since 1970."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def cosignature(key: Key, seconds: int, made: bytes) -> Signature:
    """Return the line of a witness that signed `cosigned_message` with its key."""
    return Signature(key.name, key.id, seconds.to_bytes(_TIME_BYTES, "big") + made)


def cosigned_at(note: Note, key: Key) -> int | None:
    """Return when a witness saw the checkpoint, in seconds since 1970, or None if it did not sign.

    Raises `WrongNote` for a wrong signature in its name.
    """
    times, found = [0], list[bool]()
    for made in note.made_by(key) if key.kind == COSIGNATURE else ():
        times.append(int.from_bytes(made[:_TIME_BYTES], "big"))
        if times[-1] > _LAST_SECOND:
            raise WrongNote("the time of a witness is none")
        message = cosigned_message(note.text, times[-1])
        found.append(is_signed(message, made[_TIME_BYTES:], key.public))
    return max(times) if _all_right(found) else None


# ---- Checkpoints ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Checkpoint:
    """The head of a tree: the name of the log, number of leaves, root, and when it was signed.

    ``at`` is UTC, as logs write times; empty for a log that does not tell it.
    """

    origin: str
    size: int
    root: bytes
    at: str = ""

    @property
    def text(self) -> str:
        """Return the text that is signed."""
        time = f"time {self.at}\n" if self.at else ""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n{time}"


def log_of(origin: str) -> str:
    """Return the name of a log, which all its epochs have, of the origin of one."""
    return origin.rpartition("/")[0]


def epoch_of(origin: str) -> int:
    """Return the number of the epoch of a log's heads, 0 where their origin has none."""
    number = origin.rpartition("/")[2]
    return int(number) if _SIZE.fullmatch(number) else 0


def read_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint that is the text of a note; raise `WrongNote`."""
    origin, size, root, *more = text.split("\n")[:-1] if text.count("\n") >= 3 else ("", "", "")
    if not origin or not _SIZE.fullmatch(size) or "" in more:
        raise WrongNote("it is not a checkpoint")
    hashed = decoded(root)
    if len(hashed) != HASH_BYTES:
        raise WrongNote("its root is not a hash")
    times = [line.removeprefix("time ") for line in more if line.startswith("time ")]
    return Checkpoint(origin, int(size), hashed, times[0] if times else "")
