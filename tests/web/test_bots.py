"""Bots on pages: accounts that are marked as such, and their players."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.refusals import Illegal
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Club, Competition, Player
from league.projections.standings import compute_standings
from league.services.clubs import create_app
from league.services.competitions import open_competition
from tests.api.desks import STAGE
from tests.factories import Cast
from tests.league.acting import act
from tests.league.test_admin_scope import logged_in


def test_a_bot_is_marked_on_pages(cast: Cast) -> None:
    Player.objects.filter(pk=cast.paul_plays.pk).update(bot=True)
    Player.objects.filter(pk=cast.paul_plays.pk).update(findable=True)
    Club.objects.update(bots=["casual", "competitions"])
    cast.club.refresh_from_db()
    game = cast.game("tally")
    played = with_round(cast)
    for page in (
        reverse("player", args=[cast.paul_plays.pk]),
        reverse("club", args=[cast.club.slug]),
        reverse("club_players", args=[cast.club.slug]),
        reverse("game", args=[game.pk]),
        reverse("competition", args=[played.slug]),
        reverse("competition_cross_table", args=[played.slug]),
        reverse("competition_rounds", args=[played.slug]),
        f"{reverse('find_players')}?search=paul",
    ):
        text = Client().get(page).content.decode()
        named = re.findall(r'(P\w+ P\w+)(?:</\w+>)? <span class="badge">bot</span>', text)
        assert {*named} == {"Paul Pike"}, page
        if page == reverse("competition", args=[played.slug]):
            assert len(named) == 2  # in the standings, and at the table of the last round


def with_round(cast: Cast) -> Competition:
    """Return a competition of Paul against Petra, with a round that is published."""
    made = open_competition(
        by=cast.olga, club=cast.club, name="Winter", ruleset="tally", options={}, stages=[STAGE]
    )
    for player in (cast.paul_plays, cast.petra_plays):
        act(cast.olga, made, EnterPlayers, players=[player.pk])
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, made, verb)
    compute_standings(made.pk)
    return made


def test_an_account_that_never_played_is_marked_as_a_bots_for_good(cast: Cast) -> None:
    page = reverse("bot")
    paul = logged_in(cast.paul)
    assert "Mark this account" in paul.get(page).content.decode()
    assert paul.post(page, {}).status_code == 422
    assert paul.post(page, {"agreed": "on"}).status_code == 302
    assert [each.bot for each in Player.objects.filter(name__startswith="P").order_by("name")] == [
        True,
        False,
    ]
    shown = paul.get(page).content.decode()
    assert "This account is a bot" in shown and "Mark this account" not in shown
    cast.game("tally")
    petra = logged_in(cast.petra).post(page, {"agreed": "on"})
    assert petra.status_code == 422 and "has played already" in petra.content.decode()


def test_bots_play_in_competitions_only_where_the_club_says_so(cast: Cast) -> None:
    app = create_app(by=cast.olga, club=cast.club, name="Deep Trefoil", role="player", plays=True)
    bot = Player.objects.get(account=app.account)
    assert bot.bot and app.account.bot
    competition = open_competition(
        by=cast.olga, club=cast.club, name="Winter", ruleset="tally", options={}, stages=[STAGE]
    )
    with pytest.raises(Illegal):
        act(cast.olga, competition, EnterPlayers, players=[bot.pk])
    assert not competition.entries.exists()
    Club.objects.update(bots=["competitions"])
    act(cast.olga, competition, EnterPlayers, players=[bot.pk])
    assert competition.entries.get().name == "Deep Trefoil"
