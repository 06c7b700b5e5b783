"""Matches of two teams on boards: the tables of a round at which the same two teams meet.

The first team of the first board is at home. A match counts once all its boards are decided; what a team
earns on the boards are its board points, and who has more of them wins the match. Both have lost it where
neither has a player who stayed at any board.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.core.records import HALVES, Line, Meeting, Rate, total
from league.core.state.competition import Round, Table

WON, DRAWN, LOST = range(3)


@dataclass(frozen=True)
class TeamMatch:
    """The boards of a match, the first one first."""

    boards: tuple[Table, ...]

    @property
    def teams(self) -> tuple[str, str]:
        """Return the team at home, and the other."""
        home, away = self.boards[0].entries
        return home, away

    @property
    def decided(self) -> bool:
        """Return whether all boards are."""
        return all(table.decided for table in self.boards)

    @property
    def void(self) -> bool:
        """Return whether no board counts."""
        return all(table.void is not None for table in self.boards)


def team_matches(tables: Iterable[Table]) -> list[TeamMatch]:
    """Return the matches of a round of teams on boards, in the order of their first boards."""
    found: dict[frozenset[str], list[Table]] = {}
    for table in tables:
        found.setdefault(frozenset(table.entries), []).append(table)
    return [
        TeamMatch(tuple(sorted(boards, key=lambda table: table.board)))
        for teams, boards in found.items()
        if len(teams) == 2
    ]


def lines_of_matches(rounds: Sequence[Round], lines: Sequence[Line], rate: Rate) -> Iterator[Line]:
    """Yield a line for each team of each match that is decided, from the lines of its boards."""
    at_table: dict[str | None, list[Line]] = {}
    for line in lines:
        at_table.setdefault(line.table, []).append(line)
    for each in rounds:
        for match in team_matches(each.tables):
            if match.decided and not match.void:
                on_boards = [line for table in match.boards for line in at_table.get(table.id, ())]
                yield from _match_lines(match, on_boards, rate)


def _match_lines(match: TeamMatch, lines: Sequence[Line], rate: Rate) -> Iterator[Line]:
    own = {team: [line for line in lines if line.entry == team] for team in match.teams}
    earned = {team: total([line.points for line in own[team]]) for team in match.teams}
    played = any(line.kind == "played" for line in lines)
    nobody = all(line.kind in ("no_show", "forfeit") for line in lines)
    for team, other in (match.teams, match.teams[::-1]):
        how = LOST if nobody else _how(earned[team], earned[other], low=rate.low_board_points_win)
        first = next(iter(own[team]), None)
        if first is None:
            continue
        share = HALVES[2 - how]
        yield Line(
            entry=team,
            round=first.round,
            kind="played" if played else first.kind,
            points=rate.match_points[how],
            table=match.boards[0].id,
            places=(share, 1 - share),
            score=sum(line.score for line in own[team]),
            difference=total([line.difference for line in own[team]]),
            meetings=(Meeting(other, share),) if played else (),
            games=_added([line.games for line in own[team] if line.games]),
            against=() if played else (other,),
            boards=earned[team],
        )


def _how(own: Fraction, other: Fraction, *, low: bool) -> int:
    """Return how a match ended for a team with so many board points."""
    if own == other:
        return DRAWN
    return WON if (own < other) == low else LOST


def _added(games: Sequence[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
    return tuple(total(column) for column in zip(*games, strict=True))
