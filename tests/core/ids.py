"""Ids that tests can tell apart by name."""

from uuid import NAMESPACE_OID, uuid5


def uid(name: str) -> str:
    return str(uuid5(NAMESPACE_OID, name))
