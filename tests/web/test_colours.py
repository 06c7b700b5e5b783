"""The colours of the style sheet have enough contrast (WCAG 2.2: 1.4.3 and 1.4.11)."""

import re

import pytest

from league.ops.folders import TOP
from league.web import seats

SHEET = (TOP / "static" / "trefoil" / "trefoil.css").read_text()
TEXT, EDGE = 4.5, 3.0
GROUNDS = ("paper", "surface", "sunk")
TABLE = ":where(.felt, .one-screen .board, .docked)"


def colours(dark: bool) -> dict[str, str]:
    """Return the variables of a scheme; the dark one changes some of the light."""
    light, night = variables(":root"), variables(":root:not([data-theme=light])")
    return {**light, **(night if dark else {})}


def on_the_table(dark: bool) -> dict[str, str]:
    """Return the variables of what lies on a table, by day and by night, with the cloth as a ground."""
    return {**colours(dark), **variables(TABLE)}


def variables(selector: str) -> dict[str, str]:
    found = re.search(re.escape(selector) + r" \{(.*?)\n {0,2}\}", SHEET, re.S)
    assert found, selector
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", found[1]))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "grounds", "least"),
    [
        ("ink", (*GROUNDS, "accent-wash"), TEXT),
        ("soft", GROUNDS, TEXT),
        ("accent", (*GROUNDS, "accent-wash"), TEXT),
        ("accent-ink", ("accent",), TEXT),
        ("warn-ink", ("warn-wash",), TEXT),
        ("bad-ink", ("bad-wash", "surface", "paper"), TEXT),
        ("card-black", ("card",), TEXT),
        ("card-red", ("card",), TEXT),
        ("edge", ("paper", "surface"), EDGE),
        ("focus", GROUNDS, EDGE),
        ("card-edge", ("card",), EDGE),
    ],
)
def test_text_has_enough_contrast(front: str, grounds: tuple[str, ...], least: float, dark: bool) -> None:
    answer = colours(dark)
    poor = {ground: round(contrast(answer[front], answer[ground]), 2) for ground in grounds}
    assert min(poor.values()) >= least, poor


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "grounds", "least"),
    [
        ("ink", (*GROUNDS, "felt", "felt-deep", "accent-wash", "warn-wash", "bad-wash"), TEXT),
        ("soft", (*GROUNDS, "felt", "felt-deep"), TEXT),
        ("accent", (*GROUNDS, "felt", "felt-deep", "accent-wash"), TEXT),
        ("accent-ink", ("accent",), TEXT),
        ("warn-ink", ("warn-wash",), TEXT),
        ("bad-ink", ("bad-wash", "surface", "felt"), TEXT),
        ("edge", ("surface", "felt"), EDGE),
        ("focus", (*GROUNDS, "felt"), EDGE),
    ],
)
def test_what_lies_on_a_table_has_enough_contrast(
    front: str, grounds: tuple[str, ...], least: float, dark: bool
) -> None:
    answer = on_the_table(dark)
    poor = {ground: round(contrast(answer[front], answer[ground]), 2) for ground in grounds}
    assert min(poor.values()) >= least, poor


def test_initials_are_read_on_every_colour_of_a_player() -> None:
    tints = re.findall(r"--tint: (#[0-9a-f]{6})", SHEET)
    assert len(tints) == seats.TINTS
    assert min(contrast(tint, "#ffffff") for tint in tints) >= TEXT


def test_the_dark_colours_are_the_same_by_choice_as_by_the_device() -> None:
    assert variables(":root[data-theme=dark]") == variables(":root:not([data-theme=light])")
