"""Known names that are near to a typed one: whole, in parts, shortened, or with a slip of the fingers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import chain
from typing import Final

from league.models.names import search_key

NEAR: Final = 0.75
"""How alike two names must be, from 0 to 1, for one to be suggested for the other."""
_COMPARED: Final = 20
"""With how many of the names that share the most pairs of letters a name is compared in full."""
_WORDS_COMPARED: Final = 20
"""With how many of the words that share the most pairs of letters a word is compared in full."""
_MOST_WORDS: Final = 5
"""The most words of a name that are looked for one by one."""
_WHOLE, _SHORT, _SLIP, _INITIAL = 0.12, 0.09, 0.06, 0.03
"""How much each way in which a word stands for a known one adds to `NEAR`: less than whole names have."""

_SHORT_FORMS: Final[Mapping[str, frozenset[str]]] = {
    short: frozenset(whole.split())
    for short, whole in {
        "alex": "alexander alexandra",
        "betty": "elisabeth elizabeth",
        "bill": "william",
        "bob": "robert",
        "fritz": "friedrich",
        "gustl": "august",
        "hans": "johannes johann",
        "heinz": "heinrich",
        "jack": "john",
        "jim": "james",
        "josh": "joshua",
        "kathe": "katharina",
        "kate": "katharina katherine catherine",
        "liz": "elisabeth elizabeth",
        "lisa": "elisabeth elizabeth",
        "mike": "michael",
        "peggy": "margaret",
        "resi": "theresia therese",
        "sascha": "alexander alexandra",
        "sepp": "josef joseph",
        "ted": "edward theodore",
        "tom": "thomas",
        "toni": "anton antonia",
        "vroni": "veronika",
        "will": "william wilhelm",
        "willi": "wilhelm",
    }.items()
}
"""Short forms that are neither the beginning nor the end of the whole name."""
_LONG_FORMS: Final[Mapping[str, Sequence[str]]] = {
    whole: [short for short, meant in _SHORT_FORMS.items() if whole in meant]
    for whole in sorted({*chain(*_SHORT_FORMS.values())})
}


class NearNames:
    """Known names, ready to be compared with many typed ones.

    Accents, capitals, signs between words and the order of the words make no difference; a slip of a few
    letters makes a small one. A name may be typed in part: the first name or the last one alone, shortened,
    or initials. All words that are typed must stand for words of the known name.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[str, str] = {}
        for name in names:
            self._names.setdefault(_plain(name), name)
        self._with_pair: dict[str, list[str]] = {}
        self._with_word: dict[str, list[str]] = {}
        for plain in self._names:
            for pair in _pairs(plain):
                self._with_pair.setdefault(pair, []).append(plain)
            for word in dict.fromkeys(plain.split()):
                self._with_word.setdefault(word, []).append(plain)
        self._words_with_pair: dict[str, list[str]] = {}
        for word in self._with_word:
            for pair in _pairs(word):
                self._words_with_pair.setdefault(pair, []).append(word)
        self._found: dict[str, Mapping[str, float]] = {}

    def near(self, name: str, most: int = 1, alike: float = NEAR) -> Sequence[str]:
        """Return up to ``most`` known names that are near to a name (so ``alike``), the nearest first.

        Of equally near ones those come first whose words do in the alphabet.
        """
        plain = _plain(name)
        shared = Counter(known for pair in _pairs(plain) for known in self._with_pair.get(pair, ()))
        likely = sorted(shared, key=lambda known: (-shared[known], known))[:_COMPARED]
        found = {known: SequenceMatcher(None, plain, known).ratio() for known in likely}
        if alike <= NEAR:
            for known, ratio in self._in_part(plain.split()).items():
                found[known] = max(ratio, found.get(known, 0))
        near = sorted((-ratio, known) for known, ratio in found.items() if ratio >= alike)
        return [self._names[known] for _, known in near[:most]]

    def _in_part(self, words: Sequence[str]) -> Mapping[str, float]:
        """Return the names of which each word is one that was typed, with how alike they are."""
        if not words or len(words) > _MOST_WORDS or len("".join(words)) < 2:
            return {}
        each = [self._standing_for(word) for word in words]
        first = min(each, key=len)
        names = dict.fromkeys(name for word in first for name in self._with_word[word])
        told = ((name, _best(name.split(), each)) for name in names)
        return {name: NEAR + total / len(words) for name, total in told if total}

    def _standing_for(self, typed: str) -> Mapping[str, float]:
        """Return the words of known names that a typed one stands for, with how well."""
        if typed not in self._found:
            pairs = _pairs(typed)
            shared = Counter(word for pair in pairs for word in self._words_with_pair.get(pair, ()))
            likely = sorted(shared, key=lambda word: (-shared[word], word))[:_WORDS_COMPARED]
            told = {word: _INITIAL for word in shared if len(typed) == 1 and word.startswith(typed)}
            told |= {word: _SHORT for word in self._beside(typed) if _is_short(typed, word)}
            told |= {word: _SLIP for word in likely if word not in told and _is_slip(typed, word)}
            if typed in self._with_word:
                told[typed] = _WHOLE
            self._found[typed] = told
        return self._found[typed]

    def _beside(self, typed: str) -> Sequence[str]:
        """Return the words of known names that begin or end as a typed one, or that it shortens."""
        whole = _SHORT_FORMS.get(typed, ()), _LONG_FORMS.get(typed, ())
        known = [word for forms in whole for word in forms if word in self._with_word]
        alike = (self._words_with_pair.get(pair, ()) for pair in (f" {typed[:1]}", typed[-2:]))
        return [*known, *(word for words in alike for word in words)]


def _best(known: Sequence[str], typed: Sequence[Mapping[str, float]]) -> float:
    """Return how well typed words stand for as many words of a name; 0 where they don't."""
    if not typed:
        return 0
    found = 0.0
    for at, word in enumerate(known):
        if word in typed[0]:
            rest = _best([*known[:at], *known[at + 1 :]], typed[1:])
            if rest or len(typed) == 1:
                found = max(found, typed[0][word] + rest)
    return found


def _is_short(typed: str, known: str) -> bool:
    """Return whether one of two words is a short form of the other."""
    short, whole = sorted((typed, known), key=len)
    if len(short) < 3 or short == whole or not short.isalpha():
        return False
    stem = short[:-1] if short[-1] in "iy" else short
    ends = len(short) > 3 and whole.endswith(short)
    return whole.startswith((short, stem)) or ends or whole in _SHORT_FORMS.get(short, ())


def _is_slip(typed: str, known: str) -> bool:
    """Return whether a word is another one but for a slip, or two in a long one: never in numbers."""
    if not (typed.isalpha() and known.isalpha()):
        return False
    length, longer = sorted((len(typed), len(known)))
    most = 1 + (length > 6)
    return length > 3 and longer - length <= most and _slips(typed, known) <= most


def _slips(one: str, other: str) -> int:
    """Return how many letters one changes, leaves out, adds, or swaps with the next to have the other."""
    before: list[int] = []
    row: list[int] = [*range(len(other) + 1)]
    for at, letter in enumerate(one, 1):
        now: list[int] = [at]
        for to, meant in enumerate(other, 1):
            best = min(row[to] + 1, now[-1] + 1, row[to - 1] + int(letter != meant))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == meant:
                best = min(best, before[to - 2] + 1)
            now.append(best)
        before, row = row, now
    return row[-1]


def letters(text: str) -> str:
    """Return the key of a text without apostrophes, which many people leave out."""
    return search_key(text).replace("'", "")


def _plain(name: str) -> str:
    """Return the words of a name in alphabetical order, without signs: "Pike, Paul" gives "paul pike"."""
    told = "".join(each if each.isalnum() else " " for each in letters(name))
    return " ".join(sorted(told.split()))


def _pairs(plain: str) -> frozenset[str]:
    """Return each two letters that follow one another, and the first one of each word."""
    padded = f" {plain}"
    return frozenset(padded[at : at + 2] for at in range(len(padded) - 1))
