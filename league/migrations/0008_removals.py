import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

# Those who were removed before: their records say so from now on.
_REMOVED = """
INSERT INTO league_playerrecord (player, seq, club, account, merged_into, removed, at)
SELECT id, (SELECT 1 + count(*) FROM league_playerrecord WHERE player = league_player.id), club_id,
    account_id, merged_into_id, true, clock_timestamp()
FROM league_player WHERE anonymous
"""


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0007_calendar_salt"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="player",
            name="player_recorded",
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="player",
            trigger=pgtrigger.compiler.Trigger(
                name="player_recorded",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nIF TG_OP = 'UPDATE' THEN\n    IF (OLD.account_id, OLD.merged_into_id, OLD.anonymous)\n        IS NOT DISTINCT FROM (NEW.account_id, NEW.merged_into_id, NEW.anonymous) THEN\n        RETURN NULL;\n    END IF;\nELSIF TG_OP = 'DELETE' THEN\n    NEW = OLD;\n    NEW.account_id = NULL;\n    NEW.anonymous = true;\nEND IF;\nINSERT INTO league_playerrecord (player, seq, club, account, merged_into, removed, at)\nSELECT NEW.id, 1 + count(*), NEW.club_id, NEW.account_id, NEW.merged_into_id, NEW.anonymous,\n    clock_timestamp()\nFROM league_playerrecord WHERE player = NEW.id;\nRETURN NULL;\n",
                    hash="819c753db58cd10f84a9490622d1becd2760a678",
                    operation='INSERT OR UPDATE OF "account_id", "merged_into_id", "anonymous" OR DELETE',
                    pgid="pgtrigger_player_recorded_42229",
                    table="league_player",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(_REMOVED, migrations.RunSQL.noop),
    ]
