from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0017_between"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="paper",
            field=models.CharField(
                choices=[("a4", "A4"), ("letter", "Letter")],
                db_default="a4",
                default="a4",
                help_text="What your printer has: score sheets, lists and certificates are made for it.",
                max_length=6,
                verbose_name="paper",
            ),
        ),
    ]
