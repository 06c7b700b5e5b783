"""Rulings: ranks follow from scores unless they are given, and contradict them only for a reason."""

from typing import Any

import pytest

from games import rules
from games.engine import shapes
from games.engine.refusals import Illegal, Malformed
from games.rules.card_game.copying import adding_up, changed
from games.rules.card_game.definition import (
    JUST_POINTS,
    Adds,
    Case,
    Condition,
    Decides,
    Definition,
    Options,
    Term,
    Written,
)
from games.rules.card_game.shipped import SHIPPED
from games.rules.card_game.totals import doubt
from league.core.state.competition import Competition, Result
from league.core.verb import Given
from league.core.verbs.presence import NoShow
from league.core.verbs.results import Forfeited
from league.core.verbs.rulings import Ruled, RuledSeat, SetResult
from tests.core.crosstable import after, played, published, result, standings, started, table_at
from tests.core.deciding import NOW, decide
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"
NONE = (None,) * 4
ADDS_UP = adding_up(changed(JUST_POINTS, {}), [26], "The points of a deal add up to 26.")
TWO_SUMS = adding_up(changed(JUST_POINTS, {}), [26, 78], "The points of a deal add up to 26 or 78.")
BIDS = Definition(
    title="Bids",
    deals=10,
    fields=(Written("bid", "Bid", most=13), Written("tricks", "Tricks", most=13)),
    steps=(
        Adds("off", (Term(1, "tricks"), Term(-1, "bid"))),
        Decides("points", (Case((Term(10), Term(1, "tricks")), (Condition("off", 0, 0),)),)),
    ),
)
DEFINED = {
    **SHIPPED,
    "bids": BIDS,
    "points to 26": shapes.read(Definition, ADDS_UP),
    "26 or 78": shapes.read(Definition, TWO_SUMS),
}


def ruled(
    scores: tuple[int, ...],
    ranks: tuple[int | None, ...] = NONE,
    why: str = "",
    reason: str = "seen by the arbiter",
    **announced: Any,
) -> Competition:
    state = published(started(FOUR, **announced), FOUR)
    seats = tuple(
        RuledSeat(seat, score, rank) for seat, (score, rank) in enumerate(zip(scores, ranks, strict=True))
    )
    verb = SetResult(table_at(state, "Ann").id, seats[::-1], reason, why)
    return after(state, *decide(state, verb))


def ranks_of(state: Competition) -> list[int]:
    ruling = table_at(state, "Ann").ruling
    assert isinstance(ruling, Result)
    return [placing.rank for placing in ruling.placings]


@pytest.mark.parametrize(
    ("scores", "low_wins", "ranks"),
    [
        ((7, 12, 7, -3), False, [2, 1, 2, 4]),
        ((7, 12, 7, -3), True, [2, 4, 2, 1]),
        ((5, 5, 5, 5), False, [1, 1, 1, 1]),
    ],
)
def test_ranks_are_made_from_the_scores(scores: tuple[int, ...], low_wins: bool, ranks: list[int]) -> None:
    assert ranks_of(ruled(scores, low_wins=low_wins)) == ranks


@pytest.mark.parametrize(
    ("ranks", "contradicts"),
    [
        ((1, 2, 3, 4), False),
        ((2, 1, 3, 4), True),
        ((1, 1, 3, 4), True),
        ((1, 2, 3, 3), False),
        ((1, 2, 4, 3), False),
        ((4, 4, 4, 4), True),
    ],
)
def test_ranks_against_the_scores_need_a_reason_of_their_own(
    ranks: tuple[int, ...], contradicts: bool
) -> None:
    scores = (9, 8, 7, 7)
    if contradicts:
        with pytest.raises(Illegal, match="According to the scores the ranks are 1, 2, 3, 3") as refusal:
            ruled(scores, ranks)
        assert [*refusal.value.errors] == ["against_scores"]
    assert ranks_of(ruled(scores, ranks, "a penalty" if contradicts else "")) == [*ranks]


@pytest.mark.parametrize(
    ("game", "rounds", "totals", "fits"),
    [
        ("doppelkopf", None, (12, 6, -4, -14), True),
        ("doppelkopf", None, (12, 6, -4, -10), False),
        ("points to 26", 3, (40, 20, 10, 8), True),
        ("points to 26", 3, (40, 20, 10, 10), False),
        ("points to 26", 3, (20, 20, 10, 2), False),
        ("26 or 78", 3, (100, 20, 10, 0), True),
        ("26 or 78", 3, (100, 20, 10, 1), False),
        ("skat", None, (1000, 9, 8, 7), True),
    ],
)
def test_totals_to_which_no_game_comes_by_its_rules_need_a_reason(
    game: str, rounds: int | None, totals: tuple[int, ...], fits: bool
) -> None:
    options = {"definition": shapes.write(DEFINED[game]), **({"rounds": rounds} if rounds else {})}
    announced: dict[str, Any] = {"ruleset": rules.of("card-game", options).name, "options": options}
    if not fits:
        with pytest.raises(Illegal, match=f"These totals add up to {sum(totals)}: correct") as refusal:
            ruled(totals, reason="", **announced)
        assert [*refusal.value.errors] == ["reason"]
    assert ranks_of(ruled(totals, reason="" if fits else "One deal was lost.", **announced))[0] == 1


@pytest.mark.parametrize(
    ("game", "rounds", "totals", "said"),
    [
        ("cribbage", 0, (1, 0), "No total is 1: each deal gives 0, 2 or 3."),
        ("cribbage", 0, (28, 0), "No total is 28"),
        ("cribbage", 0, (5, 2), ""),
        ("jass", 0, (2400, 1800, 2400, 1800), "Nobody has 2500, with which the game ends."),
        ("jass", 0, (2510, 1800, 2510, 1800), ""),
        ("jass", 12, (1300, 584, 1300, 584), ""),
        ("hearts", 0, (126, 50, 20, 64), "With 100 the game ends: nobody comes to 126."),
        ("hearts", 0, (126, 40, 40, 54), ""),
        ("canasta", 0, (60000, 0), "With 5000 the game ends: nobody comes to 60000."),
        ("bids", 0, (900, 7, -20), "No total is 900: a game gives from 0 to 230."),
        ("bids", 0, (40, 7, 0), "No deals of this game come to 7."),
        ("bids", 0, (40, 17, 0), ""),
    ],
)
def test_totals_out_of_reach_of_a_game_need_a_reason(
    game: str, rounds: int, totals: tuple[int, ...], said: str
) -> None:
    told = doubt(Options(definition=DEFINED[game], rounds=rounds), totals)
    assert str(told or "").startswith(said) and bool(told) == bool(said)


def test_ranks_are_given_for_all_seats_or_for_none() -> None:
    with pytest.raises(Malformed, match="Give all ranks, or none"):
        ruled((9, 8, 7, 6), (1, None, 3, 4))


def test_a_ruled_table_counts_as_played() -> None:
    state = ruled((9, 8, 7, 6))
    assert table_at(state, "Ann").status == "played"
    assert standings(state)[0] == "Ann 3"


class TestReasons:
    """The first result of a table needs no reason; later ones do, but not another ruling of an open round."""

    SCOREKEEPER = Given(uid("competition"), NOW, role="scorekeeper")

    def verb(self, state: Competition, *scores: int, reason: str = "") -> SetResult:
        seats = tuple(RuledSeat(seat, score) for seat, score in enumerate(scores))
        return SetResult(table_at(state, "Ann").id, seats, reason)

    def test_none_for_the_first(self) -> None:
        state = published(started("Ann Ben"), "Ann > Ben")
        assert decide(state, self.verb(state, 5, 3))

    def test_none_for_another_ruling_while_the_round_is_open(self) -> None:
        state = published(started("Ann Ben"), "Ann > Ben")
        ruled = after(state, *decide(state, self.verb(state, 5, 3)))
        assert decide(ruled, self.verb(ruled, 4, 3), self.SCOREKEEPER)

    def test_one_to_replace_the_result_of_a_game(self) -> None:
        state = published(started("Ann Ben"), "Ann > Ben")
        state = after(state, result(table_at(state, "Ann"), "Ann > Ben"))
        with pytest.raises(Illegal, match="Say why") as refusal:
            decide(state, self.verb(state, 3, 5))
        assert [*refusal.value.errors] == ["reason"]
        assert decide(state, self.verb(state, 3, 5, reason="the sheet was misread"))
        with pytest.raises(Illegal, match="only an organiser"):
            decide(state, self.verb(state, 3, 5, reason="so be it"), self.SCOREKEEPER)

    def test_the_same_ruling_again_writes_nothing(self) -> None:
        state = published(started("Ann Ben"), "Ann > Ben")
        ruled = after(state, *decide(state, self.verb(state, 5, 3)))
        assert not decide(ruled, self.verb(ruled, 5, 3))

    def test_the_same_ruling_with_another_reason_writes_the_reason_once(self) -> None:
        state = published(started("Ann Ben"), "Ann > Ben")
        ruled = after(state, *decide(state, self.verb(state, 5, 3)))
        (event,) = again = decide(ruled, self.verb(ruled, 5, 3, reason="the sheet was read twice"))
        assert isinstance(event, Ruled) and event.reason == "the sheet was read twice"
        told = after(ruled, *again)
        assert table_at(told, "Ann").results[0].placings == table_at(ruled, "Ann").results[0].placings
        assert not decide(told, self.verb(told, 5, 3, reason="the sheet was read twice"))
        assert not decide(told, self.verb(told, 5, 3))

    def test_players_of_a_team_of_the_game_have_one_score(self) -> None:
        state = published(started(FOUR, ruleset="scram-scorecard@1"), FOUR)
        with pytest.raises(Malformed, match="The score is the team’s") as refusal:
            decide(state, self.verb(state, 12, 7, 13, 7))
        assert [*refusal.value.errors] == ["seats.0.score", "seats.2.score"]
        assert decide(state, self.verb(state, 12, 7, 12, 7))

    def test_one_once_the_round_is_closed(self) -> None:
        state = played(started("Ann Ben"), "Ann > Ben")
        table = state.stages[0].rounds[0].tables[0]
        seats = (RuledSeat(0, 3), RuledSeat(1, 5))
        ruled = after(state, *decide(state, SetResult(table.id, seats, "misread")))
        with pytest.raises(Illegal, match="Say why"):
            decide(ruled, SetResult(table.id, (*seats[:1], RuledSeat(1, 6))))


class TestEntriesThatHaveLeft:
    """A no-show stays one when the table's result is set by hand."""

    def state(self, scores: tuple[int | None, ...], outcome: type[Any] = NoShow) -> Competition:
        state = published(started(FOUR, low_wins=True), FOUR)
        table = table_at(state, "Ann").id
        state = after(state, outcome(table, uid("Ben"), "not seen"))
        seats = tuple(RuledSeat(seat, score) for seat, score in enumerate(scores))
        return after(state, *decide(state, SetResult(table, seats)))

    @pytest.mark.parametrize("typed", [-5, 900])
    def test_have_no_score_that_would_not_count(self, typed: int) -> None:
        with pytest.raises(Malformed) as refusal:
            self.state((10, typed, 5, 20))
        assert [*refusal.value.errors] == ["seats.1.score"]

    @pytest.mark.parametrize("typed", [None, 0])
    def test_are_last(self, typed: int | None) -> None:
        state = self.state((10, typed, 5, 20))
        assert ranks_of(state) == [2, 4, 1, 3]
        assert table_at(state, "Ann").outcome_of == {uid("Ben"): "no_show"}
        assert standings(state) == ["Cem 3", "Ann 2", "Dana 1", "Ben 0"]

    def test_may_have_forfeited(self) -> None:
        assert ranks_of(self.state((10, 0, 5, 20), Forfeited)) == [2, 4, 1, 3]

    def test_need_no_score_but_the_others_do(self) -> None:
        with pytest.raises(Malformed) as refusal:
            self.state((10, None, None, 20))
        assert [*refusal.value.errors] == ["seats.2.score"]
