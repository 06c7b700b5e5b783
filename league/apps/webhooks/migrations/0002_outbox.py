from django.db import migrations, models

import games.database_time


class Migration(migrations.Migration):
    dependencies = [
        ("webhooks", "0001_initial"),
    ]

    operations = [
        migrations.RemoveField("webhook", "busy_until"),
        migrations.AddField(
            "webhook",
            "next_at",
            models.DateTimeField(default=games.database_time.now, editable=False),
        ),
    ]
