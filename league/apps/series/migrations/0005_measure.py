from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("series", "0004_who_appears")]

    operations = [
        migrations.AddField(
            "seriesevening", "measure", models.CharField(max_length=10, blank=True, default="")
        ),
        # Rows that lag behind their competitions' logs are made anew by the worker.
        migrations.RunSQL(
            "UPDATE league_seriesevening SET as_of = 0 WHERE competition_id IS NOT NULL",
            migrations.RunSQL.noop,
        ),
    ]
