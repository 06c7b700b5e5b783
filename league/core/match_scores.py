"""The result of a match that was typed in: its games one by one, or how many each side won."""

from collections.abc import Sequence
from fractions import Fraction

from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from league.core.state.competition import Competition, Result, Table
from league.core.state.match import FIRST, SECOND, GameScores, Match, Tally, Winner
from league.core.state.plan import Placing


def read_games(table: Table, games: Sequence[GameScores], *, low_wins: bool) -> Tally:
    """Return the tally of games that were typed in; raise `Malformed` where one has not a score a seat."""
    match = match_of(table)
    _check_scores(table, games)
    return match.tally(_winners(table, games, low_wins=low_wins))


def _check_scores(table: Table, games: Sequence[GameScores]) -> None:
    wrong = {
        f"games.{number}.scores": [text("A game needs a score for each seat of the table.")]
        for number, each in enumerate(games)
        if len(each.scores) != len(table.seats)
    }
    if wrong:
        raise Malformed(wrong)


def _winners(table: Table, games: Sequence[GameScores], *, low_wins: bool) -> list[Winner]:
    return [_winner(table, each.scores, low_wins=low_wins) for each in games]


def _winner(table: Table, scores: Sequence[int], *, low_wins: bool) -> Winner:
    """Return the side with the best score of its seats, None where both have it."""
    worth = [-score if low_wins else score for score in scores]
    best = [
        max(each for each, seat in zip(worth, table.seats, strict=True) if seat.entry == entry)
        for entry in table.entries
    ]
    return None if best[FIRST] == best[SECOND] else best.index(max(best))


def match_of(table: Table) -> Match:
    """Return how the table's match is decided; raise `Illegal` where it has one game."""
    if table.match is None:
        raise Illegal("This table has one game, not a match.", fields=["games"])
    return table.match


def read_totals(table: Table, placings: Sequence[Placing], drawn: int) -> Tally:
    """Return the tally of a match whose scores are the games won; raise `Illegal` for other scores."""
    by_side = [
        {each.score for each, seat in zip(placings, table.seats, strict=True) if seat.entry == entry}
        for entry in table.entries
    ]
    if any(len(scores) > 1 or min(scores) < 0 for scores in by_side):
        raise Illegal("The score of a match is the number of games that each side won.", fields=["seats"])
    first, second = (scores.pop() for scores in by_side)
    return Tally((first, second), drawn)


def check_tally(table: Table, tally: Tally, *, early: bool) -> None:
    """Raise `Illegal` where no match has the tally, or where it is not decided and nobody said why."""
    match = match_of(table)
    if not match.reached(tally):
        raise Illegal(
            "Best of %(games)d: no match ends %(score)s.",
            fields=["seats"],
            games=match.best_of,
            score=in_figures(tally),
        )
    if not (early or table.left_outcomes or match.decided(tally)):
        raise Illegal(undecided(match, tally), fields=["reason"])


def undecided(match: Match, tally: Tally) -> Message:
    """Return why a tally ends no match."""
    return text(
        "Best of %(games)d: at %(score)s the match is not decided. Enter its other games, or say why it "
        "ended early.",
        games=match.best_of,
        score=in_figures(tally),
    )


def in_figures(tally: Tally) -> str:
    """Return the games won, such as "2–1"; drawn ones are told beside it."""
    first, second = tally.won
    return f"{first}–{second}"


def of_ruling(
    table: Table, result: Result, games: Sequence[GameScores], tally: Tally, *, low_wins: bool
) -> Result:
    """Return a ruling as the result of a match, with the card points of the games that count."""
    counted = [each.scores for each in games[: tally.counted]]
    points = tuple(sum(column) for column in zip(*counted, strict=True)) or (0,) * len(table.seats)
    scores = tuple(each.scores for each in games)
    winners = tuple(_winners(table, games, low_wins=low_wins))
    return replace(result, tally=tally, points=points, games=scores, winners=winners)


def refuse_totals(state: Competition, table: Table) -> None:
    """Raise `Illegal` where the stage adds the scores of games, which games won don't tell."""
    if state.table(table.id)[0].plan.scoring.by == "score":
        raise Illegal(
            "The points of this stage are the games’ own scores: enter the match game by game.",
            fields=["games"],
        )


def with_points(result: Result) -> Result:
    """Return the result with the card points of a match in place of the games won."""
    if not result.tally:
        return result
    points = result.points or (0,) * len(result.placings)
    scored = zip(result.placings, points, strict=True)
    return replace(result, placings=tuple(replace(each, score=score) for each, score in scored))


def games_of(table: Table, result: Result, entry: str) -> tuple[Fraction, ...]:
    """Return how many games of a match an entry won and lost, with its part of the drawn ones; else none."""
    if result.tally is None or table.match is None:
        return ()
    side = table.entries.index(entry)
    games = table.match.games(result.tally)
    return games[side], games[1 - side]
