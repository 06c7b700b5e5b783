"""Guests at the door: a name, one tap of an organiser, and what strangers can't do."""

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from pypdf import PdfReader

from games import database_time
from games.engine.refusals import Illegal, Malformed, Refusal
from league.admin.needs import needs_of
from league.apps.attendance import queries, services
from league.apps.attendance.hooks import forget_guests
from league.apps.attendance.models import Asking, Guest
from league.apps.people.queries import facts_of
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Club, Competition, Entry, Member, Player
from tests.apps.attendance.conftest import evening
from tests.apps.attendance.test_answers import entered
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import in_play, opened
from tests.league.test_admin_scope import logged_in


def door(cast: Cast, competition: Competition) -> str:
    """Return the path of a new address at the door."""
    asking = services.open_door(by=cast.olga, competition=competition)
    return f"/door/{competition.pk}/{queries.token_at_door(asking)}/"


def say(client: Client, address: str, name: str = "Gus Gale", **fields: Any) -> Any:
    return client.post(address, {"key": str(uuid4()), "name": name, **fields})


def waiting(competition: Competition) -> list[str]:
    return [each.name for each in queries.waiting(competition)]


def test_a_name_at_the_door_waits_and_nobody_else_sees_it(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    address = door(cast, tonight)
    here = say(client, address)["Location"]
    assert "An organiser lets you in" in client.get(here).content.decode()
    assert waiting(tonight) == ["Gus Gale"]
    for part in ("", "entries/", "log/", "hall/"):
        assert "Gus" not in client.get(f"/competitions/{tonight.slug}/{part}").content.decode()
    assert "Gus" not in client.get(f"/clubs/{cast.club.slug}/players/").content.decode()


def test_one_tap_of_an_organiser_makes_a_player_who_takes_part(
    client: Client, cast: Cast, as_account: Callable[[Any], Client]
) -> None:
    tonight = evening(cast, 3, entering={"check_in": True})
    here = say(client, door(cast, tonight))["Location"]
    assert "Gus Gale is at the door." in [each.text for each in needs_of(Club.objects.all())]
    page = f"/admin/league/competition/{tonight.pk}/"
    desk = as_account(cast.olga)
    assert "Let in as somebody new" in desk.get(f"{page}change/").content.decode()
    for _tap in range(2):
        desk.post(f"{page}coming/", {"let_in": f"{Guest.objects.get().pk}:", "name": "Gus Gale"})
    assert "You are in." in client.get(here).content.decode()
    entry = Entry.objects.get(competition=tonight, name="Gus Gale")
    assert (entry.status, entry.checked_in, Player.objects.filter(name="Gus Gale").count()) == (
        "entered",
        True,
        1,
    )
    assert not needs_of(Club.objects.all())[1:]


def test_somebody_who_comes_while_a_round_is_played_plays_from_the_next_one_on(
    client: Client, cast: Cast
) -> None:
    tonight = evening(cast, 4)
    address = door(cast, tonight)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, tonight, verb)
    say(client, address)
    services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk)
    assert Entry.objects.get(competition=tonight, name="Gus Gale").from_round == 2


def test_returning_guests_are_recognised_by_the_organiser_alone(
    client: Client, cast: Cast, as_account: Callable[[Any], Client]
) -> None:
    first = evening(cast, most_visits=1)
    say(client, door(cast, first))
    services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk)
    (gus,) = Player.objects.filter(name="Gus Gale")
    second = evening(cast, most_visits=1)
    address = door(cast, second)
    known, unknown = (say(Client(), address, name)["Location"] for name in ("gus gale", "Una New"))
    told = Client().get(known).content.decode().replace("gus gale", "Una New").replace(known, unknown)
    assert told == Client().get(unknown).content.decode()
    shown = as_account(cast.olga).get(f"/admin/league/competition/{second.pk}/change/").content.decode()
    assert "Let in: Gus Gale" in shown
    assert 'class="tf-badge warn">was let in as a guest once' in shown
    services.let_in(by=cast.olga, guest_id=Guest.objects.get(name="gus gale").pk, player=gus.pk)
    assert entered(second) == ["Gus Gale"]


def test_the_organiser_decides_between_two_of_one_name(cast: Cast, tonight: Competition) -> None:
    people = [PlayerFactory.create(club=cast.club, name="Ann Ash") for _one in range(2)]
    say(Client(), door(cast, tonight), "ANN ASH")
    found = queries.who_it_may_be(cast.club, "ANN ASH")
    assert {player.pk for player, _visits in found} == {player.pk for player in people}
    services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk, player=people[1].pk)
    assert Entry.objects.get(competition=tonight).members.get().player == people[1]


def test_those_who_left_do_not_crowd_out_who_may_stand_at_the_door(cast: Cast) -> None:
    for name in ("Adam", "Ball", "Carr", "Dorn", "Ende"):
        PlayerFactory.create(club=cast.club, name=f"Anna {name}", active=False)
    here = PlayerFactory.create(club=cast.club, name="Anna Zorn")
    assert queries.who_it_may_be(cast.club, "Anna") == [(here, 0)]


def test_a_member_who_has_entered_and_says_the_name_at_the_door_is_checked_in(cast: Cast) -> None:
    tonight = evening(cast, 2, entering={"check_in": True})
    say(Client(), door(cast, tonight), "paul pike")
    services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk, player=cast.paul_plays.pk)
    checked_in = Entry.objects.filter(competition=tonight).values_list("name", "checked_in")
    assert {*checked_in} == {("Paul Pike", True), ("Petra Plum", False)}


def test_where_pairs_enter_a_guest_looks_for_a_partner(cast: Cast) -> None:
    tonight = evening(cast, lineup="partners", team_size=2)
    say(Client(), door(cast, tonight))
    services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk)
    assert [(each.player.name, each.wish) for each in queries.wishing(tonight)] == [("Gus Gale", "partner")]


def test_the_guest_of_a_member_is_let_in_under_a_name_that_is_told_then(
    cast: Cast, tonight: Competition
) -> None:
    services.answer_myself(by=cast.paul, competition=tonight, reply="guest")
    guest = Guest.objects.get()
    page = f"/admin/league/competition/{tonight.pk}/change/"
    assert "(Guest of Paul Pike)" in logged_in(cast.olga).get(page).content.decode()
    with pytest.raises(Malformed):
        services.let_in(by=cast.olga, guest_id=guest.pk)
    services.let_in(by=cast.olga, guest_id=guest.pk, name="Gil")
    assert entered(tonight) == ["Gil"]
    services.answer_myself(by=cast.paul, competition=tonight, reply="no")
    assert Guest.objects.get().status == "let_in"


# ---- What is refused -----------------------------------------------------------------------------


def test_a_form_that_is_sent_twice_makes_one_guest(client: Client, cast: Cast, tonight: Competition) -> None:
    address, key = door(cast, tonight), str(uuid4())
    for _again in range(3):
        assert say(client, address, key=key).status_code == 302
    assert waiting(tonight) == ["Gus Gale"]


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 101, "Gus\u202eeve", "\u200b\u200b", "a\nb\0c", "\ud800", "https://evil.example"],
)
def test_odd_names_are_refused_or_cleaned(
    client: Client, cast: Cast, tonight: Competition, name: str
) -> None:
    answer = say(
        client, door(cast, tonight), name.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    )
    assert answer.status_code in (302, 422)
    for kept in waiting(tonight):
        assert kept == kept.strip()
        assert kept.isprintable()
        assert 0 < len(kept) <= 100


def test_what_was_typed_is_kept_where_it_is_refused(client: Client, cast: Cast, tonight: Competition) -> None:
    shown = say(client, door(cast, tonight), "x" * 101)
    assert shown.status_code == 422
    assert "x" * 101 in shown.content.decode()


def test_an_address_ends_when_it_is_revoked_replaced_or_the_evening_is_over(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    first = door(cast, tonight)
    second = door(cast, tonight)
    assert [say(client, each).status_code for each in (first, second)] == [410, 302]
    services.close_door(by=cast.olga, competition=tonight)
    assert say(client, second, "Una").status_code == 410
    third = door(cast, tonight)
    Competition.objects.update(status="cancelled")
    assert client.get(third).status_code == 410
    Competition.objects.update(status="entering")
    Asking.objects.update(door_until=database_time.now())
    assert client.get(third).status_code == 410
    assert waiting(tonight) == ["Gus Gale"]


@pytest.mark.parametrize("token", ["x", "A" * 43])
def test_a_guessed_address_is_refused(client: Client, cast: Cast, tonight: Competition, token: str) -> None:
    door(cast, tonight)
    assert say(client, f"/door/{tonight.pk}/{token}/").status_code == 410
    assert say(client, f"/door/{uuid4()}/{token}/").status_code == 410
    assert not Guest.objects.exists()


def test_nobody_floods_the_door(
    client: Client, cast: Cast, tonight: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_WAITING_OF_CLIENT", services.MOST_WAITING)
    address = door(cast, tonight)
    codes = [
        say(client, address, f"Name {number}").status_code for number in range(services.MOST_OF_CLIENT + 2)
    ]
    assert codes[-3:] == [302, 429, 429]
    assert len(waiting(tonight)) == services.MOST_OF_CLIENT
    other = say(client, address, "Ann", REMOTE_ADDR="192.0.2.7")
    assert other.status_code == 429  # the address is not what a form says
    assert (
        client.post(address, {"key": str(uuid4()), "name": "Ann"}, REMOTE_ADDR="192.0.2.7").status_code == 302
    )


def test_so_many_wait_at_most(cast: Cast, tonight: Competition, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_WAITING", 2)
    address = door(cast, tonight)
    assert [say(Client(), address, name).status_code for name in "abc"] == [302, 302, 429]


def test_nobody_but_an_organiser_decides(client: Client, cast: Cast, tonight: Competition) -> None:
    say(client, door(cast, tonight))
    guest = Guest.objects.get()
    for account in (cast.paul, cast.nora):
        with pytest.raises(PermissionDenied):
            services.let_in(by=account, guest_id=guest.pk)
        with pytest.raises(PermissionDenied):
            services.turn_away(by=account, competition=tonight, guests=[guest.pk])
        with pytest.raises(PermissionDenied):
            services.open_door(by=account, competition=tonight)
    with pytest.raises(Player.DoesNotExist):  # of another club
        services.let_in(by=cast.olga, guest_id=guest.pk, player=PlayerFactory.create().pk)
    assert entered(tonight) == []


def test_two_organisers_who_decide_otherwise_are_told(cast: Cast, tonight: Competition) -> None:
    say(Client(), door(cast, tonight), "Paul Pike")
    guest = Guest.objects.get()
    services.let_in(by=cast.olga, guest_id=guest.pk, player=cast.paul_plays.pk)
    with pytest.raises(Illegal, match="decided"):
        services.let_in(by=cast.olga, guest_id=guest.pk, player=cast.petra_plays.pk)
    services.turn_away(by=cast.olga, competition=tonight, guests=[guest.pk])
    assert (Guest.objects.get().status, entered(tonight)) == ("let_in", ["Paul Pike"])


def test_who_is_turned_away_leaves_no_name(client: Client, cast: Cast, tonight: Competition) -> None:
    here = say(client, door(cast, tonight))["Location"]
    services.turn_away(by=cast.olga, competition=tonight, guests=[Guest.objects.get().pk])
    assert "speak to an organiser" in client.get(here).content.decode()
    assert Guest.objects.get().name == ""
    with pytest.raises(Illegal):
        services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk)


def test_names_of_those_who_were_never_let_in_are_kept_for_a_month(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    address = door(cast, tonight)
    for name in ("Gus Gale", "Una New"):
        say(client, address, name)
    services.let_in(by=cast.olga, guest_id=Guest.objects.get(name="Gus Gale").pk)
    Guest.objects.update(made_at=database_time.now() - timedelta(days=31))
    forget_guests()
    assert [each.name for each in Guest.objects.all()] == ["Gus Gale"]


def test_a_guest_is_not_let_in_where_nobody_can_enter(cast: Cast) -> None:
    tonight = evening(cast, 2, entering={"places": 2})
    say(Client(), door(cast, tonight))
    guest = Guest.objects.get()
    act(cast.olga, tonight, StartCompetition)
    with pytest.raises(Refusal):
        services.let_in(by=cast.olga, guest_id=guest.pk)
    assert (Guest.objects.get().status, Player.objects.filter(name="Gus Gale").exists()) == ("waiting", False)


def test_a_competition_without_a_date_has_a_door_for_half_a_day(cast: Cast) -> None:
    asking = services.open_door(by=cast.olga, competition=opened(cast))
    assert asking.door_is_open
    assert asking.door_until is not None
    assert (asking.door_until - database_time.now()).total_seconds() < 12.1 * 3600


# ---- On the check-in list ------------------------------------------------------------------------


def walk_in(client: Client, competition: Competition, name: str, key: str = "") -> str:
    """Type a name below the check-in list; return the list then."""
    page = f"/admin/league/competition/{competition.pk}/coming/"
    form = {"walk_in": key or str(uuid4()), "name": name, "back": "check-in"}
    return str(client.post(page, form, follow=True).content.decode())


def test_a_walk_in_is_entered_and_checked_in_by_a_name_and_one_tap(
    cast: Cast, as_account: Callable[[Any], Client]
) -> None:
    tonight = opened(cast, 3, entering={"check_in": True})
    olga, key = as_account(cast.olga), str(uuid4())
    assert 'name="walk_in"' in olga.get(f"/competitions/{tonight.slug}/check-in/").content.decode()
    for _ in range(2):
        shown = walk_in(olga, tonight, "Gus  Gale", key)
    assert "Taking part: Gus Gale." in shown and "1 of 4 checked in" in shown
    assert Player.objects.filter(club=cast.club, name="Gus Gale").count() == 1


def test_a_walk_in_is_entered_as_a_guest_by_one_tap(cast: Cast, as_account: Callable[[Any], Client]) -> None:
    tonight = opened(cast, 3, entering={"check_in": True})
    olga, key = as_account(cast.olga), uuid4()
    assert "Let in as a guest" in olga.get(f"/competitions/{tonight.slug}/check-in/").content.decode()
    for _tap in range(2):
        walk_in(olga, tonight, "Gus Gale", f"{key}:guest")
    gus = Player.objects.get(name="Gus Gale")
    today = cast.club.today
    assert facts_of([gus.pk])[gus.pk].periods == (("guest", None, today, None),)
    waits = walk_in(olga, tonight, "gus gale")
    assert "Let in as a guest" in waits
    guest = Guest.objects.get(status=Guest.Status.WAITING)
    page, form = f"/admin/league/competition/{tonight.pk}/coming/", {"let_in": f"{guest.pk}:guest"}
    assert "Gus Gale was let in tonight already" in olga.post(page, form).content.decode()
    olga.post(page, {**form, "another": "yes"})
    other = Player.objects.filter(name__istartswith="gus").exclude(pk=gus.pk).get()
    assert facts_of([other.pk])[other.pk].periods[0][0] == "guest"


def test_a_walk_in_whom_the_club_may_know_is_chosen(cast: Cast, as_account: Callable[[Any], Client]) -> None:
    tonight = opened(cast, 3, entering={"check_in": True})
    known = PlayerFactory.create(club=cast.club, name="Gus Gale")
    shown = walk_in(as_account(cast.olga), tonight, "gus gale")
    assert "choose who has come" in shown and f':{known.pk}"' in shown
    assert not Entry.objects.filter(competition=tonight, members__player=known).exists()


@pytest.mark.parametrize("typed", ["Gus", "Gale", "G. G.", "Gale Gus", "Gús Gael"])
def test_a_walk_in_by_a_part_of_a_name_makes_nobody_new_unasked(
    cast: Cast, as_account: Callable[[Any], Client], typed: str
) -> None:
    PlayerFactory.create(club=cast.club, name="Gus Gale")
    tonight = opened(cast, 3, entering={"check_in": True})
    before = Player.objects.count()
    shown = walk_in(as_account(cast.olga), tonight, typed)
    assert "Let in: Gus Gale" in shown and Player.objects.count() == before


def test_only_organisers_let_walk_ins_in(cast: Cast, as_account: Callable[[Any], Client]) -> None:
    tonight = opened(cast, 3, entering={"check_in": True})
    Member.objects.filter(account=cast.paul).update(role=Member.Role.SCOREKEEPER)
    paul = as_account(cast.paul)
    assert 'name="walk_in"' not in paul.get(f"/competitions/{tonight.slug}/check-in/").content.decode()
    walk_in(paul, tonight, "Gus Gale")
    with pytest.raises(PermissionDenied):
        services.walk_in(by=cast.paul, competition=tonight, key=uuid4(), name="Gus Gale")
    assert not Guest.objects.exists()


# ---- The code of the door ------------------------------------------------------------------------


def test_the_hall_shows_the_code_where_an_organiser_wants_it(
    client: Client, cast: Cast, tonight: Competition, as_account: Callable[[Any], Client]
) -> None:
    door(cast, tonight)
    hall = f"/competitions/{tonight.slug}/hall/screens/"
    before = client.get(hall)
    page, olga = f"/admin/league/competition/{tonight.pk}/coming/", as_account(cast.olga)
    assert 'data-key="door"' not in before.content.decode()
    olga.post(page, {"in_hall": "yes"})
    shown = client.get(hall, headers={"if-none-match": before["ETag"]})
    assert 'data-key="door"' in shown.content.decode()
    assert 'data-key="door"' not in client.get(f"{hall}?show=names").content.decode()
    services.close_door(by=cast.olga, competition=tonight)
    gone = client.get(hall, headers={"if-none-match": shown["ETag"]})
    assert gone.status_code == 200 and 'data-key="door"' not in gone.content.decode()


def test_the_code_is_printed_to_hang_up(
    cast: Cast, tonight: Competition, as_account: Callable[[Any], Client], settings: Any
) -> None:
    settings.SITE_URL = "http://127.0.0.1:8000"
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    path, olga, here = door(cast, tonight), as_account(cast.olga), {"host": "127.0.0.1"}
    page = f"/admin/league/competition/{tonight.pk}/coming/"
    assert olga.post(page, {"poster": "1"}, headers=here).status_code == 302
    olga.post(page, {"address": "192.168.1.20:8000"}, headers=here)
    printed = olga.post(page, {"poster": "1"}, headers=here)
    (sheet,) = PdfReader(BytesIO(printed.getvalue())).pages
    assert f"192.168.1.20:8000{path}" in sheet.extract_text().replace("\n", "")
    assert "no-store" in printed["Cache-Control"]


def test_one_phone_leaves_room_at_the_door_for_others(cast: Cast, tonight: Competition) -> None:
    address = door(cast, tonight)
    for number in range(services.MOST_WAITING_OF_CLIENT):
        say(Client(), address, f"Name {number}")
    late = say(Client(), address, "Late")
    assert late.status_code == 429
    assert "from your phone or network wait already" in late.content.decode()
    assert 'value="Late"' in late.content.decode()
    assert say(Client(REMOTE_ADDR="192.0.2.7"), address, "Other").status_code == 302
    services.let_in(by=cast.olga, guest_id=queries.waiting(tonight)[0].pk)
    assert say(Client(), address, "Late").status_code == 302


@pytest.mark.parametrize(("several", "stay"), [("all", ["Late"]), ("ticked", ["Name 2", "Late"])])
def test_an_organiser_lets_several_not_in_at_once_but_nobody_unseen(
    cast: Cast, tonight: Competition, as_account: Callable[[Any], Client], several: str, stay: list[str]
) -> None:
    address = door(cast, tonight)
    for number in range(3):
        say(Client(), address, f"Name {number}")
    desk, page = as_account(cast.olga), f"/admin/league/competition/{tonight.pk}/"
    shown = [str(each.pk) for each in queries.waiting(tonight)]
    found = desk.get(f"{page}change/").content.decode()
    assert all(f'name="shown" value="{each}"' in found for each in shown)
    say(Client(), address, "Late")
    sent = {"several": several, "shown": shown, "ticked": shown[:2]}
    asked = desk.post(f"{page}coming/", sent).content.decode()
    assert "Not let in: Name 0, Name 1" in asked and "Late" not in asked and len(waiting(tonight)) == 4
    desk.post(f"{page}coming/", {**sent, "sure": "1"})
    assert waiting(tonight) == stay


def test_a_guest_who_is_let_in_late_reads_from_which_round_on(client: Client, cast: Cast) -> None:
    running = in_play(cast, 8)
    here = say(client, door(cast, running))["Location"]
    services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk)
    assert "You play from round 2 on." in client.get(here).content.decode()


@pytest.mark.parametrize("verb", ["start", "draw"])
def test_who_waits_at_the_door_is_named_before_a_round_goes_on_without_them(
    cast: Cast, client: Client, as_account: Callable[[Any], Client], verb: str
) -> None:
    competition = evening(cast, 4)
    if verb == "draw":
        act(cast.olga, competition, StartCompetition)
    say(client, door(cast, competition))
    address = f"/admin/league/competition/{competition.pk}/do/{verb}/"
    page = as_account(cast.olga).get(address).content.decode()
    assert "At the door, and not let in yet: Gus Gale." in page and "Let in</a>" in page


def test_who_waits_is_told_what_to_do_when_the_address_ends(
    client: Client, cast: Cast, tonight: Competition
) -> None:
    here = say(client, door(cast, tonight))["Location"]
    services.close_door(by=cast.olga, competition=tonight)
    shown = client.get(here)
    assert shown.status_code == 200
    assert "you need not type your name again" in shown.content.decode()
    services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk)
    assert "You are in." in client.get(here).content.decode()
    assert client.get(here.replace("here=", "here=0")[:-1]).status_code in (404, 410)
