"""A drop-in evening: tables open by themselves, and everybody sees who waits since when."""

import re

import pytest
from django.test import Client

from games import database_time
from league import log
from league.apps.my_evening.news import news_of
from league.apps.my_evening.queries import code_of
from league.apps.my_evening.services import make_passes
from league.core.verbs.draw import DrawRound
from league.core.verbs.presence import CheckInEntry, MarkAbsent
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.core.verbs.tables import SeatWaiting
from league.models import Account, Competition, Email, Entry, Table
from league.projections.standings import compute_standings
from league.queries.rounds import rounds_of
from league.queries.waiting import who_waits
from league.services.automatic import record_result
from tests.differences import differences
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory
from tests.league.acting import act, enter
from tests.league.playing import in_play, opened, play, stands, tables
from tests.league.walking import text_of

STAGE = {
    "name": "Evening",
    "format": "drop_in",
    "rounds": 1,
    "table_size": 4,
    "scoring": {"by": "score", "fair": False, "average": 2},
}


def evening(cast: Cast, players: int) -> Competition:
    """An evening whose first people are here, with a check-in for those who come later."""
    held = opened(cast, stages=[STAGE], entering={"check_in": True})
    enter(cast.olga, held, cast.people(players))
    for entry in held.entries.all():
        act(cast.olga, held, CheckInEntry, entry=entry.pk)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, held, verb)
    held.refresh_from_db()
    return held


def printed(held: Competition, kind: str) -> str:
    answer = Client().get(f"/competitions/{held.slug}/print/{kind}.pdf")
    return " ".join(text_of(answer).split())


def waiting(held: Competition) -> list[str]:
    held.refresh_from_db()
    return [each.entry.name for each in who_waits(rounds_of(held)[0])]


def playing(held: Competition) -> list[Table]:
    return [each for each in tables(held) if each.status == Table.Status.PLAYING]


def end(table: Table, *numbers: int) -> None:
    (place,) = table.games.all()
    record_result(game_id=play(place.game, *numbers).pk)


def comes(cast: Cast, held: Competition, name: str, account: Account | None = None) -> Entry:
    player = PlayerFactory.create(club=cast.club, name=name, account=account)
    enter(cast.olga, held, [player])
    entry = held.entries.get(name=name)
    act(cast.olga, held, CheckInEntry, entry=entry.pk)
    return entry


def phone_of(cast: Cast, held: Competition, entry: Entry) -> Client:
    """Return the phone of somebody without an account on which the own evening is open."""
    made = make_passes(by=cast.olga, competition=held, people=[entry.members.get().player])
    phone = Client()
    phone.post("/enter/", {"code": code_of(*made.values())})
    return phone


def section(html: str, start: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html[html.index(start) :]).split())[:200]


def test_tables_open_by_themselves_with_their_games(cast: Cast) -> None:
    held = evening(cast, 5)
    (first,) = playing(held)
    (left,) = waiting(held)
    end(first, 4, 3, 2, 1)
    (second,) = playing(held)
    assert left in second.seats.values_list("entry__name", flat=True)
    assert second.games.count() == 1 and len(waiting(held)) == 1
    assert log.rows(held).filter(event__type="waiting_seated").count() == 2
    compute_standings(held.pk)
    assert [each.points for each in stands(held)] == ["2", "3/2", "1", "1/2", "0"]


@pytest.mark.parametrize("format_", ["drop_in", "open_play", "ladder"])
def test_the_desk_prepares_a_round_without_draws(cast: Cast, format_: str) -> None:
    stage = {"name": "Evening", "format": format_, "rounds": 1, "table_size": 4}
    held = opened(cast, stages=[stage])
    enter(cast.olga, held, cast.people(5), StartCompetition())
    desk = Client()
    desk.force_login(cast.olga)
    assert desk.get(f"/admin/league/competition/{held.pk}/do/open-round/").status_code == 200


def test_my_evening_shows_the_table_that_is_played(cast: Cast) -> None:
    held = evening(cast, 4)
    end(playing(held)[0], 4, 3, 2, 1)
    (table,) = playing(held)
    seat = table.seats.select_related("player").get(number=0)
    made = make_passes(by=cast.olga, competition=held, people=[seat.player])
    phone = Client()
    phone.post("/enter/", {"code": code_of(*made.values())})
    shown = phone.get(f"/competitions/{held.slug}/my-evening/").content.decode()
    assert f"Table {table.number}, seat 1" in shown


def test_the_next_table_at_a_place_in_the_hall_has_its_number_again(cast: Cast) -> None:
    held = evening(cast, 12)
    second = playing(held)[1]
    end(second, 4, 3, 2, 1)
    assert sorted(each.number for each in playing(held)) == [1, 2, 3]
    (now,) = [each for each in playing(held) if each.number == 2]
    assert now.pk != second.pk and Table.objects.get(pk=second.pk).number == 2
    assert differences() == []
    for address in ("rounds/", "hall/", ""):
        page = Client().get(f"/competitions/{held.slug}/{address}").content.decode()
        page = page.replace("\N{NO-BREAK SPACE}", " ")
        assert "Table 2" in page and "Table 4" not in page


def test_lists_tell_tables_with_the_same_number_apart_in_the_order_of_play(cast: Cast) -> None:
    held = evening(cast, 12)
    end(playing(held)[1], 4, 3, 2, 1)
    for address in ("rounds/", "live/"):
        page = Client().get(f"/competitions/{held.slug}/{address}?lang=de").content.decode()
        assert re.findall(r"Tisch 2[^<]*(?=</a></h3>)", page) == ["Tisch 2", "Tisch 2 (2.)"]
        assert "Tisch 1 (" not in page
    desk = Client()
    desk.force_login(cast.olga)
    page = desk.get(f"/admin/league/competition/{held.pk}/change/").content.decode()
    assert "2 (2nd)" in page
    assert "2 (2nd)" in printed(held, "cards") and "2 (2nd)" not in printed(held, "pairings")
    act(cast.olga, held, CloseRound, void_undecided="Late")
    assert "Table 2 (2nd)" in printed(held, "pairings")


def test_who_waits_is_told_of_the_table_by_email_and_on_the_phone(cast: Cast) -> None:
    held = evening(cast, 4)
    account = AccountFactory.create(email="late@example.org")
    MemberFactory.create(club=cast.club, account=account)
    late = comes(cast, held, "Late Lee", account)
    (held_pass,) = make_passes(by=cast.olga, competition=held, people=[late.members.get().player]).values()
    since = database_time.now()
    end(playing(held)[0], 4, 3, 2, 1)
    (table,) = [each for each in playing(held) if each.seats.filter(entry=late).exists()]
    (email,) = Email.objects.filter(account=account, about__table=str(table.pk))
    assert not email.about["by"]
    told = [each.words for each in news_of(held_pass, since, database_time.now())]
    assert any(f"table {table.number}" in each.lower() for each in told)


def test_who_comes_waits_and_who_takes_a_break_does_not(cast: Cast) -> None:
    held = evening(cast, 4)
    late = comes(cast, held, "Late Lee")
    assert waiting(held) == ["Late Lee"]
    act(cast.olga, held, MarkAbsent, entry=late.pk)
    assert waiting(held) == []


def test_prints_have_the_tables_of_now_and_who_waits_since_when(cast: Cast) -> None:
    held = evening(cast, 5)
    (left,) = waiting(held)
    first = playing(held)[0]
    told = printed(held, "pairings")
    assert f"Waiting since: {left} (" in told and f"Table {first.number}" in told
    end(first, 4, 3, 2, 1)
    (second,) = playing(held)
    assert printed(held, "pairings").count("Table 1") == 1 and "Table 2" not in printed(held, "pairings")
    assert all(
        f"Waiting since: {waiting(held)[0]} (" in printed(held, each) for each in ("pairings", "names")
    )
    assert f"Table {second.number}" in printed(held, "pairings")


def test_a_print_says_what_its_averages_are(cast: Cast) -> None:
    held = evening(cast, 4)
    end(playing(held)[0], 4, 3, 2, 1)
    compute_standings(held.pk)
    assert "average of a table, of at least 2: missing ones count 0" in printed(held, "standings")


def test_who_waits_takes_a_break_and_comes_back_on_the_own_phone(cast: Cast) -> None:
    held = evening(cast, 4)
    late = comes(cast, held, "Late Lee")
    phone = phone_of(cast, held, late)
    mine = f"/competitions/{held.slug}/my-evening/"
    assert "I take a break" in phone.get(mine).content.decode()
    phone.get(f"{mine}break/")
    assert waiting(held) == ["Late Lee"]
    phone.post(f"{mine}break/")
    assert waiting(held) == []
    shown = phone.get(mine).content.decode()
    assert "You take a break" in shown and "I am back" in shown
    phone.post(f"{mine}break/", {"back": "1"})
    assert waiting(held) == ["Late Lee"]
    written = log.rows(held).order_by("seq").values_list("event__type", "role", "account")
    assert [*written][-2:] == [("absent", "player", None), ("present", "player", None)]


def test_who_sits_at_a_table_plays_it_before_a_break(cast: Cast) -> None:
    held = evening(cast, 5)
    (table,) = playing(held)
    phone = phone_of(cast, held, table.seats.get(number=0).entry)
    phone.post(f"/competitions/{held.slug}/my-evening/break/")
    shown = phone.get(f"/competitions/{held.slug}/my-evening/").content.decode()
    assert f"Table {table.number}, seat 1" in shown and "I am back" in shown
    end(table, 4, 3, 2, 1)
    (second,) = playing(held)
    assert not second.seats.filter(entry=table.seats.get(number=0).entry).exists()


def test_nobody_takes_a_break_where_rounds_are_drawn(cast: Cast) -> None:
    held = in_play(cast, 8)
    entry = held.entries.get(number=1)
    shown = phone_of(cast, held, entry).get(f"/competitions/{held.slug}/my-evening/").content.decode()
    assert "I take a break" not in shown


def test_a_retry_of_a_result_opens_no_second_table(cast: Cast) -> None:
    held = evening(cast, 8)
    first, _second = playing(held)
    (place,) = first.games.all()
    over = play(place.game, 1, 2, 3, 4)
    for _ in range(2):
        record_result(game_id=over.pk)
    assert len(tables(held)) == 3


def test_organisers_players_and_programs_see_who_waits(cast: Cast) -> None:
    held = evening(cast, 4)
    late = comes(cast, held, "Late Lee")
    since = who_waits(rounds_of(held)[0])[0].since
    desk = Client()
    desk.force_login(cast.olga)
    seen = desk.get(f"/admin/league/competition/{held.pk}/change/").content.decode()
    assert "Late Lee since" in section(seen, 'id="waiting"')
    page = Client().get(f"/competitions/{held.slug}/rounds/").content.decode()
    assert "Waiting for a table: Late Lee since" in section(page, "Waiting for a table:")
    hall = Client().get(f"/competitions/{held.slug}/hall/?show=waiting").content.decode()
    assert "Late Lee" in section(hall, "Waiting for a table")
    held_pass = make_passes(by=cast.olga, competition=held, people=[late.members.get().player])
    phone = Client()
    phone.post("/enter/", {"code": code_of(*held_pass.values())})
    mine = phone.get(f"/competitions/{held.slug}/my-evening/").content.decode()
    assert "You wait for a table" in mine
    (shown,) = Client().get(f"/api/v1/competitions/{held.pk}/rounds/").json()["results"]
    assert [each["entry"]["name"] for each in shown["waiting"]] == ["Late Lee"]
    assert shown["waiting"][0]["since"].startswith(f"{since:%Y-%m-%dT%H:%M:%S}")


def test_an_organiser_seats_all_who_wait_at_a_smaller_table(cast: Cast) -> None:
    held = evening(cast, 7)
    assert len(waiting(held)) == 3
    act(cast.olga, held, SeatWaiting)
    assert sorted(each.seats.count() for each in playing(held)) == [3, 4]
    assert waiting(held) == []
