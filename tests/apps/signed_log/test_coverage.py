"""Every column that a log covers is compared with it."""

from league.words.reference import of_column
from tests.apps.signed_log.test_signed_log import key_file
from tests.apps.signed_log.test_tampering import club
from tests.league.test_coverage import columns, unnoticed
from tests.league.test_tampering import Club

__all__ = ["club", "key_file"]


def test_a_change_of_what_a_log_covers_is_found(club: Club) -> None:
    covered = {each for each in columns() if (row := of_column(*each)) and row.how == "log"}
    assert [*unnoticed(club, sorted(covered))] == []
