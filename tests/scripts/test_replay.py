"""What the replay of a game makes of the answer that it gets."""

from typing import Any

from tests.scripts.node import found

REPLAY = {
    "lines": ["<p>", "one", "two", "</p>"],
    "tables": [[0, 1, 3], [0, 1, 3], [0, 2, 3], [0, 1, 2, 3], [0, 3]],
    "sheets": [[1, [1]], [4, [2]]],
    "rounds": [[1, 0], [2, 1], [3, 2], [4, 1], [5, 3]],
    "scores": [[1, [0, 0]], [3, [5, -1]]],
    "names": ["Paul", "Petra"],
}


def asked(code: str) -> Any:
    return found("replay.js", code, REPLAY)


def test_the_table_and_the_sheet_after_an_entry_are_made_of_its_lines() -> None:
    assert asked("return [1, 3, 5].map((seq) => made.tableAt(given, seq));") == [
        "<p>\none\n</p>",
        "<p>\ntwo\n</p>",
        "<p>\n</p>",
    ]
    assert asked("return [1, 3, 4, 5].map((seq) => made.sheetAt(given, seq));") == [
        "one",
        "one",
        "two",
        "two",
    ]


def test_rounds_begin_where_they_are_first_dealt() -> None:
    assert asked("return made.roundsOf(given);") == [[2, 1], [3, 2], [5, 3]]
    assert asked("return [1, 3, 4, 5].map((seq) => made.roundBeside(given, seq, 1));") == [2, 5, 5, 5]
    assert asked("return [1, 3, 4, 5].map((seq) => made.roundBeside(given, seq, -1));") == [1, 2, 3, 3]


def test_after_the_last_round_there_is_none() -> None:
    code = "return [1, 3, 4, 5].map((seq) => made.hasRoundAfter(given, seq));"
    assert asked(code) == [True, True, True, False]
    one = "return made.hasRoundAfter({ ...given, rounds: [[1, 0], [2, 1]] }, 1);"
    assert asked(one) is False


def test_a_graph_has_every_score_after_every_entry() -> None:
    assert asked("return made.series(given);") == [[1, 2, 3, 4, 5], [0, 0, 5, 5, 5], [0, 0, -1, -1, -1]]
