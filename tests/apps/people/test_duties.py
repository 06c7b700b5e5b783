"""The duty rota: turns are shared fairly, swapped, told to whoever has one, and shown nowhere public."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.test import Client

from games.engine.refusals import Illegal, Malformed
from league.apps.away.services import say_away
from league.apps.evenings.services import run_again
from league.apps.people.duties import (
    duties_of,
    give_duties,
    keep_duty,
    remind_of_duties,
    remove_duty,
    share_duties,
    swap_turns,
    turns_ahead,
    turns_at,
)
from league.apps.people.membership import keep_facts
from league.apps.people.models import Duty, OnRota, Turn
from league.apps.people.queries import Facts
from league.apps.people.services import merge_players
from league.core.verbs.course import CancelCompetition
from league.models import Account, Competition, Contact, Email, Player
from league.services.competitions import change_details
from league.services.emails import send_emails
from league.services.players import remove_player
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in


def duty(cast: Cast, name: str, *people: Player, of: Duty | None = None) -> Duty:
    return keep_duty(by=cast.olga, club=cast.club, duty=of, name=name, people=people)


def evening(cast: Cast, day: date) -> Competition:
    competition = opened(cast, name=f"Evening {day}")
    change_details(by=cast.olga, competition=competition, values={"begins_on": day})
    return Competition.objects.get(pk=competition.pk)


def share(cast: Cast, competition: Competition) -> str:
    """Share the duties of a competition out; return who has them, by the duty's name."""
    share_duties(by=cast.olga, competition=competition, duties=[*duties_of(cast.club)])
    turns = sorted(turns_at(competition).values(), key=lambda turn: turn.duty.name)
    return " ".join(turn.player.name for turn in turns)


@pytest.fixture
def three(cast: Cast) -> list[Player]:
    return [PlayerFactory.create(club=cast.club, name=name) for name in ("Ann", "Ben", "Cleo")]


FIRST = date(2026, 12, 3)


def weeks(cast: Cast, number: int, since: int = 0) -> list[str]:
    """Share out the duties of so many Thursdays; return who has them each time."""
    days = (FIRST + timedelta(weeks=since + week) for week in range(number))
    return [share(cast, evening(cast, day)) for day in days]


def test_turns_go_round(cast: Cast, three: list[Player]) -> None:
    duty(cast, "Key", *three)
    assert weeks(cast, 4) == ["Ann", "Ben", "Cleo", "Ann"]


def test_nobody_has_two_duties_on_an_evening_while_there_are_others(cast: Cast, three: list[Player]) -> None:
    duty(cast, "Cash", *three[:2])
    duty(cast, "Key", *three[:2])
    duty(cast, "Lists", *three[:2])
    assert weeks(cast, 2) == ["Ann Ben Ann", "Ben Ann Ben"]


def test_who_joins_need_not_catch_up(cast: Cast, three: list[Player]) -> None:
    key = duty(cast, "Key", *three[:2])
    weeks(cast, 4)
    duty(cast, "Key", *three, of=key)
    assert weeks(cast, 4, since=4) == ["Cleo", "Ann", "Ben", "Cleo"]


def test_a_cancelled_evening_is_nobodys_turn(cast: Cast, three: list[Player]) -> None:
    duty(cast, "Key", *three)
    first = evening(cast, FIRST)
    assert share(cast, first) == "Ann"
    act(cast.olga, first, CancelCompetition, reason="Snow")
    assert weeks(cast, 1, since=1) == ["Ann"]


def test_who_has_left_takes_no_turns(cast: Cast, three: list[Player]) -> None:
    duty(cast, "Key", *three)
    left = Facts(left_on=cast.club.today)
    keep_facts(by=cast.olga, club=cast.club, facts={three[0]: left})
    assert weeks(cast, 1) == ["Ben"]
    assert not OnRota.objects.filter(player=three[0]).exists()


def test_who_is_away_that_day_takes_no_turn(cast: Cast, three: list[Player]) -> None:
    duty(cast, "Key", *three)
    say_away(by=cast.olga, player=three[0], since=FIRST, until=FIRST)
    assert weeks(cast, 2) == ["Ben", "Ann"]
    say_away(by=cast.olga, player=three[2], since=date(2026, 12, 17), until=date(2026, 12, 17))
    duty(cast, "Cash", three[2])
    assert weeks(cast, 1, since=2) == ["Ben"]


def test_duties_go_on_by_turns_where_an_evening_is_run_again(cast: Cast, three: list[Player]) -> None:
    duty(cast, "Key", *three)
    last = evening(cast, FIRST)
    given: dict[str, Any] = {"by": cast.olga, "like": last, "at": None}
    none = run_again(name="No duties", day=FIRST + timedelta(weeks=1), **given)
    assert not turns_at(none)
    share(cast, last)
    day = FIRST + timedelta(weeks=2)
    say_away(by=cast.olga, player=three[1], since=day, until=day)
    made = run_again(name="Again", day=day, **given)
    assert [turn.player.name for turn in turns_at(made).values()] == ["Cleo"]


def test_two_people_swap_their_turns(cast: Cast, three: list[Player]) -> None:
    duty(cast, "Key", *three)
    weeks(cast, 2)
    one, other = turns_ahead(cast.club)
    swap_turns(by=cast.olga, turn=one, other=other)
    assert [turn.player.name for turn in turns_ahead(cast.club)] == ["Ben", "Ann"]


def test_turns_at_two_duties_are_not_swapped(cast: Cast, three: list[Player]) -> None:
    duty(cast, "Key", *three)
    duty(cast, "Cash", *three)
    weeks(cast, 1)
    one, other = turns_ahead(cast.club)
    with pytest.raises(Illegal):
        swap_turns(by=cast.olga, turn=one, other=other)


@pytest.mark.parametrize("who", ["paul", "nora"])
def test_only_organisers_give_duties(cast: Cast, who: str, three: list[Player]) -> None:
    key, by = duty(cast, "Key", *three), getattr(cast, who)
    thursday = evening(cast, FIRST)
    with pytest.raises(PermissionDenied):
        give_duties(by=by, competition=thursday, chosen={key: three[0]})
    with pytest.raises(PermissionDenied):
        keep_duty(by=by, club=cast.club, duty=key, name="Lock", people=three)
    with pytest.raises(PermissionDenied):
        remove_duty(by=by, duty=key)


def test_a_duty_goes_to_nobody_of_another_club(cast: Cast, three: list[Player]) -> None:
    key, stranger = duty(cast, "Key", *three), PlayerFactory.create()
    with pytest.raises(Malformed):
        give_duties(by=cast.olga, competition=evening(cast, FIRST), chosen={key: stranger})


def test_turns_pass_on_when_two_are_merged_and_are_forgotten_with_the_person(
    cast: Cast, three: list[Player]
) -> None:
    duty(cast, "Key", *three)
    weeks(cast, 2)
    merge_players(by=cast.olga, kept=three[1], merged=three[0])
    assert {turn.player for turn in turns_ahead(cast.club)} == {three[1]}
    assert OnRota.objects.count() == 2
    remove_player(by=cast.olga, player=three[1])
    assert not Turn.objects.exists()


# ---- Told to whoever has one -----------------------------------------------------------------------


@pytest.fixture
def tomorrow(cast: Cast) -> Competition:
    """An evening on 3 December, on which Paul has the key."""
    cast.club.refresh_from_db()
    cast.paul.email = "paul@cards.example"
    cast.paul.save()
    key, competition = duty(cast, "Key", cast.paul_plays), evening(cast, FIRST)
    give_duties(by=cast.olga, competition=competition, chosen={key: cast.paul_plays})
    return competition


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (datetime(2026, 12, 1, 23, 50, tzinfo=UTC), 0),
        (datetime(2026, 12, 2, 0, 10, tzinfo=UTC), 1),
        (datetime(2026, 12, 2, 23, 50, tzinfo=UTC), 1),
        (datetime(2026, 12, 3, 0, 10, tzinfo=UTC), 0),
    ],
)
def test_who_has_a_duty_tomorrow_gets_one_email(tomorrow: Competition, at: datetime, told: int) -> None:
    with time_machine.travel(at, tick=False):
        remind_of_duties()
        remind_of_duties()
    assert Email.objects.count() == told


def test_the_email_says_what_and_where(tomorrow: Competition) -> None:
    with time_machine.travel(datetime(2026, 12, 2, 9, tzinfo=UTC), tick=False):
        remind_of_duties()
        send_emails()
    (message,) = mail.outbox
    assert message.subject == "Your duty at Evening 2026-12-03: Key"
    assert "Key at Evening 2026-12-03 (Thu 3 Dec 2026)" in message.body


def test_who_has_no_account_is_reminded_at_the_address_that_the_club_keeps(
    cast: Cast, tomorrow: Competition
) -> None:
    ruth, rob = (PlayerFactory.create(club=cast.club, name=name) for name in ("Ruth Rye", "Rob Reed"))
    Contact.objects.create(player=ruth, email="ruth@cards.example")
    Account.objects.filter(pk=cast.olga.pk).update(language="de")
    for player, told in ((rob, []), (ruth, ["ruth@cards.example"])):
        Turn.objects.update(player=player)
        with time_machine.travel(datetime(2026, 12, 2, 9, tzinfo=UTC), tick=False):
            remind_of_duties()
            send_emails()
        assert [each.to[0] for each in mail.outbox] == told
    assert "Du bist an der Reihe" in mail.outbox[0].body


def test_whose_turn_was_swapped_gets_no_email(cast: Cast, tomorrow: Competition) -> None:
    with time_machine.travel(datetime(2026, 12, 2, 9, tzinfo=UTC), tick=False):
        remind_of_duties()
        Turn.objects.update(player=cast.petra_plays)
        send_emails()
    assert mail.outbox == []


def test_the_account_shows_its_duties(cast: Cast, tomorrow: Competition) -> None:
    page = logged_in(cast.paul).get("/account/").content.decode()
    assert "My duties" in page and "Key" in page
    assert "My duties" not in logged_in(cast.petra).get("/account/").content.decode()


def test_public_pages_say_nothing_of_duties(cast: Cast, tomorrow: Competition) -> None:
    Duty.objects.update(name="Latchkey")
    for path in (f"/competitions/{tomorrow.slug}/", f"/clubs/{cast.club.slug}/"):
        for reader in (Client(), logged_in(cast.petra)):
            assert "Latchkey" not in reader.get(path).content.decode()


# ---- The desk --------------------------------------------------------------------------------------


def test_the_desk_fills_saves_and_swaps_duties(cast: Cast, three: list[Player]) -> None:
    olga, days = logged_in(cast.olga), [evening(cast, FIRST), evening(cast, FIRST + timedelta(weeks=1))]
    pages = [f"/admin/league/competition/{each.pk}/" for each in days]
    assert 'id="duties"' not in olga.get(f"{pages[0]}change/").content.decode()
    key = duty(cast, "Key", *three)
    for page in pages:
        olga.post(f"{page}duties/", {"share": "yes"})
    shown = olga.get(f"{pages[0]}change/").content.decode()
    assert "Swap with Ben (10 Dec 2026)" in shown
    swap = shown.partition('name="swap" value="')[2].partition('"')[0]
    olga.post(f"{pages[0]}duties/", {"swap": swap})
    assert [turn.player.name for turn in turns_ahead(cast.club)] == ["Ben", "Ann"]
    olga.post(f"{pages[0]}duties/", {f"duty-{key.pk}": str(three[2].pk)})
    assert [turn.player.name for turn in turns_ahead(cast.club)] == ["Cleo", "Ann"]


@pytest.mark.parametrize("sent", [{"swap": "x y"}, {"swap": ""}])
def test_the_desk_finds_no_turn_of_another_club(cast: Cast, sent: Any) -> None:
    path = f"/admin/league/competition/{evening(cast, FIRST).pk}/duties/"
    assert logged_in(cast.olga).post(path, sent).status_code == 404
    assert logged_in(cast.nora).post(path, {"share": "yes"}).status_code in (403, 404)


def test_the_clubs_page_keeps_a_duty(cast: Cast, three: list[Player]) -> None:
    olga, path = logged_in(cast.olga), f"/admin/league/club/{cast.club.pk}/people/"
    olga.post(f"{path}?duty=new", {"name": "Key", "people": [each.pk for each in three]})
    page = olga.get(path).content.decode()
    assert "Ann, Ben, Cleo" in page
    key = Duty.objects.get()
    assert "is no valid" not in olga.post(f"{path}?duty=new", {"name": "Key"}).content.decode()
    assert Duty.objects.count() == 1
    olga.post(f"{path}?duty={key.pk}", {"remove": "yes", "sure": "1"})
    assert not Duty.objects.exists()
