"""What is said at a table, and who is seen there."""

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from api import feeds
from games import database_time
from games.engine.refusals import Illegal, Malformed
from games.models import Game
from league.apps.company import acts, services
from league.apps.company.models import Phrase
from league.models import Account, ClubChange, Competition, Player, WatchedGames
from league.queries.at_table import AtTable, present_at
from league.services.accounts import create_token
from league.services.channel import report_watchers
from tests.api.live import Events, streaming
from tests.api.test_stream import watching
from tests.api.web import ROOT, bearer
from tests.api.web import say as a_move
from tests.factories import AccountFactory, Cast, MemberFactory
from tests.factories import cast as a_cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return a_cast()


# ---- What can be said ----------------------------------------------------------------------------


def test_what_is_said_is_no_move(cast: Cast) -> None:
    game = cast.game("tally")
    acts.say(by=cast.paul, game_id=game.pk, phrase="well")
    game.refresh_from_db()
    assert game.seq == 1


def test_who_is_not_at_the_table_says_nothing(cast: Cast) -> None:
    game, member = cast.game("tally"), AccountFactory.create()
    MemberFactory.create(club=cast.club, account=member)
    for account in (cast.nora, cast.olga, member):
        with pytest.raises(PermissionDenied):
            acts.say(by=account, game_id=game.pk, phrase="well")


@pytest.mark.parametrize("phrase", ["", "You have bad cards", "seen", "Well played!"])
def test_nobody_says_anything_but_the_set_phrases(cast: Cast, phrase: str) -> None:
    with pytest.raises(Malformed):
        acts.say(by=cast.paul, game_id=cast.game("tally").pk, phrase=phrase)


def test_nothing_is_said_where_nobody_plays(cast: Cast) -> None:
    game = cast.game("tally")
    Game.objects.filter(pk=game.pk).update(status="finished")
    with pytest.raises(Illegal):
        acts.say(by=cast.paul, game_id=game.pk, phrase="well")


def test_nobody_floods_a_table(cast: Cast) -> None:
    one, two = cast.game("tally"), cast.game("tally")
    with time_machine.travel(database_time.now(), tick=False):
        for _ in range(acts.MOST // 2):
            for game in (one, two):
                acts.say(by=cast.paul, game_id=game.pk, phrase="hello")
        with pytest.raises(acts.TooOften):
            acts.say(by=cast.paul, game_id=one.pk, phrase="hello")
        acts.say(by=cast.petra, game_id=one.pk, phrase="hello")
        answer = bearer(cast.paul).post(f"{ROOT}/games/{one.pk}/company/", {"phrase": "hello"})
        assert answer.status_code == 429 and 1 <= int(answer["Retry-After"]) <= acts.WITHIN.seconds


def test_a_club_or_a_competition_wants_no_phrases(cast: Cast) -> None:
    game = cast.game("tally")
    competition = Competition(club=cast.club)
    assert acts.phrases_at(game.club_game)
    services.keep_company(by=cast.olga, club=cast.club, room="", phrases=False)
    assert not acts.phrases_at(game.club_game)
    with pytest.raises(Illegal):
        acts.say(by=cast.paul, game_id=game.pk, phrase="well")
    for by in (cast.paul, cast.nora):
        with pytest.raises(PermissionDenied):
            services.keep_quiet(by=by, competition=competition, quiet=True)


@pytest.mark.parametrize(
    "room", ["http://example.org/", "javascript:alert(1)", "meet us", "ftp://example.org"]
)
def test_a_room_is_an_https_link(cast: Cast, room: str) -> None:
    with pytest.raises(Malformed):
        services.keep_company(by=cast.olga, club=cast.club, room=room, phrases=True)


def test_the_record_of_a_club_has_no_link(cast: Cast) -> None:
    services.keep_company(by=cast.olga, club=cast.club, room="https://meet.example/secret", phrases=True)
    assert "secret" not in json.dumps([each.values for each in ClubChange.objects.all()])


# ---- Pointing ------------------------------------------------------------------------------------


def test_in_scram_players_point_at_cards_that_lie_face_down(cast: Cast) -> None:
    game = cast.game("scram", players=[player.pk for player in cast.people(3)])
    acts.say(by=cast.paul, game_id=game.pk, phrase="seen", at=(1, 0))
    wrong: list[tuple[str, Any]] = [("seen", None), ("seen", (9, 0)), ("seen", (0, 99)), ("well", (0, 0))]
    for phrase, at in wrong:
        with pytest.raises(Malformed):
            acts.say(by=cast.paul, game_id=game.pk, phrase=phrase, at=at)


# ---- Who is seen and heard -----------------------------------------------------------------------


def test_who_hides_is_not_seen_at_the_table(cast: Cast) -> None:
    game = cast.game("tally")
    report_watchers(uuid4(), {}, {str(game.pk): {"0": None, "1": 30.0}})
    assert present_at([game.pk])[game.pk].keys() == {0, 1}
    services.choose_to_hide(by=cast.petra, hidden=True)
    assert present_at([game.pk])[game.pk].keys() == {0}
    services.choose_to_hide(by=cast.petra, hidden=False)
    Player.objects.filter(pk=cast.petra_plays.pk).update(audience="nobody")
    got = bearer(cast.paul).get(f"{ROOT}/games/{game.pk}/company/").json()
    assert [each["seat"] for each in got["seats"]] == [0]
    assert acts.follow_table(cast.nora, game.pk) == AtTable()


def test_who_is_blocked_neither_sees_nor_hears(cast: Cast) -> None:
    game = cast.game("tally")
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk)
    assert acts.follow_table(cast.paul, game.pk) == AtTable(0)
    assert acts.follow_table(cast.petra, game.pk).unheard == {0}
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk, blocks=True)
    both = frozenset({1})
    assert acts.follow_table(cast.paul, game.pk) == AtTable(0, both, both)
    assert AtTable.read(str(AtTable(0, both, both))) == AtTable(0, both, both)
    assert AtTable.read(str(AtTable())) == AtTable()


def test_a_seat_is_here_where_it_is_through_any_process(cast: Cast) -> None:
    game, one, two = uuid4(), uuid4(), uuid4()
    report_watchers(one, {game: 0}, {str(game): {"0": None, "1": 60.0}})
    report_watchers(two, {game: 0}, {str(game): {"0": 30.0, "1": 90.0}})
    seats = present_at([game])[game]
    assert seats[0] is None
    gone = seats[1]
    assert gone and timedelta(seconds=50) < database_time.now() - gone < timedelta(seconds=80)
    WatchedGames.objects.update(at=database_time.now() - timedelta(minutes=5))
    assert present_at([game])[game][0] is not None  # the process has ended
    WatchedGames.objects.update(at=database_time.now() - timedelta(minutes=20))
    assert present_at([game])[game] == {}


# ---- The stream ----------------------------------------------------------------------------------


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(feeds, "RECOUNT_SECONDS", 0.0)
    with streaming(alive_seconds=0.3) as where:
        yield where


def by(account: Account) -> Mapping[str, str]:
    secret = create_token(by=account, name="test", scopes=["read", "play:move"]).secret
    return {"Authorization": f"Bearer {secret}"}


def told(events: Events, name: str) -> Any:
    """Return the data of the next event of a name."""
    return next(json.loads(event["data"]) for event in events if event.get("event") == name)


def until(events: Events, seats: Mapping[int, bool]) -> None:
    """Return once these seats are told, each with whether it is here."""
    while {each["seat"]: each["left_at"] is None for each in told(events, "present")["seats"]} != seats:
        continue


def test_who_follows_a_game_hears_what_is_said_and_who_comes_later_does_not(cast: Cast, address: str) -> None:
    game = cast.game("tally")
    with watching(address, game, "?company=true", **by(cast.petra)) as petra:
        until(petra, {1: True})
        with watching(address, game, "?company=true") as anybody:
            told(anybody, "move")
            acts.say(by=cast.paul, game_id=game.pk, phrase="well")
            for events in (petra, anybody):
                assert told(events, "said") == {"seat": 0, "phrase": "well", "at": None}
        with watching(address, game, "?company=true") as later:
            told(later, "move")
            acts.say(by=cast.paul, game_id=game.pk, phrase="bye")
            assert told(later, "said")["phrase"] == "bye"


def test_whom_somebody_mutes_they_do_not_hear(cast: Cast, address: str) -> None:
    game = cast.game("tally")
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk)
    with watching(address, game, "?company=true", **by(cast.petra)) as petra:
        until(petra, {1: True})
        acts.say(by=cast.paul, game_id=game.pk, phrase="well")
        acts.say(by=cast.petra, game_id=game.pk, phrase="thanks")
        assert told(petra, "said")["phrase"] == "thanks"


def test_players_see_who_comes_and_leaves_and_nobody_else_does(cast: Cast, address: str) -> None:
    game = cast.game("tally")
    with watching(address, game, "?company=true", **by(cast.paul)) as paul:
        until(paul, {0: True})
        with watching(address, game, "?company=true", **by(cast.petra)):
            until(paul, {0: True, 1: True})
        until(paul, {0: True, 1: False})
        with watching(address, game, "?company=true&watching=true") as anybody:
            told(anybody, "watching")
            acts.say(by=cast.paul, game_id=game.pk, phrase="bye")
            names = []
            for event in anybody:
                names.append(event.get("event"))
                if event.get("event") == "said":
                    break
            assert "present" not in names


def test_who_does_not_ask_is_told_nothing_more_than_before(cast: Cast, address: str) -> None:
    game = cast.game("tally")
    with watching(address, game, **by(cast.petra)) as petra:
        told(petra, "move")
        acts.say(by=cast.paul, game_id=game.pk, phrase="well")
        bearer(cast.paul).post(f"{ROOT}/games/{game.pk}/moves/", {"seq": 2, "move": a_move(5)})
        names = [next(petra).get("event", "") for _ in range(2)]
        assert "said" not in names


# ---- The page and the API ------------------------------------------------------------------------


def test_the_table_has_its_phrases_and_its_room_for_its_players(cast: Cast) -> None:
    services.keep_company(by=cast.olga, club=cast.club, room="https://meet.example/harbour", phrases=True)
    game, client = cast.game("scoops"), Client()
    page = reverse("game", args=[game.pk])
    assert "meet.example" not in client.get(page).content.decode()
    client.force_login(cast.paul)
    shown = client.get(page).content.decode()
    assert "https://meet.example/harbour" in shown and "Well played!" in shown
    assert "I have seen this card." not in shown
    said = client.post(reverse("say", args=[game.pk]), {"phrase": "well"}, headers={"accept": "text/plain"})
    assert said.status_code == 204
    wrong = client.post(reverse("say", args=[game.pk]), {"phrase": "no"}, headers={"accept": "text/plain"})
    assert wrong.status_code == 422 and b"phrase" in wrong.content
    client.force_login(cast.nora)
    assert client.post(reverse("say", args=[game.pk]), {"phrase": "well"}).status_code == 403


def test_a_table_with_real_cards_has_no_phrases_for_people_sit_together(cast: Cast) -> None:
    services.keep_company(by=cast.olga, club=cast.club, room="https://meet.example/harbour", phrases=True)
    client = Client()
    client.force_login(cast.paul)
    page = client.get(reverse("game", args=[cast.game("scoops-scorecard").pk])).content.decode()
    assert 'id="company"' not in page and "Well played!" not in page


def test_somebody_is_muted_at_the_table(cast: Cast) -> None:
    game, client = cast.game("tally"), Client()
    client.force_login(cast.paul)
    answer = client.post(reverse("friends"), {"do": "mute", "id": cast.petra_plays.pk, "game": game.pk})
    assert answer["Location"] == reverse("game", args=[game.pk])
    assert acts.follow_table(cast.paul, game.pk).unheard == {1}


def test_clients_are_told_what_can_be_said(cast: Cast) -> None:
    game = cast.game("tally")
    got = bearer(cast.paul).get(f"{ROOT}/games/{game.pk}/company/").json()
    assert [each["key"] for each in got["phrases"]] == [each.value for each in Phrase if each != Phrase.SEEN]
    assert got["room"] is None and got["seats"] == []
    assert bearer(cast.nora).get(f"{ROOT}/games/{game.pk}/company/").status_code == 403


def test_a_seat_that_is_here_through_another_process_is_told(
    cast: Cast, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "COUNT_SECONDS", 0.0)
    game = cast.game("tally")
    with watching(address, game, "?company=true", **by(cast.paul)) as paul:
        until(paul, {0: True})
        report_watchers(uuid4(), {}, {str(game.pk): {"1": None}})
        until(paul, {0: True, 1: True})


def test_who_is_blocked_while_following_sees_nothing_more(cast: Cast) -> None:
    game = cast.game("tally")
    with (
        streaming(alive_seconds=0.3, check_seconds=0.5) as where,
        watching(where, game, "?company=true", **by(cast.paul)) as paul,
        watching(where, game, "?company=true", **by(cast.petra)),
    ):
        until(paul, {0: True, 1: True})
        services.mute(by=cast.petra, player_id=cast.paul_plays.pk, blocks=True)
        until(paul, {0: True})


def test_no_header_says_who_blocks(cast: Cast, address: str) -> None:
    game = cast.game("tally")
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk, blocks=True)
    where = f"{address}/games/{game.pk}/events/?company=true&watching=true"
    answer = httpx.head(where, headers=by(cast.paul))
    assert answer.status_code == 200 and not [name for name in answer.headers if name.startswith("trefoil")]
