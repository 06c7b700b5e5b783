from django.db import migrations

_APPEARED = """
UPDATE league_player AS player SET appeared = true
WHERE EXISTS (
    SELECT FROM league_seriesevent AS event JOIN league_series AS series ON series.id = event.series_id
    WHERE series.club_id = player.club_id AND strpos(event.event::text, player.id::text) > 0
);
UPDATE league_player AS player SET appeared = true
WHERE EXISTS (SELECT FROM league_player AS merged WHERE merged.merged_into_id = player.id AND merged.appeared);
"""


class Migration(migrations.Migration):
    dependencies = [("series", "0003_follows"), ("league", "0006_who_appears")]

    operations = [migrations.RunSQL(_APPEARED, migrations.RunSQL.noop)]
