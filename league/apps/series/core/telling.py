"""The rule and the table of a series in sentences.

Clauses of a sentence are whole main clauses, so that each can be translated by itself.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from games.engine import shapes
from games.engine.kinds import OneOf, Record
from games.engine.messages import Message, all_of, both, plural, text
from league.apps.series.core.counting import Why
from league.apps.series.core.presets import PRESETS
from league.apps.series.core.ranking import Cell, Reach, Row, Tie
from league.apps.series.core.rule import Bonus, Count, Drops, Rule, Value

_MOST_VALUES: Final = 12
"""The most values that are told one by one."""
_MOST_NAMED: Final = 4
"""The most of those who are level that are told by their names."""

WHY: Final[Mapping[Why, Message]] = {
    "counts": text("Counts."),
    "final": text("A final: it counts in any case."),
    "absent": text("Not played: this is what an absence is worth."),
    "not_best": text("Left out: it is not among the best."),
    "dropped": text("Dropped: it is among the worst."),
    "not_declared": text("Left out: it was not declared beforehand."),
    "too_old": text("Left out: it is too long ago."),
    "few_entries": text("Left out: too few took part."),
    "few_lists": text("Left out: the evening had too few lists."),
    "no_value": text("Left out: nothing says what it is worth."),
}

AFTER_MEANS: Final = "The number of the last evening that counts; left out: all."
"""What ``?after=`` is, for programs."""
_Cells: TypeAlias = Sequence[Cell]

# ---- A row ---------------------------------------------------------------------------------------


def counted(row: Row) -> Message:
    """Return what of a row counts and what is left out: "60, 55, 40 count; 31 is left out."."""
    inside, absent, outside, _own = row.tally
    if not (inside or absent):
        return text("Nothing counts.")
    clauses = _in_numbers if inside + absent + outside > _MOST_VALUES else _in_values
    return _sentence([*clauses(row), *_zeros(row)])


def in_brief(row: Row) -> str:
    """Return what of a row counts, and in brackets what is left out: "60, 55, 40 (31)".

    Of more values than a sentence lists it says how many count, of how many: "20/24".
    """
    counts, absent, outside, _own = row.tally
    if counts + absent + outside > _MOST_VALUES:
        return f"{counts + absent}/{counts + absent + outside}"
    found = [each for each in row.cells if each.value is not None]
    inside, left = [[each for each in found if each.counts is counts] for counts in (True, False)]
    zeros = f"0 × {row.zeros}" if row.zeros > 1 else "0" * row.zeros
    shown = ", ".join(filter(None, [_listed(inside), zeros]))
    return f"{shown or '–'} ({_listed(left)})" if left else shown


def _zeros(row: Row) -> Iterator[Message]:
    if row.zeros:
        yield text("0 for %(zeros)d missing, divided by %(divisor)d", zeros=row.zeros, divisor=row.divisor)


def _in_numbers(row: Row) -> Iterator[Message]:
    inside, absent, outside, _own = row.tally
    if inside:
        yield plural("%(count)d counts", "%(count)d count", inside)
    if absent:
        yield plural("%(count)d counts for absence", "%(count)d count for absence", absent)
    if outside:
        yield plural("%(count)d is left out", "%(count)d are left out", outside)


def _in_values(row: Row) -> Iterator[Message]:
    inside, absent, outside = list[Cell](), list[Cell](), list[Cell]()
    for each in row.cells:
        if each.value is not None:
            (absent if each.why == "absent" else inside if each.counts else outside).append(each)
    if inside:
        yield plural("%(values)s counts", "%(values)s count", len(inside), values=_listed(inside))
    if absent:
        values = _listed(absent)
        yield plural(
            "%(values)s counts for absence", "%(values)s count for absence", len(absent), values=values
        )
    if outside:
        values = _listed(outside)
        yield plural("%(values)s is left out", "%(values)s are left out", len(outside), values=values)


def _listed(cells: _Cells) -> str:
    """Return values, the greatest first, each with how often it counts: "15 × 2, 15, 0"."""
    ordered = sorted(((each.value or Fraction(0), each.weight) for each in cells), reverse=True)
    return all_of([f"{value} × {weight}" if weight > 1 else str(value) for value, weight in ordered])


def why(cell: Cell) -> Iterator[Message]:
    """Yield why a part counts for a person or is left out, and the place that makes its value."""
    yield WHY[cell.why]
    if not cell.place:
        return
    place, field, level = cell.place.rank, cell.field, cell.place.level
    if cell.place.own:
        yield text(
            "Place %(place)d of %(field)d by their own points, as others earned the rest of the entry’s.",
            place=place,
            field=field,
        )
    elif level:
        yield plural(
            "Place %(place)d of %(field)d, shared with one other.",
            "Place %(place)d of %(field)d, shared with %(count)d others.",
            level,
            place=place,
            field=field,
        )
    else:
        yield text("Place %(place)d of %(field)d.", place=place, field=field)


def own_points(row: Row) -> Message | None:
    """Return that a person was placed by a part of an entry's points, None for who was not."""
    if not row.tally.own:
        return None
    return plural(
        "Once placed by their own points, as others earned the rest of the entry’s.",
        "%(count)d times placed by their own points, as others earned the rest of the entry’s.",
        row.tally.own,
    )


def tie(row: Row, found: Tie, name: Callable[[str], str]) -> Message:
    """Return why somebody stands where they do beside others of the same total; ``name`` names people.

    Of too many to be named it says how many they are.
    """
    count = len(found.others)
    named = both([name(each) for each in found.others]) if count <= _MOST_NAMED else ""
    others = named or plural("%(count)d other", "%(count)d others", count)
    if found.nth is None:
        return text("Level with %(others)s: they share the rank.", others=others)
    compared = text("the best single result decides")
    if found.nth > 1:
        compared = plural(
            "the best result is level, too, and the next decides",
            "the best %(count)d results are level, too, and the next decides",
            found.nth - 1,
        )
    total = str(row.total)
    if not named:
        return text(
            "Level with %(others)s at %(total)s; %(compared)s.", others=others, total=total, compared=compared
        )
    theirs = both([*dict.fromkeys(map(_value, found.theirs))])
    values = text("%(own)s against %(theirs)s", own=_value(found.own), theirs=theirs)
    return text(
        "Level with %(others)s at %(total)s; %(compared)s: %(values)s.",
        others=others,
        total=total,
        compared=compared,
        values=values,
    )


def _value(value: Fraction | None) -> str:
    return text("none") if value is None else str(value)


def reach(found: Reach, *, low_wins: bool) -> Message:
    """Return what would help: "50 or more next time takes place 3, if those above don’t improve."."""
    value, place = str(found.value), found.place
    if found.value is None:
        needed = text("To play next time is enough for place %(place)d", place=place)
    elif low_wins:
        needed = text("%(value)s or less next time takes place %(place)d", value=value, place=place)
    else:
        needed = text("%(value)s or more next time takes place %(place)d", value=value, place=place)
    if found.away:
        return text("%(needed)s, if all others stay away or don’t improve.", needed=needed)
    return text("%(needed)s, if those above don’t improve.", needed=needed)


def as_place(found: Reach) -> Message | None:
    """Return as which place in a field as large as the last that is, None where no place is told."""
    if not found.rank:
        return None
    if found.rank == 1:
        return text("In a field of %(field)d that is place 1.", field=found.field)
    return text(
        "In a field of %(field)d that is place %(rank)d or better.", field=found.field, rank=found.rank
    )


# ---- A rule --------------------------------------------------------------------------------------


def told(rule: Rule) -> Sequence[Message]:
    """Return a rule in three or four sentences: values, what counts, absence and bonus, and ranks."""
    groups = (_values(rule), _counting(rule), _attendance(rule), _ranks(rule))
    return [_sentence(clauses) for clauses in map(list, groups) if clauses]


def _sentence(clauses: Sequence[Message]) -> Message:
    joined, *more = clauses
    for clause in more:
        joined = text("%(before)s; %(clause)s", before=joined, clause=clause)
    return _ended(joined)


def _ended(clause: Message) -> Message:
    return text("%(clause)s.", clause=clause)


def _values(rule: Rule) -> Iterator[Message]:
    worth = _worth(rule.value)
    if rule.unit == "evening":
        yield text("Each evening counts with %(worth)s", worth=worth)
    elif rule.lists:
        which = both([str(number) for number in rule.lists])
        yield plural(
            "List %(which)s of each evening counts with %(worth)s",
            "Lists %(which)s of each evening count, each with %(worth)s",
            len(rule.lists),
            which=which,
            worth=worth,
        )
    else:
        yield text("Each list counts by itself with %(worth)s", worth=worth)
    if rule.value.least is not None:
        yield text("fewer than %(least)s are worth nothing", least=rule.value.least)
    if Fraction(rule.value.times) != 1:
        yield text("this is multiplied by %(times)s", times=rule.value.times)
    if taken := Fraction(rule.deduction.points):
        points, months = str(taken), rule.deduction.months
        if months:
            yield plural(
                "each prize won in the month before takes off %(points)s",
                "each prize won in the %(count)d months before takes off %(points)s",
                months,
                points=points,
            )
        else:
            yield text("each prize won before takes off %(points)s", points=points)


def _worth(value: Value) -> Message:
    if value.by != "places":
        return _WORTH[value.by]
    places = all_of(value.places)
    if not Fraction(value.rest):
        return text("%(places)s points for first, second, … place", places=places)
    return text(
        "%(places)s points for first, second, … place and %(rest)s for all others",
        places=places,
        rest=value.rest,
    )


_WORTH: Final[Mapping[str, Message]] = {
    "points": text("the points"),
    "per_deal": text("the points per deal"),
    "per_table": text("the points per table"),
    "beaten": text("the share of the field that was beaten, from 0 to 100"),
    "acbl_club": text("what clubs of the ACBL award for place and tables"),
    "acbl_open": text("what open events of the ACBL award for place and tables"),
    "two_winners": text("what the SBU awards for place and field with two winners"),
    "one_winner": text("what the SBU awards for place and field with one winner"),
    "individual": text("what the SBU awards individuals for place and field"),
    "simultaneous": text("what simultaneous pairs award for place and tables"),
}
"""Read after "counts with"."""


def _counting(rule: Rule) -> Iterator[Message]:
    count, drops = rule.count, rule.count.drops
    yield _total(rule)
    if drops.every:
        yield _dropped(drops)
    if drops.every and drops.most:
        yield plural("at most %(count)d is dropped", "at most %(count)d are dropped", drops.most)
    if rule.over and rule.absence.gives == "nothing":
        yield plural(
            "who has not played gets 0",
            "who has played fewer than %(count)d beside finals gets 0 for each that is missing",
            rule.over,
        )
    elif rule.over:
        yield plural(
            "who has neither played nor an absence counted gets 0",
            "who has fewer than %(count)d beside finals, absences too, gets 0 for each that is missing",
            rule.over,
        )
    yield from _admitted(count)


def _dropped(drops: Drops) -> Message:
    which = text("the worst so far") if drops.when == "earned" else text("one of the worst")
    if not drops.beyond:
        return plural(
            "for each one played %(which)s is dropped",
            "for every %(count)d played %(which)s is dropped",
            drops.every,
            which=which,
        )
    return plural(
        "for each one played beyond %(beyond)d %(which)s is dropped",
        "for every %(count)d played beyond %(beyond)d %(which)s is dropped",
        drops.every,
        beyond=drops.beyond,
        which=which,
    )


def _total(rule: Rule) -> Message:
    best = rule.count.best
    if rule.divide == "sum":
        if best:
            return plural("The best one counts", "The best %(count)d are added", best)
        return text("All that are not dropped are added") if rule.count.drops.every else text("All are added")
    if best:
        return plural("The best alone counts", "The average of the best %(count)d counts", best)
    if rule.count.drops.every:
        return text("The average of all that are not dropped counts")
    return text("The average of all counts")


def _admitted(count: Count) -> Iterator[Message]:
    if count.declared:
        yield plural(
            "only the first evening that is declared beforehand counts",
            "only the first %(count)d evenings that are declared beforehand count",
            count.declared,
        )
    if count.brought:
        yield text("evenings of other clubs count too, brought as verified files")
    if count.months:
        yield plural("only the last month counts", "only the last %(count)d months count", count.months)
    if count.entries:
        yield plural(
            "only evenings with at least %(count)d entry count",
            "only evenings with at least %(count)d entries count",
            count.entries,
        )
    if count.lists:
        yield plural(
            "only evenings of at least %(count)d list count",
            "only evenings of at least %(count)d lists count",
            count.lists,
        )


def _attendance(rule: Rule) -> Iterator[Message]:
    bonus = rule.bonus
    has_bonus = bool(Fraction(bonus.points))
    match rule.absence.gives:
        case "value":
            yield text("Who is absent gets %(value)s", value=rule.absence.value)
        case "average":
            yield text("Who is absent gets their own average")
        case "nothing" if has_bonus:
            yield text("Who is absent gets nothing")
    if has_bonus:
        yield _bonus(bonus)


def _bonus(bonus: Bonus) -> Message:
    if bonus.least > bonus.beyond + 1 and not bonus.beyond:
        return text(
            "who has played at least %(least)d gets %(points)s more for each",
            least=bonus.least,
            points=bonus.points,
        )
    if bonus.least > bonus.beyond + 1:
        return text(
            "who has played at least %(least)d gets %(points)s more for each one beyond %(beyond)d",
            least=bonus.least,
            points=bonus.points,
            beyond=bonus.beyond,
        )
    if bonus.beyond:
        return text(
            "each one played beyond %(beyond)d adds %(points)s", points=bonus.points, beyond=bonus.beyond
        )
    return text("each one played adds %(points)s", points=bonus.points)


def _ranks(rule: Rule) -> Iterator[Message]:
    if rule.ties == "best":
        yield text("Equal totals are decided by the best single result, then the next")
    else:
        yield text("Equal totals share the rank")
    if rule.minimum.played:
        yield plural(
            "who has not played has no rank",
            "who has played fewer than %(count)d has no rank",
            rule.minimum.played,
        )
    if rule.minimum.partners:
        yield plural(
            "a rank takes a partner",
            "a rank takes %(count)d different partners",
            rule.minimum.partners,
        )
    if rule.without:
        yield text("who has won one of these prizes has no rank: %(prizes)s", prizes=all_of(rule.without))


# ---- For the docs --------------------------------------------------------------------------------


def clubs() -> Iterator[Sequence[str]]:
    """Yield each preset: its key, the club and its game, the rule, and what the club does besides."""
    for each in PRESETS.values():
        rule = " ".join([*told(each.rule), *filter(None, [each.beside])])
        yield f"`{each.key}`", f"{each.club} ({each.game})", rule, each.source


def switches(shape: Record = shapes.record(Rule), path: str = "") -> Iterator[Sequence[str]]:  # noqa: B008
    """Yield each switch of a rule: its path, its choices, what it is if nothing is chosen, and its help."""
    for field in shape.fields:
        name, part = f"{path}{field.name}", field.shape
        if isinstance(part, Record):
            yield from switches(part, f"{name}.")
        else:
            choices = ", ".join(f"`{each}`" for each in part.values) if isinstance(part, OneOf) else ""
            default = json.dumps(part.write(field.default))
            yield f"`{name}`", choices or _KINDS[part.kind], f"`{default}`", field.help


_KINDS: Final = {
    "flag": "true or false",
    "number": "number",
    "list": "list",
    "text": "number or fraction",
    "either": "number or none",
}
