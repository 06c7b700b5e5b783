"""`manage.py witness URL`: watch the signed log of a site, from a machine that others run.

A witness needs no database. In its folder are its key; for each log the last head that it saw, the key of it,
and the heads that an accepted epoch contradicts; and for each site the name of its log.
"""

import hashlib
import json
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games.engine.chain import stamp
from games.lines import WrongLog, is_time, parsed
from games.transparency import merkle, notes
from games.transparency.merkle import WrongProof
from games.transparency.notes import Checkpoint, Key, Note, WrongNote, read_key
from league.apps.signed_log import signing
from league.ops import folders, posting
from league.ops.posting import Unreachable
from league.ops.secret import Damaged

AHEAD: Final = 600
"""By how many seconds a head may lie ahead of the witness's clock."""
_SECONDS: Final = 30
"""How long a site has to answer, in all."""
_MOST_BYTES: Final = 1_000_000
"""Of an answer: a head has some thousands, and the epochs beside it some hundreds each."""
_KEY: Final = "key"
_MISSHAPEN: Final = (WrongLog, WrongNote, KeyError, TypeError, ValueError)
T = TypeVar("T")


def key_of(folder: Path, name: str) -> Key:
    """Return the public key of the witness of a folder; the key is made where there is none."""
    folders.own_folder(folder, 0o700)
    return Key(name, signing.public(signing.kept_in(folder / _KEY)), notes.COSIGNATURE)


# ---- What is read --------------------------------------------------------------------------------


class NotAnswered(Exception):
    """A site did not answer as it should; the message names it."""


@dataclass(frozen=True)
class Seen:
    """A head of a log as it was signed, and the key that signs it. It contradicts the ``former`` ones."""

    note: Note
    head: Checkpoint
    key: Key
    former: tuple[str, ...] = ()


def _seen(data: dict[str, Any]) -> Seen:
    """Return the head in an object; raises one of `_MISSHAPEN`."""
    note = notes.read_note(str(data["note"]))
    head, key = notes.read_checkpoint(note.text), read_key(str(data["key"]))
    return Seen(note, head, key, tuple(map(str, data.get("former", ()))))


class Site:
    """What a witness asks a site for. Raises `NotAnswered`, and `Unreachable` for an address that is none."""

    def __init__(self, address: str) -> None:
        self.address = str(posting.allowed(address, private=True)).rstrip("/")

    def head(self) -> Seen:
        """Return the newest head."""
        return self._asked("signed-log/", "", _seen)

    def path(self, first: int, second: int) -> list[bytes]:
        """Return the proof of consistency between two sizes."""
        query = f"?first={first}&second={second}"
        return self._asked(
            "signed-log/consistency/", query, lambda answer: [*map(bytes.fromhex, answer["path"])]
        )

    def hand_in(self, size: int, line: str) -> bool:
        """Return whether the site took a signature."""
        try:
            self._ask("signed-log/witnesses/", {"size": size, "line": line})
        except Unreachable:
            return False
        return True

    def _asked(self, path: str, query: str, read: Callable[[dict[str, Any]], T]) -> T:
        try:
            return read(parsed(None, self._ask(path + query).decode()))
        except Unreachable as error:
            reason = str(error)
        except _MISSHAPEN:
            reason = f"{path} is not of the form that the API has"
        raise NotAnswered(f"{self.address} did not answer as it should: {reason}")

    def _ask(self, path: str, sent: object = None) -> bytes:
        return posting.ask(f"{self.address}/api/v1/{path}", sent, seconds=_SECONDS, most=_MOST_BYTES)


# ---- What is refused -----------------------------------------------------------------------------


class Witness:
    """The witness with a key in a folder.

    ``known`` is the log's key, if the operator gave it; ``accepted`` the origin of an epoch that the operator
    accepts though it contradicts what was seen, or though it is of another log than the site had.
    """

    def __init__(self, folder: Path, name: str, known: Key | None = None, accepted: str = "") -> None:
        self._folder, self._known, self._accepted = folder, known, accepted
        self._key = key_of(folder, name)

    def look(self, site: Site) -> str:
        """Look at a site's newest head, sign it if it continues the last one, and say what was found.

        Raises `WrongProof` or `WrongNote` for a head that does not: then it keeps the last one. Raises
        `NotAnswered`, and `Damaged` where a file of the witness is.
        """
        told = site.head()
        head, log = told.head, notes.log_of(told.head.origin)
        self._check_log(site, head, log)
        last = self._last(log)
        key = self._signer(told, last)
        _check_time(head, last)
        said, former = self._check(site, head, last)
        self._keep(self._file(log), {"note": str(told.note), "key": str(key), "former": former})
        self._keep(self._file(f"site\n{site.address}"), {"log": log})
        taken = site.hand_in(head.size, self._signed(told.note))
        what = f"{head.origin}, {head.size} leaves, {head.at}"
        return f"{said}: {what}; {'signed' if taken else 'the site did not take the signature'}."

    def _check_log(self, site: Site, head: Checkpoint, log: str) -> None:
        """Raise `WrongProof` if the log is not the one that the operator named, or that the site had."""
        if self._known and (known := notes.log_of(self._known.name)) != log:
            raise WrongProof(f"the key given is of the log {known}, and {site.address} shows {log}")
        before = self._own(self._file(f"site\n{site.address}"), lambda data: str(data["log"]))
        if before not in (None, log) and self._accepted != head.origin:
            raise WrongProof(
                f"{site.address} had the log {before} and shows another one, {log}. Ask there why; "
                f"`--accept {head.origin}` watches that one from now on"
            )

    def _signer(self, told: Seen, last: Seen | None) -> Key:
        """Return the log's key: the one that is known; or the next one, where the known one signed it too."""
        known = last.key if last else self._known or told.key
        trusted = Key(told.head.origin, known.public)
        if not notes.is_signed_by(told.note, trusted):
            raise WrongNote(f"the head of {told.head.size} leaves is not signed by the known key, {trusted}")
        return told.key if told.key != trusted and notes.is_signed_by(told.note, told.key) else trusted

    def _check(self, site: Site, head: Checkpoint, last: Seen | None) -> tuple[str, tuple[str, ...]]:
        """Return what is said of a head, and the heads that it contradicts.

        Raises `WrongProof` unless it continues the last one, or is of an epoch that was accepted.
        """
        if last is None:
            return "A first look, so its past is unknown here", ()
        before, new_epoch = last.head, last.head.origin != head.origin
        if new_epoch and notes.epoch_of(head.origin) <= notes.epoch_of(before.origin):
            raise WrongProof(f"{head.origin} came after {before.origin}")
        try:
            _check_continues(site, before, head)
        except WrongProof as wrong:
            if not new_epoch:
                raise
            if self._accepted != head.origin:
                raise WrongProof(
                    f"the new epoch {head.origin} contradicts the last head, of {before.at}: {wrong}. "
                    f"Ask there why; `--accept {head.origin}` accepts it, and keeps that one"
                ) from None
            return f"Accepted, though {wrong}", (*last.former, str(last.note))
        return "A new epoch, which continues the last one" if new_epoch else "Good", last.former

    # ---- What is kept ----------------------------------------------------------------------------

    def _signed(self, note: Note) -> str:
        seconds = int(time.time())  # noqa: TID251 - a witness has no database
        made = signing.kept_in(self._folder / _KEY).sign(notes.cosigned_message(note.text, seconds))
        return str(notes.cosignature(self._key, seconds, made))

    def _file(self, of: str) -> Path:
        """Return the file of a log, by its name, or of a site, by its address."""
        return self._folder / f"{hashlib.sha256(of.encode()).hexdigest()[:16]}.json"

    def _last(self, log: str) -> Seen | None:
        return self._own(self._file(log), _seen)

    def _own(self, file: Path, read: Callable[[dict[str, Any]], T]) -> T | None:
        """Return what one of the witness's own files holds, None without it. Raises `Damaged`."""
        try:
            return read(parsed(None, file.read_bytes().decode()))
        except FileNotFoundError:
            return None
        except (OSError, *_MISSHAPEN):
            raise Damaged(
                f"{file}, a file of this witness, is damaged. Put a copy back. Without one remove it: "
                "then nothing is known of the log’s past, so compare the next head with what others kept."
            ) from None

    def _keep(self, file: Path, data: dict[str, Any]) -> None:
        folders.write(file, json.dumps(data), replace=True)


def _check_continues(site: Site, before: Checkpoint, head: Checkpoint) -> None:
    """Raise `WrongProof` unless a head has all leaves of the one before."""
    if head.size < before.size:
        raise WrongProof(f"the log had {before.size} leaves and has {head.size}")
    path = site.path(before.size, head.size) if head.size > before.size else []
    merkle.check_consistency(before.size, head.size, path, before.root, head.root)


def _check_time(head: Checkpoint, last: Seen | None) -> None:
    """Raise `WrongProof` for a head that is dated before the last one, in the future, or not at all."""
    now = time.time()  # noqa: TID251 - a witness has no database
    if not is_time(head.at):
        raise WrongProof(f"the head of {head.size} leaves has no time as heads have it")
    if last and head.at < last.head.at:
        raise WrongProof(f"its head is dated {head.at}, before the last one, of {last.head.at}")
    if head.at > stamp(datetime.fromtimestamp(now + AHEAD, UTC)):
        raise WrongProof(f"its head is dated {head.at}, more than ten minutes ahead of the clock here")


# ---- The command ---------------------------------------------------------------------------------


class Command(BaseCommand):
    """Keeps the last head of a site, refuses one that doesn't continue it, and signs those that do."""

    help = (
        "Watch the signed log of another site: keep its last head, refuse one that does not continue it, and "
        "sign those that do. It needs no database. Exits with 1 at the first head that is wrong."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="the address of the site")
        parser.add_argument("--name", default="witness", help="the name under which this witness signs")
        parser.add_argument(
            "--key", default="", help="the key of the site’s log, where you know it from elsewhere"
        )
        parser.add_argument(
            "--accept",
            metavar="ORIGIN",
            default="",
            help="accept this epoch, though it contradicts what was seen or is of another log; the last head "
            "of before is kept",
        )
        parser.add_argument("--once", action="store_true", help="look once, instead of every minute")

    def handle(self, *, url: str, name: str, key: str, accept: str, once: bool, **_: Any) -> None:
        folder = Path(settings.DATA_DIR) / "witness"
        try:
            witness = Witness(folder, name, read_key(key) if key else None, accept)
            self.stdout.write(f"The key of this witness: {key_of(folder, name)}")
            self._watch(witness, Site(url), once=once)
        except (WrongNote, WrongProof) as refusal:
            raise CommandError(f"Refused: {refusal}") from None
        except (Damaged, NotAnswered, OSError, Unreachable) as error:
            raise CommandError(str(error)) from None

    def _watch(self, witness: Witness, site: Site, *, once: bool) -> None:
        """Look every minute, also at a site that doesn't answer as it should; or look once."""
        while True:
            try:
                self.stdout.write(witness.look(site))
            except NotAnswered as error:
                if once:
                    raise
                self.stdout.write(str(error))
            if once:
                return
            time.sleep(60)
