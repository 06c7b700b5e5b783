"""Series of evenings of several games and formats, and of score cards; and later rounds seated by them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest

from games import rules
from league.apps.series import queries
from league.apps.series.core.rule import Rule, Value
from league.apps.series.models import Series
from league.apps.series.services import add_evening
from league.callers import ByAccount
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.projections.standings import compute_standings
from league.queries.competitions import state_of
from league.services.automatic import record_result
from league.services.play import make_move
from tests.apps.evenings.test_again import again, former_places, told
from tests.apps.series.year import EVENING, evening, totals, year
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, play_all
from tests.rules.high_card_on_paper.scenarios import lines
from tests.toys import TOYS

CARDS: Any = {"ruleset": "high-card-on-paper", "options": {"rounds": 2}}
BY_SCORE = {"by": "score", "fair": False}


@pytest.fixture(autouse=True)
def _on_paper() -> Iterator[None]:
    with rules.registered(*TOYS):
        yield


def on_cards(cast: Cast, *deals: Sequence[int], **stage: Any) -> Competition:
    """Return a finished competition of one table whose card has these points, a deal in each row."""
    competition = in_play(cast, len(deals[0]), **CARDS, stages=[{**EVENING, "scoring": BY_SCORE, **stage}])
    (place,) = competition.games.all()
    for number, points in enumerate(deals, 1):
        written = {"type": "round", "round": number, "lines": lines(*points)}
        make_move(ByAccount(cast.olga), game_id=place.game_id, seq=number + 1, move=written)
    record_result(game_id=place.game_id)
    for verb in (CloseRound, FinishCompetition):
        act(cast.olga, competition, verb)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return competition


def by_place(series: Series, at: int) -> list[str]:
    """Return the points that people have of an evening, the most first."""
    part = queries.table_of(series).parts[at]
    return [str(share.points) for share in sorted(part.shares, key=lambda each: -each.points)]


def test_points_of_two_games_and_two_formats_are_added(cast: Cast) -> None:
    tally = evening(cast, stages=[{**EVENING, "scoring": BY_SCORE}])
    card = on_cards(cast, (1, 0, 0, 0), (1, 0, 0, 0), format="swiss")
    series = year(cast, Rule(), tally, card)
    assert (by_place(series, 0), by_place(series, 1)) == (["3", "2", "1", "0"], ["2", "0", "0", "0"])
    parts = queries.table_of(series).parts
    played = [share.person for part in parts for share in part.shares]
    assert {str(cast.paul_plays.pk), str(cast.petra_plays.pk)} == {
        who for who in played if played.count(who) == 2
    }
    for person, total in totals(series).items():
        own = [share.points for part in parts for share in part.shares if share.person == str(person)]
        assert str(sum(own)) == total


def test_places_of_two_games_and_two_formats_are_put_together(cast: Cast) -> None:
    tally = evening(cast, 8)
    card = on_cards(cast, (1, 0, 0, 0), (1, 0, 0, 0), format="swiss")
    series = year(cast, Rule(value=Value("beaten")), tally, card)
    expected: dict[str, Fraction] = {}
    for part, field in zip(queries.table_of(series).parts, (8, 4), strict=True):
        for share in part.shares:
            worth = 100 * (field - share.rank - Fraction(share.level, 2)) / (field - 1)
            expected[share.person] = expected.get(share.person, Fraction(0)) + worth
    assert {str(person): total for person, total in totals(series).items()} == {
        person: str(total) for person, total in expected.items()
    }
    assert len(expected) == 10 and sum(expected.values()) == 50 * (8 + 4)


def test_what_is_written_on_score_cards_has_an_average_per_deal(cast: Cast) -> None:
    series = year(cast, Rule(value=Value("per_deal")))
    for deals in (((1, 1, 0, 0), (1, 0, 0, 0)), ((0, 1, 0, 0), (0, 0, 1, 0))):
        card = on_cards(cast, *deals)
        add_evening(by=cast.olga, series=series, competition=card, deals=len(deals))
        series.refresh_from_db()
    first, second = ([share.deals for share in part.shares] for part in queries.table_of(series).parts)
    assert first == second == [2] * 4
    assert (by_place(series, 0), by_place(series, 1)) == (["2", "1", "0", "0"], ["1", "1", "0", "0"])
    cells = [cell.value or Fraction(0) for row in queries.table_of(series).table.rows for cell in row.cells]
    halves = [Fraction(points, 2) for points in (2, 1, 0, 0, 1, 1, 0, 0)]
    assert sorted(cells) == sorted(halves)


@pytest.mark.parametrize("by", ["series", "evening"])
def test_a_later_round_is_seated_by_the_year_or_by_the_last_evening(cast: Cast, by: str) -> None:
    before = evening(cast, 8, stages=[{**EVENING, "rounds": 2}])
    before = told(cast, before)
    fresh = again(cast, before)
    series = year(cast, Rule(), before)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, fresh, verb)
    for game in play_all(fresh):
        record_result(game_id=game)
    act(cast.olga, fresh, CloseRound)
    compute_standings(fresh.pk)
    act(cast.olga, fresh, DrawRound, seating="given", order=by)
    state = state_of(Competition.objects.get(pk=fresh.pk))
    drawn = state.drawn_round
    assert drawn and drawn.number == 2 and drawn.origins[-1].cut_off.by.kind == by
    in_series = {row.person: row.rank or 0 for row in queries.table_of(series).table.rows}
    ranks = in_series if by == "series" else former_places(before)
    first, second = ([ranks[seat.player] for seat in table.seats] for table in drawn.tables)
    assert max(first) <= min(second) and len({*first, *second}) > 1
