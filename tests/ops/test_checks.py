"""Configured servers must respond and be recent enough."""

from typing import Any

import pytest
from celery import Celery
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from league.models.events import Event
from league.ops import checks as outside
from league.ops.servers import CannotServe
from tests import patience


@pytest.mark.django_db
def test_an_old_postgresql_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    outside.check_database()
    monkeypatch.setattr(outside, "OLDEST", 99)
    with pytest.raises(
        CannotServe, match=r"^The database is PostgreSQL \d+.*, and Trefoil needs 99 or later"
    ):
        outside.check_database()


def test_a_broker_that_responds_is_accepted(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "_BROKER_SECONDS", patience.SECONDS)
    monkeypatch.setattr(outside, "current_app", Celery(broker=broker_url, set_as_current=False))
    outside.check_broker()


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis+socket:///nowhere", "amqp://127.0.0.1:1//"])
def test_a_broker_that_does_not_respond_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "current_app", Celery(broker=url, set_as_current=False))
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)
    with pytest.raises(CannotServe, match=r"broker does not answer. It is the embedded one: see /.*/broker/"):
        outside.check_broker()
    monkeypatch.setenv("CELERY_BROKER_URL", url)
    with pytest.raises(CannotServe, match=r"broker does not answer. Check CELERY_BROKER_URL"):
        outside.check_broker()


@pytest.mark.django_db
class TestTheSchema:
    def test_of_the_migrations_is_what_the_models_need(self, django_assert_num_queries: Any) -> None:
        with django_assert_num_queries(2):
            outside.check_schema()

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (
                "ALTER TABLE league_club DROP COLUMN quiet CASCADE",
                r"column league_club\.quiet: character varying",
            ),
            ("ALTER TABLE league_club ADD more text", r"no column league_club\.more: text\. It"),
            (
                "ALTER TABLE league_club ALTER name TYPE text",
                r"character varying\(\d+\) not null, and 1 more",
            ),
            ("ALTER TABLE league_club ALTER name DROP NOT NULL", r"column league_club\.name"),
            ("CREATE UNIQUE INDEX more ON league_club (name)", "no unique league_club: name"),
            (
                "ALTER TABLE league_club ADD CONSTRAINT more CHECK (name <> slug)",
                "no constraint league_club: more",
            ),
            ("ALTER TABLE league_member DROP CONSTRAINT {key}", "foreign key league_member: club_id"),
            ("ALTER TABLE league_event DISABLE TRIGGER USER", "trigger league_event: "),
            ("ALTER TABLE league_event ENABLE REPLICA TRIGGER {function}", "trigger league_event: "),
            ("ALTER TABLE games_move_before DISABLE TRIGGER USER", "trigger games_move_before: "),
            ("ALTER TABLE league_member DISABLE TRIGGER ALL", "no disabled trigger league_member: "),
            (
                "CREATE OR REPLACE FUNCTION {function}() RETURNS trigger AS 'BEGIN RETURN NEW; END' "
                "LANGUAGE plpgsql",
                "trigger league_event: ",
            ),
            (
                "CREATE OR REPLACE FUNCTION _pgtrigger_should_ignore(trigger_name name) RETURNS boolean "
                "AS 'BEGIN RETURN true; END' LANGUAGE plpgsql",
                "trigger : _pgtrigger_should_ignore",
            ),
            ("ALTER FUNCTION {function}() SET pgtrigger.ignore = 'x'", "trigger league_event: "),
            ("ALTER DATABASE {database} SET session_replication_role = replica", "no setting session_repl"),
            ("ALTER ROLE CURRENT_USER SET pgtrigger.ignore = 'x'", r"no setting pgtrigger\.ignore=x"),
            (
                "CREATE RULE more AS ON DELETE TO league_event DO NOTHING",
                "no rule league_event: more",
            ),
            ("ALTER TABLE league_logsalt DROP CONSTRAINT league_logsalt_pkey", "unique league_logsalt: leaf"),
            ("DROP INDEX unique_move_seq", "unique games_move: game_id,seq"),
            ("DROP TABLE league_restoredrill", r"column league_restoredrill\.at"),
        ],
    )
    def test_that_is_another_one_is_refused_with_what_differs(self, change: str, said: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT conname FROM pg_constraint WHERE conrelid = 'league_member'::regclass "
                "AND confrelid = 'league_club'::regclass"
            )
            key = cursor.fetchone()[0]
            function = Event._meta.triggers[0].get_pgid(Event)  # type: ignore[attr-defined]
            database = connection.settings_dict["NAME"]
            cursor.execute(change.format(key=key, function=function, database=database))
        with pytest.raises(CannotServe, match=f"There should be .*{said}"):
            outside.check_schema()

    def test_may_have_what_a_later_release_has_added(self) -> None:
        MigrationRecorder.Migration.objects.create(app="league", name="9999_later")
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE league_club ADD more text")
        outside.check_schema()
