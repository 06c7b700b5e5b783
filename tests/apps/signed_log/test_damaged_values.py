"""Values that the service never writes are named in what was published too, and stop no check."""

from datetime import timedelta

import pgtrigger
import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from league.apps.signed_log import leaves, signing
from league.apps.signed_log.check import differences
from tests.apps.signed_log.test_signed_log import key_file
from tests.apps.signed_log.test_tampering import club
from tests.factories import Cast
from tests.league.playing import play
from tests.league.test_damaged_values import NESTED, check, set_past_the_service
from tests.league.test_tampering import Club, found, rewritten

__all__ = ["club", "key_file"]

EXTREMES = {
    "league_clubchange": {"at": ["'infinity'", "'4714-11-24 BC'"], "values": [NESTED, "'1.5'"]},
    "league_playerrecord": {"at": ["'infinity'", "'-infinity'"]},
    "league_logkey": {"public": ["'none'"]},
}


@pytest.mark.parametrize("table", EXTREMES)
def test_a_value_that_python_has_not_is_named_and_hides_nothing_else(club: Club, table: str) -> None:
    check(club, table, EXTREMES[table])


@pytest.mark.parametrize(("table", "column"), [("league_logleaf", "at"), ("league_signedlog", "as_of")])
def test_dates_that_nothing_covers_stop_no_check(club: Club, table: str, column: str) -> None:
    for value in ("'infinity'", "'-infinity'", "'4714-11-24 BC'", "'294276-12-31'"):
        with transaction.atomic():
            set_past_the_service(table, column, value)
            stopped = [*differences({"stopped": True})]
            assert not any("can't" in each for each in [*found(), *stopped])
            transaction.set_rollback(True)


def test_an_entry_that_is_later_than_its_leaf_is_not_called_ahead_of_the_clock(
    cast: Cast, key_file: object
) -> None:
    game = play(cast.game("tally"))
    signing.enter_and_sign()
    with pgtrigger.ignore():
        rewritten(game, lambda entry: setattr(entry, "at", entry.at + timedelta(minutes=5)))()
    with time_machine.travel(timezone.now() + timedelta(minutes=7), tick=False):
        assert [*leaves.dated_late()] == [
            f"game {game.pk}: its last entry is dated later than it was published"
        ]
