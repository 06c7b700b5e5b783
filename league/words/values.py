"""Values as text: fractions, signed numbers, titles of rulesets, and identifiers as they are declared."""

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import rules
from games.engine import shapes
from games.engine.clocks import Clock
from games.engine.common_moves import COMMON
from games.engine.kinds import Builders, OneOf, Record, Shape
from games.engine.messages import filled
from games.engine.replay import AnyRuleset
from league.core import formats
from league.core.standings import tie_breaks
from league.core.state.entries import JOIN
from league.core.state.plan import Opening, StagePlan
from league.core.verbs import EVENTS, ORGANISER_VERBS, PLAYER_VERBS, settings
from league.words.messages import name_at_table, shown_name, team_at_table, translated

if TYPE_CHECKING:
    from league.models import TableSeat


# ---- Tables ----------------------------------------------------------------------------------------

TABLE_LABELS: Final = {
    "final": gettext_noop("Final"),
    "second final": gettext_noop("Second final"),
    "third place": gettext_noop("Third place"),
    "semi-final": gettext_noop("Semi-final"),
    "quarter-final": gettext_noop("Quarter-final"),
    "lower bracket": gettext_noop("Lower bracket"),
    "play-off": gettext_noop("Play-off"),
    "consolation": gettext_noop("Consolation"),
    "consolation final": gettext_noop("Final of the consolation"),
}
"""What a table is for, by the label that the log has."""
_FOR_PLACES: Final = re.compile(r"places? ([0-9]+)(?: to ([0-9]+))?")
"""The label of a table at which places are played out."""


def room_in_words(name: str, first: int, last: int) -> str:
    """Return a room with the numbers of its tables: "Hall (tables 5–12)"."""
    told = _("table %(first)d") if first == last else _("tables %(first)d–%(last)d")
    tables = told % {"first": first, "last": last}
    return _("%(room)s (%(tables)s)") % {"room": name, "tables": tables} if name else tables


def in_room(told: str, room: str) -> str:
    """Return what is told of a table, with its room where that has a name: "Table 5, Hall"."""
    return _("%(table)s, %(room)s") % {"table": told, "room": room} if room else told


class Listed(Protocol):
    """A table in a list: see `league.models.Table`."""

    number: int
    turn: int


def numbered(table: Listed) -> str:
    """Return a table's number, and which it is of several with the same one in a list: "3 (2nd)"."""
    return f"{table.number} ({ordinal(table.turn)})" if table.turn > 1 else str(table.number)


def table_label(label: str) -> str:
    """Return what a table is for, in the active language; empty for nothing in particular."""
    if places := _FOR_PLACES.fullmatch(label):
        first, last = places.groups()
        told = _("Places %(first)s to %(last)s") if last else _("Place %(number)s")
        return told % {"first": first, "last": last, "number": first}
    return _(TABLE_LABELS[label]) if label in TABLE_LABELS else label


# ---- Identifiers ---------------------------------------------------------------------------------

_IDENTIFIER: Final = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")


TITLES: Final = {
    "float": "float cards",
    "too_many_wilds": "too many wild cards",
    "undeclared": "Scamper not declared",
}
"""Identifiers that say too little by themselves, in the words of the printed sheets: Float is also a goal."""


def in_words(identifier: str) -> str:
    """Return an identifier as English text: "close_round" as "Close round"."""
    plain = TITLES.get(identifier) or identifier.replace("_", " ").replace("-", " ")
    return plain[:1].upper() + plain[1:]


def identifiers() -> list[str]:
    """Return every identifier that a page may show, sorted."""
    found = {*EVENTS, *formats.BY_KEY, *_declared()}
    return sorted(each for each in found if _IDENTIFIER.fullmatch(each))


def _declared() -> Iterator[str]:
    for verb in {*ORGANISER_VERBS.values(), *PLAYER_VERBS.values()}:
        yield from _of(verb)
    for declared, names in ((Opening, settings.OF_OPENING), (StagePlan, settings.OF_STAGE)):
        yield from _of_fields(declared, names)
    yield from _of(Clock)
    for each in formats.BY_KEY.values():
        yield from _of(each.params)
    for kind, move in COMMON.items():
        yield from (kind, *_of(move))
    for ruleset in rules.RULESETS:
        yield from _of_ruleset(ruleset)


def _of_ruleset(ruleset: AnyRuleset) -> Iterator[str]:
    yield from ruleset.presets
    yield from _of(ruleset.options)
    for kind, move in ruleset.moves.items():
        yield from (kind, *_of(move))
    yield from shapes.record(ruleset.view_shape).fold(VALUES)


def _of_fields(declared: type, names: Collection[str]) -> Iterator[str]:
    """Yield some fields of a record, with what is in them."""
    kept = tuple(each for each in shapes.record(declared).fields if each.name in names)
    yield from Record(declared, kept).fold(NAMES)
    yield from Record(declared, kept).fold(VALUES)


def _of(declared: type) -> Iterator[str]:
    """Yield the names of a record's fields, and the values that they can have."""
    record = shapes.record(declared)
    yield from record.fold(NAMES)
    yield from record.fold(VALUES)


def _inside(_shape: Shape, parts: Sequence[Sequence[str]]) -> list[str]:
    return [name for part in parts for name in part]


def _of_record(shape: Record, parts: Sequence[Sequence[str]]) -> list[str]:
    return [*(field.name for field in shape.fields if not field.label), *_inside(shape, parts)]


def _of_choice(shape: OneOf, _: Sequence[Sequence[str]]) -> list[str]:
    return [value for value in shape.values if isinstance(value, str)]


_KINDS: Final[Builders[Sequence[str]]] = dict.fromkeys(
    ("flag", "number", "text", "choice", "list", "rows", "record", "object", "either"), _inside
)
NAMES: Final[Builders[Sequence[str]]] = {**_KINDS, "record": _of_record}
VALUES: Final[Builders[Sequence[str]]] = {**_KINDS, "choice": _of_choice}


# ---- Numbers -------------------------------------------------------------------------------------

_EXACT: Final = re.compile(r"-?\b\d+/\d+\b|(?<![\w-])-\d+\b")
"""Fractions, and whole numbers below zero."""
_NUMBERS: Final = re.compile(r"-?\d+(/0*[1-9]\d*)?(, -?\d+(/0*[1-9]\d*)?)*")
_TOGETHER: Final = re.compile(r"\([^()]*\)|[^()]+|[()]")
"""The parts of a sentence: what is in brackets is compared."""
_FEWEST_PLACES: Final = 2
"""The decimal places of rounded values, as long as these keep different ones apart."""
_MOST_PLACES: Final = 4
_SIGNS: Final = {
    Fraction(0): "",
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}
"""What is left of whole numbers in values that are read at a glance."""


def exact(value: object) -> str:
    """Return a number or several with commas as text, fractions as `column` has them: "7/2" as "3½".

    What is no number does not change.
    """
    told = str(value)
    return _signed(told) or column([told], signed=False)[0] if _NUMBERS.fullmatch(told) else told


@lru_cache(maxsize=1000)
def _signed(value: str) -> str | None:
    """Return one number with a sign for its fraction; None where there is none."""
    if ", " in value:
        return None
    number = Fraction(value)
    whole, rest = divmod(abs(number), 1)
    if rest not in _SIGNS:
        return None
    return f"{'−' * (number < 0)}{whole if whole or not rest else ''}{_SIGNS[rest]}"


def column(values: Sequence[str | None], *, signed: bool = True) -> list[str]:
    """Return numbers as the texts of a column, one of each entry; "–" where there is none.

    They are written with signs such as ¾ where there is one for all of them. Otherwise all are rounded to
    two decimal places, or as many as keep different ones apart, at most 4. If ``signed``, where one is below
    0 those above 0 have a sign, too: they are differences.
    """
    numbers = [tuple(map(Fraction, value.split(", "))) if value else () for value in values]
    parts = [part for each in numbers for part in each]
    plain, signs = all(part % 1 in _SIGNS for part in parts), signed and any(part < 0 for part in parts)
    places = _places_for({*numbers})

    def shown(part: Fraction) -> str:
        text = _signed(str(part)) if plain else _decimal(part, places)
        return f"{'+' * (signs and part > 0)}{text}"

    return [(", " if plain else "; ").join(map(shown, each)) or "–" for each in numbers]


def _places_for(different: Collection[tuple[Fraction, ...]]) -> int:
    tried = range(_FEWEST_PLACES, _MOST_PLACES)
    return next((digits for digits in tried if _apart(different, digits)), _MOST_PLACES)


def _apart(different: Collection[tuple[Fraction, ...]], places: int) -> bool:
    return len({tuple(_rounded(part, places) for part in each) for each in different}) == len(different)


def _rounded(number: Fraction, places: int) -> int:
    """Return a number in units of the last of so many decimal places; halves are rounded away from 0."""
    units = int(abs(number) * 10**places + Fraction(1, 2))
    return -units if number < 0 else units


def _decimal(number: Fraction, places: int) -> str:
    rounded = _rounded(number, places)
    shown = number_format(Decimal(abs(rounded)).scaleb(-places), decimal_pos=places)
    return f"−{shown}" if rounded < 0 else shown


def against_average(shown: str) -> str:
    """Return the wins of an entry at tables of more than two, as its column shows them: "¾ more than …"."""
    count = {"wins": shown.lstrip("+−")}
    if not count["wins"].strip("0.,"):
        return _("as many as equal players have on average")
    if not shown.startswith("−"):
        return _("%(wins)s more than equal players have on average") % count
    return _("%(wins)s fewer than equal players have on average") % count


def numbers_within(sentence: str) -> str:
    """Return a sentence with its fractions as `column` has them, and with minus signs before numbers.

    Those within brackets are a column: they are compared.
    """
    return _TOGETHER.sub(lambda found: _with_numbers(found[0]), sentence)


def _with_numbers(part: str) -> str:
    found = _EXACT.findall(part)
    if not found:
        return part
    texts = iter(column(found, signed=False) if part.startswith("(") else map(exact, found))
    return _EXACT.sub(lambda _found: next(texts), part)


class _Rated(Protocol):
    @property
    def points(self) -> int: ...
    @property
    def uncertainty(self) -> int: ...


def likely(rating: _Rated) -> str:
    """Return between which numbers a skill lies in two of three cases: a deviation on both sides."""
    first, last = rating.points - rating.uncertainty, rating.points + rating.uncertainty
    return _("between %(first)s and %(last)s") % {"first": exact(first), "last": exact(last)}


def signed(number: int) -> str:
    """Return a whole number with its sign: 12 as "+12", -3 as "−3"."""
    return f"−{-number}" if number < 0 else f"+{number}"


def marked(name: str, *, bot: bool) -> str:
    """Return a name with the mark of a bot, where only plain text can be: "Ada (bot)"."""
    return _("%(name)s (bot)") % {"name": shown_name(name)} if bot else name


class _OfEntry(Protocol):
    @property
    def entry_id(self) -> Hashable: ...


S = TypeVar("S", bound=_OfEntry)


def sides(seats: Iterable[S], ruleset: str = "") -> list[list[S]]:
    """Return the seats of a table by sides, each side and its seats in seat order: partners stand together.

    So do the teams of the game, where a ruleset is given.
    """
    listed, found = list(seats), dict[Hashable, list[S]]()
    for seat, side in zip(listed, rules.sides(ruleset, [each.entry_id for each in listed]), strict=True):
        found.setdefault(side, []).append(seat)
    return [*found.values()]


def names_of_side(side: Iterable["TableSeat"]) -> str:
    """Return the names of a side of a table: "Ada & Bo" for one of two players."""
    return JOIN.join(marked(name_at_table(seat), bot=seat.player.bot) for seat in side)


def names_with_team(side: Sequence["TableSeat"]) -> str:
    """Return the names of a side, with that of a team once where it has its own: "Ada & Bo (Reds)"."""
    if len({seat.entry_id for seat in side}) > 1:
        return JOIN.join(names_with_team([seat]) for seat in side)
    names, team = names_of_side(side), team_at_table(side[0])
    return f"{names} ({team})" if team else names


def together(side: Sequence["TableSeat"]) -> Sequence[Sequence["TableSeat"]]:
    """Return the seats of a side, together where they have one entry and result, else one by one."""
    told = {(seat.entry_id, seat.rank, seat.outcome) for seat in side}
    return [side] if len(told) == 1 else [[seat] for seat in side]


def names_at_table(seats: Iterable["TableSeat"], ruleset: str) -> str:
    """Return the names of the players of a table: "Ada, Bo, Cy", of two sides "Ada & Bo against Cy & Di"."""
    found = sides(seats, ruleset)
    names = [*map(names_of_side, found)]
    if len(found) == 2 and any(len(side) > 1 for side in found):
        return _("%(one)s against %(other)s") % {"one": names[0], "other": names[1]}
    return ", ".join(names)


def partners_told(number: int, seats: Iterable["TableSeat"], ruleset: str) -> str:
    """Return with whom a seat of a table plays: "with Bo"; empty where it has no partner."""
    partners, _others = _around(number, seats, ruleset)
    return _("with %(partners)s") % {"partners": names_of_side(partners)} if partners else ""


def company(seat: "TableSeat", ruleset: str) -> str:
    """Return with whom, and against whom, a seat plays, empty where it has no partner."""
    partners, others = _around(seat.number, seat.table.seats.all(), ruleset)
    told = {"partners": names_of_side(partners), "others": ", ".join(map(names_of_side, others))}
    return _("with %(partners)s against %(others)s") % told if partners else ""


def _around(
    number: int, seats: Iterable["TableSeat"], ruleset: str
) -> tuple[list["TableSeat"], list[list["TableSeat"]]]:
    """Return the partners of a seat of a table, and the other sides."""
    found = sides(seats, ruleset)
    mine = next((side for side in found if any(each.number == number for each in side)), [])
    return [each for each in mine if each.number != number], [side for side in found if side is not mine]


def all_marked(names: Mapping[str, str], bots: Collection[str]) -> Mapping[str, str]:
    """Return names by entry as `marked` shows them; ``bots`` are the entries of bots alone."""
    return {entry: marked(name, bot=entry in bots) for entry, name in names.items()}


_PLACES: Final = (
    *(gettext_noop("1st"), gettext_noop("2nd"), gettext_noop("3rd"), gettext_noop("4th")),
    *(gettext_noop("5th"), gettext_noop("6th"), gettext_noop("7th"), gettext_noop("8th")),
    *(gettext_noop("9th"), gettext_noop("10th")),
)


def place(rank: int) -> str:
    """Return a place at a table: 1 as "1st"."""
    return _(_PLACES[rank - 1])


def final_place(number: int, *, shared: bool, by_lot: bool) -> str:
    """Return the place in which an entry finished, shared or decided by lot: 1 as "1st place"."""
    at = {"at": ordinal(number)}
    told = _("Shared %(at)s place") % at if shared else _("%(at)s place") % at
    return _("%(place)s (by lot)") % {"place": told} if by_lot else told


LOT: Final = "*"
"""Marks a rank in a table that only a lot decided."""


def rank_in_table(rank: int, *, by_lot: bool) -> str:
    """Return a rank as a cell has it, with the mark of a lot that decided it: "1*"."""
    return f"{rank}{LOT}" if by_lot else str(rank)


def legend_of_lots(by_lot: Iterable[bool]) -> str:
    """Return what the mark in a table's ranks means, empty where no lot decided any of them."""
    return _("* by lot: everything else is equal") if any(by_lot) else ""


def path_in_words(path: str) -> str:
    """Return the path of a field in JSON as text: "melds.0.cards" as "Melds 1, Cards"."""
    named = "".join(
        f" {int(part) + 1}" if part.isdecimal() and len(part) < 10 else f", {words(part)}"
        for part in path.split(".")
    )
    return named.removeprefix(", ").strip()


def words(name: str) -> str:
    """Return an identifier as text, "close_round" as "Close round", or a word of a game, translated."""
    if not name:
        return ""
    text, own = in_words(name), _(name)
    said = _(text)
    return str(capfirst(own)) if said == text and own != name else said


def tie_break(key: str) -> str:
    """Return the name of a tie-break as a heading: "Head to head"; its key in words where it is unknown."""
    return str(capfirst(translated(tie_breaks.BY_KEY[key].title))) if key in tie_breaks.BY_KEY else words(key)


def ruleset_title(name: str) -> str:
    """Return the title of a ruleset by its name or key, or the name itself if it is unknown."""
    try:
        return translated(rules.find(name).title)
    except KeyError:
        return name


def titles_of_games(keys: Iterable[str]) -> dict[str, str]:
    """Return the titles of games by their keys, those of one title told apart; the first key keeps it."""
    listed, before = [*dict.fromkeys(keys)], dict[str, int]()
    told = dict[str, str]()
    for key in sorted(listed):
        title = ruleset_title(key)
        before[title] = at = before.get(title, 0) + 1
        other = filled(_("%(game)s with other numbers"), {"game": title})
        told[key] = title if at == 1 else other if at == 2 else f"{other} ({at - 1})"
    return {key: told[key] for key in listed}


def on_paper(name: str) -> bool:
    """Return whether a ruleset's games are score cards of games with real cards; False if it is unknown."""
    try:
        return not rules.find(name).dealt
    except KeyError:
        return False


def ruleset_key(name: str) -> str:
    """Return the key of a ruleset's name: "rummy@1" as "rummy"."""
    return name.partition("@")[0]
