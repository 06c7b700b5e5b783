"""A column of hashes."""

from typing import Any

from django.db import models


class HashField(models.Field):  # type: ignore[type-arg]  # when it runs, Django's takes none
    """A SHA-256 in 64 hex digits, which the database keeps as 32 bytes."""

    def db_type(self, connection: Any) -> str:
        return "bytea"

    def from_db_value(self, value: bytes | None, expression: Any, connection: Any) -> str | None:
        """Return the digits."""
        return None if value is None else bytes(value).hex()

    def get_prep_value(self, value: Any) -> bytes | None:
        """Return the bytes; raises ValueError for what is not hex."""
        return None if value is None else bytes.fromhex(value)
