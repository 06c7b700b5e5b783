from django.db import migrations, models

# Of people who got one number by being added at once the first keeps it, the others get the next free ones;
# what they are called follows when `upgrade` makes the rows anew that differ.
_APART = """
UPDATE league_player SET number = apart.number
FROM (
    SELECT id, last + row_number() OVER (PARTITION BY club_id ORDER BY number, created_at, id) AS number
    FROM (
        SELECT id, club_id, number, created_at,
            row_number() OVER (PARTITION BY club_id, number ORDER BY created_at, id) AS nth,
            max(number) OVER (PARTITION BY club_id) AS last
        FROM league_player WHERE number IS NOT NULL
    ) AS numbered
    WHERE nth > 1
) AS apart
WHERE league_player.id = apart.id;
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0021_left_before_playing")]

    operations = [
        migrations.RunSQL(_APART, migrations.RunSQL.noop),
        migrations.AddConstraint(
            "player", models.UniqueConstraint(fields=["club", "number"], name="unique_player_number")
        ),
    ]
