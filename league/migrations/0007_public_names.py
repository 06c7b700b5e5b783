from django.db import migrations, models

_NAMED = """
UPDATE league_player SET public_name = name;
UPDATE league_entry SET public_name = name;
"""
_SHOWN = [
    ("full", "the whole name"),
    ("short", "the first name and an initial, such as “Anna P.”"),
    ("members", "names for members only; everybody else reads a number, such as “Member 17”"),
]


class Migration(migrations.Migration):
    dependencies = [("league", "0006_who_appears")]

    operations = [
        migrations.AddField(
            "club",
            "names",
            models.CharField(
                choices=_SHOWN,
                db_default="full",
                default="full",
                help_text="What others than members read of your people’s names. Each person may choose "
                "otherwise. Copies that were taken before cannot be recalled.",
                max_length=10,
                verbose_name="names on public pages",
            ),
        ),
        migrations.AddField(
            "player",
            "names",
            models.CharField(
                blank=True,
                choices=_SHOWN,
                db_default="",
                default="",
                editable=False,
                max_length=10,
                verbose_name="my name on public pages",
            ),
        ),
        migrations.AddField("player", "number", models.PositiveIntegerField(editable=False, null=True)),
        migrations.AddField(
            "player", "public_name", models.CharField(db_default="", editable=False, max_length=110)
        ),
        migrations.AddField("entry", "public_name", models.CharField(db_default="", max_length=110)),
        migrations.RunSQL(_NAMED, migrations.RunSQL.noop),
    ]
