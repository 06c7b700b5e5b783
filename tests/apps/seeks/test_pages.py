"""Who wants to play, rematches, bots, and the search for players, on pages."""

import re
from datetime import timedelta

import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from league.apps.seeks.models import Seek
from league.callers import ByAccount
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Club, Competition, Player
from league.projections.standings import compute_standings
from league.services.competitions import open_competition
from league.services.play import make_move
from tests.api.desks import STAGE
from tests.api.web import say
from tests.factories import Cast
from tests.league.acting import act


def browsing(account: object) -> Client:
    client = Client()
    client.force_login(account)  # type: ignore[arg-type]
    return client


def test_a_member_looks_for_players_and_another_joins(cast: Cast) -> None:
    page = reverse("seeks", args=[cast.club.slug])
    paul, petra = browsing(cast.paul), browsing(cast.petra)
    refused = paul.post(page, {"ruleset": "scram", "seats": 9, "minutes": 60})
    assert refused.status_code == 422 and not Seek.objects.exists()
    assert paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60}).status_code == 302
    seek = Seek.objects.get()
    assert reverse("withdraw_seek", args=[seek.pk]) in paul.get(page).content.decode()
    assert reverse("join_seek", args=[seek.pk]) in petra.get(page).content.decode()
    joined = petra.post(reverse("join_seek", args=[seek.pk]))
    assert joined["Location"] == reverse("game", args=[Game.objects.get().pk])
    assert "Your game of Scoops has begun." in (waiting := paul.get(page).content.decode())
    assert joined["Location"] in waiting and "data-refresh" in waiting
    assert "has begun" not in browsing(cast.olga).get(page).content.decode()
    late = petra.post(reverse("withdraw_seek", args=[seek.pk]), follow=True)
    assert "The game has begun." in late.content.decode()


def links(page: str) -> list[str]:
    return re.findall(r"http://testserver(/seats/[^\"]+)", page)


def test_a_link_to_a_private_table_is_accepted_once(cast: Cast) -> None:
    page, paul, petra = reverse("seeks", args=[cast.club.slug]), browsing(cast.paul), browsing(cast.petra)
    paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60, "private": "on"})
    seek = Seek.objects.get()
    (link,) = links(paul.get(page).content.decode())
    assert "Nobody looks for players" in petra.get(page).content.decode()
    assert petra.post(reverse("join_seek", args=[seek.pk])).status_code == 404
    assert paul.post(reverse("invite_to_seek", args=[seek.pk]), follow=True).content.count(b"/seats/") == 1
    assert Client().get(f"{link[:-5]}aaaa/").status_code == 410
    assert "Paul Pike invites you." in Client().get(link).content.decode()
    assert Client().post(link, {"do": "accept"})["Location"].startswith("/account/login/?next=/seats/")
    assert paul.post(link, {"do": "accept"}).status_code == 410
    assert browsing(cast.nora).post(link, {"do": "accept"}).status_code == 403
    begun = petra.post(link, {"do": "accept"})["Location"]
    assert begun == reverse("game", args=[Game.objects.get().pk])
    assert petra.get(link)["Location"] == petra.post(link, {"do": "accept"})["Location"] == begun
    for late in (Client().get(link), Client().post(link, {"do": "decline"}), paul.get(link)):
        assert late.status_code == 410


def test_a_link_is_declined_without_an_account_and_expires(cast: Cast) -> None:
    page, paul = reverse("seeks", args=[cast.club.slug]), browsing(cast.paul)
    paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60})
    invite = reverse("invite_to_seek", args=[Seek.objects.get().pk])
    (link,) = links(paul.post(invite, follow=True).content.decode())
    assert "You declined" in Client().post(link, {"do": "decline"}).content.decode()
    assert Client().post(link, {"do": "decline"}).status_code == 200
    assert "1 person declined." in paul.get(page).content.decode()
    (another,) = links(paul.post(invite, follow=True).content.decode())
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        for late in (Client().get(another), browsing(cast.petra).post(another, {"do": "accept"})):
            assert late.status_code == 410


def test_who_declined_takes_the_seat_after_all_while_it_is_free(cast: Cast) -> None:
    page, paul, petra = reverse("seeks", args=[cast.club.slug]), browsing(cast.paul), browsing(cast.petra)
    paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60})
    invite = reverse("invite_to_seek", args=[Seek.objects.get().pk])
    (link,) = links(paul.post(invite, follow=True).content.decode())
    petra.post(link, {"do": "decline"})
    again = petra.get(link).content.decode()
    assert "The seat is still free" in again and 'value="decline"' not in again
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        assert "You declined, and the seat is not free" in petra.get(link).content.decode()
    assert petra.post(link, {"do": "accept"})["Location"] == reverse("game", args=[Game.objects.get().pk])


def test_who_made_a_link_withdraws_it_on_the_page(cast: Cast) -> None:
    page, paul = reverse("seeks", args=[cast.club.slug]), browsing(cast.paul)
    paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60, "private": "on"})
    shown = paul.get(page).content.decode()
    (link,), (button,) = links(shown), re.findall(r'action="(/seeks/[^"]+/links/[^"]+)"', shown)
    assert browsing(cast.petra).post(button).status_code == 404
    assert "The link is withdrawn" in paul.post(button, follow=True).content.decode()
    assert Client().get(link).status_code in (404, 410)
    assert link not in paul.get(page).content.decode() and paul.post(button).status_code == 404


def test_the_length_of_a_game_is_chosen_and_told(cast: Cast) -> None:
    page, paul = reverse("seeks", args=[cast.club.slug]), browsing(cast.paul)
    assert "Scoops: to 1 point, " in paul.get(page).content.decode()
    paul.post(page, {"ruleset": "scamper", "seats": 2, "minutes": 60, "length": "short"})
    assert Seek.objects.get().options["rounds"] == 3
    assert "3 deals" in browsing(cast.petra).get(page).content.decode()


def test_seeks_are_shown_to_members_alone(cast: Cast) -> None:
    page = reverse("seeks", args=[cast.club.slug])
    assert browsing(cast.nora).get(page).status_code == 403
    assert Client().get(page).status_code == 302
    assert page in browsing(cast.paul).get(reverse("club", args=[cast.club.slug])).content.decode()
    assert page not in Client().get(reverse("club", args=[cast.club.slug])).content.decode()


def test_a_finished_game_has_a_rematch_for_its_players(cast: Cast) -> None:
    game = cast.game("tally", {"rounds": 1})
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=3, move=say(5))
    page, button = reverse("game", args=[game.pk]), reverse("rematch", args=[game.pk])
    assert button in browsing(cast.petra).get(page).content.decode()
    assert button not in browsing(cast.nora).get(page).content.decode()
    asked = browsing(cast.petra).post(button)
    accepted = browsing(cast.paul).post(button)
    assert asked["Location"] == accepted["Location"] != page


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
    paul = browsing(cast.paul)
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
    petra = browsing(cast.petra).post(page, {"agreed": "on"})
    assert petra.status_code == 422 and "has played already" in petra.content.decode()


def test_players_of_all_clubs_are_found_if_they_agreed(cast: Cast) -> None:
    Player.objects.filter(pk=cast.petra_plays.pk).update(findable=True)

    def found(typed: str) -> str:
        return Client().get(reverse("find_players"), {"search": typed}).content.decode()

    assert "Petra Plum" in found("plum") and cast.club.name in found("plum")
    assert "Nobody of this name" in found("Pike") and "Paul Pike" not in found("p")
    assert "at least 2 letters" in found(" p ") and "Petra" not in found("")
