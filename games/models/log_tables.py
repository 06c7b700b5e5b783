"""What append-only tables have: triggers that refuse changes, and a column of hashes."""

from typing import Any

import pgtrigger
from django.db import models

PROTECTED = "a log row is never changed or removed"


def append_only(name: str) -> list[pgtrigger.Trigger]:
    """Return the triggers by which PostgreSQL refuses UPDATE, DELETE and TRUNCATE on a log table."""
    refuse = f"RAISE EXCEPTION '{PROTECTED}';"
    return [
        pgtrigger.Trigger(
            name=f"{name}_{str(operation).lower()}_refused",
            operation=operation,
            when=pgtrigger.Before,
            level=pgtrigger.Statement,
            func=refuse,
        )
        for operation in (pgtrigger.Update, pgtrigger.Delete, pgtrigger.Truncate)
    ]


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
