"""Matches: best of n games of two sides, ended when they are decided."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from games.engine.refusals import Illegal, Malformed
from league.core import scoring
from league.core.match_games import GameNotNeeded, NextGame
from league.core.match_view import as_json
from league.core.records import Line
from league.core.state.competition import Competition, Table
from league.core.state.match import GameScores, Match, Tally
from league.core.state.plan import Placing, Scoring
from league.core.verb import Verb
from league.core.verbs.results import ForfeitEntry, RecordResult, ReplayGame, ResultRecorded
from league.core.verbs.rulings import Ruled, RuledSeat, SetResult, TakeBackOutcome
from league.core.verbs.tables import ReopenTable
from league.core.verbs.wishes import FixTable, TableFixed
from tests.core import deciding as commands
from tests.core.crosstable import after, plan, points, published, started, table_at
from tests.core.ids import uid

A, B, DRAW = 0, 1, None
LETTERS = {"a": A, "b": B, "=": DRAW}


def winners(text: str) -> list[int | None]:
    return [LETTERS[each] for each in text]


# ---- When a match is decided ---------------------------------------------------------------------


class TestDeciding:
    @pytest.mark.parametrize(
        ("best_of", "drawn_game", "games", "won", "drawn", "over"),
        [
            (1, "half", "a", (1, 0), 0, True),
            (3, "half", "a", (1, 0), 0, False),
            (3, "half", "aa", (2, 0), 0, True),
            (3, "half", "ab", (1, 1), 0, False),
            (3, "half", "aba", (2, 1), 0, True),
            (3, "half", "a=", (1, 0), 1, False),  # 1½–½: the third game can level it
            (3, "half", "a=b", (1, 1), 1, True),  # level after three games
            (3, "half", "==a", (1, 0), 2, True),
            (3, "half", "aab", (2, 0), 0, True),  # the third is not needed
            (3, "replay", "a=", (1, 0), 1, False),
            (3, "replay", "a=b=", (1, 1), 2, False),
            (3, "replay", "a=b==a", (2, 1), 3, True),
            (3, "nothing", "a==", (1, 0), 2, True),
            (3, "nothing", "===", (0, 0), 3, True),
            (2, "half", "ab", (1, 1), 0, True),  # an even number of games can end level
            (2, "half", "a", (1, 0), 0, False),
            (4, "half", "aaa", (3, 0), 0, True),
            (4, "half", "aab", (2, 1), 0, False),
            (5, "half", "abaa", (3, 1), 0, True),
            (5, "half", "aa=", (2, 0), 1, False),
            (5, "half", "aa==", (2, 0), 2, True),
            (7, "half", "aaaa", (4, 0), 0, True),
        ],
    )
    def test_follows_from_the_games(
        self, best_of: int, drawn_game: str, games: str, won: tuple[int, int], drawn: int, over: bool
    ) -> None:
        match = Match(best_of, drawn_game)
        tally = match.tally(winners(games))
        assert (tally.won, tally.drawn, match.decided(tally)) == (won, drawn, over)

    @drawn_from(
        st.integers(1, 9),
        st.sampled_from(["half", "replay", "nothing"]),
        st.lists(st.sampled_from([A, B, DRAW]), max_size=14),
    )
    def test_is_when_no_later_games_change_who_wins(
        self, best_of: int, drawn_game: str, games: list[int | None]
    ) -> None:
        match = Match(best_of, drawn_game)
        tally = match.tally(games)
        left = best_of - (sum(tally.won) if drawn_game == "replay" else tally.counted)
        behind, ahead = sorted(tally.won)
        assert match.decided(tally) == (left == 0 or behind + left < ahead)
        assert match.reached(tally)

    @pytest.mark.parametrize(("won", "drawn"), [((3, 0), 0), ((2, 2), 0), ((2, 0), 2), ((0, 4), 0)])
    def test_no_match_of_three_ends_like_this(self, won: tuple[int, int], drawn: int) -> None:
        assert not Match(3, "half").reached(Tally(won, drawn))


# ---- A match at a table --------------------------------------------------------------------------


def cup(names: str = "Ann Ben", low_wins: bool = False, **changes: Any) -> Competition:
    usual: dict[str, Any] = {"table_size": 2, "best_of": 3}
    state = started(names, plan(**{**usual, **changes}), low_wins=low_wins)
    return published(state, "Ann Ben")


def the_table(state: Competition) -> Table:
    return table_at(state, "Ann", "Ben")


def ended(state: Competition, game: int, ann: int, ben: int, head: int = 1) -> RecordResult:
    """The end of a game, of which the seats are those of the game, not of the table."""
    table = the_table(state)
    its = table.games[game - 1]
    scores = (ben, ann) if its.turn else (ann, ben)
    seats = tuple(Placing(seat, 1 + (scores[1 - seat] > score), score) for seat, score in enumerate(scores))
    return RecordResult(table.id, its.id, f"{head:064}", "finished", seats)


def says(state: Competition, verb: Verb) -> Competition:
    return after(state, *commands.decide(state, verb))


def record(state: Competition, game: int, ann: int, ben: int, head: int = 1) -> Competition:
    return says(state, ended(state, game, ann, ben, head))


def open_again(state: Competition, game: int, head: int = 9) -> Competition:
    table = the_table(state)
    return says(state, RecordResult(table.id, table.games[game - 1].id, f"{head:064}", "active", ()))


def abandon(state: Competition, game: int) -> Competition:
    table = the_table(state)
    return says(state, RecordResult(table.id, table.games[game - 1].id, "0" * 64, "abandoned", ()))


def typed(state: Competition, *scores: tuple[int, int], **more: Any) -> SetResult:
    return SetResult(the_table(state).id, (), games=tuple(map(GameScores, scores)), **more)


def totals(state: Competition, ann: int, ben: int, **more: Any) -> SetResult:
    return SetResult(the_table(state).id, (RuledSeat(0, ann), RuledSeat(1, ben)), **more)


def told(state: Competition) -> tuple[str, list[tuple[int, str]]]:
    view: Any = as_json(the_table(state))
    return "–".join(view["score"]), [(each["number"], each["status"]) for each in view["games"]]


def counted(state: Competition, name: str) -> str:
    """Card points and their difference, and the games won and lost of a match."""
    line = line_of(state, name)
    return f"{line.score} {line.difference}, {line.games[0]}–{line.games[1]}"


def line_of(state: Competition, name: str) -> Line:
    (line,) = scoring.records(state, state.stages[0])[uid(name)].lines
    return line


class TestAMatch:
    def test_opens_its_next_game_with_the_former_result(self) -> None:
        state = cup()
        recorded, opened = commands.decide(state, ended(state, 1, 9, 4))
        assert isinstance(recorded, ResultRecorded)
        assert recorded.number == 1
        assert isinstance(opened, NextGame)
        assert (opened.table, opened.number) == (the_table(state).id, 2)
        assert after(state, recorded, opened).stages[0].rounds[0].undecided

    def test_ends_at_two_wins_without_a_third_game(self) -> None:
        state = record(record(cup(), 1, 9, 4), 2, 9, 4)
        assert the_table(state).status == "played"
        assert told(state) == ("2–0", [(1, "won"), (2, "won")])

    def test_is_one_result_with_games_won_and_all_card_points(self) -> None:
        state = record(record(record(cup(), 1, 9, 4), 2, 5, 8), 3, 7, 2)
        (result,) = the_table(state).results
        assert [(each.rank, each.score) for each in result.placings] == [(1, 2), (2, 1)]
        assert counted(state, "Ann") == "21 7, 2–1"

    def test_changes_the_seats_of_neighbours_for_every_other_game(self) -> None:
        state = record(record(cup(best_of=5), 1, 9, 4), 2, 9, 4)
        table = the_table(state)
        players = [table.players_of(game.id) for game in table.games]
        assert players == [players[0], players[0][::-1], players[0]]

    def test_gives_points_once_and_none_before_it_is_decided(self) -> None:
        state = record(cup(), 1, 9, 4)
        assert points(state, "Ann") == "0"
        assert points(record(state, 2, 9, 4), "Ann") == "1"

    def test_of_two_games_can_end_level(self) -> None:
        state = record(record(cup(best_of=2), 1, 9, 4), 2, 4, 9)
        assert the_table(state).status == "played"
        assert [each.rank for each in the_table(state).results[0].placings] == [1, 1]
        assert points(state, "Ann") == points(state, "Ben") == "1/2"

    @pytest.mark.parametrize(
        ("drawn_game", "shown", "status"),
        [("half", "3/2–1/2", "drawn"), ("nothing", "1–0", "drawn"), ("replay", "1–0", "replayed")],
    )
    def test_has_drawn_games_as_the_stage_says(self, drawn_game: str, shown: str, status: str) -> None:
        state = record(record(cup(drawn_game=drawn_game), 1, 6, 6), 2, 9, 4)
        assert told(state) == (shown, [(1, status), (2, "won"), (3, "playing")])

    def test_counts_half_games_in_the_standings(self) -> None:
        state = record(record(record(cup(), 1, 6, 6), 2, 9, 4), 3, 6, 6)
        assert counted(state, "Ben") == "16 -5, 1–2"

    def test_is_won_by_games_where_low_scores_win(self) -> None:
        state = says(cup(low_wins=True), typed(cup(), (3, 9), (8, 2), (1, 4)))
        assert [each.rank for each in the_table(state).results[0].placings] == [1, 2]

    def test_is_not_for_tables_of_more_than_two(self) -> None:
        state = published(started("Ann Ben Cem", plan(table_size=3, best_of=3)), "Ann Ben Cem")
        assert the_table(state).match is None


class TestACorrection:
    def test_that_decides_earlier_ends_a_game_that_runs(self) -> None:
        state = record(record(cup(), 1, 9, 4), 2, 4, 9)
        table = the_table(state)
        _recorded, not_needed = commands.decide(state, ended(state, 2, 9, 4, head=2))
        assert not_needed == GameNotNeeded(table.id, table.games[2].id, 3)
        state = record(state, 2, 9, 4, head=2)
        assert the_table(state).status == "played"
        assert told(state) == ("2–0", [(1, "won"), (2, "won"), (3, "not_needed")])

    def test_that_decides_earlier_keeps_a_game_that_is_over(self) -> None:
        state = record(record(record(cup(), 1, 9, 4), 2, 4, 9), 3, 4, 9)
        state = record(state, 2, 9, 4, head=2)
        assert told(state) == ("2–0", [(1, "won"), (2, "won"), (3, "not_needed")])
        assert told(record(state, 2, 4, 9, head=3))[0] == "1–2"

    def test_opens_a_game_that_is_needed(self) -> None:
        state = record(record(cup(), 1, 9, 4), 2, 9, 4)
        state = record(state, 2, 4, 9, head=2)
        assert told(state) == ("1–1", [(1, "won"), (2, "won"), (3, "playing")])

    def test_opens_another_game_after_one_was_not_needed(self) -> None:
        state = record(record(record(cup(), 1, 9, 4), 2, 4, 9), 2, 9, 4, head=2)
        state = abandon(state, 3)
        state = record(state, 2, 4, 9, head=3)
        assert told(state)[1] == [(1, "won"), (2, "won"), (3, "not_needed"), (3, "playing")]
        assert told(record(state, 4, 9, 4))[0] == "2–1"

    def test_that_leaves_an_earlier_game_open_waits_for_it(self) -> None:
        state = open_again(record(record(cup(), 1, 9, 4), 2, 9, 4), 1)
        assert the_table(state).status == "playing"
        assert len(the_table(state).games) == 2
        assert the_table(record(state, 1, 9, 4, head=10)).status == "played"

    def test_comes_late_through_the_verb_for_results(self) -> None:
        state = record(record(cup(), 1, 9, 4), 2, 9, 4)
        state = says(state, typed(state, (9, 4), (4, 9), (4, 9), reason="the sheet says so"))
        assert told(state)[0] == "1–2"
        assert told(says(state, ReopenTable(the_table(state).id, "no")))[0] == "2–0"


class TestLeaving:
    def test_loses_the_match_to_who_is_there(self) -> None:
        state = record(cup(), 1, 4, 9)
        state = says(state, ForfeitEntry(the_table(state).id, uid("Ben"), "had to go"))
        state = record(state, 2, 9, 4)
        assert the_table(state).status == "played"
        assert told(state) == ("1–1", [(1, "won"), (2, "won")])
        assert [each.rank for each in the_table(state).results[0].placings] == [1, 2]
        assert line_of(state, "Ben").kind == "forfeit"

    def test_is_taken_back_with_a_replay(self) -> None:
        state = says(cup(), ForfeitEntry(the_table(cup()).id, uid("Ben"), "had to go"))
        state = record(state, 1, 9, 4)
        state = says(state, TakeBackOutcome(the_table(state).id, uid("Ben"), "he is back"))
        assert the_table(state).status == "abandoned"

    def test_a_game_alone_goes_on_with_the_next(self) -> None:
        state = cup()
        verb = ended(state, 1, 9, 4)
        resigned = tuple(replace(each, left="resigned" if each.seat else None) for each in verb.seats)
        state = says(state, replace(verb, seats=resigned))
        assert told(state) == ("1–0", [(1, "won"), (2, "playing")])

    def test_an_abandoned_game_is_played_again_in_its_place(self) -> None:
        state = abandon(record(cup(), 1, 9, 4), 2)
        assert the_table(state).status == "abandoned"
        state = says(state, ReplayGame(the_table(state).id))
        assert [(each.number, each.turn) for each in the_table(state).games] == [(1, 0), (2, 1)]
        assert the_table(record(state, 2, 9, 4)).status == "played"


class TestTypedIn:
    def test_game_by_game_is_the_same_as_played(self) -> None:
        state = says(cup(), typed(cup(), (9, 4), (5, 8), (7, 2)))
        assert counted(state, "Ann") == "21 7, 2–1"
        assert told(state) == ("2–1", [(1, "won"), (2, "won"), (3, "won")])

    def test_game_by_game_marks_games_that_were_not_needed(self) -> None:
        state = says(cup(), typed(cup(), (9, 4), (9, 8), (1, 2)))
        assert told(state) == ("2–0", [(1, "won"), (2, "won"), (3, "not_needed")])
        assert line_of(state, "Ann").score == 18

    def test_as_totals_has_no_card_points(self) -> None:
        state = says(cup(), totals(cup(), 2, 1))
        assert counted(state, "Ann") == "0 0, 2–1"
        assert points(state, "Ann") == "1"

    @pytest.mark.parametrize("score", [(3, 0), (2, 2), (0, 3)])
    def test_as_totals_that_no_match_has_is_refused(self, score: tuple[int, int]) -> None:
        with pytest.raises(Illegal, match="no match ends"):
            says(cup(), totals(cup(), *score))

    @pytest.mark.parametrize("score", [(1, 0), (1, 1), (0, 0)])
    def test_undecided_needs_a_reason(self, score: tuple[int, int]) -> None:
        with pytest.raises(Illegal, match="is not decided"):
            says(cup(), totals(cup(), *score))
        state = says(cup(), totals(cup(), *score, reason="the hall closed"))
        assert the_table(state).status == "played"

    def test_as_totals_with_drawn_games(self) -> None:
        state = says(cup(), totals(cup(), 1, 0, drawn=2))
        assert told(state)[0] == "2–1"
        assert points(state, "Ann") == "1"

    def test_as_totals_is_refused_where_card_points_are_added(self) -> None:
        state = cup(scoring=Scoring(by="score"))
        with pytest.raises(Illegal, match="game by game"):
            says(state, totals(state, 2, 0))

    def test_again_changes_nothing(self) -> None:
        state = says(cup(), typed(cup(), (9, 4), (9, 8)))
        assert commands.decide(state, typed(state, (9, 4), (9, 8))) == ()

    def test_with_a_score_missing_is_refused(self) -> None:
        with pytest.raises(Malformed):
            says(cup(), SetResult(the_table(cup()).id, (), games=(GameScores((1, 2, 3)),)))

    def test_is_refused_where_a_table_has_one_game(self) -> None:
        state = cup(best_of=1)
        with pytest.raises(Illegal, match="one game"):
            says(state, typed(state, (9, 4)))
        with pytest.raises(Illegal, match="one game"):
            says(state, totals(state, 9, 4, drawn=1))


class TestTampering:
    def test_no_game_follows_a_decided_match(self) -> None:
        state = record(record(cup(), 1, 9, 4), 2, 9, 4)
        with pytest.raises(Illegal, match="needs no further game"):
            after(state, NextGame(the_table(state).id, uid("game"), 3))

    def test_no_game_opens_while_another_runs(self) -> None:
        with pytest.raises(Illegal, match="needs no further game"):
            after(cup(), NextGame(the_table(cup()).id, uid("game"), 2))

    def test_games_are_numbered_in_order(self) -> None:
        state = cup()
        recorded, opened = commands.decide(state, ended(state, 1, 9, 4))
        assert isinstance(opened, NextGame)
        assert isinstance(recorded, ResultRecorded)
        with pytest.raises(Illegal, match="have the numbers"):
            after(state, recorded, replace(opened, number=3))
        with pytest.raises(Illegal, match="another game"):
            after(state, replace(recorded, number=2))

    def test_no_game_that_is_needed_is_dropped(self) -> None:
        state = record(cup(), 1, 9, 4)
        with pytest.raises(Illegal, match="is needed, or over"):
            after(state, GameNotNeeded(the_table(state).id, the_table(state).games[1].id, 2))

    def test_a_ruling_is_what_its_games_give(self) -> None:
        state = cup()
        (ruled,) = commands.decide(state, typed(state, (9, 4), (9, 8)))
        assert isinstance(ruled, Ruled)
        turned = tuple(replace(each, score=2 - each.score) for each in ruled.seats)
        third = (*ruled.games, GameScores((1, 2)))
        for wrong in (replace(ruled, seats=turned), replace(ruled, drawn=1), replace(ruled, games=third[1:])):
            with pytest.raises(Illegal):
                after(state, wrong)


# ---- Against a plain model -----------------------------------------------------------------------


class Plain:
    """A match as a list of the winners of its games in order, None where a game is not over."""

    def __init__(self, best_of: int, drawn_game: str) -> None:
        self.best_of, self.drawn_game = best_of, drawn_game
        self.games: list[str | None] = [None]
        self.left = False

    def counted(self) -> list[str]:
        found: list[str] = []
        for winner in self.games:
            if winner is None or self.over(found):
                return found
            found.append(winner)
        return found

    def over(self, counted: list[str]) -> bool:
        left = self.best_of - sum(each != "=" or self.drawn_game != "replay" for each in counted)
        return left <= 0 or abs(counted.count("a") - counted.count("b")) > left

    @property
    def played(self) -> bool:
        return self.over(self.counted()) or (self.left and None not in self.games)

    def set(self, game: int, winner: str | None) -> None:
        self.games[game] = winner
        if self.over(self.counted()):
            self.games = [each for each in self.games if each is not None]
        elif None not in self.games and not self.left:
            self.games.append(None)


SCORES = {"a": (9, 4), "b": (4, 9), "=": (6, 6)}


def test_a_game_that_was_over_when_it_was_dropped_is_one_that_was_not_needed() -> None:
    """The end of a game is recorded after it; a correction of the one before can come between."""
    state = record(record(cup(), 1, 9, 4), 2, 4, 9)
    third = ended(state, 3, 9, 4)
    state = record(state, 2, 9, 4, head=2)
    assert the_table(state).games[2].dropped
    state = says(state, third)
    assert [status for _number, status in told(state)[1]] == ["won", "won", "not_needed"]
    again = record(state, 2, 4, 9, head=3)
    assert len(the_table(again).games) == 3 and the_table(again).tally.won == (2, 1)


def test_an_entry_can_have_its_own_table_where_there_are_matches() -> None:
    state = started("Ann Ben Cem Dana", plan(format="swiss", table_size=2, best_of=3))
    (event,) = commands.decide(state, FixTable(uid("Ann"), 2))
    assert isinstance(event, TableFixed)


@drawn_from(
    st.integers(2, 5),
    st.sampled_from(["half", "replay", "nothing"]),
    st.lists(st.tuples(st.integers(0, 7), st.sampled_from(["a", "b", "=", None])), max_size=14),
    st.integers(0, 14),
)
@settings(max_examples=150)
def test_any_order_of_results_corrections_and_a_forfeit_is_as_in_a_plain_model(
    best_of: int, drawn_game: str, steps: list[tuple[int, str | None]], leaves_at: int
) -> None:
    state, plain = cup(best_of=best_of, drawn_game=drawn_game), Plain(best_of, drawn_game)
    for head, (at, winner) in enumerate(steps, 1):
        if head == leaves_at and not plain.played:
            state = says(state, ForfeitEntry(the_table(state).id, uid("Ben"), "had to go"))
            plain.left = True
        at %= len(plain.games)
        if winner is None and plain.games[at] is None:
            continue
        game = 1 + [each.id for each in the_table(state).games].index(the_table(state).needed[at].id)
        if winner is None:
            state = open_again(state, game, head)
        else:
            state = record(state, game, *SCORES[winner], head)
        plain.set(at, winner)
        table, counted = the_table(state), plain.counted()
        assert table.tally.won == (counted.count("a"), counted.count("b"))
        assert table.tally.drawn == counted.count("=")
        assert (table.status == "played") == plain.played
        assert len(table.needed) == len(plain.games)
