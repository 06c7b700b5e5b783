"""Answers: by the link of an email, by a member, by the secretary; what follows; and what is refused."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine.refusals import Illegal, Malformed
from league.apps.attendance import limits, queries, services
from league.apps.attendance.desk import in_words
from league.apps.attendance.hooks import forget_player
from league.apps.attendance.models import Answer, Guest
from league.apps.away.services import say_away
from league.core.verbs.course import CancelCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import CloseEntries, EnterPlayers
from league.core.verbs.presence import CheckInAllEntries, MarkAbsent
from league.core.verbs.start import StartCompetition
from league.models import Competition, Details, Entry, Player
from league.models.events import Event
from league.services import gate
from tests.apps.attendance.conftest import evening
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import PLAN, opened, pairs_in_play
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import page_text, post


def link(competition: Competition, player: Player) -> str:
    """Return the path of the link in a player's email."""
    answer, _made = Answer.objects.get_or_create(competition=competition, player=player)
    return f"/coming/{answer.pk}/{queries.token_of(answer)}/"


def replies(competition: Competition) -> list[tuple[str, str]]:
    """Return who has answered what, in the order of the answers."""
    rows = Answer.objects.filter(competition=competition).exclude(reply="").order_by("seq")
    return [(each.player.name, each.reply) for each in rows]


def entered(competition: Competition) -> list[str]:
    rows = Entry.objects.filter(competition=competition, status="entered")
    return list(rows.order_by("number").values_list("name", flat=True))


# ---- By the link of an email ---------------------------------------------------------------------


def test_a_link_that_is_only_looked_at_answers_nothing(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    shown = client.get(f"{link(tonight, cast.paul_plays)}?reply=yes")
    assert "Send my answer: Yes" in shown.content.decode()
    assert shown["Cache-Control"].startswith("max-age=0")
    assert replies(tonight) == []


def test_one_more_tap_on_the_page_of_a_link_answers_without_an_account(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    client.post(link(tonight, cast.paul_plays), {"reply": "yes"})
    assert replies(tonight) == [("Paul Pike", "yes")]
    answer = Answer.objects.get(reply="yes")
    assert (answer.by, answer.seq) == (None, 1)


def test_the_page_of_a_link_shows_nobody_else(client: Client, cast: Cast, tonight: Competition) -> None:
    services.answer_myself(by=cast.petra, competition=tonight, reply="yes", wish="fills_in")
    shown = client.get(link(tonight, cast.paul_plays)).content.decode()
    assert "Paul Pike" in shown
    assert "Petra" not in shown


@pytest.mark.parametrize("wrong", ["x", "A" * 43])
def test_a_forged_link_is_refused(client: Client, cast: Cast, tonight: Competition, wrong: str) -> None:
    token = link(tonight, cast.paul_plays).split("/")[3]
    forged = link(tonight, cast.paul_plays).replace(token, wrong)
    answer = client.post(forged, {"reply": "yes"})
    assert answer.status_code == 410
    assert "Paul" not in answer.content.decode()
    assert replies(tonight) == []


def test_the_token_of_one_person_answers_for_nobody_else(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    mine, other = link(tonight, cast.paul_plays), link(tonight, cast.petra_plays)
    mixed = other.replace(other.split("/")[3], mine.split("/")[3])
    assert client.post(mixed, {"reply": "yes"}).status_code == 410
    unknown = mine.replace(mine.split("/")[2], str(uuid4()))
    assert client.post(unknown, {"reply": "yes"}).status_code == 410
    assert replies(tonight) == []


def test_the_desk_asks_before_it_ends_all_links(
    client: Client, cast: Cast, tonight: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[Competition] = []
    monkeypatch.setattr(services, "revoke_links", lambda by, competition: ended.append(competition))
    client.force_login(cast.olga)
    address = f"/admin/league/competition/{tonight.pk}/coming/"
    assert "Answers stay." in client.post(address, {"revoke": "1"}).content.decode() and not ended
    client.post(address, {"revoke": "1", "sure": "1"})
    assert ended == [tonight]


def test_a_link_ends_when_it_is_revoked(client: Client, cast: Cast, tonight: Competition) -> None:
    before = link(tonight, cast.paul_plays)
    services.revoke_links(by=cast.olga, competition=tonight)
    assert client.post(before, {"reply": "yes"}).status_code == 410
    assert client.post(link(tonight, cast.paul_plays), {"reply": "no"}).status_code == 302
    assert replies(tonight) == [("Paul Pike", "no")]


def test_a_link_ends_with_the_evening_and_with_its_player(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    mine, other = link(tonight, cast.paul_plays), link(tonight, cast.petra_plays)
    type(cast.petra_plays).objects.filter(pk=cast.petra_plays.pk).update(active=False)
    assert client.get(other).status_code == 410
    over = cast.club.today - timedelta(days=2)
    Details.objects.filter(competition=tonight).update(begins_on=over)
    assert client.get(mine).status_code == 410


def test_a_second_tap_and_a_retry_change_nothing(client: Client, cast: Cast, tonight: Competition) -> None:
    for _tap in range(3):
        client.post(link(tonight, cast.paul_plays), {"reply": "unsure"})
    assert [each.seq for each in Answer.objects.exclude(reply="")] == [1]


@pytest.mark.parametrize("reply", ["maybe", "", "YES", "yes\0"])
def test_another_answer_is_refused(client: Client, cast: Cast, tonight: Competition, reply: str) -> None:
    client.post(link(tonight, cast.paul_plays), {"reply": reply})
    assert replies(tonight) == []


def test_answers_count_after_the_start_until_round_1_is_drawn(client: Client, cast: Cast) -> None:
    tonight = evening(cast, 6, enters=True)
    act(cast.olga, tonight, StartCompetition)
    client.force_login(cast.paul)
    assert "Are you coming?" in client.get(f"/competitions/{tonight.slug}/").content.decode()
    assert queries.unanswered(cast.paul, [cast.club]) == [tonight]
    client.post(link(tonight, cast.paul_plays), {"reply": "no"})
    services.answer_for(by=cast.olga, competition=tonight, player=cast.petra_plays, reply="no")
    assert not {"Paul Pike", "Petra Plum"} & {*entered(tonight)}
    services.answer_myself(by=cast.paul, competition=tonight, reply="yes")
    services.answer_for(by=cast.olga, competition=tonight, player=cast.petra_plays, reply="yes")
    ruth = PlayerFactory.create(club=cast.club, name="Ruth")
    services.answer_for(by=cast.olga, competition=tonight, player=ruth, reply="yes")
    assert ("Petra Plum" in entered(tonight), "Ruth" in entered(tonight)) == (True, True)
    assert cast.paul_plays.pk in queries.ticked(tonight, frozenset())
    act(cast.olga, tonight, DrawRound)
    assert not queries.is_open(Competition.objects.get(pk=tonight.pk))


def test_answers_are_closed_once_round_1_is_drawn(client: Client, cast: Cast) -> None:
    tonight = evening(cast, 4, enters=True)
    services.answer_myself(by=cast.paul, competition=tonight, reply="yes")
    act(cast.olga, tonight, StartCompetition)
    act(cast.olga, tonight, DrawRound)
    before = Competition.objects.get(pk=tonight.pk).seq
    said = client.post(link(tonight, cast.paul_plays), {"reply": "no"}, follow=True).content.decode()
    assert "The answers are closed" in said
    with pytest.raises(Illegal, match="closed"):
        services.answer_for(by=cast.olga, competition=tonight, player=cast.paul_plays, reply="no")
    assert (replies(tonight), Competition.objects.get(pk=tonight.pk).seq) == (
        [("Paul Pike", "yes")],
        before,
    )


# ---- By a member, and by the secretary -----------------------------------------------------------


def test_a_member_answers_with_one_tap_on_the_page_of_the_competition(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    client.force_login(cast.paul)
    page = client.get(f"/competitions/{tonight.slug}/").content.decode()
    assert "Are you coming?" in page
    client.post(f"/competitions/{tonight.slug}/coming/", {"reply": "guest"})
    assert replies(tonight) == [("Paul Pike", "guest")]


def test_nobody_else_is_asked(client: Client, cast: Cast, tonight: Competition) -> None:
    page = f"/competitions/{tonight.slug}/"
    assert "Are you coming?" not in client.get(page).content.decode()
    for account in (cast.olga, cast.nora):  # neither plays in the club
        client.force_login(account)
        assert "Are you coming?" not in client.get(page).content.decode()
        assert client.get(f"{page}coming/").status_code == 403
        assert client.post(f"{page}coming/", {"reply": "yes"}).status_code == 403


def test_a_club_that_does_not_ask_sees_nothing_of_it(client: Client, cast: Cast) -> None:
    silent = evening(cast, asks=False)
    client.force_login(cast.paul)
    assert "Are you coming?" not in client.get(f"/competitions/{silent.slug}/").content.decode()
    assert client.get(f"/competitions/{silent.slug}/coming/").status_code == 403
    with pytest.raises(Illegal, match="Nobody is asked"):
        services.answer_myself(by=cast.paul, competition=silent, reply="yes")


def test_a_club_can_ask_for_all_its_evenings(cast: Cast) -> None:
    first, other = evening(cast), evening(cast, asks=False)
    services.set_asking(by=cast.olga, competition=first, asks=True, days=3, for_club=True)
    assert [queries.asking_of(other).asks, queries.asking_of(other).days] == [True, 3]
    services.set_asking(by=cast.olga, competition=other, asks=False)
    assert {each.pk for each in queries.asked_in([cast.club])} == {first.pk}


def test_my_tables_lead_to_the_evenings_that_wait_for_an_answer(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    client.force_login(cast.paul)
    assert f"/competitions/{tonight.slug}/coming/" in client.get("/tables/mine/").content.decode()
    services.answer_myself(by=cast.paul, competition=tonight, reply="no")
    assert f"/competitions/{tonight.slug}/coming/" not in client.get("/tables/mine/").content.decode()


def test_the_secretary_answers_for_who_has_neither_mail_nor_phone(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    ruth = PlayerFactory.create(club=cast.club, name="Ruth")
    services.answer_myself(by=cast.paul, competition=tonight, reply="no")
    client.force_login(cast.olga)
    page = f"/admin/league/competition/{tonight.pk}/coming/"
    client.post(page, {"reply": f"{ruth.pk}:yes"})
    shown = client.get(page).content.decode().partition('id="answers"')[2]
    shown = re.sub(r"<[^>]*>|\s+", " ", shown)
    assert replies(tonight) == [("Paul Pike", "no"), ("Ruth", "yes")]
    assert shown.index("Paul Pike") < shown.index("Ruth") < shown.index("Petra Plum")
    assert " olga" in shown[shown.index("Ruth") :]


def test_nobody_but_organisers_answers_for_others(client: Client, cast: Cast, tonight: Competition) -> None:
    for account in (cast.paul, cast.nora):
        with pytest.raises(PermissionDenied):
            services.answer_for(by=account, competition=tonight, player=cast.petra_plays, reply="no")
        client.force_login(account)
        page = f"/admin/league/competition/{tonight.pk}/coming/"
        assert client.get(page).status_code in (302, 403, 404)
    stranger = PlayerFactory.create()
    with pytest.raises(Illegal, match="no such active player"):
        services.answer_for(by=cast.olga, competition=tonight, player=stranger, reply="no")


# ---- What follows from answers -------------------------------------------------------------------


def test_who_comes_is_ticked_where_players_are_entered(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    services.answer_myself(by=cast.paul, competition=tonight, reply="yes")
    services.answer_myself(by=cast.petra, competition=tonight, reply="no")
    client.force_login(cast.olga)
    page = client.get(f"/admin/league/competition/{tonight.pk}/do/enter/").content.decode()
    ticked = [each for each in re.findall(r"<input[^>]*>", page) if "checked" in each]
    assert [str(cast.paul_plays.pk) in each for each in ticked] == [True]
    assert entered(tonight) == []


def test_who_comes_is_entered_at_once_where_the_club_wants_it_and_withdrawn_again(cast: Cast) -> None:
    tonight = evening(cast, enters=True)
    services.answer_myself(by=cast.paul, competition=tonight, reply="yes")
    services.answer_for(by=cast.olga, competition=tonight, player=cast.petra_plays, reply="guest")
    assert entered(tonight) == ["Paul Pike", "Petra Plum"]
    services.answer_myself(by=cast.paul, competition=tonight, reply="no")
    assert entered(tonight) == ["Petra Plum"]
    services.answer_myself(by=cast.paul, competition=tonight, reply="yes")
    assert entered(tonight) == ["Petra Plum", "Paul Pike"]
    roles = Event.objects.filter(competition=tonight, event__type="entered").values_list("role", "account")
    assert [*roles.order_by("seq")] == [
        ("player", str(cast.paul.pk)),
        ("organiser", str(cast.olga.pk)),
        ("player", str(cast.paul.pk)),
    ]


def test_what_follows_from_a_link_is_in_a_log_that_is_whole(client: Client, cast: Cast) -> None:
    tonight = evening(cast, enters=True)
    for reply in ("yes", "no", "yes"):
        client.post(link(tonight, cast.paul_plays), {"reply": reply})
    written = Event.objects.filter(competition=tonight, role="player").order_by("seq")
    assert [each.event["type"] for each in written] == ["entered", "withdrawn", "entered"]
    assert {each.account for each in written} == {str(cast.paul.pk)}
    assert Answer.objects.get().by is None
    assert [*gate.of_competition(tonight.pk, stopped=True)] == []


def test_who_answers_without_an_account_is_ticked_not_entered(client: Client, cast: Cast) -> None:
    tonight = evening(cast, enters=True)
    ruth = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    client.post(link(tonight, ruth), {"reply": "yes"})
    assert (replies(tonight), entered(tonight)) == ([("Ruth Rye", "yes")], [])
    assert queries.ticked(tonight, frozenset()) == {ruth.pk}


def test_an_answer_is_kept_where_its_player_cannot_enter_now(client: Client, cast: Cast) -> None:
    tonight = evening(cast, enters=True)
    act(cast.olga, tonight, CloseEntries)
    client.post(link(tonight, cast.paul_plays), {"reply": "yes"})
    assert (replies(tonight), entered(tonight)) == ([("Paul Pike", "yes")], [])


def test_a_guest_has_a_place_without_a_name_until_there_is_one(client: Client, cast: Cast) -> None:
    tonight = evening(cast, 3)
    client.post(link(tonight, cast.paul_plays), {"reply": "guest"})
    told = "1 yes, 0 not sure, 1 guest. With who has entered 4 come: 1 table of 4"
    assert in_words(queries.expected_at(tonight)) == told
    client.post(link(tonight, cast.paul_plays), {"reply": "guest", "guest": " Gus  Gale "})
    assert Guest.objects.get().name == "Gus Gale"
    client.post(link(tonight, cast.paul_plays), {"reply": "yes"})
    assert not Guest.objects.exists()


def test_answers_are_counted_into_tables(cast: Cast, tonight: Competition) -> None:
    people = cast.people(14)
    for player, reply in zip(people, ["yes"] * 10 + ["unsure"] * 3 + ["no"], strict=True):
        services.answer_for(by=cast.olga, competition=tonight, player=player, reply=reply)
    services.answer_for(by=cast.olga, competition=tonight, player=people[0], reply="guest")
    services.answer_for(by=cast.olga, competition=tonight, player=people[1], reply="guest")
    assert in_words(queries.expected_at(tonight)) == "10 yes, 3 not sure, 1 no, 2 guests: 3 tables of 4"


def test_where_pairs_are_odd_one_is_said_to_sit_out(cast: Cast) -> None:
    told = in_words(queries.expected_at(pairs_in_play(cast, 3)))
    assert told.endswith("6 come: 1 table of 2 teams, 1 without a table in each round")


def of_four(cast: Cast) -> tuple[Competition, Player]:
    """Return an evening with check-in of four, and the one without an account who has said No by a link."""
    tonight = evening(cast, 4, entering={"check_in": True})
    player = Player.objects.filter(entered__entry__competition=tonight, account=None).first()
    assert player
    Client().post(link(tonight, player), {"reply": "no"})
    return Competition.objects.get(pk=tonight.pk), player


def test_who_has_entered_and_says_no_is_not_expected(cast: Cast) -> None:
    tonight, player = of_four(cast)
    assert player.name in entered(tonight)
    told = in_words(queries.expected_at(tonight))
    assert told == "0 yes, 0 not sure, 1 no, 0 guests. With who has entered 3 come: 1 table of 3"
    act(cast.olga, tonight, CancelCompetition)
    tonight.refresh_from_db()
    assert in_words(queries.expected_at(tonight)) == "0 yes, 0 not sure, 1 no, 0 guests"


def test_who_says_no_is_marked_on_the_desk_and_not_checked_in_with_all(client: Client, cast: Cast) -> None:
    tonight, player = of_four(cast)
    client.force_login(cast.olga)
    page = f"/admin/league/competition/{tonight.pk}"
    assert client.get(f"{page}/change/").content.decode().count("said No") == 1
    asked = client.get(f"{page}/do/check-in-all/").content.decode()
    assert f"1 said No, and is not checked in by this: {player.name}." in asked
    say_away(by=cast.olga, player=cast.petra_plays, since=date(2026, 1, 1), until=date(2036, 1, 1))
    asked = client.get(f"{page}/do/check-in-all/").content.decode()
    assert "1 is away that day, and is not checked in by this: Petra Plum." in asked
    assert in_words(queries.expected_at(tonight)).endswith("With who has entered 2 come: 1 table of 2")
    door = f"/competitions/{tonight.slug}/check-in/"
    assert client.get(door).content.decode().count("not expected") == 2
    assert "not expected" not in Client().get(door).content.decode()
    act(cast.olga, tonight, CheckInAllEntries)
    missing = Entry.objects.filter(competition=tonight, checked_in=False)
    assert {each.name for each in missing} == {player.name, "Petra Plum"}


def test_the_next_draw_is_told_for_those_whom_it_would_count(client: Client, cast: Cast) -> None:
    tonight = evening(cast, 14, stages=[PLAN], entering={"check_in": True})
    elke, late = Entry.objects.filter(competition=tonight, members__player__account=None)[:2]
    client.force_login(cast.olga)
    page = f"/admin/league/competition/{tonight.pk}/change/"
    assert "The next draw: 14 entries:" in client.get(page).content.decode()
    Client().post(link(tonight, elke.members.get().player), {"reply": "no"})
    assert "The next draw: 13 entries:" in client.get(page).content.decode()
    act(cast.olga, tonight, CheckInAllEntries)
    assert "The next draw: 13 entries:" in client.get(page).content.decode()
    act(cast.olga, tonight, MarkAbsent, entry=str(late.pk))
    assert "The next draw: 12 entries: 3 tables of 4." in client.get(page).content.decode()


def test_who_has_left_is_named_and_not_checked_in_with_all(client: Client, cast: Cast) -> None:
    tonight = evening(cast, 4, entering={"check_in": True})
    gone = Player.objects.filter(entered__entry__competition=tonight, account=None)[0]
    Player.objects.filter(pk=gone.pk).update(active=False)
    client.force_login(cast.olga)
    told = f"No longer in the club, and still entered: {gone.name}. Withdraw the entry."
    for act_ in ("check-in-all", "start"):
        assert told in client.get(f"/admin/league/competition/{tonight.pk}/do/{act_}/").content.decode()
    act(cast.olga, tonight, CheckInAllEntries)
    missing = Entry.objects.filter(competition=tonight, checked_in=False)
    assert [each.name for each in missing] == [gone.name]


@pytest.mark.parametrize("enters", [False, True])
def test_a_no_alone_withdraws_and_a_yes_takes_that_back(cast: Cast, enters: bool) -> None:
    tonight = evening(cast, enters=enters)
    act(cast.olga, tonight, EnterPlayers, players=(str(cast.paul_plays.pk),))
    services.answer_for(by=cast.olga, competition=tonight, player=cast.paul_plays, reply="unsure")
    services.answer_myself(by=cast.paul, competition=tonight, reply="yes")
    services.answer_myself(by=cast.paul, competition=tonight, reply="unsure")
    assert entered(tonight) == ["Paul Pike"]
    services.answer_myself(by=cast.paul, competition=tonight, reply="no")
    assert entered(tonight) == []
    services.answer_myself(by=cast.paul, competition=tonight, reply="yes")
    assert entered(tonight) == ["Paul Pike"]


def test_a_forgotten_player_has_no_answers(cast: Cast, tonight: Competition) -> None:
    services.answer_myself(by=cast.paul, competition=tonight, reply="guest", guest="Gus")
    forget_player(cast.paul_plays)
    assert not Answer.objects.exists()
    assert not Guest.objects.exists()


def test_a_competition_without_a_date_asks_nobody(cast: Cast) -> None:
    undated = opened(cast)
    services.set_asking(by=cast.olga, competition=undated, asks=True)
    with pytest.raises(Illegal, match="closed"):
        services.answer_myself(by=cast.paul, competition=undated, reply="yes")


@pytest.mark.parametrize("days", [-1, 31])
def test_nobody_is_asked_earlier_than_a_month_before(cast: Cast, tonight: Competition, days: int) -> None:
    with pytest.raises(Malformed):
        services.set_asking(by=cast.olga, competition=tonight, asks=True, days=days)


def test_the_list_of_answers_takes_as_many_queries_for_forty_people_as_for_two(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    client.force_login(cast.olga)
    page = f"/admin/league/competition/{tonight.pk}/coming/"
    counts = []
    for _more in range(2):
        client.get(page)
        with CaptureQueriesContext(connection) as asked:
            client.get(page)
        counts.append(len(asked))
        for player in cast.people(40):
            services.answer_for(by=cast.olga, competition=tonight, player=player, reply="yes")
    assert counts[0] == counts[1]


def test_a_player_changes_the_answer_a_bounded_number_of_times(cast: Cast) -> None:
    tonight = evening(cast, enters=True)
    before = tonight.events.count()
    for _round in range(limits.MOST_CHANGES // 2):
        for reply in ("yes", "no"):
            services.answer_myself(by=cast.paul, competition=tonight, reply=reply)
    with pytest.raises(Illegal, match="Tell an organiser whether you are coming"):
        services.answer_myself(by=cast.paul, competition=tonight, reply="yes")
    assert tonight.events.count() <= before + limits.MOST_CHANGES
    services.answer_for(by=cast.olga, competition=tonight, player=cast.paul_plays, reply="yes")
    assert entered(tonight) == ["Paul Pike"]


def test_what_was_typed_stays_where_an_answer_is_refused(
    cast: Cast, tonight: Competition, as_account: Callable[[Any], Client]
) -> None:
    page = f"/competitions/{tonight.slug}/coming/"
    sent = {"reply": "maybe", "guest": "Gus Gale", "wish": "fills_in"}
    answer = as_account(cast.paul).post(page, sent)
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert "Choose one of the answers." in shown
    assert 'value="Gus Gale"' in shown
    assert 'value="fills_in" checked' in shown


def test_what_was_typed_into_the_desk_s_form_stays_where_it_is_refused(
    cast: Cast, tonight: Competition, as_account: Callable[[Any], Client]
) -> None:
    page = f"/admin/league/competition/{tonight.pk}/coming/"
    answer = as_account(cast.olga).post(page, {"save": "1", "asks": "on", "days": "31", "most_visits": "7"})
    shown = answer.content.decode()
    assert "Choose a number from 0 to 30." in shown
    assert 'value="31"' in shown and 'value="7"' in shown


def test_a_list_of_names_tells_who_said_no_or_is_away(cast: Cast, tonight: Competition) -> None:
    gone, came = (PlayerFactory.create(club=cast.club, name=name) for name in ("Gus Gone", "Cleo Came"))
    day = tonight.stored_details.begins_on or cast.club.today
    services.answer_for(by=cast.olga, competition=tonight, player=cast.petra_plays, reply="no")
    say_away(by=cast.olga, player=gone, since=day, until=day)
    names = "\n".join([cast.petra_plays.name, gone.name, came.name])
    page = page_text(post(logged_in(cast.olga), tonight, "enter-names", names=names))
    assert f"3 entries were added. Entered, but said No: {cast.petra_plays.name}." in page
    assert "Entered, but away on the day: Gus Gone." in page
