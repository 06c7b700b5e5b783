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
made.keepDraft("game", 7, { picked: ["card:8C"], aside: [["card:8C", "card:8D"]], kind: "meld" });
if (given.taken) made.keepDraft("game", 7, { picked: [], aside: [], kind: "" });
return made.keptDraft("game", given.seq, given.names);
"""
DRAFT = {"picked": ["card:8C"], "aside": [["card:8C", "card:8D"]], "kind": "meld"}
NOTHING: dict[str, object] = {"picked": [], "aside": [], "kind": ""}
HAND = ["card:8D", "card:8C", "card:9S", "card:8C"]


@pytest.mark.parametrize(
    ("given", "draft"),
    [
        ({"seq": 7, "names": HAND}, DRAFT),
        ({"seq": 8, "names": HAND}, NOTHING),
        ({"seq": 7, "names": HAND[:3]}, NOTHING),
        ({"seq": 7, "names": HAND, "taken": True}, NOTHING),
    ],
    ids=["the same table", "a move later", "a card that is no longer there", "all unpicked"],
)
def test_a_draft_is_found_again_on_the_same_table(given: dict[str, object], draft: dict[str, object]) -> None:
    assert found("draft.js", KEPT, given) == draft
