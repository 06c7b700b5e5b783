"""Texts on paper: letters of any script, and boxes that every text fits into."""

import os
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from shutil import copy

import pytest
from fontTools.ttLib import TTFont
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from league.apps.prints.desk import NOT_LATIN
from league.apps.prints.paper import LEADING, PADDING, POINT, Paper
from league.apps.prints.scripts import OTHERS, font_of, in_words, path_of, readable, runs
from league.ops.folders import TOP

NAMES = {
    "Latin": "Zoë Żółć",
    "Greek": "Αλέξανδρος",
    "Cyrillic": "Екатерина",
    "Georgian": "გიორგი",
    "Hebrew": "שרה לוי",
    "Arabic": "محمد عبد الله",
    "Urdu": "بے نظیر",
    "Devanagari": "प्रिया शर्मा",
    "Bengali": "শ্রীময়ী",
    "Tamil": "செல்வி",
    "Sinhala": "ශ්‍රී ලංකා",
    "Thai": "สมชาย น้ำผึ้ง",
    "Khmer": "សុខា ស្រី",
    "Burmese": "မောင်မောင်",
    "Ethiopic": "ታዴሴ",
    "Chinese": "习近平 習",
    "Japanese": "田中 はなこ タロウ",
    "Korean": "김민준 뷁",
    "Rare Chinese": "𠮷田 𠮟 𡈽",
    "Georgian capitals": "ᲒᲘᲝᲠᲒᲘ",
    "Tai Tham": "ᨻᩕ",
    "Emoji": "🎉👑",
}


def printed(text: str) -> Paper:
    pdf = Paper("Names")
    pdf.add_page()
    pdf.put(text, 12, 12, 180, 10, size=12)
    return pdf


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_every_letter_of_a_name_has_a_glyph(name: str) -> None:
    assert not in_words(name)
    pdf = printed(name)
    pdf.output()
    for font in pdf.fonts.values():
        assert not font.missing_glyphs  # type: ignore[union-attr]
        glyphs = [glyph for glyph, _code in font.subset.items() if glyph is not None]  # type: ignore[union-attr]
        assert [glyph for glyph in glyphs if glyph.glyph_id == 0 and glyph.unicode != (0,)] == []


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_can_be_read_from_the_file(name: str) -> None:
    text = PdfReader(BytesIO(bytes(printed(name).output()))).pages[0].extract_text()
    assert {*name} - {*text} == set()


def test_each_font_draws_something_for_each_of_its_letters() -> None:
    """A font may list letters that it leaves empty: such a name would vanish without a word."""
    empty = {letter for font in OTHERS for letter in _empty_letters(font)}
    assert empty == {"\u3164"}  # the Hangul filler is empty by design


def _empty_letters(font: str) -> Iterator[str]:
    file = TTFont(path_of(font), lazy=True)
    names, offsets = file.getBestCmap(), file["loca"]
    assert any(font_of(chr(code)) == font for code in names), font
    for code, name in names.items():
        glyph = file.getGlyphID(name)
        if offsets[glyph] == offsets[glyph + 1] and chr(code).isalpha() and font_of(chr(code)) == font:
            yield chr(code)


def test_letters_that_are_read_leftwards_are_drawn_from_the_right() -> None:
    assert [(run.text, run.leftwards) for run in runs("Zoë (محمد)")] == [
        ("Zoë (", False),
        ("محمد", True),
        (")", False),
    ]


def test_a_joiner_stays_with_its_letters() -> None:
    assert [run.text for run in runs("ශ්‍රී")] == ["ශ්‍රී"]
    assert [run.text for run in runs("علی‌اکبر")] == ["علی‌اکبر"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\U00030001田", "(U+30001)田"),
        ("\U00018b00 Pike", "(khitan small script character-18b00) Pike"),
        ("𐌰𐌽 Pike", "(ahsa-nauths) Pike"),
        ("𪚥田", "(U+2A6A5)田"),
        ("𝓐nna", "Anna"),
        ("Zoë 🇩🇪", "Zoë DE"),
        ("Ken 👩🏽‍🚀", "Ken 👩🚀"),
        ("\ue000", "(U+E000)"),
    ],
    ids=["ideograph", "script", "ancient", "rare", "variant", "flag", "joined", "private"],
)
def test_what_no_font_has_is_told_in_words(name: str, shown: str) -> None:
    assert readable(name) == shown
    assert in_words(name) == ("(" in shown)
    assert printed(name).pages_count == 1


def test_a_club_can_add_fonts(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    copy(path_of("NotoSansThai-Regular"), tmp_path / "fonts" / "Thai of the club.ttf")
    (tmp_path / "fonts" / "Broken.ttf").write_bytes(b"no font")
    code = "from league.apps.prints.scripts import *; print('Thai of the club' in OTHERS, readable('𐌰'))"
    said = subprocess.run(
        [sys.executable, "manage.py", "shell", "--verbosity=0", "-c", code],
        cwd=TOP,
        env={**os.environ, "TREFOIL_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "league.ops.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == "True (ahsa)"
    assert "Broken.ttf" in said.stderr


def test_no_latin_letter_is_told_in_words() -> None:
    assert not in_words("".join(map(chr, range(ord(NOT_LATIN)))))


_TEXTS = st.lists(
    st.one_of(
        st.sampled_from([*NAMES.values(), "Featherstonehaugh-Cholmondeley", "W" * 90]), st.text("aW- ż")
    ),
    max_size=6,
).map(" ".join)


@pytest.fixture(scope="module")
def paper() -> Paper:
    return Paper("Names")


@given(_TEXTS, st.integers(6, 100), st.integers(2, 20), st.booleans())
@example("W" * 200, 6, 2, True)
@settings(max_examples=60)
def test_any_name_fits_into_any_box_in_full(
    paper: Paper, text: str, width: int, height: int, bold: bool
) -> None:
    size, lines = paper.fitted(text, width, height, size=12, bold=bold)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert len(lines) * size * LEADING * POINT <= height + 1e-6
    widest = max(paper.width_of(line, size=size, bold=bold) for line in lines)
    assert widest <= width - 2 * PADDING + 1e-6
