from django.db import migrations, models


class Migration(migrations.Migration):
    """Let people be numbered while others enter them: a column of a whole unique index is part of a key."""

    dependencies = [("league", "0022_one_number_each")]

    operations = [
        migrations.RemoveConstraint("player", "unique_player_number"),
        migrations.AddConstraint(
            "player",
            models.UniqueConstraint(
                fields=["club", "number"],
                condition=models.Q(number__isnull=False),
                name="unique_player_number",
            ),
        ),
    ]
