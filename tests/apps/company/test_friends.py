"""Friends, muting, blocking and reporting: nobody learns what another hides, and nobody is flooded."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from games import database_time
from games.engine.refusals import Illegal, Malformed
from games.models import Game
from league.apps.company import queries, services
from league.apps.company.models import Friendship, Muted, Presence, Report
from league.apps.people.services import delete_account
from league.apps.seeks.models import Seek
from league.apps.seeks.queries import open_seeks
from league.apps.seeks.services import create_seek, join_seek
from league.models import Account, Player
from league.services.casual_games import open_casual_game, open_rematch
from league.services.players import forget_player
from tests.api.web import ROOT, bearer
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory


def another(cast: Cast, name: str = "Pia Pond") -> Player:
    account = AccountFactory.create()
    MemberFactory.create(club=cast.club, account=account)
    return PlayerFactory.create(club=cast.club, account=account, name=name)


def befriended(cast: Cast) -> Friendship:
    row = services.ask_friend(by=cast.paul, player_id=cast.petra_plays.pk)
    return services.accept_friend(by=cast.petra, friendship_id=row.pk)


def statuses(account: Account) -> list[str]:
    return [each.status for each in queries.friends_of(account)]


def test_friends_are_mutual(cast: Cast) -> None:
    row = services.ask_friend(by=cast.paul, player_id=cast.petra_plays.pk)
    assert services.ask_friend(by=cast.paul, player_id=cast.petra_plays.pk) == row
    assert (statuses(cast.paul), statuses(cast.petra)) == (["asked"], ["asks"])
    with pytest.raises(Friendship.DoesNotExist):
        services.accept_friend(by=cast.paul, friendship_id=row.pk)
    services.accept_friend(by=cast.petra, friendship_id=row.pk)
    assert (statuses(cast.paul), statuses(cast.petra)) == (["friends"], ["friends"])


def test_who_asks_each_other_are_friends_once(cast: Cast) -> None:
    services.ask_friend(by=cast.paul, player_id=cast.petra_plays.pk)
    services.ask_friend(by=cast.petra, player_id=cast.paul_plays.pk)
    assert statuses(cast.paul) == ["friends"] and Friendship.objects.count() == 1


def test_a_stranger_ends_or_accepts_nothing(cast: Cast) -> None:
    row = services.ask_friend(by=cast.paul, player_id=cast.petra_plays.pk)
    for act in (services.accept_friend, services.end_friendship):
        with pytest.raises(Friendship.DoesNotExist):
            act(by=cast.nora, friendship_id=row.pk)


def test_nobody_asks_players_of_another_club_or_who_hides(cast: Cast) -> None:
    with pytest.raises(Player.DoesNotExist):
        services.ask_friend(by=cast.nora, player_id=cast.paul_plays.pk)
    Player.objects.filter(pk=cast.petra_plays.pk).update(audience="nobody")
    with pytest.raises(Player.DoesNotExist):
        services.ask_friend(by=cast.paul, player_id=cast.petra_plays.pk)


def test_of_a_friend_who_hides_nothing_is_told(cast: Cast) -> None:
    befriended(cast)
    services.touch(cast.petra)
    assert [each.here is not None for each in queries.friends_of(cast.paul)] == [True]
    Player.objects.filter(pk=cast.petra_plays.pk).update(audience="nobody")
    assert [(each.player, each.here) for each in queries.friends_of(cast.paul)] == [(None, None)]
    shown = bearer(cast.paul).get(f"{ROOT}/me/friends/").json()
    assert [(each["player"], each["here"], each["seen_at"]) for each in shown] == [(None, False, None)]


def test_who_chooses_so_is_not_seen_as_here(cast: Cast) -> None:
    befriended(cast)
    services.touch(cast.petra)
    assert [each.is_here for each in queries.friends_of(cast.paul)] == [True]
    services.choose_to_hide(by=cast.petra, hidden=True)
    assert [each.is_here for each in queries.friends_of(cast.paul)] == [False]


@pytest.mark.parametrize(("minutes", "now"), [(1, True), (5, False), (20, None)])
def test_a_friend_who_has_left_is_told_so_and_then_nothing(cast: Cast, minutes: int, now: object) -> None:
    befriended(cast)
    services.touch(cast.petra)
    Presence.objects.update(at=database_time.now() - timedelta(minutes=minutes))
    (friend,) = queries.friends_of(cast.paul)
    assert (friend.here and friend.here.now) == now


def test_nobody_floods_others_with_questions(cast: Cast) -> None:
    for number in range(services.MOST_ASKED):
        services.ask_friend(by=cast.paul, player_id=another(cast, f"Pia {number}").pk)
    with pytest.raises(Illegal):
        services.ask_friend(by=cast.paul, player_id=cast.petra_plays.pk)


# ---- Blocking ------------------------------------------------------------------------------------


def test_a_block_ends_the_friendship_and_what_is_seen(cast: Cast) -> None:
    befriended(cast)
    services.touch(cast.petra)
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk, blocks=True)
    assert queries.friends_of(cast.paul) == []
    assert queries.not_heard(cast.petra.pk) == {cast.paul.pk} == queries.not_heard(cast.petra.pk)


def test_who_is_blocked_asks_without_being_told(cast: Cast) -> None:
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk, blocks=True)
    row = services.ask_friend(by=cast.paul, player_id=cast.petra_plays.pk)
    assert (statuses(cast.paul), statuses(cast.petra)) == (["asked"], [])
    with pytest.raises(Friendship.DoesNotExist):
        services.accept_friend(by=cast.petra, friendship_id=row.pk)


def test_who_is_blocked_invites_to_no_game_and_joins_no_table(cast: Cast) -> None:
    made = create_seek(by=cast.petra, club=cast.club, ruleset="tally", seats=3)
    played = cast.game("tally", {"rounds": 1})
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk, blocks=True)
    with pytest.raises(Malformed):
        players = [cast.paul_plays.pk, cast.petra_plays.pk]
        open_casual_game(by=cast.paul, club=cast.club, ruleset="tally", options={}, players=players)
    assert open_seeks(cast.club, cast.paul) == []
    with pytest.raises(Illegal):
        join_seek(by=cast.paul, seek_id=made.pk)
    assert Seek.objects.get().taken.count() == 1
    played.status = "finished"
    played.save()
    with pytest.raises(Malformed):
        open_rematch(by=cast.paul, game_id=played.pk)


def test_an_organiser_still_seats_both(cast: Cast) -> None:
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk, blocks=True)
    assert cast.game("tally", {"rounds": 1}).status == "active"


def test_muting_alone_keeps_nobody_apart(cast: Cast) -> None:
    befriended(cast)
    row = services.mute(by=cast.petra, player_id=cast.paul_plays.pk)
    assert queries.not_heard(cast.petra.pk) == {cast.paul.pk} and not queries.not_heard(cast.paul.pk)
    assert statuses(cast.paul) == ["friends"]
    with pytest.raises(Muted.DoesNotExist):
        services.hear_again(by=cast.paul, muted_id=row.pk)
    services.hear_again(by=cast.petra, muted_id=row.pk)
    assert not queries.not_heard(cast.petra.pk)


# ---- Games ---------------------------------------------------------------------------------------


def test_a_friend_is_invited_in_one_tap(cast: Cast) -> None:
    row = befriended(cast)
    last = cast.game("scoops")
    game = services.invite_friend(by=cast.paul, friendship_id=row.pk)
    assert (game.ruleset, game.options, game.status) == (last.ruleset, last.options, "invited")
    assert services.invite_friend(by=cast.paul, friendship_id=row.pk, ruleset="scamper").status == "invited"
    with pytest.raises(Malformed):
        services.invite_friend(by=cast.paul, friendship_id=row.pk, ruleset="none")


def test_without_a_game_before_one_is_chosen_first(cast: Cast) -> None:
    row, client = befriended(cast), Client()
    client.force_login(cast.paul)
    cast.game("tally", {"rounds": 1}, players=[player.pk for player in cast.people(3)])
    shown = client.get(reverse("friends")).content.decode()
    assert "choose a game" in shown and "as last time" not in shown
    games = Game.objects.count()
    answer = client.post(reverse("friends"), {"do": "invite", "id": row.pk, "ruleset": ""}, follow=True)
    assert "Choose a game first" in answer.content.decode() and Game.objects.count() == games
    cast.game("scoops")
    shown = client.get(reverse("friends")).content.decode()
    assert "as last time" in shown and "choose a game" not in shown


def test_who_played_lately_are_listed_but_for_who_hides(cast: Cast) -> None:
    assert queries.played_with(cast.paul) == []
    cast.game("tally", {"rounds": 1})
    assert [each.player for each in queries.played_with(cast.paul)] == [cast.petra_plays]
    Player.objects.filter(pk=cast.petra_plays.pk).update(audience="nobody")
    assert queries.played_with(cast.paul) == []


# ---- Reports -------------------------------------------------------------------------------------


def test_a_report_reaches_the_organisers_once(cast: Cast) -> None:
    report = services.report(by=cast.paul, player_id=cast.petra_plays.pk, words=" She shouts.\n")
    assert services.report(by=cast.paul, player_id=cast.petra_plays.pk, words="She shouts.") == report
    client = Client()
    client.force_login(cast.olga)
    page = client.get(reverse("admin:company_report_changelist"))
    assert b"She shouts." in page.content and b"1 report" in client.get(reverse("admin:index")).content
    client.post(reverse("admin:company_report_settle", args=[report.pk]))
    assert Report.objects.get().settled_by == cast.olga
    assert (
        b"She shouts." not in client.get(f"{reverse('admin:company_report_changelist')}?settled=no").content
    )


def test_nobody_reads_or_settles_a_report_about_themselves(cast: Cast) -> None:
    Player.objects.filter(pk=cast.petra_plays.pk).update(account=cast.olga)
    report = services.report(by=cast.paul, player_id=cast.petra_plays.pk, words="She shouts.")
    client = Client()
    client.force_login(cast.olga)
    assert b"She shouts." not in client.get(reverse("admin:company_report_changelist")).content
    with pytest.raises(Report.DoesNotExist):
        services.settle_report(by=cast.olga, row=report, settled=True)


@pytest.mark.parametrize("who", ["nora", "paul"])
def test_no_stranger_and_no_player_reads_reports(cast: Cast, who: str) -> None:
    services.report(by=cast.petra, player_id=cast.paul_plays.pk, words="He shouts.")
    client = Client()
    client.force_login(getattr(cast, who))
    assert b"He shouts." not in client.get(reverse("admin:company_report_changelist")).content


def test_strangers_report_nobody_and_nobody_themselves(cast: Cast) -> None:
    with pytest.raises(PermissionDenied):
        services.report(by=cast.nora, player_id=cast.paul_plays.pk, words="x")
    with pytest.raises(Illegal):
        services.report(by=cast.paul, player_id=cast.paul_plays.pk, words="x")
    with pytest.raises(Malformed):
        services.report(by=cast.paul, player_id=cast.petra_plays.pk, words=" \n ")


def test_reports_are_throttled(cast: Cast) -> None:
    for number in range(services.MOST_REPORTS):
        services.report(by=cast.paul, player_id=cast.petra_plays.pk, words=f"No. {number}")
    with pytest.raises(Illegal):
        services.report(by=cast.paul, player_id=cast.petra_plays.pk, words="Again")


# ---- Who leaves ----------------------------------------------------------------------------------


def test_nothing_is_kept_of_an_account_that_is_deleted(cast: Cast) -> None:
    befriended(cast)
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk)
    services.report(by=cast.paul, player_id=cast.petra_plays.pk, words="x")
    services.touch(cast.paul)
    delete_account(by=cast.paul)
    assert not any(model.objects.exists() for model in (Friendship, Muted, Report, Presence))
    assert statuses(cast.petra) == []


def test_reports_about_a_person_are_forgotten_with_the_person(cast: Cast) -> None:
    services.report(by=cast.paul, player_id=cast.petra_plays.pk, words="x")
    forget_player(by=cast.olga, player=cast.petra_plays)
    assert not Report.objects.exists()


# ---- Pages and the API ---------------------------------------------------------------------------


def test_the_page_does_what_its_buttons_say(cast: Cast) -> None:
    paul, petra = Client(), Client()
    paul.force_login(cast.paul)
    petra.force_login(cast.petra)
    page = reverse("friends")
    paul.post(page, {"do": "ask", "id": cast.petra_plays.pk})
    row = Friendship.objects.get()
    assert "asks to be friends" in petra.get(page).content.decode()
    petra.post(page, {"do": "accept", "id": row.pk})
    answer = paul.post(page, {"do": "invite", "id": row.pk, "ruleset": "scoops"})
    assert answer["Location"].startswith("/games/")
    paul.post(page, {"do": "block", "id": cast.petra_plays.pk})
    assert not Friendship.objects.exists() and Muted.objects.get().blocks
    for given in ({"do": "ask", "id": "no"}, {"do": "accept", "id": row.pk}, {"do": "no"}):
        assert paul.post(page, given).status_code == 404


def test_the_form_reports(cast: Cast) -> None:
    client, address = Client(), reverse("report_person", args=[cast.petra_plays.pk])
    client.force_login(cast.paul)
    assert client.post(address, {"words": ""}).status_code == 422
    assert client.post(address, {"words": "She shouts."}).status_code == 302 and Report.objects.exists()
    client.force_login(cast.nora)
    assert client.get(address).status_code == 404


def test_my_tables_say_who_is_here(cast: Cast) -> None:
    befriended(cast)
    services.touch(cast.petra)
    client = Client()
    client.force_login(cast.paul)
    assert "1 is here" in client.get(reverse("own_tables")).content.decode()
    assert Presence.objects.filter(account=cast.paul).exists()


def test_clients_do_the_same(cast: Cast) -> None:
    paul, petra = bearer(cast.paul), bearer(cast.petra)
    made = paul.post(f"{ROOT}/me/friends/", {"player": str(cast.petra_plays.pk)}).json()
    accepted = petra.post(f"{ROOT}/me/friends/{made['id']}/accept/", {}).json()
    assert (accepted["status"], accepted["player"]["id"]) == ("friends", str(cast.paul_plays.pk))
    muted = petra.post(f"{ROOT}/me/muted/", {"player": str(cast.paul_plays.pk), "blocks": True}).json()
    assert petra.get(f"{ROOT}/me/muted/").json() == [muted]
    assert petra.delete(f"{ROOT}/me/muted/{muted['id']}/").status_code == 204
    told = {"player": str(cast.petra_plays.pk), "words": "She shouts."}
    assert paul.post(f"{ROOT}/clubs/{cast.club.slug}/reports/", told).status_code == 200
    assert paul.post(f"{ROOT}/clubs/{cast.club.slug}/reports/", {**told, "player": "x"}).status_code == 400


# ---- Home ----------------------------------------------------------------------------------------


def test_home_is_the_readers_own(cast: Cast) -> None:
    befriended(cast)
    services.touch(cast.petra)
    game = cast.game("scoops")
    client = Client()
    welcome = "Leagues and tournaments of card clubs"
    assert welcome in client.get("/").content.decode()
    client.force_login(cast.paul)
    shown = client.get("/").content.decode()
    assert f"/games/{game.pk}/" in shown and "Invite to a game" in shown and 'class="hero"' not in shown
    client.force_login(AccountFactory.create())
    assert 'class="hero"' in client.get("/").content.decode()


def test_home_says_first_who_asks_to_be_friends(cast: Cast) -> None:
    row, client = services.ask_friend(by=cast.petra, player_id=cast.paul_plays.pk), Client()
    client.force_login(cast.paul)
    asking = client.get("/").content.decode().partition('id="my-home"')[2].partition("</section>")[0]
    assert "1 person asks to be friends" in asking and "Petra Plum" in asking and str(row.pk) in asking
    client.post(reverse("friends"), {"do": "accept", "id": row.pk})
    assert "asks to be friends" not in client.get("/").content.decode()


def test_home_invites_in_one_tap_only_who_played_with_each_other(cast: Cast) -> None:
    befriended(cast)
    services.touch(cast.petra)
    client, invites = Client(), 'value="invite"'
    client.force_login(cast.paul)
    shown = client.get("/").content.decode()
    assert "Invite to a game" in shown and invites not in shown
    cast.game("scoops")
    assert invites in client.get("/").content.decode()


@pytest.mark.parametrize(("who", "runs"), [("paul", False), ("olga", True), (None, True)])
def test_home_leads_to_the_desk_who_may_open_it(cast: Cast, who: str | None, runs: bool) -> None:
    client = Client()
    if who:
        client.force_login(getattr(cast, who))
    shown = client.get("/").content.decode()
    assert ("Open the organiser’s desk" in shown) == ("Run a league" in shown) == runs
    assert "Play a bot" in shown and ("without an account." in shown) == (who is None)


def test_somebody_without_a_club_reads_how_a_league_is_run_and_finds_no_desk(cast: Cast) -> None:
    client = Client()
    client.force_login(AccountFactory.create())
    shown = client.get("/").content.decode()
    assert "Run a league" in shown and "Open the organiser’s desk" not in shown


def test_my_account_leads_to_friends(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.paul)
    main = client.get(reverse("account")).content.decode().partition("<main")[2]
    assert f'href="{reverse("friends")}"' in main
