from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("series", "0002_gathers")]

    operations = [
        migrations.AddField(
            "series",
            "follows",
            models.CharField(blank=True, default="", max_length=64, verbose_name="who counts by themselves"),
        ),
    ]
