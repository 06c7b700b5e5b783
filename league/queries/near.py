"""Known names that are near to a typed one: whole, in parts, shortened, or with a slip of the fingers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA, Indel

from league.models.names import search_key

NEAR: Final = 0.75
"""How alike two names must be, from 0 to 1, for one to be suggested for the other."""
_MOST_WORDS: Final = 5
"""The most words of a name that are looked for one by one."""
_MOST_KNOWN: Final = 12
"""With how many words of a known name those are compared."""
_LONGEST: Final = 24
"""The most letters of a short form."""
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
        self._with_word: dict[str, list[str]] = {}
        for plain in self._names:
            for word in dict.fromkeys(plain.split()[:_MOST_KNOWN]):
                self._with_word.setdefault(word, []).append(plain)
        self._spelt = [word for word in self._with_word if word.isalpha()]
        self._with_form: dict[str, list[str]] = {}
        for word in self._with_word:
            for form in {word[0], *_forms(word)}:
                self._with_form.setdefault(form, []).append(word)
        self._found: dict[str, Mapping[str, float]] = {}

    def near(self, name: str, most: int = 1, alike: float = NEAR) -> Sequence[str]:
        """Return up to ``most`` known names that are near to a name (so ``alike``), the nearest first.

        Of equally near ones those come first whose words do in the alphabet.
        """
        plain, scorer = _plain(name), Indel.normalized_similarity
        whole = process.extract(plain, self._names.keys(), scorer=scorer, score_cutoff=alike, limit=None)
        found = {known: ratio for known, ratio, _ in whole}
        if alike <= NEAR:
            for known, ratio in self._in_part(plain.split()).items():
                found[known] = max(ratio, found.get(known, 0))
        near = sorted((-ratio, known) for known, ratio in found.items())
        return [self._names[known] for _, known in near[:most]]

    def _in_part(self, words: Sequence[str]) -> Mapping[str, float]:
        """Return the names of which each word is one that was typed, with how alike they are."""
        if not words or len(words) > _MOST_WORDS or len("".join(words)) < 2:
            return {}
        each = [self._standing_for(word) for word in words]
        names = dict.fromkeys(name for word in min(each, key=len) for name in self._with_word[word])
        told = ((name, _best(name.split()[:_MOST_KNOWN], each)) for name in names)
        return {name: NEAR + total / len(words) for name, total in told if total}

    def _standing_for(self, typed: str) -> Mapping[str, float]:
        """Return the words of known names that a typed one stands for, with how well.

        One slip, or two in long words: never in numbers.
        """
        if typed not in self._found:
            most = (1 + (len(typed) > 6)) * (len(typed) > 3 and typed.isalpha())
            slips = process.extract(typed, self._spelt, scorer=OSA.distance, score_cutoff=most, limit=None)
            told = {word: _SLIP for word, slip, _ in slips if len(word) > 3 and slip <= 1 + (len(word) > 6)}
            short = [*self._with_form.get(typed, ()), *(_forms(typed) & self._with_word.keys())]
            told |= dict.fromkeys(short, _SHORT if len(typed) > 1 else _INITIAL)
            if typed in self._with_word:
                told[typed] = _WHOLE
            self._found[typed] = told
        return self._found[typed]


def _best(known: Sequence[str], typed: Sequence[Mapping[str, float]]) -> float:
    """Return how well typed words stand for as many words of a name; 0 where they don't."""
    best = {0: 0.0}
    """By which of the typed words, as bits, the words so far stand for."""
    for word in known:
        for met, total in [*best.items()]:
            for at, standing in enumerate(typed):
                if word in standing and not met >> at & 1:
                    more = met | 1 << at
                    best[more] = max(best.get(more, 0), total + standing[word])
    return best.get((1 << len(typed)) - 1, 0)


def _forms(word: str) -> AbstractSet[str]:
    """Return the short forms of a word: its beginning, also with an i or y, its end, or another name."""
    found = {short for short, meant in _SHORT_FORMS.items() if word in meant}
    if word.isalpha():
        for size in range(2, min(len(word), _LONGEST)):
            found |= {word[:size] + end for end in "iy"}
            found |= {word[:size]} if size > 2 else set()
            found |= {word[-size:]} if size > 3 else set()
    return found


def letters(text: str) -> str:
    """Return the key of a text without apostrophes, which many people leave out."""
    return search_key(text).replace("'", "")


def _plain(name: str) -> str:
    """Return the words of a name in alphabetical order, without signs: "Pike, Paul" gives "paul pike"."""
    return " ".join(sorted(re.split(r"[\W_]+", letters(name)))).strip()
