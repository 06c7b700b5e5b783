"""Triggers for append-only tables."""

import pgtrigger

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
