import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="since",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.DateTimeField(null=True),
                default=list,
                size=None,
                verbose_name="waits since",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="used",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.DurationField(), default=list, size=None, verbose_name="time used"
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="deadline",
            field=models.DateTimeField(null=True, verbose_name="deadline"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("deadline__isnull", False)), fields=["deadline"], name="games_due"
            ),
        ),
    ]
