from django.db import migrations, models

import games.database_time

_next_at = models.DateTimeField(default=games.database_time.now, null=True, verbose_name="next attempt")
_attempts = models.PositiveSmallIntegerField(default=0, verbose_name="attempts")
_due = models.Index(condition=models.Q(("status", "waiting")), fields=["next_at"], name="notices_due")


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0001_initial"),
    ]

    operations = [
        migrations.RemoveIndex("notice", "notices_due"),
        migrations.RenameField("notice", "due_at", "next_at"),
        migrations.AlterField("notice", "next_at", _next_at),
        # What a worker had when it died is sent again by another one.
        migrations.RemoveField("notice", "busy_until"),
        migrations.AddIndex("notice", _due),
        migrations.RenameField("pushsubscription", "failures", "attempts"),
        migrations.AlterField("pushsubscription", "attempts", _attempts),
        migrations.RenameField("pushsubscription", "again_at", "next_at"),
        migrations.AlterField("pushsubscription", "next_at", _next_at),
    ]
