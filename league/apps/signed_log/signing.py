"""Signing the heads of the signed log, and what is announced in it: its keys and its epochs.

The key is in a file, never in the database. Beside it, in a file that no backup of the database has either,
each signer keeps the head that it signed last: a database that does not continue that head was restored or
changed, and its head is not signed.
"""

import base64
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.db import transaction

from games import database_time
from games.engine.chain import stamp
from games.engine.messages import text
from games.engine.refusals import Malformed
from games.transparency import merkle, notes
from games.transparency.notes import Checkpoint, Key, Note, Signature, WrongNote
from league.apps.signed_log import leaves
from league.apps.signed_log.leaves import New
from league.apps.signed_log.models import Cosignature, LeafKind, LogEpoch, LogHead, LogKey, SignedLog
from league.apps.signed_log.queries import Tree, newest_heads, seen_by, value_of_epoch
from league.ops import folders, secret
from league.ops.environment import BadSetting
from league.ops.secret import Damaged

_SECRET_BYTES: Final = 32
_NEXT: Final = ".next"
_HEAD: Final = ".head"
_PUT_BACK: Final = (
    "Put the head that was published last there, as witnesses, the feed or the page of the signed log show "
    "it: from its first line to the last of its signatures. If nobody has it, remove what is there and "
    "declare that with `manage.py new_epoch REASON`."
)
_OTHER_KEY: Final = (
    "The key that was in force by the log is lost or was replaced: another one signs from here on."
)


class CannotSign(Exception):
    """The head can't be signed here; the message says why."""


class Behind(CannotSign):
    """The database has less than the head that was published last: it was restored."""


def files() -> Mapping[str, Path]:
    """Return the files of the key, of the one that is to replace it, and of the head that was signed last."""
    return {f"log_key{end}": _file(end) for end in ("", _NEXT, _HEAD)}


def _file(end: str = "") -> Path:
    return Path(f"{settings.LOG_KEY_FILE}{end}")


# ---- Signing -------------------------------------------------------------------------------------


def enter_and_sign(*, whenever: bool = False) -> None:
    """Enter everything new into the log, and sign its head if it is another one now; raises `CannotSign`.

    ``whenever``: see `leaves.enter_all`.
    """
    leaves.enter_all(whenever=whenever)
    sign()


def sign() -> LogHead | None:
    """Return the new head of the log, signed and published; None where the last one still holds."""
    with transaction.atomic():
        signed_log = leaves.locked()
        epoch, key, tree = _epoch(signed_log), _key(signed_log), Tree()
        _check_continues(signed_log, epoch, tree)
        if LogHead.objects.filter(epoch=epoch, size=signed_log.size).exists():
            return None
        head = _signed(signed_log, epoch, tree, [key])
    _put_in_place(key)
    return head


def _signed(signed_log: SignedLog, epoch: LogEpoch, tree: Tree, keys: list[Ed25519PrivateKey]) -> LogHead:
    now, last = database_time.asked(), newest_heads().first()
    # The dates of heads never go back, whatever the database's clock does.
    root, at = merkle.root(tree, signed_log.size), max(now, last.at) if last else now
    body = Checkpoint(epoch.origin, signed_log.size, root, stamp(at)).text
    known = [(Key(epoch.origin, public(key)), key) for key in keys]
    made = [Signature(key.name, key.id, held.sign(body.encode())) for key, held in known]
    note = str(Note(body, tuple(made)))
    # Published only after this: should the transaction fail, the same leaves are signed again.
    folders.write(_file(_HEAD), note, replace=True)
    return LogHead.objects.create(epoch=epoch, size=signed_log.size, root=root, note=note, at=at)


def kept() -> Checkpoint | None:
    """Return the head that was signed here last, None where none was; the newest of a later epoch, if any.

    Raises `CannotSign` where its file is damaged, or missing although the key is here.
    """
    note = _kept_note()
    if note is None and _file().exists():
        raise _missing()
    last = notes.read_checkpoint(notes.read_note(note).text) if note else None
    return last and (_begun_elsewhere(last) or last)


def _kept_note() -> str | None:
    """Return the head that was signed here last as it was signed. Raises `CannotSign` where it is damaged."""
    try:
        note = secret.held_in(_file(_HEAD), str)
        notes.read_checkpoint(notes.read_note(note).text)
    except FileNotFoundError:
        return None
    except WrongNote:
        raise CannotSign(f"{_file(_HEAD)} is damaged. {_PUT_BACK}") from None
    except Damaged as error:
        raise CannotSign(f"{error} {_PUT_BACK}") from None
    return note


def _missing() -> CannotSign:
    return CannotSign(f"{_file(_HEAD)}, the head that was signed last, is missing. {_PUT_BACK}")


def _begun_elsewhere(last: Checkpoint) -> Checkpoint | None:
    """Return the newest head of the present epoch, if another signer with the key here began it since."""
    epoch = LogEpoch.objects.order_by("-number").first()
    if epoch and LogEpoch.objects.filter(origin=last.origin, number__lt=epoch.number).exists():
        mine = [key.public_key() for key in _held_keys()]
        for head in newest_heads().filter(epoch=epoch)[:1]:
            if _is_signed(_checkpoint(head).text, head.note, mine):
                return _checkpoint(head)
    return None


def _checkpoint(row: LogHead) -> Checkpoint:
    return Checkpoint(row.epoch.origin, row.size, bytes(row.root), stamp(row.at))


def _check_continues(signed_log: SignedLog, epoch: LogEpoch, tree: Tree) -> None:
    """Raise `CannotSign` unless the log continues the head that was signed here last."""
    last = kept()
    if last is None:
        if LogHead.objects.exists():
            raise _missing()
        return
    if last.origin != epoch.origin or last.size > signed_log.size:
        raise Behind(
            f"The database is behind the head that was published last ({last.origin}, {last.size} leaves). "
            "If it was restored, declare that with `manage.py new_epoch REASON`."
        )
    if merkle.root(tree, last.size) != last.root:
        raise CannotSign(
            f"The first {last.size} leaves are not those that were published: the signed log was changed."
        )


def not_signed() -> Iterator[str]:
    """Yield the heads that no key of this log signed as they are stored."""
    keys = list[Ed25519PublicKey]()
    for public in LogKey.objects.values_list("public", flat=True):
        with suppress(ValueError):  # its leaf names one that is none
            keys.append(Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)))
    for row in LogHead.objects.select_related("epoch").order_by("pk").iterator():
        if not _is_signed(_checkpoint(row).text, row.note, keys):
            yield f"signed log: the head of {row.size} leaves that is dated {stamp(row.at)} was not signed so"


def _is_signed(text: str, note: str, keys: Iterable[Ed25519PublicKey]) -> bool:
    with suppress(WrongNote):
        read = notes.read_note(note)
        for key, signature in product(keys, read.signatures if read.text == text else ()):
            with suppress(InvalidSignature):
                key.verify(signature.made, text.encode())
                return True
    return False


# ---- Witnesses -----------------------------------------------------------------------------------


def cosign(*, size: int, line: str) -> None:
    """Put a witness's signature below a head of the present epoch; raises `Malformed`."""
    head = newest_heads().filter(size=size).first()
    if head is None or head.epoch_id != LogEpoch.objects.latest("number").number:
        raise Malformed({"size": [text("No head of this size was published.")]})
    try:
        witness = seen_by(head.note, line)
    except WrongNote as error:
        raise Malformed({"line": [str(error)]}) from None
    if witness is None:
        raise Malformed({"line": [text("This witness is not known here.")]})
    made = Cosignature(head=head, witness=witness.name, line=line, at=database_time.asked())
    Cosignature.objects.bulk_create([made], ignore_conflicts=True)


def check_witnesses() -> None:
    """Raise `BadSetting` unless the witnesses whose signatures are taken have keys, and none of them ours."""
    ours = set[bytes]()
    for file in (_file(), _file(_NEXT), Path(settings.DATA_DIR) / "witness/key"):
        with suppress(CannotSign):
            ours |= {public(key) for key in [_held(file)] if key}
    for named in settings.LOG_WITNESSES:
        try:
            given = notes.read_key(named)
            if given.kind != notes.COSIGNATURE:
                raise WrongNote("it is the key of a log")
            if given.public in ours:
                raise WrongNote("it is a key of this site, which can't be its own witness")
        except WrongNote as wrong:
            such = "Write keys as `manage.py witness` prints them."
            raise BadSetting(f"LOG_WITNESSES has {named!r}: {wrong}. {such}") from None


# ---- Keys ----------------------------------------------------------------------------------------


def _key(signed_log: SignedLog) -> Ed25519PrivateKey:
    """Return the key in force; the first one is made here. Raises `CannotSign`."""
    if not LogKey.objects.exists():
        # In place only with the head that it signs: a key without one was in use before.
        key = _held(_file()) or _made(_file(_NEXT))
        _announce(signed_log, key)
        return key
    if held := _in_force():
        _put_in_place(held)
        return held
    raise CannotSign(
        f"{_file()} is not the key in force. Put that one there. If it is lost, let another one sign "
        "with `manage.py new_epoch REASON`."
    )


def _in_force() -> Ed25519PrivateKey | None:
    """Return the key in force, None where it is not here."""
    newest = LogKey.objects.order_by("-number").values_list("public", flat=True).first()
    return next((key for key in _held_keys() if public(key).hex() == newest), None)


def _held_keys() -> Iterator[Ed25519PrivateKey]:
    """Yield the keys that are here. Raises `CannotSign` at a damaged one."""
    yield from (key for key in map(_held, (_file(), _file(_NEXT))) if key)


def _put_in_place(key: Ed25519PrivateKey) -> None:
    """Give a key that signs from here on the name of the present one."""
    held = _held(_file())
    if held is None or public(held) != public(key):
        folders.rename(_file(_NEXT), _file())


def _held(file: Path) -> Ed25519PrivateKey | None:
    """Return the key in a file, None where there is none. Raises `CannotSign`."""
    try:
        return secret.held_in(file, _read)
    except FileNotFoundError:
        return None
    except Damaged as error:
        raise CannotSign(str(error)) from None


def _made(file: Path) -> Ed25519PrivateKey:
    """Return the key in a file, which is made where there is none. Raises `CannotSign`."""
    return _held(file) or kept_in(file)


def kept_in(file: Path) -> Ed25519PrivateKey:
    """Return the key in a file that only its owner can read, made where there is none. Raises `Damaged`."""
    secret.kept_in(file, lambda: base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode())
    return secret.held_in(file, _read)


def public(key: Ed25519PrivateKey) -> bytes:
    """Return the public half of a key, 32 bytes."""
    return key.public_key().public_bytes_raw()


def _read(text: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(text.strip(), validate=True))


def lacking() -> str:
    """Return a sentence where the key in force is not on this machine, so that nothing is signed here."""
    with suppress(CannotSign):
        if _in_force() or not LogKey.objects.exists():
            return ""
    return (
        "No backup holds the keys beside the database, and the key of the signed log is not on this machine: "
        "keep it with the backups, or pack it with `manage.py backup --keys FILE`."
    )


def _announce(signed_log: SignedLog, key: Ed25519PrivateKey) -> None:
    """Enter a key into the log: from here on it signs."""
    half, number = public(key), LogKey.objects.count() + 1
    LogKey.objects.create(number=number, public=half.hex(), at=database_time.asked())
    leaves.append(signed_log, [New(LeafKind.KEY, signed_log.pk, number, half)])


def rotate_key() -> LogHead:
    """Replace the key by a new one, which is announced in the log; return the head that both signed.

    Raises `CannotSign` where nothing can be signed.
    """
    sign()
    with transaction.atomic():
        signed_log = leaves.locked()
        epoch, old, new = _epoch(signed_log), _key(signed_log), _made(_file(_NEXT))
        _check_continues(signed_log, epoch, Tree())
        _announce(signed_log, new)
        head = _signed(signed_log, epoch, Tree(), [old, new])
    _put_in_place(new)
    return head


# ---- Epochs --------------------------------------------------------------------------------------


def _epoch(signed_log: SignedLog) -> LogEpoch:
    """Return the present epoch; the first one begins with the log."""
    newest = LogEpoch.objects.order_by("-number").first()
    return newest or _begun(signed_log, 1, "", "")


def _begun(signed_log: SignedLog, number: int, reason: str, previous: str) -> LogEpoch:
    origin = f"{signed_log.name}/{number}"
    at = database_time.asked()
    epoch = LogEpoch(number=number, origin=origin, reason=reason, previous=previous, at=at)
    leaves.append(signed_log, [New(LeafKind.EPOCH, signed_log.pk, number, value_of_epoch(epoch))])
    epoch.save(force_insert=True)
    return epoch


def declare_epoch(reason: str) -> LogEpoch:
    """Begin a new epoch, since what was published after some point is lost; return it, with its first head.

    The reason and the last published head are public. Where the key in force is not here, the one that is
    signs from here on, or a new one where there is none; the reason says so. Raises `CannotSign`.
    """
    with transaction.atomic():
        signed_log = leaves.locked()
        last, held, key = newest_heads().first(), _kept_note(), _in_force()
        published = notes.epoch_of(held.partition("\n")[0]) if held else 0
        number = 1 + max(_epoch(signed_log).number, published)
        told = reason if key or not LogKey.objects.exists() else f"{reason} {_OTHER_KEY}"
        epoch = _begun(signed_log, number, told, held or (last.note if last else ""))
        if key is None:
            key = _made(_file())
            _announce(signed_log, key)
        _signed(signed_log, epoch, Tree(), [key])
    _put_in_place(key)
    return epoch


def go_on_after_restore() -> bool:
    """Begin a new epoch if the database is behind what was published; return whether it was.

    Raises `CannotSign` where nothing can be signed here for another reason.
    """
    with transaction.atomic():
        try:
            signed_log = leaves.locked()
            _check_continues(signed_log, _epoch(signed_log), Tree())
            if LogKey.objects.exists():
                _key(signed_log)
        except Behind:
            pass
        else:
            return False
        finally:
            transaction.set_rollback(True)
    declare_epoch("The database was restored from a backup.")
    return True


def restored() -> Iterator[str]:
    """Go on after the database was restored from a backup, and yield what there is to say of that."""
    try:
        if lacking() and not _file().exists():
            yield (
                "The key of the signed log is not here, and nothing is signed until it is: put it at "
                f"{_file()}, with the head beside it, or let another one sign with "
                "`manage.py new_epoch REASON`."
            )
        elif go_on_after_restore():
            yield "What was published since the backup is lost: a new epoch tells so."
    except CannotSign as refusal:
        yield f"Nothing is signed: {refusal}"
