"""Configured servers must respond and be recent enough."""

import re

import pytest
from celery import Celery
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from league.models.events import Event
from league.ops import prepare
from league.ops.servers import CannotServe
from tests import patience

_HOSTED = ["btree_gin", "btree_gist", "citext", "hstore", "intarray", "ltree", "pg_trgm"]


@pytest.mark.django_db
def test_an_old_postgresql_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare.check_database()
    monkeypatch.setattr(prepare, "OLDEST", 99)
    with pytest.raises(
        CannotServe, match=r"^The database is PostgreSQL \d+.*, and Trefoil needs 99 or later"
    ):
        prepare.check_database()


def test_a_broker_that_responds_is_accepted(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "_BROKER_SECONDS", patience.SECONDS)
    monkeypatch.setattr(prepare, "current_app", Celery(broker=broker_url, set_as_current=False))
    prepare.check_broker()


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis+socket:///nowhere", "amqp://127.0.0.1:1//"])
def test_a_broker_that_does_not_respond_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "current_app", Celery(broker=url, set_as_current=False))
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)
    with pytest.raises(CannotServe, match=r"broker does not answer. It is the embedded one: see /.*/broker/"):
        prepare.check_broker()
    monkeypatch.setenv("CELERY_BROKER_URL", url)
    with pytest.raises(CannotServe, match=r"broker does not answer. Check CELERY_BROKER_URL"):
        prepare.check_broker()


@pytest.mark.django_db
class TestTheSchema:
    def test_of_the_migrations_is_the_one_that_is_written_down(self) -> None:
        months = re.compile(r"games_move_\d{4}|games_move_untimed")
        made = sorted(fact for fact in prepare.described() if not months.search(fact))
        written = "".join(f"{fact}\n" for fact in made)
        if prepare.SCHEMA.read_text() != written:
            prepare.SCHEMA.write_text(written)
            pytest.fail("Migrations make another schema: league/ops/schema.txt is written anew, commit it.")
        prepare.check_schema()

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
            ("CREATE UNIQUE INDEX more ON league_club (name)", "no index CREATE UNIQUE INDEX more"),
            (
                "ALTER TABLE league_club ADD CONSTRAINT more CHECK (name <> slug)",
                r"no constraint league_club\.more: CHECK",
            ),
            (
                "ALTER TABLE league_member DROP CONSTRAINT {key}",
                "constraint league_member.{key}: FOREIGN KEY",
            ),
            ("ALTER TABLE league_event DISABLE TRIGGER USER", "trigger league_event CREATE"),
            ("ALTER TABLE league_event ENABLE REPLICA TRIGGER {function}", "trigger league_event CREATE"),
            ("ALTER TABLE games_move_before DISABLE TRIGGER USER", "trigger games_move_before CREATE"),
            ("ALTER TABLE league_member DISABLE TRIGGER ALL", "no disabled trigger league_member RI_"),
            (
                "CREATE OR REPLACE FUNCTION {function}() RETURNS trigger AS 'BEGIN RETURN NEW; END' "
                "LANGUAGE plpgsql",
                "function pgtrigger_event",
            ),
            (
                "CREATE OR REPLACE FUNCTION _pgtrigger_should_ignore(trigger_name name) RETURNS boolean "
                "AS 'BEGIN RETURN true; END' LANGUAGE plpgsql",
                "function _pgtrigger_should_ignore",
            ),
            ("ALTER FUNCTION {function}() SET pgtrigger.ignore = 'x'", "function pgtrigger_event"),
            ("ALTER DATABASE {database} SET session_replication_role = replica", "no setting session_repl"),
            ("ALTER ROLE CURRENT_USER SET pgtrigger.ignore = 'x'", r"no setting pgtrigger\.ignore=x"),
            (
                "CREATE RULE more AS ON DELETE TO league_event DO NOTHING",
                "no rule CREATE RULE more",
            ),
            (
                "ALTER TABLE league_logsalt DROP CONSTRAINT league_logsalt_pkey",
                r"constraint league_logsalt\.league_logsalt_pkey",
            ),
            ("DROP INDEX unique_move_seq", "index CREATE UNIQUE INDEX games_move_"),
            ("DROP TABLE league_restoredrill", r"column league_restoredrill\.at"),
            ("ALTER TABLE league_club ENABLE ROW LEVEL SECURITY", "table league_club: rp heap, and 1 more"),
            ("ALTER TABLE league_club FORCE ROW LEVEL SECURITY", "table league_club: rp heap, and 1 more"),
            ("CREATE POLICY more ON league_club USING (false)", "no policy league_club: more"),
            (
                "ALTER TABLE league_playerrecord DROP CONSTRAINT unique_player_record, "
                "ADD CONSTRAINT unique_player_record UNIQUE (player, seq) DEFERRABLE INITIALLY DEFERRED",
                r"constraint league_playerrecord\.unique_player_record: UNIQUE \(player, seq\), and 1",
            ),
            (
                "ALTER TABLE league_member DROP CONSTRAINT {key}, ADD CONSTRAINT {key} FOREIGN KEY (club_id) "
                "REFERENCES league_club (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
                "constraint league_member.{key}",
            ),
            (
                "ALTER TABLE league_logleaf DROP CONSTRAINT league_logleaf_seq_check, "
                "ADD CONSTRAINT league_logleaf_seq_check CHECK (seq >= 0) NOT VALID",
                r"constraint league_logleaf\.league_logleaf_seq_check: CHECK",
            ),
            (
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'unique_player_record'::regclass",
                "index CREATE UNIQUE INDEX unique_player_record",
            ),
            (
                "CREATE TABLE more () INHERITS (league_clubchange)",
                "no inheritance: more of league_clubchange",
            ),
            ("ALTER TABLE league_logsalt SET UNLOGGED", "table league_logsalt: rp heap, and 1 more"),
            ("ALTER TABLE league_member ALTER role SET DEFAULT 'owner'", r"column league_member\.role: "),
            (
                "ALTER TABLE games_move DETACH PARTITION games_move_untimed",
                "inheritance: games_move_untimed of",
            ),
            ("CREATE TABLE games_move_more ()", "no table games_move_more"),
            (
                "CREATE FUNCTION more() RETURNS event_trigger AS 'BEGIN END' LANGUAGE plpgsql; "
                "CREATE EVENT TRIGGER more ON sql_drop EXECUTE FUNCTION more()",
                "no event trigger more, and 1 more",
            ),
            (
                "CREATE ROLE more; GRANT SELECT ON league_club TO more; CREATE SCHEMA more",
                "no schema more, which is named as a role",
            ),
            (
                "CREATE SCHEMA evil; "
                "CREATE FUNCTION evil.more(jsonb) RETURNS text AS 'SELECT NULL' LANGUAGE sql; "
                "CREATE CAST (jsonb AS text) WITH FUNCTION evil.more(jsonb) AS ASSIGNMENT; "
                "ALTER EXTENSION plpgsql ADD CAST (jsonb AS text)",
                r"no cast \(pg_catalog\.jsonb AS pg_catalog\.text\)",
            ),
            (
                "CREATE FUNCTION pg_catalog.lower(varchar) RETURNS text AS 'SELECT NULL' LANGUAGE sql",
                r"no function pg_catalog\.lower\(character varying\)",
            ),
            (
                "CREATE OPERATOR pg_catalog.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq)",
                r"no operator pg_catalog\.===",
            ),
            ("CREATE DOMAIN more AS text", r"no type public\.more"),
            (
                "CREATE FUNCTION more() RETURNS int AS 'SELECT 1' LANGUAGE sql; "
                "ALTER EXTENSION plpgsql ADD FUNCTION more()",
                r"no function more\(\)",
            ),
            (
                "CREATE SUBSCRIPTION more CONNECTION '' PUBLICATION more "
                "WITH (connect = false, slot_name = NONE)",
                "no subscription more",
            ),
            ("ALTER ROLE CURRENT_USER SET search_path = more, public", "no setting search_path=more, public"),
            ("ALTER DATABASE {database} SET role = postgres", "no setting role=postgres"),
            ("ALTER ROLE CURRENT_USER SET DateStyle = 'German'", "no setting DateStyle=German"),
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
        with pytest.raises(CannotServe, match=f"There should be .*{said.format(key=key)}"):
            prepare.check_schema()

    def test_may_have_settings_and_indexes_that_change_nothing_of_what_is_seen(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("CREATE INDEX more ON league_club (name, slug DESC)")
            for setting in ("statement_timeout = '5s'", "search_path = public, pg_temp"):
                cursor.execute(f"ALTER ROLE CURRENT_USER SET {setting}")
            # As monitoring, and extensions, bring along.
            cursor.execute("CREATE SCHEMA watching; CREATE FUNCTION watching.seen() RETURNS int RETURN 1")
            cursor.execute("CREATE TYPE watching.kind AS ENUM (); CREATE PUBLICATION more FOR ALL TABLES")
            cursor.execute("SELECT name FROM pg_available_extensions WHERE name = ANY(%s)", [_HOSTED])
            for (extension,) in cursor.fetchall():
                cursor.execute(f"CREATE EXTENSION {extension}")
        prepare.check_schema()

    def test_of_a_version_before_the_first_migrations_is_refused(self) -> None:
        MigrationRecorder(connection).flush()
        prepare.refuse_older()  # an empty database
        MigrationRecorder(connection).record_applied("league", "0001_of_former_times")
        with pytest.raises(CannotServe, match=r"^The database was made by a version before 0\.9\.0"):
            prepare.migrate()

    def test_may_have_what_a_later_release_has_added(self) -> None:
        MigrationRecorder.Migration.objects.create(app="league", name="9999_later")
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE league_club ADD more text")
        prepare.check_schema()
