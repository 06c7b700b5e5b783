"""Entries say whether an organiser put them out."""

from django.db import migrations, models

_EXPELLED = """
    UPDATE league_entry AS entry SET expelled = true FROM league_event AS told
    WHERE entry.status = 'withdrawn' AND told.competition_id = entry.competition_id
    AND told.event->>'type' = 'withdrawn' AND told.event->>'entry' = entry.id::text
    AND told.event->>'expelled' = 'true'
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0004_change_about")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="expelled",
            field=models.BooleanField(default=False, verbose_name="expelled"),
        ),
        migrations.RunSQL(_EXPELLED, migrations.RunSQL.noop),
    ]
