"""What a name may hold."""

from dataclasses import dataclass

import pytest

from games.engine import shapes
from games.engine.names import hides_something, one_line, paragraphs
from games.engine.refusals import Malformed
from league.core.state.values import Name


@pytest.mark.parametrize(
    "name",
    [
        "Anna", "Łukasz Żak", "O’Neill", "Zoë", "Jean-Luc", "Team #1 (B)", "王小明", "김철수", "محمد", "נועה",
        "می\u200cخواهم", "क्\u200dष", "ශ්\u200dරී", "Anna 🃏", "🏳️\u200d🌈 Anna", "👩🏽\u200d🚀",
        "Anna \u2665\ufe0f", "ᠠ\u180bᠠ",
        "Nguyễn Văn A", "e\u0301",
    ],
    ids=ascii,
)  # fmt: skip
def test_names_of_living_scripts_are_names(name: str) -> None:
    assert not hides_something(name)


@pytest.mark.parametrize(
    "hidden",
    [
        "\u202e", "\u202a", "\u2066", "\u200e", "\u061c", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u3164",
        "\u2800", "\ufe0f", "\u180b",
        "\U000e0041", "\u180e", "\ufff9", "\ue000", "\u2028", "\x00", "\ud800",
    ],
    ids=ascii,
)  # fmt: skip
@pytest.mark.parametrize("around", ["A{}nna", "{}Anna", "مح{}مد"], ids=["inside", "first", "arabic"])
def test_what_cannot_be_seen_is_in_no_name(hidden: str, around: str) -> None:
    assert hides_something(around.format(hidden))


@pytest.mark.parametrize(
    "name", ["An\u200dna", "\u200cمحمد", "محمد\u200d", "محمد\u200c Ali", "\u200d"], ids=ascii
)
def test_joiners_stand_only_inside_words_of_scripts_that_need_them(name: str) -> None:
    assert hides_something(name)


@dataclass(frozen=True)
class Named:
    name: Name


def test_a_field_for_a_name_refuses_what_is_hidden() -> None:
    assert shapes.read(Named, {"name": "Anna"}) == Named("Anna")
    with pytest.raises(Malformed, match="cannot be seen"):
        shapes.read(Named, {"name": "An\u200bna"})


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Jose\u0301", "José"), ("José", "José"), (" Anna\n Berg\t", "Anna Berg"),
        ("Anna\u2028Berg", "Anna Berg"),
        ("\u2068Anna\u2069", "Anna"), ("An\u200bna\u200f", "Anna"), ("\ufeffAnna", "Anna"),
        ("e\u034f\u0301", "é"),
        ("An\u200dna", "Anna"), ("می\u200cخواهم", "می\u200cخواهم"), ("🏳️\u200d🌈", "🏳️\u200d🌈"),
        ("山田\u3000太郎", "山田 太郎"), ("\u200b", ""), ("An\x07na", "An\x07na"), ("A\ue000", "A\ue000"),
    ],
    ids=ascii,
)  # fmt: skip
def test_a_name_is_kept_in_one_way(sent: str, kept: str) -> None:
    assert one_line(sent) == kept == one_line(kept)


def test_paragraphs_keep_their_lines() -> None:
    assert paragraphs("Jose\u0301\u200b \r\n\r\n  at eight") == "José\n\n  at eight"
