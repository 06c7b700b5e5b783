"""Every column that a log covers is compared with it."""

from tests.apps.signed_log.test_signed_log import key_file
from tests.apps.signed_log.test_tampering import club
from tests.league.test_coverage import columns, covered, unnoticed
from tests.league.test_tampering import Club

__all__ = ["club", "key_file"]


def test_a_change_of_what_a_log_covers_is_found(club: Club) -> None:
    in_a_log = [each for each in columns() if covered(*each) == "a log"]
    assert [*unnoticed(club, sorted(in_a_log))] == []
