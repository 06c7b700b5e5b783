"""Which font draws which part of a text, and in which order the parts stand on paper."""

import logging
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from league.ops.folders import data_folder

_FOLDERS: Final = (Path(__file__).parent / "fonts", data_folder() / "fonts")
"""Where fonts are: our own, then those that a club has added. A club's are read when a process starts."""
_FILES: Final = {path.stem: path for folder in reversed(_FOLDERS) for path in folder.glob("*.ttf")}
MAIN: Final = "DejaVuSansCondensed"
_COMMON: Final = ("Arabic", "Hebrew", "Devanagari", "Bengali", "Tamil", "Thai", "Ethiopic", "Adlam", "NKo")
_ASKED_FIRST: Final = (
    *(f"NotoSans{script}-Regular" for script in _COMMON),
    "Hangul-Regular",
    "DroidSansFallbackFull",
)
"""The fonts that are asked before others that have the same letters; Korean before Chinese and Japanese."""
OTHERS: Final = (
    *_ASKED_FIRST,
    *sorted(name for name in _FILES if not name.startswith(MAIN) and name not in _ASKED_FIRST),
)
"""The fonts for what the main one lacks, in the order in which they are asked."""
_UNSHAPED: Final = (MAIN, "Hangul-Regular", "DroidSansFallbackFull", "NotoEmoji-Regular", "RareHan-Regular")
"""Fonts whose letters stand side by side, each one as it is."""
_NOT_IN_MAIN: Final = (
    *range(0x0590, 0x0700),  # Hebrew, Arabic
    *range(0x0750, 0x0780),
    *range(0x07C0, 0x0800),  # N’Ko
    *range(0x08A0, 0x0900),
    *range(0x0E80, 0x0F00),  # Lao
)
"""What the main font has in part: letters join and carry marks only within one font."""


@dataclass(frozen=True)
class Run:
    """A part of a text, in reading order, that one font draws in one direction."""

    text: str
    font: str
    leftwards: bool

    @property
    def shaped(self) -> bool:
        """Return whether its letters join, change places or carry marks."""
        return (
            self.leftwards
            or self.font not in _UNSHAPED
            or any(unicodedata.category(character).startswith("M") for character in self.text)
        )


@lru_cache(maxsize=10_000)
def runs(text: str) -> tuple[Run, ...]:
    """Return the runs of a text from left to right, with what no font has in words (`readable`).

    The order follows the Unicode bidirectional algorithm (UAX 9) with the direction of its first letter.
    """
    clean = readable(text)
    fonts = [*_fonts(clean)]
    shown = groupby(_visual_order(clean), key=lambda place: (fonts[place[0]], place[1]))
    return tuple(
        Run("".join(clean[at] for at, _left in (reversed([*part]) if left else part)), font, left)
        for (font, left), part in shown
    )


# ---- What no font has ----------------------------------------------------------------------------

_JOINERS: Final = "\u200c\u200d"
_UNSEEN: Final = ("VARIATION SELECTOR-", "EMOJI MODIFIER ")
"""How the names of characters begin that only change the look of the one before."""
_FLAG: Final = "REGIONAL INDICATOR SYMBOL LETTER "
_SOUND: Final = re.compile(r"(?:LETTER|SYLLABLE|VOWEL SIGN|SIGN) (.+)")


def readable(text: str) -> str:
    """Return the characters that are drawn for a text: no controls, and words for what no font has.

    A character that no font has is replaced by the plain one that it is a variant of (𝓐 is A), if there is
    one. Otherwise it is told in brackets: a letter by its sound, an ideograph by its number, and anything
    else by its name in Unicode. So "𰀁田 𜽐" becomes "(U+30001)田 (znamenny neume kryuk)".
    """
    groups = groupby(_plain(unicodedata.normalize("NFC", text)), key=_in_words)
    parts = (f"({'-'.join(map(_word, group))})" if worded else "".join(group) for worded, group in groups)
    return "".join(parts)


def told_in_words(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the names with characters that are told in words, each with what is printed for it."""
    return [(name, readable(name)) for name in names if in_words(name)]


def in_words(text: str) -> bool:
    """Return whether a text has characters that prints tell in words."""
    return not text.isascii() and any(map(_in_words, _plain(unicodedata.normalize("NFC", text))))


def _plain(text: str) -> Iterator[str]:
    """Yield the characters of a text without controls, each as its plain variant where only that is drawn."""
    last = ""
    for character in text:
        if character in _JOINERS:
            # Joiners of emoji join nothing here, and would part what is told in words.
            symbol = last and (_in_words(last) or unicodedata.category(last).startswith("S"))
            yield from () if symbol else character
            continue
        for last in _variant(character):
            yield last


def _variant(character: str) -> str:
    """Return what stands for a character: nothing, a blank, the character itself, or a plain variant."""
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    if category in ("Cc", "Zl", "Zp"):
        return " "
    if category == "Cf" or name.startswith(_UNSEEN):
        return ""
    if name.startswith(_FLAG):
        return name[-1]
    plain = unicodedata.normalize("NFKC", character)
    return plain if _in_words(character) and all(map(font_of, plain)) else character


def _in_words(character: str) -> bool:
    return character not in _JOINERS and font_of(character) is None


def _word(character: str) -> str:
    name = unicodedata.name(character, "")
    if not name or "IDEOGRAPH" in name:
        return f"U+{ord(character):04X}"
    sound = _SOUND.search(name) if unicodedata.category(character)[0] in "LM" else None
    return (sound[1] if sound else name).lower()


# ---- Fonts ---------------------------------------------------------------------------------------


def _fonts(text: str) -> Iterator[str]:
    """Yield the font of each character; what isn't a letter stays with the letter before it where it can."""
    font = MAIN
    for character in text:
        letter = unicodedata.category(character)[0] == "L"
        if character not in _JOINERS and (letter or ord(character) not in _characters(font)):
            font = font_of(character) or MAIN
        yield font


def _visual_order(text: str) -> Iterator[tuple[int, bool]]:
    """Yield the index of each character from left to right, and whether it is read from right to left."""
    if not any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text):
        yield from ((at, False) for at in range(len(text)))
        return
    from fpdf.bidi import BidiParagraph

    for character in BidiParagraph(text, preserve_bn_chars=True).get_reordered_characters():
        yield character.character_index, character.embedding_level % 2 == 1


def path_of(font: str) -> Path:
    """Return the file of a font."""
    return _FILES[font]


@cache
def font_of(character: str) -> str | None:
    """Return the name of the first font that has a character, None where there is none."""
    return next((font for font in (MAIN, *OTHERS) if ord(character) in _characters(font)), None)


@cache
def _characters(font: str) -> frozenset[int]:
    """Return the code points that a font is used for."""
    names = (font, f"{font}-Bold") if font == MAIN else (font,)
    has = frozenset.intersection(*(_mapped(_FILES[name]) for name in names))
    return has.difference(_NOT_IN_MAIN if font == MAIN else ())


def _mapped(file: Path) -> frozenset[int]:
    """Return the code points of a font file; none, and a warning, where a club's can't be read."""
    from fontTools.ttLib import TTFont, TTLibError

    try:
        return frozenset(TTFont(file, lazy=True).getBestCmap() or ())
    except (OSError, TTLibError) as error:
        logging.getLogger(__name__).warning("The font %s can't be read: %s", file, error)
        return frozenset()
