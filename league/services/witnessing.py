"""A witness of another site's signed log: what it keeps, what it refuses, and what it signs.

It needs no database. In its folder are its key, and for each log the last head that it saw and the key of it.
"""

import hashlib
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from games.transparency import merkle, notes
from games.transparency.merkle import WrongProof
from games.transparency.notes import Checkpoint, Key, Note, WrongNote, read_key
from league.ops import durable, folders, signing_key

_KEY: Final = "key"


def key_of(folder: Path, name: str) -> Key:
    """Return the public key of the witness of a folder; the key is made where there is none."""
    folders.own_folder(folder, 0o700)
    return Key(name, signing_key.public(signing_key.kept_in(folder / _KEY)), notes.COSIGNATURE)


class Site:
    """What a witness asks a site for. Raises httpx.HTTPError, ValueError and KeyError."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def head(self) -> Any:
        """Return the newest head."""
        return self._answer("signed-log/", {})

    def path(self, first: int, second: int) -> list[bytes]:
        """Return the proof of consistency between two sizes."""
        answer = self._answer("signed-log/consistency/", {"first": first, "second": second})
        return [bytes.fromhex(each) for each in answer["path"]]

    def hand_in(self, size: int, line: str) -> bool:
        """Return whether the site took a signature."""
        return self._client.post("signed-log/witnesses/", json={"size": size, "line": line}).is_success

    def _answer(self, path: str, query: dict[str, int]) -> Any:
        return self._client.get(path, params=query).raise_for_status().json()


@dataclass(frozen=True)
class Seen:
    """The last head of a log that the witness saw, as it was signed, and the key that signed it."""

    note: str
    key: str

    @property
    def checkpoint(self) -> Checkpoint:
        """Return the head."""
        return notes.read_checkpoint(notes.read_note(self.note).text)


class Witness:
    """The witness with a key in a folder; ``known`` is the log's key, if the operator gave it."""

    def __init__(self, folder: Path, name: str, known: str = "") -> None:
        self._folder, self._known = folder, known
        self._key = key_of(folder, name)

    def look(self, site: Site) -> str:
        """Look at a site's newest head, sign it if it continues the last one, and say what was found.

        Raises `WrongProof` or `WrongNote` for a head that does not: then it keeps the last one.
        """
        told = site.head()
        note, log = notes.read_note(told["note"]), str(told["origin"]).rpartition("/")[0]
        head, last = notes.read_checkpoint(note.text), self._last(log)
        key = self._signer(note, head, last, str(told["key"]))
        new_epoch = self._check(site, head, last)
        self._keep(log, Seen(told["note"], str(key)))
        taken = site.hand_in(head.size, self._signed(note))
        what = f"{head.origin}, {head.size} leaves, {head.at}"
        said = f"A new epoch, see the site’s page: {what}" if new_epoch else f"Good: {what}"
        return f"{said}; {'signed' if taken else 'the site did not take the signature'}."

    def _signer(self, note: Note, head: Checkpoint, last: Seen | None, told: str) -> Key:
        """Return the log's key: the one that is known; or the next one, where the known one signed it too."""
        trusted = read_key((last.key if last else "") or self._known or told)
        trusted = Key(head.origin, trusted.public)
        if not notes.is_signed_by(note, trusted):
            raise WrongNote(f"the head of {head.size} leaves is not signed by the known key, {trusted}")
        now = read_key(told)
        return now if now != trusted and notes.is_signed_by(note, now) else trusted

    def _check(self, site: Site, head: Checkpoint, last: Seen | None) -> bool:
        """Raise `WrongProof` unless a head continues the last one; return whether it is of a new epoch."""
        if last is None:
            return False
        before = last.checkpoint
        if before.origin != head.origin:
            if _epoch(head) <= _epoch(before):
                raise WrongProof(f"{head.origin} came after {before.origin}")
            return True
        if head.size < before.size:
            raise WrongProof(f"the log had {before.size} leaves and has {head.size}")
        path = site.path(before.size, head.size) if head.size > before.size else []
        merkle.check_consistency(before.size, head.size, path, before.root, head.root)
        return False

    def _signed(self, note: Note) -> str:
        seconds = int(time.time())  # noqa: TID251 - a witness has no database
        made = signing_key.kept_in(self._folder / _KEY).sign(notes.cosigned_message(note.text, seconds))
        return str(notes.cosignature(self._key, seconds, made))

    def _file(self, log: str) -> Path:
        return self._folder / f"{hashlib.sha256(log.encode()).hexdigest()[:16]}.json"

    def _last(self, log: str) -> Seen | None:
        file = self._file(log)
        return Seen(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None

    def _keep(self, log: str, seen: Seen) -> None:
        durable.write(self._file(log), json.dumps({"note": seen.note, "key": seen.key}), replace=True)


def _epoch(head: Checkpoint) -> int:
    number = head.origin.rpartition("/")[2]
    return int(number) if number.isdecimal() else 0
