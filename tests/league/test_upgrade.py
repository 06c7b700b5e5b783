"""`manage.py upgrade` is one command that ends with everything verified, or says what is wrong."""

import pytest
from django.core.management import CommandError
from django.db import connection

from league.models import Stage
from tests.factories import Cast
from tests.league.playing import finished
from tests.league.test_commands import said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_folder")]


def test_what_is_right_is_verified_and_not_rebuilt(cast: Cast) -> None:
    finished(cast)
    printed = said("upgrade", "--processes=1")
    assert "Rebuilding" not in printed
    assert printed.endswith("The database is upgraded and verified.\n")


def test_what_this_release_computes_otherwise_is_rebuilt_and_verified(cast: Cast) -> None:
    finished(cast)
    Stage.objects.update(name="Other")
    printed = said("upgrade", "--processes=1")
    assert "Rebuilding all derived data" in printed
    assert printed.endswith("The database is upgraded and verified.\n")
    assert not Stage.objects.filter(name="Other").exists()


def test_a_schema_that_no_migration_mends_is_refused(cast: Cast) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE league_restoredrill DROP COLUMN said")
    with pytest.raises(
        CommandError, match=r"There should be column league_restoredrill\.said: text not null\."
    ):
        said("upgrade", "--processes=1")


def test_a_log_that_is_wrong_ends_it_with_an_error(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    finished(cast)
    monkeypatch.setattr("league.services.gate.of_game", lambda pk: iter([f"game {pk}: wrong"]))
    with pytest.raises(CommandError, match="Something is wrong"):
        said("upgrade", "--processes=1")
