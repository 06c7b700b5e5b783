"""What a text may hold: nothing that cannot be printed; and a name: nothing that cannot be seen.

What people send is cleaned before it is checked, at every door by the same `one_line` and `paragraphs`.

A name stands in lists, logs and sentences beside other names. With a character that has no width, two names
look the same; with one that changes the direction, the rest of a line reads backwards. The joiners of Unicode
(U+200C, U+200D) are letters' business in the scripts that need them, and stay allowed inside their words.
"""

import re
import unicodedata
from typing import Final

_JOINERS: Final = "\u200c\u200d"
_JOINED_SCRIPTS: Final = frozenset(
    {
        *("ARABIC", "SYRIAC", "MANDAIC", "NKO", "MONGOLIAN", "ADLAM", "HANIFI"),
        *("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA"),
        *("MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN", "BALINESE", "JAVANESE", "SUNDANESE"),
        *("TIFINAGH", "MEETEI", "CHAKMA", "NEWA", "TIRHUTA", "MODI", "GRANTHA"),
    }
)
"""The scripts, by the first word of their characters' names, that join or part letters by joiners."""
_BLANK: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8]"
    "|[\U000e0000-\U000e0fff]"
)
"""Characters without ink that Unicode does not count as formats: fillers, selectors, tags, empty Braille."""
_REFUSED: Final = {"Cc", "Cs", "Co", "Zl", "Zp"}
"""The categories that are never left out: of them white space becomes a blank, the others are refused."""
_HIDDEN: Final = {"Cf", *_REFUSED}
_LOOKS: Final = "\ufe0e\ufe0f"
"""What selects the look of the symbol before it, such as a heart's; phones send it."""
_MODIFIERS: Final = (*_LOOKS, *map(chr, range(0x1F3FB, 0x1F400)))
"""What may stand between a symbol and a joiner: its look, or the colour of a skin."""
_FORMS: Final = "\u180b\u180c\u180d\u180f"
"""What selects the form of the Mongolian letter before it."""


_SHOWN: Final = 40
_UNPRINTABLE: Final = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


def unprintable(text: str) -> bool:
    """Return whether a text has a control character, surrogate or line separator."""
    return _UNPRINTABLE.search(text) is not None


def one_line(text: str) -> str:
    """Return a text as it is kept: composed (NFC), with single blanks, without marks that are not seen.

    Other control characters stay, for `unprintable` to refuse.
    """
    return " ".join(unicodedata.normalize("NFC", _seen(text)).split())


def paragraphs(text: str) -> str:
    """Return a text of several lines as it is kept: composed, without marks that are not seen."""
    return "\n".join(unicodedata.normalize("NFC", _seen(line)).rstrip() for line in text.splitlines())


def _seen(text: str) -> str:
    if text.isascii():
        return text
    return "".join(
        each
        for at, each in enumerate(text)
        if not _is_hidden(text, at) or unicodedata.category(each) in _REFUSED
    )


def in_print(name: object) -> str:
    """Return the name of a field that a caller sent, shortened and safe to print."""
    return _UNPRINTABLE.sub("?", str(name)[:_SHOWN])


def hides_something(name: str) -> bool:
    """Return whether a name has a character that is not seen, or that changes what stands around it."""
    return any(_is_hidden(name, at) for at in range(len(name)))


def _is_hidden(name: str, at: int) -> bool:
    character = name[at]
    if character in _JOINERS:
        before, after = name[at - 1 : at] if at else "", name[at + 1 : at + 2]
        return not ((_is_joined(before) and _is_joined(after)) or _are_symbols(before, after))
    if character in _LOOKS and at:
        return unicodedata.category(name[at - 1]) != "So"
    if character in _FORMS and at:
        return not unicodedata.name(name[at - 1], "").startswith("MONGOLIAN LETTER")
    return unicodedata.category(character) in _HIDDEN or bool(_BLANK.match(character))


def _are_symbols(before: str, after: str) -> bool:
    """Return whether a joiner makes one symbol of two, as of a flag and a rainbow."""
    category = unicodedata.category
    return bool(after) and category(after) == "So" and (before in _MODIFIERS or category(before) == "So")


def _is_joined(character: str) -> bool:
    """Return whether a character is a letter, or a sign on one, of a script with joiners."""
    if not character or unicodedata.category(character)[0] not in "LM":
        return False
    return unicodedata.name(character, "").split(" ")[0] in _JOINED_SCRIPTS
