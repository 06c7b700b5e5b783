"""Results against each other."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from league.core.records import ZERO, Record
from league.core.standings.tie_breaks.base import Accounts, Criterion, Mark


class HeadToHead(Criterion):
    """Applies only where all level entries have met each other."""

    key = "head_to_head"
    title = "head to head"
    summary = (
        "results between the entries that are level: 1 for each of the others that it finished ahead of, "
        "half where the two are equal; of those who met several times the average counts. It decides only "
        "where all of them have met"
    )
    restarts = True
    lasts = True

    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        shares = {entry: _shares(accounts.records[entry], {*group} - {entry}) for entry in group}
        if len(group) < 2 or any(len(met) < len(group) - 1 for met in shares.values()):
            return None
        sums = {entry: sum((_mean(each) for each in met.values()), ZERO) for entry, met in shares.items()}
        return {entry: Mark((value,), str(value)) for entry, value in sums.items()}


def _shares(record: Record, others: set[str]) -> dict[str, list[Fraction]]:
    shares: dict[str, list[Fraction]] = {}
    for line in record.lines:
        for meeting in line.meetings:
            if meeting.opponent in others:
                shares.setdefault(meeting.opponent, []).append(meeting.share)
    return shares


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, ZERO) / len(values)
