"""Changes of who is called what in public, at the same moment: each sees the others."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Any
from uuid import UUID

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client
from psycopg.errors import DeadlockDetected

from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import WithdrawEntry
from league.models import Competition, Player, Ratings
from league.ops.processes import eventually
from league.projections import appearing, public_names, ratings, rows
from league.services import gate
from league.services.clubs import change_club
from league.services.competitions import Entrants, enter_players
from league.services.players import NewPlayer, create_player, create_players
from league.tasks import compute_ratings
from tests import patience
from tests.api.test_races import at_once, somebody_waits
from tests.factories import Cast
from tests.factories import cast as a_cast
from tests.league.acting import act
from tests.league.playing import in_play, opened
from tests.locks import Held

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("locks_in_order")]

_TIMES = 4


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return a_cast()


def entered(cast: Cast, player: Player, evening: Competition) -> str:
    return act(cast.olga, evening, EnterPlayers, players=[str(player.pk)]).state.entries[-1].id


def leaving(cast: Cast, player: Player, evening: Competition) -> Callable[[], Any]:
    entry = entered(cast, player, evening)
    return lambda: act(cast.olga, evening, WithdrawEntry, entry=entry)


def entering(cast: Cast, player: Player, evening: Competition) -> Callable[[], Any]:
    return lambda: entered(cast, player, evening)


def newcomer(cast: Cast, number: int) -> Player:
    return create_player(by=cast.olga, club=cast.club, name=f"Zenzi {'ABCDEFGHIJ'[number]} Unseen")


def names(cast: Cast, shown: str) -> Callable[[], Any]:
    return lambda: change_club(by=cast.olga, club=cast.club, name=cast.club.name, timezone="UTC", names=shown)


def wrong(cast: Cast) -> list[str]:
    with transaction.atomic():
        return [*gate.of_club(cast.club.pk)]


def test_who_leaves_two_competitions_at_once_is_named_no_more(cast: Cast) -> None:
    evenings = opened(cast, 2), opened(cast, 2)
    for number in range(_TIMES):
        player = newcomer(cast, number)
        at_once([leaving(cast, player, evening) for evening in evenings])
        assert wrong(cast) == []
        assert Client().get(f"/players/{player.pk}/").status_code == 404


def test_who_leaves_one_competition_while_entering_another_one_appears(cast: Cast) -> None:
    one, other = opened(cast, 2), opened(cast, 2)
    for number in range(_TIMES):
        player = newcomer(cast, number)
        at_once([leaving(cast, player, one), entering(cast, player, other)])
        assert wrong(cast) == []
        assert Client().get(f"/players/{player.pk}/").status_code == 200


def test_names_can_change_while_people_come_and_leave(cast: Cast) -> None:
    evenings = opened(cast, 2), opened(cast, 2)
    for number in range(_TIMES):
        one, other = newcomer(cast, number), newcomer(cast, number + _TIMES)
        calls = [leaving(cast, one, evenings[0]), leaving(cast, other, evenings[1])]
        calls += [entering(cast, one, evenings[1]), names(cast, ("members", "short")[number % 2])]
        at_once(calls)
        assert wrong(cast) == []


def test_people_made_at_once_have_numbers_of_their_own(cast: Cast) -> None:
    opened(cast, 2)
    names(cast, "members")()
    for number in range(_TIMES):
        called = [f"Nora {letter}{'abcd'[number]}" for letter in "KLM"]
        at_once([lambda name=name: made(cast, name) for name in called])  # type: ignore[misc]
    numbers = [*Player.objects.exclude(number=None).values_list("number", flat=True)]
    assert len({*numbers}) == len(numbers) >= 3 * _TIMES
    assert wrong(cast) == []


def made(cast: Cast, name: str) -> UUID:
    return create_players(by=cast.olga, club=cast.club, new=[NewPlayer(name)])[0].pk


# ---- Who comes while long work goes on ------------------------------------------------------------


def meanwhile(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, call: Callable[[], Any]) -> list[Any]:
    """Let a call be made once, elsewhere, when a function begins; return what will have come of it."""
    came, function = list[Any](), getattr(module, name)

    def bounded() -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '10s'")
        return call()

    def first(*given: Any, **more: Any) -> Any:
        if not came:
            came.append(None)
            came[:] = at_once([bounded])
        return function(*given, **more)

    monkeypatch.setattr(module, name, first)
    return came


LONG: list[tuple[Any, str, Callable[[Cast, Competition], Any]]] = [
    (ratings, "_follow", lambda _cast, evening: ratings.compute_ratings(evening.pk)),
    (ratings, "_rate", lambda cast, _evening: ratings.rebuild(cast.club.pk)),
    (ratings, "rebuild", lambda cast, _evening: wrong(cast)),
    (appearing, "of_club", lambda cast, _evening: wrong(cast)),
    (public_names, "called_in_public", lambda cast, _evening: wrong(cast)),
    (appearing, "of_club", lambda cast, _evening: appearing.rebuild(cast.club.pk)),
]


@pytest.mark.parametrize(("module", "step", "work"), LONG)
def test_who_comes_does_not_wait_for_long_work_of_the_club(
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    step: str,
    work: Callable[[Cast, Competition], Any],
) -> None:
    evening, player = in_play(cast, 2), newcomer(cast, 0)
    Ratings.objects.update(as_of=0)
    came = meanwhile(monkeypatch, module, step, entering(cast, player, opened(cast, 2)))
    work(cast, evening)
    assert len(came) == 1 and wrong(cast) == []
    assert Player.objects.get(pk=player.pk).appeared


def test_who_is_entered_in_a_transaction_of_its_own_meets_no_deadlock(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening, known, new = opened(cast, 2), newcomer(cast, 0), newcomer(cast, 1)
    entered(cast, known, evening)
    follow, sent = rows.follow, list[Future[None]]()

    def change() -> None:
        with closing(connection):
            names(cast, "members")()

    with ThreadPoolExecutor(1) as other:

        def late(appended: Any) -> None:
            sent.append(other.submit(change))
            assert eventually(somebody_waits, patience.SECONDS)
            follow(appended)

        monkeypatch.setattr(rows, "follow", late)
        enter_players(by=cast.olga, competition=evening, entrants=Entrants((str(new.pk),)))
        sent[0].result(patience.SECONDS)
    assert wrong(cast) == [] and Player.objects.get(pk=new.pk).appeared


def test_a_club_that_is_locked_after_a_competition_is_noticed() -> None:
    held, lock = Held(), 'SELECT 1 FROM "league_%s" WHERE "id" = 7 LIMIT 21 FOR NO KEY UPDATE'
    held.depth = 1
    assert not held.take(lock % "competition", "")
    assert not held.take(f"{lock % 'club'} NOWAIT", "")
    assert not held.take(lock % "club", "") and not held.take(lock % "player", "")
    held.locked.pop()
    assert held.take(lock % "club", "") and Held().take(lock % "club", "") == ""


# ---- Changes that waited for each other all the same ----------------------------------------------


def deadlocked(*_: object, **__: object) -> None:
    raise OperationalError("deadlock detected") from DeadlockDetected()


def test_a_worker_does_again_what_was_undone(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    evening, tried, compute = opened(cast, 2), list[UUID](), ratings.compute_ratings

    def twice(competition: UUID) -> bool:
        tried.append(competition)
        if len(tried) == 1:
            deadlocked()
        return compute(competition)

    monkeypatch.setattr(ratings, "compute_ratings", twice)
    compute_ratings(str(evening.pk))
    assert tried == [evening.pk] * 2


def test_who_sent_what_was_undone_is_told_so(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(cast.olga)
    monkeypatch.setattr("django.views.generic.TemplateView.render_to_response", deadlocked)
    monkeypatch.setattr("api.views.games.rules.find", deadlocked)
    page, problem = client.get("/offline/"), client.get("/api/v1/rulesets/tally/")
    assert (page.status_code, problem.status_code) == (503, 503)
    told = page.content.decode()
    assert "Two changes were made at the same moment" in told and "My account" in told
    assert "database does not answer" not in told
    assert problem.json()["detail"].startswith("Two changes were made at the same moment.")
