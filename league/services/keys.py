"""The files that belong beside a backup, which has none of them: keys, and those of apps (`upkeep.KEYS`).

They are packed as JSON with a salt and a Fernet token (https://github.com/fernet/spec), whose key is the
scrypt (RFC 7914) of a passphrase with N = 2^17, r = 8 and p = 1.
"""

import base64
import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from django.conf import settings

from games import database_time
from league.hooks import upkeep
from league.models import PeriodicRun
from league.ops import folders, secret

_FORMAT: Final = "trefoil-keys/1"


class WrongKeys(Exception):
    """The keys can't be unpacked; the message says why."""


def files() -> Mapping[str, Path]:
    """Return where each file belongs, whether it is there or not."""
    own = {"secret_key": Path(settings.DATA_DIR) / "secret_key", "push_key": Path(settings.PUSH_KEY_FILE)}
    return {**own, **{name: file for each in upkeep.KEYS for name, file in each.files().items()}}


def here() -> list[Path]:
    """Return the files that are there."""
    return [file for file in files().values() if file.exists()]


def pack(file: Path, passphrase: str, *, replace: bool = False) -> None:
    """Write the files that are here to one that only the passphrase opens. Raises OSError and `Damaged`."""
    content = {name: secret.held_in(path, str) for name, path in files().items() if path.exists()}
    salt = secrets.token_bytes(16)
    token = _fernet(passphrase, salt).encrypt(json.dumps(content).encode()).decode()
    packed = {"format": _FORMAT, "salt": salt.hex(), "token": token}
    folders.write(file, json.dumps(packed), replace=replace, mode=0o600)
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

    Another key is kept as `.before`.
    """
    stay = [each.stays for each in upkeep.KEYS]
    for name, file in files().items():
        there = file.read_text() if file.exists() else ""
        if name not in contents or there == contents[name] or (there and name in stay):
            continue
        folders.own_folder(file.parent, 0o711)
        if there:
            folders.write(file.with_name(f"{file.name}.before"), there, replace=True, mode=0o600)
        folders.write(file, contents[name], replace=True, mode=0o600)
        yield file


def _fernet(passphrase: str, salt: bytes) -> Fernet:
    derived = Scrypt(salt=salt, length=32, n=2**17, r=8, p=1).derive(passphrase.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
