"""What is picked and put aside, kept while another page is read."""

import pytest

from tests.scripts.node import found

KEPT = """
const store = {};
globalThis.sessionStorage = {
  getItem: (key) => store[key] ?? null,
  setItem: (key, text) => { store[key] = text; },
  removeItem: (key) => { delete store[key]; },
};
const now = { deal: "1", seq: 7 };
made.keepDraft("game", now, { picked: ["card:8C"], aside: [["card:8C", "card:8D"]], kind: "meld" });
if (given.taken) made.keepDraft("game", now, { picked: [], aside: [], kind: "" });
return made.keptDraft("game", { ...now, ...given.now }, given.names);
"""
DRAFT = {"picked": ["card:8C"], "aside": [["card:8C", "card:8D"]], "kind": "meld"}
ASIDE = {**DRAFT, "picked": [], "kind": ""}
NOTHING: dict[str, object] = {"picked": [], "aside": [], "kind": ""}
HAND = ["card:8D", "card:8C", "card:9S", "card:8C"]


@pytest.mark.parametrize(
    ("given", "draft"),
    [
        ({"names": HAND}, DRAFT),
        ({"now": {"seq": 8}, "names": HAND}, ASIDE),
        ({"now": {"seq": 8}, "names": HAND[:3]}, ASIDE),
        ({"now": {"seq": 8}, "names": HAND[1:]}, NOTHING),
        ({"now": {"deal": "2"}, "names": HAND}, NOTHING),
        ({"names": HAND[:3]}, ASIDE),
        ({"names": HAND, "taken": True}, NOTHING),
    ],
    ids=[
        "the same table",
        "a move later",
        "another card has left",
        "a card of the group has left",
        "another deal",
        "the picked card is not there",
        "all unpicked",
    ],
)
def test_what_is_picked_is_found_on_the_same_table_and_what_is_aside_in_the_same_deal(
    given: dict[str, object], draft: dict[str, object]
) -> None:
    assert found("draft.js", KEPT, given) == draft
