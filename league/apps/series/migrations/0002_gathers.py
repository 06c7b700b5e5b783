from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("series", "0001_log_and_evenings")]

    # A mark cannot be read as whether it gathers.
    operations = [
        migrations.RemoveField("series", "gathers"),
        migrations.AddField(
            "series",
            "gathers",
            models.BooleanField(default=True, verbose_name="evenings like those it has join by themselves"),
        ),
    ]
