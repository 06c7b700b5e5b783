from django.db import migrations, models

# Whom rows name of what logs say; an app whose logs name others adds them.
_APPEARED = """
UPDATE league_player AS player SET appeared = true
WHERE EXISTS (SELECT FROM games_seat WHERE games_seat.player = player.id)
    OR EXISTS (
        SELECT FROM league_event AS event JOIN league_competition AS competition ON competition.id = event.competition_id
        WHERE competition.club_id = player.club_id AND strpos(event.event::text, player.id::text) > 0
    );
UPDATE league_player AS player SET appeared = true
WHERE EXISTS (SELECT FROM league_player AS merged WHERE merged.merged_into_id = player.id AND merged.appeared);
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0005_results_are_checked")]

    operations = [
        migrations.AddField(
            "player",
            "appeared",
            models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunSQL(_APPEARED, migrations.RunSQL.noop),
    ]
