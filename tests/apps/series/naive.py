"""The menu of a series once more, as plainly as it can be said: every choice of what counts is tried."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import combinations
from operator import itemgetter

from league.apps.series.core.parts import Part, Share
from league.apps.series.core.ranking import Facts
from league.apps.series.core.rule import Rule


@dataclass(frozen=True)
class Result:
    """A value of a part, whether it was played, and with which weight it counts."""

    value: Fraction
    weight: int = 1
    final: bool = False
    played: bool = True


def value_of(rule: Rule, part: Part, share: Share) -> Fraction | None:
    """Return the value of a part: by points, averages, the field beaten or a table of places."""
    found: Fraction | None = share.points
    field = part.field or len(part.shares)
    match rule.value.by:
        case "points" if rule.value.least and share.points < Fraction(rule.value.least):
            found = Fraction(0)
        case "per_deal":
            found = share.points / share.deals if share.deals else None
        case "per_table":
            found = share.points / share.tables if share.tables else None
        case "beaten":
            worse = field - share.rank - share.level
            beaten = worse + Fraction(share.level, 2)
            found = 100 * beaten / (field - 1) if field > 1 else None
        case "places":
            table = dict(enumerate(map(Fraction, rule.value.places), 1))
            places = range(share.rank, share.rank + share.level + 1)
            worth = [table.get(place, Fraction(rule.value.rest)) for place in places]
            found = worth[0] if rule.value.level == "best" else sum(worth, Fraction(0)) / len(worth)
    return None if found is None else found * Fraction(rule.value.times)


def earlier(day: date, months: int) -> date:
    """Return the day so many months before, going back month by month."""
    year, month = day.year, day.month
    for _ in range(months):
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    for number in range(day.day, 0, -1):
        try:
            return date(year, month, number)
        except ValueError:
            continue
    raise AssertionError


def low(rule: Rule, parts: Sequence[Part]) -> bool:
    """Return whether the lowest total is the best."""
    return rule.value.by in ("points", "per_deal", "per_table") and any(part.low_wins for part in parts)


def possible(rule: Rule, parts: Sequence[Part], part: Part, facts: Facts, person: str) -> bool:
    """Return whether a part may count for a person at all."""
    spans = facts.people.get(person, ())
    if not any(span.since <= part.on and (not span.until or part.on <= span.until) for span in spans):
        return False
    if part.final:
        return True
    count, last = rule.count, max(each.on for each in parts)
    fresh = not count.months or part.on > earlier(last, count.months)
    many = (part.field or len(part.shares)) >= count.entries
    lists = sum(each.evening == part.evening for each in parts) >= count.lists
    chosen = sorted(set(facts.declared.get(person, ())))[: count.declared]
    return fresh and many and lists and (not count.declared or part.evening in chosen)


def taken(rule: Rule, facts: Facts, person: str, day: date) -> Fraction:
    """Return what a person's prizes before a day take off."""
    since = earlier(day, rule.deduction.months) if rule.deduction.months else date.min
    won = [prize for prize in facts.prizes if prize.person == person and since <= prize.on < day]
    return len(won) * Fraction(rule.deduction.points)


def results_of(
    rule: Rule, parts: Sequence[Part], facts: Facts, person: str, *more: Result
) -> Iterator[Result]:
    """Yield what a person has of the parts, absences too, in their order, and more."""
    better = -1 if low(rule, parts) else 1
    found = list[tuple[int, Result]]()
    missed = list[tuple[int, int]]()
    for at, part in enumerate(parts):
        if not possible(rule, parts, part, facts, person):
            continue
        own = [share for share in part.shares if share.person == person]
        if not own:
            missed += [(at, part.weight)] if not (part.final or part.running) else []
        for share in own:
            value = value_of(rule, part, share)
            if value is not None:
                value -= better * taken(rule, facts, person, part.on)
                found.append((at, Result(value, part.weight, part.final)))
    found += [(len(parts), each) for each in more]
    given = Fraction(rule.absence.value)
    if rule.absence.gives == "average" and found:
        weights = [each.weight if rule.edition > 1 else 1 for _, each in found]
        pairs = zip(found, weights, strict=True)
        given = sum((each.value * weight for (_, each), weight in pairs), Fraction(0)) / sum(weights)
    if rule.absence.gives == "value" or (rule.absence.gives == "average" and found):
        weighted = [(at, each if rule.edition > 1 else 1) for at, each in missed]
        found += [(at, Result(given, weight, played=False)) for at, weight in weighted]
    yield from (result for _, result in sorted(found, key=itemgetter(0)))


def total_of(rule: Rule, results: Sequence[Result], *, low_wins: bool) -> Fraction:
    """Return the total: of all choices of as many parts as count, the one with the best parts."""
    better = -1 if low_wins else 1
    finals = [each for each in results if each.final]
    others = [each for each in results if not each.final]
    played = sum(each.played for each in results)
    keep = len(others)
    if rule.count.best:
        keep = min(keep, rule.count.best)
    elif rule.count.drops.when == "earned":
        others = left_by_drops(rule, results, better)
        keep = len(others)
    elif rule.count.drops.every:
        drops = max(0, (played - rule.count.drops.beyond) // rule.count.drops.every)
        keep = max(0, keep - min(drops, rule.count.drops.most or drops))
    weighted = rule.divide == "sum"
    chosen = max(
        combinations(others, keep),
        key=lambda some: sum(better * each.value * (each.weight if weighted else 1) for each in some),
    )
    bonus = Fraction(0)
    if played >= rule.bonus.least:
        bonus = better * Fraction(rule.bonus.points) * max(0, played - rule.bonus.beyond)
    counted = [*chosen, *finals]
    value = sum((each.value * each.weight for each in counted), Fraction(0))
    if rule.divide == "sum":
        return value + bonus
    over = sum(each.weight for each in counted) + max(0, rule.over - keep)
    return (value / over if over else Fraction(0)) + bonus


def left_by_drops(rule: Rule, results: Sequence[Result], better: int) -> list[Result]:
    """Return what is left when the worst so far, of level ones the later, goes with each drop."""
    drops, left, gone = rule.count.drops, list[Result](), 0
    weighted = rule.divide == "sum"
    played = 0
    for each in results:
        played += each.played
        if not each.final:
            left.append(each)
        earned = max(0, (played - drops.beyond) // drops.every)
        if left and min(earned, drops.most or earned) > gone:
            worst = min(reversed(left), key=lambda one: better * one.value * (one.weight if weighted else 1))
            left.remove(worst)
            gone += 1
    return left


def standing(rule: Rule, results: Sequence[Result], *, low_wins: bool) -> tuple[Fraction, list[Fraction]]:
    """Return what orders people, more is better: the total, then the single values from the best down."""
    better = -1 if low_wins else 1
    values = sorted((better * each.value for each in results if each.played), reverse=True)
    total = better * total_of(rule, results, low_wins=low_wins)
    return total, values if rule.ties == "best" else []


def ranks(rule: Rule, parts: Sequence[Part], facts: Facts) -> Mapping[str, tuple[int | None, Fraction]]:
    """Return the rank, None without one, and the total of everybody who has played."""
    low_wins = low(rule, parts)
    own: dict[str, list[Result]] = {}
    for part in parts:
        for share in part.shares:
            spans = facts.people.get(share.person, ())
            if any(span.since <= part.on and (not span.until or part.on <= span.until) for span in spans):
                own[share.person] = list(results_of(rule, parts, facts, share.person))
    stands = {person: standing(rule, results, low_wins=low_wins) for person, results in own.items()}
    good = {person for person, results in own.items() if not lacking(rule, parts, facts, person, results)}
    return {
        person: (
            1 + sum(stands[other] > stands[person] for other in good) if person in good else None,
            total_of(rule, results, low_wins=low_wins),
        )
        for person, results in own.items()
    }


def lacking(rule: Rule, parts: Sequence[Part], facts: Facts, person: str, results: Sequence[Result]) -> bool:
    """Return whether a person is not ranked."""
    partners = {
        partner
        for part in parts
        for share in part.shares
        if share.person == person
        and possible(rule, parts, part, facts, person)
        and value_of(rule, part, share) is not None
        for partner in share.partners
    }
    won = {prize.name for prize in facts.prizes if prize.person == person}
    return (
        sum(each.played for each in results) < rule.minimum.played
        or len(partners) < rule.minimum.partners
        or bool(won & set(rule.without))
        or any(person == winner for winner, _table in facts.left_out)
        or (rule.edition > 2 and not results)
    )
