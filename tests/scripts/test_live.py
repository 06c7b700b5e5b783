"""What a running game's page does without the page: requests, back-off, the waiting move, what is told."""

from typing import Any, Final

import pytest

from tests.scripts.node import found

WORDS: Final = {"one": "and one before", "more": "and # before"}
REQUEST: Final = """
let end;
globalThis.setTimeout = (call, _wait, name) => { end = () => call(name); };
globalThis.fetch = (address, { signal }) => new Promise((answer, fail) => {
  signal.addEventListener("abort", () => fail(signal.reason));
  if (given.answers) answer({ ok: given.ok, status: 418, text: () => "told" });
});
const asked = made.htmlOf("/news/");
if (given.sleeps) made.giveUpAll();
else if (!given.answers) end();
return asked.catch((reason) => [made.isTimeout(reason), reason.name || reason]);
"""


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ({"answers": True, "ok": True}, "told"),
        ({"answers": True, "ok": False}, [False, 418]),
        ({}, [True, "TimeoutError"]),
        ({"sleeps": True}, [False, "AbortError"]),
    ],
    ids=["answered", "refused", "not in time", "given up after a sleep"],
)
def test_a_request_ends(given: dict[str, bool], outcome: Any) -> None:
    assert found("request.js", REQUEST, given) == outcome


def test_each_failure_doubles_the_wait_up_to_half_a_minute() -> None:
    waits = "return [0, 1, 2, 4, 5, 50].map((failures) => made.waitAfter(failures, given));"
    assert found("backoff.js", waits, 1) == [1000, 2000, 4000, 16000, 30000, 30000]
    assert found("backoff.js", waits, 0) == [500, 1000, 2000, 8000, 15000, 15000]


@pytest.mark.parametrize(
    ("moves", "count", "told"),
    [
        (["b", "a"], 2, ["a", "b"]),
        (["f", "e", "d", "c", "b", "a"], 6, ["b", "c", "d", "e", "f", "and one before"]),
        (["f", "e", "d", "c", "b"], 40, ["b", "c", "d", "e", "f", "and 35 before"]),
        ([], 0, []),
    ],
    ids=["few", "one more", "many that are not listed", "the next deal"],
)
def test_of_many_moves_the_last_are_told(moves: list[str], count: int, told: list[str]) -> None:
    given = [moves, count, WORDS]
    assert found("announcement.js", "return made.movesTold(...given);", given) == told


def test_what_is_told_are_sentences() -> None:
    given = ["Paul\n draws", None, "Your turn!", " "]
    assert found("announcement.js", "return made.sentences(given);", given) == "Paul draws. Your turn!"


def test_a_move_is_kept_for_its_reader_until_it_is_dropped() -> None:
    code = """
      const store = {};
      globalThis.sessionStorage = {
        getItem: (key) => store[key] ?? null,
        setItem: (key, text) => { store[key] = text; },
        removeItem: (key) => { delete store[key]; },
      };
      const [own, other] = ["seat 0", "seat 1"].map((own) => made.keyOf({ game: "g", own }));
      made.keepMove(own, given);
      const kept = [made.keptMove(own), made.keptMove(other)];
      made.dropMove(own);
      store[other] = "damaged";
      return [...kept, made.keptMove(own), made.keptMove(other)];"""
    sent = {"address": "/play/", "body": "seq=2", "told": "Draw"}
    assert found("queue.js", code, sent) == [sent, None, None, None]
