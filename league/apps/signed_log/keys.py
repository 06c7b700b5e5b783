"""The key that signs the heads of the signed log: in a file beside the service, never in the database."""

import base64
import secrets
from contextlib import suppress
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from league.ops import secret

_SECRET_BYTES = 32


def kept_in(file: Path) -> Ed25519PrivateKey:
    """Return the key in a file that only its owner can read, made where there is none. Raises `Damaged`."""
    secret.kept_in(file, _new)
    return secret.held_in(file, _key)


def read(file: Path) -> Ed25519PrivateKey | None:
    """Return the key in a file, None where there is no file. Raises `Damaged`."""
    with suppress(FileNotFoundError):
        return secret.held_in(file, _key)
    return None


def public(key: Ed25519PrivateKey) -> bytes:
    """Return the public half of a key, 32 bytes."""
    return key.public_key().public_bytes_raw()


def _new() -> str:
    return base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def _key(text: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(text.strip(), validate=True))
