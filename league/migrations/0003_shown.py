"""Since when what everybody may read of a competition is as it is: a draft changes nothing of it."""

from django.db import migrations, models

_FILL = """
UPDATE league_competition AS competition SET shown_seq = event.seq, shown_at = event.at
FROM league_event AS event
WHERE event.competition_id = competition.id
    AND event.seq = coalesce(competition.withheld_from - 1, competition.seq)
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0002_new_address")]

    operations = [
        migrations.AddField(
            "competition",
            "shown_seq",
            models.PositiveIntegerField(
                default=0, verbose_name="last entry that changed what everybody may read"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "competition",
            "shown_at",
            models.DateTimeField(
                default="2020-01-01T00:00Z", verbose_name="last change that everybody may know"
            ),
            preserve_default=False,
        ),
        migrations.RunSQL(_FILL, migrations.RunSQL.noop),
    ]
