"""Cards, fractions and values on pages."""

from fractions import Fraction
from typing import Any

import pytest

from games.engine.cards import parse
from games.engine.messages import seat, text
from league.core.standings.cross_table import CrossRow
from league.templatetags import cards, trefoil
from league.words import values


@pytest.mark.parametrize(
    ("expected", "shown"),
    [
        ("3", "3"),
        ("7/2", "3½"),
        ("-7/2", "−3½"),
        ("1/3", "⅓"),
        ("13/7", "1.86"),
        ("6/7", "0.86"),
        ("0", "0"),
        (5, "5"),
        ("a word", "a word"),
        ("1/0", "1/0"),
    ],
)
def test_a_fraction_has_a_sign_or_is_a_decimal(expected: object, shown: str) -> None:
    assert values.exact(expected) == shown


def test_fractions_in_a_sentence_are_written_as_elsewhere() -> None:
    assert values.numbers_within("Level on 9/2 points, -1/2 to 13/7.") == "Level on 4½ points, −½ to 1.86."


@pytest.mark.parametrize(
    ("code", "name", "shown"),
    [
        ("9C", "9 of clubs", "9♣"),
        ("TD", "ten of diamonds", "10♦"),
        ("AH", "ace of hearts", "A♥"),
        ("QS", "queen of spades", "Q♠"),
        ("JK", "joker", "Joker"),
    ],
)
def test_a_card_has_a_symbol_and_a_name_for_screen_readers(code: str, name: str, shown: str) -> None:
    assert f'aria-label="{name}"' in cards.card(code)
    assert shown in cards.chip(code)


def test_a_move_in_words_shows_its_cards_and_names_its_seats() -> None:
    message = text("takes %(one)s out: <i>9C</i> and %(other)s", one=seat(1), other=seat(7))
    said = cards.spoken(message, {1: "Ben <b>"})
    assert said.startswith("takes Ben &lt;b&gt; out: &lt;i&gt;<span")
    assert "9♣" in said
    assert said.endswith("&lt;/i&gt; and seat 8")


def test_a_hand_is_sorted_by_suit_and_rank() -> None:
    assert cards.in_order(parse("AH 2C JK TC 9D")) == ["2C", "TC", "9D", "AH", "JK"]


@pytest.mark.parametrize(
    ("expected", "shown"),
    [
        (None, "–"),
        (True, "yes"),
        (7, "7"),
        ("<b>", "&lt;b&gt;"),
        ([], "none"),
        ([1, 2], "1, 2"),
        ({"sets": 2, "runs": []}, "Sets: 2, Runs: none"),
        ([{"a": 1}], "<ul><li>A: 1</li></ul>"),
    ],
)
def test_any_value_of_a_view_can_be_shown(expected: Any, shown: str) -> None:
    from django.utils.html import conditional_escape

    assert conditional_escape(trefoil.value(expected)) == shown


def test_opponents_are_listed_by_rank_once_per_meeting() -> None:
    won, level, lost = Fraction(1), Fraction(1, 2), Fraction(0)
    row = CrossRow(2, "b", "Ben", Fraction(3), ((lost,), None, (won, won), (level, lost), ()))
    assert trefoil.met(row) == ([3, 3], [4], [1, 4])


@pytest.mark.parametrize(("number", "shown"), [(12, "+12"), (0, "+0"), (-3, "−3")])
def test_a_change_is_written_with_its_sign(number: int, shown: str) -> None:
    assert values.signed(number) == shown
