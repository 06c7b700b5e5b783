"""A fixture for whole modules: each transaction takes locks in the order that is stated for all of them.

The order stands in `league.projections.public_names`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.db import connections
from django.db.backends.utils import CursorWrapper
from django.db.transaction import Atomic

_RANKS: Final = {"ratings": 0, "league_club": 1, "league_competition": 2, "league_series": 2}
_LOCKS: Final = re.compile(
    r'SELECT .*? FROM "?(\w+)"?.* FOR (?:NO KEY )?UPDATE(?: OF "?(\w+)"?)?( NOWAIT| SKIP LOCKED)?$', re.S
)
_MADE: Final = re.compile(r'INSERT INTO "?(\w+)')
_ID: Final = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")


class Held:
    """What a transaction has locked so far, in order, and which rows are its own: nobody waits for those."""

    def __init__(self) -> None:
        self.depth, self.locked = 0, list[tuple[str, frozenset[str]]]()
        self.own = defaultdict[str, set[str]](set)

    def take(self, sql: str, given: str) -> str:
        """Note a statement; return what it waits for in the wrong order, or nothing."""
        ids = frozenset(each.replace("-", "") for each in _ID.findall(given))
        if made := self.depth and _MADE.match(sql):
            self.own[made[1]] |= ids
        lock = _LOCKS.search(sql)
        table = "ratings" if "ratings " in given and "pg_advisory" in sql else lock and (lock[2] or lock[1])
        if not self.depth or (table, ids) in self.locked or (ids and ids <= self.own[f"{table}"]):
            return ""
        before = [other for other, _ in self.locked]
        if table == "league_player" and before and "league_club" not in before:
            return f"players without the club after {before}"
        if table not in _RANKS:
            return ""
        self.locked.append((table, ids))
        late = not (lock and lock[3]) and any(_RANKS[other] > _RANKS[table] for other in before)
        return f"{table} after {before}" if late else ""


@pytest.fixture
def locks_in_order(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail where a transaction waits for a row that others lock before those that it has locked."""
    cursors: Any = CursorWrapper
    held, wrong = dict[int, Held](), set[str]()
    execute, enter, leave = cursors._execute_with_wrappers, Atomic.__enter__, Atomic.__exit__

    def of(db: Any) -> Held:
        return held.setdefault(id(db), Held())

    def entered(self: Any) -> None:
        enter(self)
        of(connections[self.using or "default"]).depth += not self._from_testcase

    def left(self: Any, *why: Any) -> None:
        one = of(connections[self.using or "default"])
        one.depth -= not self._from_testcase
        if not one.depth:
            held.pop(id(connections[self.using or "default"]))
        leave(self, *why)

    def executed(self: Any, sql: Any, params: Any, many: bool, executor: Any) -> Any:
        text = str(sql)
        if "UPDATE" in text or "pg_advisory" in text or text.startswith("INSERT"):
            wrong.add(of(self.db).take(text, f"{params}"))
        return execute(self, sql, params, many, executor)

    monkeypatch.setattr(Atomic, "__enter__", entered)
    monkeypatch.setattr(Atomic, "__exit__", left)
    monkeypatch.setattr(cursors, "_execute_with_wrappers", executed)
    yield
    assert wrong <= {""}
