"""Ids made from names, so that tests can read them."""

from uuid import NAMESPACE_OID, uuid5


def uid(name: str) -> str:
    return str(uuid5(NAMESPACE_OID, name))
