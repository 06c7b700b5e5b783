"""The hash chain of both logs, as docs/log.md specifies it."""

import pytest

from games.engine import chain
from games.engine.jsontypes import JsonObject

ENTRY: JsonObject = {
    "seq": 1,
    "role": "system",
    "seat": None,
    "account": None,
    "move": {"type": "open"},
    "at": "…",
}


def test_canonical_json_sorts_keys_and_keeps_letters() -> None:
    assert chain.canonical({"b": [1, True, None], "a": "Ä\n"}) == '{"a":"Ä\\n","b":[1,true,null]}'.encode()


@pytest.mark.parametrize("value", [1.0, {"a": [1.5]}, (2.5,), [{"b": {"c": 0.1}}]])
def test_a_float_has_no_canonical_text(value: object) -> None:
    with pytest.raises(ValueError, match="float"):
        chain.canonical(value)  # type: ignore[arg-type]


def test_a_link_is_the_hash_documented() -> None:
    assert (
        chain.link(chain.ORIGIN, ENTRY) == "b3434c291baa435606e8308945ddb3b5e9d0f7bdae64cfba9bcaa7ad6ab240de"
    )


@pytest.mark.parametrize("field", sorted(ENTRY))
def test_any_change_changes_the_link(field: str) -> None:
    assert chain.link(chain.ORIGIN, {**ENTRY, field: "x"}) != chain.link(chain.ORIGIN, ENTRY)
