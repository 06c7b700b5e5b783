"""The role that the service has in PostgreSQL: it owns nothing, and can only add to logs."""

from typing import Final

from django.db import connection, transaction

# Triggers of statements refuse changes of logs. They can be told to ignore that, but only for a session that
# may change the table at all. Partitions are written to by way of the log.
_LOGS: Final = """
SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger
WHERE NOT tgisinternal AND tgtype & 1 = 0 AND tgtype & 8 <> 0 ORDER BY 1
"""
_GRANTS: Final = """
GRANT USAGE ON SCHEMA public TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};
REVOKE UPDATE, DELETE ON {logs} FROM {role};
"""


@transaction.atomic
def grant(role: str) -> None:
    """Give an existing role what the service needs of the tables that there are, and no more."""
    with connection.cursor() as cursor:
        cursor.execute(_LOGS)
        logs = ", ".join(table for (table,) in cursor.fetchall())
        cursor.execute(_GRANTS.format(role=connection.ops.quote_name(role), logs=logs))
