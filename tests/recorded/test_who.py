"""Who made an entry is checked: no other role or account is verified than those that could have made it."""

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from games import verifier as games
from games.engine import chain
from league.core import portable, verifier
from league.core.portable import File, WrongFile
from tests.core.ids import uid
from tests.recorded import FILES
from tests.rules.recording import Recorder

PEOPLE = ["one", "two"]
ROLES = ("organiser", "scorekeeper", "player", "kiosk", "clock", "system")
GAME_ROLES = ("seat", "code", "kiosk", "arbiter", "clock", "system")
OTHERS = (None, "nobody", uid("stranger"), uid("player"), uid("organiser"))
BY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(["opened", "entries_opened", "started"], ("organiser",)),
    **dict.fromkeys(["entered", "table_opened"], ("organiser", "player")),
    **dict.fromkeys(
        ["cut_off", "drawn", "stage_started", "published", "round_closed", "lots_drawn", "finished"],
        ("organiser", "system"),
    ),
    "result_recorded": ("system",),
}
"""The roles that each event of the recorded league can have."""


@cache
def league() -> File:
    return portable.read((FILES / "accounts-01.jsonl").read_text(encoding="utf-8").splitlines())


def chained(entries: list[dict[str, Any]]) -> list[str]:
    head = chain.ORIGIN
    for entry in entries:
        entry.pop("hash", None)
        head = entry["hash"] = chain.link(head, entry)
    return [*map(json.dumps, entries)]


def forged(file: File, game: str | None, seq: int, **change: object) -> File:
    """Return the file with an entry changed, and every hash that follows from it made anew."""
    log, made = [json.loads(line) for line in file.log], dict(file.games)
    if game is None:
        log[seq - 1] |= change
    else:
        *entries, end = map(json.loads, file.games[game])
        before = entries[-1]["hash"]
        entries[seq - 1] |= change
        made[game] = [*chained(entries), json.dumps(end)]
        for entry in log:
            if entry["event"].get("head") == before:
                entry["event"]["head"] = entries[-1]["hash"]
    return File(file.header, file.players, chained(log), made)


def forgeries(file: File, count: int) -> Iterator[tuple[str | None, dict[str, Any], File]]:
    """Yield random changes of role and account: the game, if any, the changed entry, and the file."""
    chosen = Random(29)
    for _ in range(count):
        game = chosen.choice([None, *file.games])
        entries = [json.loads(line) for line in (file.games[game][:-1] if game else file.log)]
        entry = chosen.choice(entries)
        change: dict[str, object] = {"account": chosen.choice(OTHERS)}
        if chosen.random() < 0.5:
            change = {"role": chosen.choice(GAME_ROLES if game else ROLES)}
        if {**entry, **change} != entry:
            yield game, {**entry, **change}, forged(file, game, entry["seq"], **change)


def possible(entry: dict[str, Any]) -> bool:
    """Return whether a role and account can have made an event of a competition."""
    role, account = entry["role"], entry["account"]
    known = account is None if role == "kiosk" else account != "nobody" and (account or role == "system")
    return role in BY[entry["event"]["type"]] and bool(known)


def test_no_forged_role_or_account_is_verified() -> None:
    outcomes = set()
    for game, entry, file in forgeries(league(), 150):
        try:
            verifier.check(file)
        except WrongFile:
            outcomes.add("refused")
        else:
            assert game is None and possible(entry), (game, entry)
            outcomes.add("verified")
    assert outcomes == {"refused", "verified"}


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("published", "player"),
        ("finished", "player"),
        ("round_closed", "kiosk"),
        ("result_recorded", "organiser"),
        ("opened", "scorekeeper"),
        ("entered", "clock"),
    ],
)
def test_an_event_in_a_role_that_may_not_write_it_is_named(kind: str, role: str) -> None:
    seq = next(seq for seq, line in enumerate(league().log, 1) if json.loads(line)["event"]["type"] == kind)
    with pytest.raises(WrongFile, match=f"entry {seq} is wrong: its role may not write such an event"):
        verifier.check(forged(league(), None, seq, role=role, account=uid("organiser")))


def test_a_game_that_another_account_opened_than_the_log_says_is_named() -> None:
    game = next(iter(league().games))
    with pytest.raises(WrongFile, match="another account opened it"):
        verifier.check(forged(league(), game, 1, account=uid("stranger")))


def recorded(**opening: Any) -> list[dict[str, Any]]:
    """Return the file of a short game, with an opening that says something else."""
    players, accounts = [*map(uid, PEOPLE)], [uid(f"account of {name}") for name in PEOPLE]
    options = {"round_limit": 1, "turn_limit": 2}
    made = Recorder("scoops", 2, options, players=players, accounts=accounts)
    made.play(until=4)
    if opening.pop("handed_over", False):
        made.arbiter({"type": "hand_over", "seat": 0, "reason": "moved", "account": uid("new")})
    made.play()
    entries = [*map(json.loads, made.lines())]
    entries[0]["move"] |= opening
    return entries


def check(entries: list[dict[str, Any]]) -> games.Report:
    *log, end = entries
    return games.check([*chained(log), json.dumps(end)])


@pytest.mark.parametrize("account", [None, uid("account of two"), uid("stranger"), "nobody"])
def test_a_move_by_another_account_than_the_seats_is_named(account: str | None) -> None:
    entries = recorded()
    move = next(entry for entry in entries[:-1] if entry["role"] == "seat" and entry["seat"] == 0)
    move["account"] = account
    with pytest.raises(games.WrongLog, match=f"entry {move['seq']} is wrong: its account is not"):
        check(entries)


def test_after_a_seat_is_handed_over_its_moves_are_the_new_accounts() -> None:
    entries = recorded(handed_over=True)
    given = next(entry["seq"] for entry in entries[:-1] if entry["role"] == "arbiter")
    with pytest.raises(games.WrongLog, match="its account is not the one that plays the seat"):
        check(entries)
    for entry in entries[given:-1]:
        if entry["role"] == "seat" and entry["seat"] == 0:
            entry["account"] = uid("new")
    assert check(entries).replayed


@pytest.mark.parametrize("opening", [{"accounts": ["nobody", None]}, {"seats": ["nobody", None]}])
def test_an_opening_with_what_is_no_id_is_named(opening: dict[str, Any]) -> None:
    with pytest.raises(
        games.WrongLog, match="entry 1 is wrong: a player or an account of a seat is not an id"
    ):
        check(recorded(**opening))


@pytest.mark.parametrize("clock", [{"zone": [1]}, {"move": "60"}, {"move": -1}, None, [], "x"])
def test_an_opening_with_an_odd_clock_is_refused(clock: object) -> None:
    with pytest.raises(games.WrongLog, match="entry 1 is wrong"):
        check(recorded(clock=clock))


@pytest.mark.parametrize("at", ["9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00.000000Z"])
def test_an_entry_at_an_odd_date_is_refused(at: str) -> None:
    entries = recorded()
    for entry in entries[:-1]:
        entry["at"] = at
    with pytest.raises(games.WrongLog, match="its time is not written"):
        check(entries)


def test_an_account_for_what_the_server_does_by_itself_is_refused() -> None:
    file = league()
    entries = [json.loads(line) for line in file.log]
    seq = next(e["seq"] for e in entries if e["role"] == "system" and e["event"]["type"] != "result_recorded")
    with pytest.raises(WrongFile, match="the server names an account"):
        verifier.check(forged(file, None, seq, account=uid("stranger")))


@pytest.mark.parametrize("name", ["", "Two\nlines", " Ann", "An\u200bn", "A\u0000", "\ud800", "e\u0301"])
def test_a_player_whose_name_is_not_as_names_are_kept_is_refused(name: str) -> None:
    with pytest.raises(WrongFile):
        portable.named(2, json.dumps({"player": uid("one"), "name": name}))


@pytest.mark.parametrize(
    "change",
    [
        {"role": "arbiter"},
        {"role": "arbiter", "seat": None},
        {"role": "kiosk"},
        {"role": "code", "account": None},
        {"role": "clock"},
        {"seat": None},
        {"seat": 7},
    ],
)
def test_a_move_in_another_role_or_seat_is_named(change: dict[str, Any]) -> None:
    entries = recorded()
    move = next(entry for entry in entries[:-1] if entry["role"] == "seat" and entry["seat"] == 0)
    move |= change
    with pytest.raises(games.WrongLog, match=f"entry {move['seq']} is wrong"):
        check(entries)


def test_of_a_running_game_it_is_checked_who_moved() -> None:
    *entries, _end = recorded()
    entries[2]["account"] = uid("stranger")
    with pytest.raises(
        games.WrongLog, match="entry 3 is wrong: its account is not the one that plays the seat"
    ):
        games.check(chained(entries))


@pytest.mark.parametrize("roles", [2, 3])
@pytest.mark.parametrize("said", [{}, {"resigned": "late", "late": "late"}, {"late": "late"}])
def test_a_result_that_does_not_say_who_left_its_game_is_named(said: dict[str, str], roles: int) -> None:
    file = portable.read((FILES / "left_games-01.jsonl").read_text(encoding="utf-8").splitlines())
    opening, *entries = [json.loads(line) for line in file.log]
    result = next(entry for entry in entries if entry["event"]["type"] == "result_recorded")
    for seat in result["event"]["seats"]:
        left = said.get(seat.pop("left", ""))
        seat.update({"left": left} if left else {})
    opening["event"]["roles"] = roles
    changed = File(file.header, file.players, chained([opening, *entries]), file.games)
    if roles < 3 and not said:
        assert verifier.check(changed)
    else:
        with pytest.raises(WrongFile, match="it did not end as the competition's log says"):
            verifier.check(changed)
