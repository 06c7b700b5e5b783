"""The code of the own seat, which a person's evening shows for another device."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.test import Client

from games import database_time, log, rules
from games.engine.refusals import Illegal
from league.apps.hall import services as hall
from league.apps.hall.models import SeatCode
from league.apps.hall.queries import link_to
from league.apps.my_evening import services
from league.apps.my_evening.models import Pass
from league.core.verbs.rulings import SetResult
from league.models import Competition, TableSeat
from tests.apps.my_evening.test_my_evening import CONFIRM, ROUND, code, evening, opened_by, sent
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import in_play, tables
from tests.league.test_admin_scope import logged_in
from tests.toys import TOYS

SHOWN: Final = re.compile("Code of your seat: <strong>([0-9A-Z]{4}-[0-9A-Z]{4})</strong>")


@pytest.fixture(autouse=True)
def _on_paper() -> Iterator[None]:
    with rules.registered(*TOYS):
        yield


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return in_play(cast, 8, ruleset="high-card-on-paper", options={"rounds": 1})


@pytest.fixture
def seats(competition: Competition) -> list[TableSeat]:
    """The seats of the first table."""
    return list(tables(competition)[0].seats.select_related("player").order_by("number"))


@pytest.fixture
def phone(cast: Cast, competition: Competition, seats: list[TableSeat]) -> Client:
    """The browser of who sits on the first seat."""
    return opened_by(code(cast, competition, seats[0].player))


def asked(client: Client, competition: Competition) -> Any:
    return client.post(f"/competitions/{competition.slug}/my-evening/seat-code/")


def shown(client: Client, competition: Competition) -> str:
    """The code of the seat on a person's page, "" for none."""
    found = SHOWN.search(evening(client, competition))
    return found[1] if found else ""


def typed(seat_code: str) -> Client:
    """Another device at which a seat's code was typed."""
    client = Client()
    answer = client.post("/enter/", {"code": seat_code.lower()})
    assert answer.status_code == 302, answer.content.decode()
    return client


def test_opens_the_own_seat_on_another_phone(
    competition: Competition, seats: list[TableSeat], phone: Client
) -> None:
    assert shown(phone, competition) == ""
    assert asked(phone, competition).status_code == 302
    game = seats[0].table.games.get().game
    assert sent(typed(shown(phone, competition)), game.pk, ROUND, 2).status_code == 302
    assert [(each.role, each.seat) for each in log.entries(game, after=1)] == [("code", 0)]


def test_confirms_at_a_kiosk(
    cast: Cast, competition: Competition, seats: list[TableSeat], phone: Client
) -> None:
    game = seats[0].table.games.get().game
    sent(opened_by(code(cast, competition, seats[1].player)), game.pk, ROUND, 2)
    asked(phone, competition)
    tablet = Client()
    tablet.post(link_to(hall.make_kiosk(by=cast.olga, competition=competition, name="Door")))
    assert tablet.post("/enter/", {"code": shown(phone, competition)}).status_code == 302
    assert sent(tablet, game.pk, CONFIRM, 3).status_code == 302
    assert len(log.entries(game, after=2)) == 1


def test_is_the_same_however_often_it_is_asked_for(competition: Competition, phone: Client) -> None:
    asked(phone, competition)
    first = shown(phone, competition)
    asked(phone, competition)
    assert first and shown(phone, competition) == first
    assert SeatCode.objects.count() == 1


def test_is_on_no_other_page_and_stored_nowhere(
    cast: Cast, competition: Competition, seats: list[TableSeat], phone: Client
) -> None:
    asked(phone, competition)
    secret = shown(phone, competition)
    assert secret and secret.replace("-", "") not in str([*SeatCode.objects.values(), *Pass.objects.values()])
    others = opened_by(code(cast, competition, seats[1].player))
    for client, address in (
        (others, f"/competitions/{competition.slug}/my-evening/"),
        (phone, f"/competitions/{competition.slug}/"),
        (phone, f"/games/{seats[0].table.games.get().pk}/"),
    ):
        assert secret not in client.get(address).content.decode()


def test_a_page_with_it_is_kept_by_no_browser(competition: Competition, phone: Client) -> None:
    address = f"/competitions/{competition.slug}/my-evening/"
    assert "no-store" not in phone.get(address)["Cache-Control"]
    asked(phone, competition)
    assert "no-store" in phone.get(address)["Cache-Control"]


def test_who_was_not_let_in_gets_none(competition: Competition, cast: Cast) -> None:
    for client in (Client(), logged_in(cast.olga)):
        assert asked(client, competition)["Location"] == "/enter/"
    assert not SeatCode.objects.exists()


def test_there_is_none_once_the_table_is_decided(
    cast: Cast, competition: Competition, seats: list[TableSeat], phone: Client
) -> None:
    scores = [{"seat": seat.number, "score": 0, "rank": 1} for seat in seats]
    act(cast.olga, competition, SetResult, table=seats[0].table_id, seats=scores)
    asked(phone, competition)
    page = evening(phone, competition)
    assert "You sit at no table now." in page and "code of my seat" not in page
    assert not SeatCode.objects.exists()


def test_there_is_none_for_a_game_on_the_site(cast: Cast) -> None:
    competition = in_play(cast, 4, ruleset="scamper")
    phone = opened_by(code(cast, competition, tables(competition)[0].seats.get(number=0).player))
    assert "code of my seat" not in evening(phone, competition)
    asked(phone, competition)
    assert not SeatCode.objects.exists()


@pytest.mark.parametrize(
    "end",
    [
        lambda cast, competition, seat: services.revoke(by=cast.olga, competition=competition),
        lambda cast, competition, seat: Pass.objects.update(expires_at=database_time.now()),
        lambda cast, competition, seat: Pass.objects.all().delete(),
        lambda cast, competition, seat: TableSeat.objects.filter(pk=seat.pk).update(
            player=PlayerFactory.create(club=cast.club)
        ),
    ],
    ids=["revoked", "expired", "forgotten", "replaced"],
)
def test_ends_with_what_let_the_person_in(
    cast: Cast, competition: Competition, seats: list[TableSeat], phone: Client, end: Callable[..., Any]
) -> None:
    asked(phone, competition)
    secret = shown(phone, competition)
    device = typed(secret)
    end(cast, competition, seats[0])
    with pytest.raises(Illegal, match="not good any more"):
        hall.try_code(typed=secret, client="here")
    game = seats[0].table.games.get().game
    sent(device, game.pk, ROUND, 2)
    assert len(log.entries(game)) == 1


def test_after_all_codes_were_ended_there_is_another(
    cast: Cast, competition: Competition, phone: Client
) -> None:
    asked(phone, competition)
    secret = shown(phone, competition)
    hall.withdraw_codes(by=cast.olga, competition=competition)
    assert shown(phone, competition) == ""
    asked(phone, competition)
    assert shown(phone, competition) not in ("", secret)


def test_printed_codes_stay_good_beside_it(
    cast: Cast, competition: Competition, seats: list[TableSeat], phone: Client
) -> None:
    table = seats[0].table
    printed = [
        hall.make_codes(by=cast.olga, competition=competition, tables=[table])[table.pk, 0]
        for _ in range(hall.KEPT)
    ]
    asked(phone, competition)
    hall.make_codes(by=cast.olga, competition=competition, tables=[table])
    good = [*printed[1:], shown(phone, competition)]
    assert all(hall.try_code(typed=each, client="here").seat == 0 for each in good)
