"""The result of a table is set on the desk: by ranks and scores, or by scores alone."""

from typing import Any

import pytest
from django.test import Client

from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound
from league.models import Competition, Table
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, play_all, tables
from tests.league.tally import Tally
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, is_done, kinds, page_text, post, table


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


class TestATable:
    def test_is_ruled_on(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        places = {f"rank.{seat}": seat + 1 for seat in range(4)}
        scores = {f"score.{seat}": 10 - seat for seat in range(4)}
        post(olga, competition, "rule", table(competition), **places, **scores, reason="sheet found")
        assert self.placings(competition) == [(1, 10), (2, 9), (3, 8), (4, 7)]

    def placings(self, competition: Competition) -> list[tuple[int | None, int | None]]:
        seats = Table.objects.get(round__stage__competition=competition).seats.order_by("number")
        return [(seat.rank, seat.score) for seat in seats]

    def rule(self, olga: Client, competition: Competition, ranks: str, scores: str, **more: Any) -> Any:
        """Send the first table's result, a word for each seat's rank and score; "-" leaves a field empty."""
        fields = {f"rank.{seat}": rank for seat, rank in enumerate(ranks.split()) if rank != "-"}
        fields |= {f"score.{seat}": score for seat, score in enumerate(scores.split())}
        return post(olga, competition, "rule", table(competition), **fields, reason="sheet found", **more)

    @pytest.mark.parametrize(
        ("low_wins", "says", "scores", "ranks"),
        [
            (False, "The highest score wins.", "7 12 7 -3", [2, 1, 2, 4]),
            (True, "The lowest score wins.", "7 12 7 -3", [2, 4, 2, 1]),
        ],
    )
    def test_is_ranked_by_the_scores(
        self,
        olga: Client,
        cast: Cast,
        monkeypatch: pytest.MonkeyPatch,
        low_wins: bool,
        says: str,
        scores: str,
        ranks: list[int],
    ) -> None:
        monkeypatch.setattr(Tally, "low_wins", low_wins)
        competition = in_play(cast, 4)
        assert says in page_text(ask(olga, competition, "rule", table(competition)))
        assert is_done(self.rule(olga, competition, "- - - -", scores))
        assert [rank for rank, _ in self.placings(competition)] == ranks

    def test_needs_all_ranks_or_none(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        answer = self.rule(olga, competition, "1 2 - 3", "9 8 7 6")
        assert "Fill in all ranks, or none" in page_text(answer)
        assert "ruled" not in kinds(competition)

    def test_has_ranks_against_the_scores_only_with_a_reason(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        answer = self.rule(olga, competition, "2 1 3 4", "9 8 7 6")
        assert "According to the scores the ranks are 1, 2, 3, 4." in page_text(answer)
        assert "against_scores" in answer.context["form"].errors
        assert "ruled" not in kinds(competition)
        assert is_done(self.rule(olga, competition, "2 1 3 4", "9 8 7 6", against_scores="a penalty"))
        assert [rank for rank, _ in self.placings(competition)] == [2, 1, 3, 4]

    def test_may_have_different_ranks_for_equal_scores(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 4)
        assert is_done(self.rule(olga, competition, "1 2 3 4", "9 9 7 6"))

    def test_leads_back_to_its_round_and_table(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast)
        its_table = min(tables(competition), key=lambda each: each.number)
        record(competition)
        act(cast.olga, competition, CloseRound)
        act(cast.olga, competition, DrawRound)
        page = self.rule(olga, competition, "- - - -", "9 8 7 6")
        assert page.redirect_chain[-1][0].endswith(f"#table-{its_table.pk}")
        assert page.context["shown_round"] == its_table.round
        assert page.context["told_at"] == its_table.pk
        assert "Round 1, table 1: the result is corrected" in page_text(page)

    @pytest.mark.parametrize("decided", [False, True], ids=["first", "replaced"])
    def test_asks_for_a_reason_only_to_replace_a_result(
        self, olga: Client, cast: Cast, decided: bool
    ) -> None:
        competition = in_play(cast, 4)
        if decided:
            record(competition)
        form = ask(olga, competition, "rule", table(competition)).context["form"]
        assert form.fields["reason"].required == decided
        assert [field.name for field in form.unfolded] == [*(f"score.{seat}" for seat in range(4)), "reason"]


def record(competition: Competition) -> None:
    """Play and record all games of the first round."""
    for game in play_all(competition):
        record_result(game_id=game)
