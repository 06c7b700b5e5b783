"""Rows that all tests of a module share, made once; each test's own changes are rolled back by ``db``."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from pytest_django import DjangoDbBlocker

from games import rules
from games.engine.replay import AnyRuleset


@contextmanager
def shared_rows(blocker: DjangoDbBlocker, *rulesets: AnyRuleset) -> Iterator[None]:
    """Let a fixture of a module's scope make rows, of these rulesets too, which are gone at its end."""
    around = transaction.atomic()
    vars(around)["_from_testcase"] = True  # as Django's own tests do it
    with blocker.unblock(), rules.registered(*rulesets), around:
        yield
        transaction.set_rollback(True)
