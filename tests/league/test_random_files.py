"""A randomly changed competition file is refused or valid: nothing else ever happens."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import transaction

from games.engine import chain
from games.engine.refusals import Refusal
from games.verifier import GOOD
from league.core import portable, verifier
from league.core.portable import WrongFile
from league.services.importing import import_competition
from tests.factories import Cast
from tests.league.playing import finished
from tests.league.test_importing import wiped
from tests.league.test_verify import exported
from tests.recorded.test_who import forgeries, league

STRANGE: tuple[object, ...] = (
    *(None, True, -1, 10**30, 1.5, "", "x", "é", "\x00", "\ud800", [], {}, [[]], {"a": 1}),
    *("organiser", "player", "kiosk", "system", "seat", "arbiter"),
    *("0" * 64, "00000000-0000-0000-0000-000000000000", "2026-13-01T00:00:00.000000Z"),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of a JSON value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from places(part, (*path, name))


def changed(value: Any, path: tuple[Any, ...], new: object) -> Any:
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


def relinked(lines: list[str]) -> Iterator[str]:
    """Yield a file's lines with all hashes made anew, where that can be."""
    head = chain.ORIGIN
    for line in lines:
        answer = json.loads(line)
        if not (isinstance(answer, dict) and "hash" in answer):
            head = chain.ORIGIN
        else:
            answer.pop("hash")
            try:
                head = answer["hash"] = chain.link(head, answer)
            except ValueError:
                answer["hash"] = head
        yield json.dumps(answer)


def strange_files(lines: list[str], count: int) -> Iterator[list[str]]:
    """Yield files in which one part of one line is something else, the hashes fitting."""
    chosen = Random(7)
    for _ in range(count):
        at = chosen.choice([chosen.randrange(12), chosen.randrange(len(lines))])
        answer = json.loads(lines[at])
        line = json.dumps(changed(answer, chosen.choice([*places(answer)]), chosen.choice(STRANGE)))
        yield list(relinked([*lines[:at], line, *lines[at + 1 :]]))


def test_a_random_file_is_refused_or_verified(cast: Cast) -> None:
    outcomes = set()
    for lines in strange_files(exported(finished(cast, 4)), 200):
        try:
            outcomes.add(verifier.check(portable.read(lines)).running)
        except WrongFile:
            outcomes.add(-1)
    assert outcomes == {-1, 0}


def test_a_random_file_is_refused_or_imported(cast: Cast) -> None:
    lines = exported(finished(cast, 4))
    wiped(players=True)
    outcomes = set()
    for strange in strange_files(lines, 80):
        try:
            with transaction.atomic():
                outcomes.add(import_competition(club=cast.club, lines=strange).created)
                transaction.set_rollback(True)
        except Refusal:
            outcomes.add(False)
    assert outcomes == {False, True}


def test_a_forged_role_or_account_is_imported_only_where_it_is_verified(cast: Cast) -> None:
    outcomes = set()
    for _game, _entry, file in forgeries(league(), 60):
        lines = list(portable.written(file.header, file.players, file.log, file.games))
        with transaction.atomic():
            try:
                verified = verifier.check(file).code == GOOD
                outcomes.add((verified, import_competition(club=cast.club, lines=lines).created))
            except (WrongFile, Refusal):
                with pytest.raises(Refusal):
                    import_competition(club=cast.club, lines=lines)
            transaction.set_rollback(True)
    assert outcomes == {(True, True)}
