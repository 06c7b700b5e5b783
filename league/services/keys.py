"""The files that belong beside a backup, which has none of them: the keys, and the last signed head.

They are packed as JSON with a salt and a Fernet token (https://github.com/fernet/spec), whose key is the
scrypt (RFC 7914) of a passphrase with N = 2^17, r = 8 and p = 1.
"""

import base64
import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from django.conf import settings

from games import database_time
from games.transparency import notes
from games.transparency.notes import WrongNote
from league.models import LogKey, PeriodicRun
from league.ops import durable, folders, secret, signing_key
from league.ops.environment import BadSetting

_FORMAT: Final = "trefoil-keys/1"
_HEAD: Final = "log_key.head"
_OF_LOG: Final = ("log_key", "log_key.next")


class WrongKeys(Exception):
    """The keys can't be unpacked; the message says why."""


def files() -> Mapping[str, Path]:
    """Return where each file belongs, whether it is there or not."""
    log = Path(settings.LOG_KEY_FILE)
    return {
        "secret_key": Path(settings.DATA_DIR) / "secret_key",
        "push_key": Path(settings.PUSH_KEY_FILE),
        "log_key": log,
        "log_key.next": log.with_name(f"{log.name}.next"),
        _HEAD: log.with_name(f"{log.name}.head"),
    }


def here() -> list[Path]:
    """Return the files that are there."""
    return [file for file in files().values() if file.exists()]


def check_witnesses() -> None:
    """Raise `BadSetting` unless the witnesses whose signatures are taken have keys, and none of them ours."""
    ours = {signing_key.public(key) for key in _held(*_OF_LOG, "witness/key")}
    for text in settings.LOG_WITNESSES:
        try:
            given = notes.read_key(text)
            if given.kind != notes.COSIGNATURE:
                raise WrongNote("it is the key of a log")
            if given.public in ours:
                raise WrongNote("it is a key of this site, which can't be its own witness")
        except WrongNote as wrong:
            such = "Write keys as `manage.py witness` prints them."
            raise BadSetting(f"LOG_WITNESSES has {text!r}: {wrong}. {such}") from None


def _held(*names: str) -> Iterator[Ed25519PrivateKey]:
    """Yield the keys that are here and whole, of signing heads."""
    for name in names:
        with suppress(secret.Damaged):
            if key := signing_key.read(files().get(name) or Path(settings.DATA_DIR) / name):
                yield key


def lacks_log_key() -> bool:
    """Return whether the key that signs the signed log is not here, so that nothing is signed."""
    newest = LogKey.objects.order_by("-number").first()
    held = [signing_key.public(key).hex() for key in _held(*_OF_LOG)]
    return newest is not None and newest.public not in held


def pack(file: Path, passphrase: str, *, replace: bool = False) -> None:
    """Write the files that are here to one that only the passphrase opens. Raises OSError and `Damaged`."""
    content = {name: secret.held_in(path, str) for name, path in files().items() if path.exists()}
    salt = secrets.token_bytes(16)
    token = _fernet(passphrase, salt).encrypt(json.dumps(content).encode()).decode()
    packed = {"format": _FORMAT, "salt": salt.hex(), "token": token}
    durable.write(file, json.dumps(packed), replace=replace, mode=0o600)
    PeriodicRun.objects.update_or_create(name="keys", defaults={"began_at": database_time.asked()})


def unpacked(file: Path, passphrase: str) -> dict[str, str]:
    """Return the contents of packed files by name. Raises WrongKeys."""
    try:
        packed: dict[str, Any] = json.loads(file.read_text())
        if packed["format"] != _FORMAT:
            raise ValueError
        token = _fernet(passphrase, bytes.fromhex(packed["salt"])).decrypt(packed["token"])
    except InvalidToken:
        raise WrongKeys("The passphrase is another one, or the file was changed.") from None
    except OSError as error:
        raise WrongKeys(f"{file} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise WrongKeys(f"{file} has no keys of `manage.py backup --keys`.") from None
    return dict(json.loads(token))


def put(contents: Mapping[str, str]) -> Iterator[Path]:
    """Put contents where they belong, and yield the files that were not there or were others.

    Another key is kept as `.before`. A head that is there stays: it tells what was published since.
    """
    for name, file in files().items():
        there = file.read_text() if file.exists() else ""
        if name not in contents or there == contents[name] or (there and name == _HEAD):
            continue
        folders.own_folder(file.parent, 0o711)
        if there:
            durable.write(file.with_name(f"{file.name}.before"), there, replace=True, mode=0o600)
        durable.write(file, contents[name], replace=True, mode=0o600)
        yield file


def _fernet(passphrase: str, salt: bytes) -> Fernet:
    derived = Scrypt(salt=salt, length=32, n=2**17, r=8, p=1).derive(passphrase.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
