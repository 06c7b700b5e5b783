"""A league's next season, added and started on the desk."""

from typing import Any

import pytest
from django.test import Client

from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.rounds import CloseRound
from league.models import Competition
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk import close
from tests.league.test_desk_verbs import DIVISIONS, ask, entries, is_done, kinds, page_text, post


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


class TestSeasons:
    @pytest.fixture
    def league(self, cast: Cast) -> Competition:
        """Two divisions of four; the first season is played."""
        competition = in_play(cast, 8, stages=[DIVISIONS])
        close(competition)
        act(cast.olga, competition, CloseRound)
        competition.refresh_from_db()
        return competition

    def add(self, olga: Client, league: Competition, **changed: Any) -> Any:
        form = ask(olga, league, "add-stage").context["form"].stage
        usual = {field.html_name: field.value() for field in form}
        sent = {name: value for name, value in usual.items() if value not in (None, False, "")}
        return post(olga, league, "add-stage", **{**sent, "stages.1.name": "Season 2", **changed})

    def test_follow_each_other_with_promotion_and_relegation(self, olga: Client, league: Competition) -> None:
        assert is_done(self.add(olga, league))
        shown = page_text(ask(olga, league, "start-stage"))
        assert shown.count("up from 2") == 1
        assert shown.count("down from 1") == 1
        post(olga, league, "start-stage")
        assert kinds(league)[-1] == "stage_started"

    def test_are_refused_at_the_field_that_is_wrong(self, olga: Client, league: Competition) -> None:
        answer = self.add(olga, league, **{"stages.1.groups": "3"})
        assert "as in the stage before" in answer.context["form"].stage.errors["groups"][0]
        assert "stage_added" not in kinds(league)

    def test_that_can_not_start_show_why(self, olga: Client, league: Competition, cast: Cast) -> None:
        self.add(olga, league)
        for entry in entries(league)[1:]:
            act(cast.olga, league, WithdrawEntry, entry=entry.pk)
        assert "No table can be made" in page_text(ask(olga, league, "start-stage"))
