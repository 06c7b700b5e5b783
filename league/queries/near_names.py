"""“Did you mean”: which known name somebody may have meant who typed another one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from league.models import Club
from league.models.names import search_key
from league.queries.clubs import players_of

M = TypeVar("M", bound=Model)

_MOST_MEANT: Final = 5
_NEAR: Final = 0.75
"""How alike two names must be, from 0 to 1, for one to be suggested for the other."""
_COMPARED: Final = 20
"""With how many of the names that share the most pairs of letters a name is compared in full."""


class NearNames:
    """Known names, ready to be compared with many typed ones.

    Accents, capitals, signs between words and the order of the words make no difference; a slip of a few
    letters makes a small one.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[str, str] = {}
        for name in names:
            self._names.setdefault(_plain(name), name)
        self._with_pair: dict[str, list[str]] = {}
        for plain in self._names:
            for pair in _pairs(plain):
                self._with_pair.setdefault(pair, []).append(plain)

    def near(self, name: str, most: int = 1, alike: float = _NEAR) -> Sequence[str]:
        """Return up to ``most`` known names that are near to a name (so ``alike``), the nearest first."""
        plain = _plain(name)
        shared = Counter(known for pair in _pairs(plain) for known in self._with_pair.get(pair, ()))
        likely = sorted(shared, key=lambda known: (-shared[known], known))[:_COMPARED]
        compared = [(SequenceMatcher(None, plain, known).ratio(), known) for known in likely]
        near = sorted((-ratio, known) for ratio, known in compared if ratio >= alike)
        return [self._names[known] for _, known in near[:most]]


@dataclass(frozen=True)
class Found(Generic[M]):
    """The rows that a search found; ``meant`` says that these are only what somebody may have meant."""

    rows: QuerySet[M]
    meant: bool = False


def found(rows: QuerySet[M], text: str) -> Found[M]:
    """Return the rows in whose names all words of a text are; where there are none, those with near names.

    The rows have names. Accents, capitals and apostrophes make no difference. All searches for
    people and entries use this.
    """
    words = _letters(text).split()
    if not words:
        return Found(rows)
    names: dict[Any, str] = dict(rows.order_by().values_list("pk", "name"))
    having = [pk for pk, name in names.items() if all(word in _letters(name) for word in words)]
    if having:
        return Found(rows.filter(pk__in=having))
    near = NearNames(names.values()).near(text, _MOST_MEANT)
    return Found(rows.filter(pk__in=[pk for pk, name in names.items() if name in near]), bool(near))


def near_players(club: Club, name: str, most: int = 3, but: UUID | None = None) -> Sequence[str]:
    """Return the names of the club's players, but for one, that are near to a name, the nearest first."""
    others = players_of(club).exclude(pk=but) if but else players_of(club)
    return NearNames(others.values_list("name", flat=True)).near(name, most)


def _plain(name: str) -> str:
    """Return the words of a name in alphabetical order, without signs: "Pike, Paul" gives "paul pike"."""
    letters = "".join(each if each.isalnum() else " " for each in _letters(name))
    return " ".join(sorted(letters.split()))


def _letters(text: str) -> str:
    """Return the key of a text without apostrophes, which many people leave out."""
    return search_key(text).replace("'", "")


def _pairs(plain: str) -> frozenset[str]:
    """Return each two letters that follow one another, and the first one of each word."""
    padded = f" {plain}"
    return frozenset(padded[at : at + 2] for at in range(len(padded) - 1))
