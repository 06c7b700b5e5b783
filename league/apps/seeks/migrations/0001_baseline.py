import django.db.models.deletion
import games.database_time
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0001_initial"),
        ("league", "0001_baseline"),
        ("league", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Seek",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("ruleset", models.CharField(max_length=60)),
                ("options", models.JSONField(default=dict)),
                ("clock", models.JSONField(default=dict)),
                ("seats", models.PositiveSmallIntegerField()),
                ("private", models.BooleanField(default=False)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("begun", "begun"),
                            ("withdrawn", "withdrawn"),
                            ("lapsed", "lapsed"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("made_at", models.DateTimeField(default=games.database_time.now)),
                ("until", models.DateTimeField()),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seeks", to="league.club"
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "db_table": "league_seek",
                "ordering": ["made_at", "id"],
                "indexes": [
                    models.Index(condition=models.Q(("status", "open")), fields=["club"], name="seeks_open"),
                    models.Index(condition=models.Q(("status", "open")), fields=["until"], name="seeks_due"),
                    models.Index(fields=["made_by", "made_at"], name="league_seek_made_by_1b4dcc_idx"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SeekInvitation",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("made_at", models.DateTimeField(default=games.database_time.now)),
                ("accepted", models.BooleanField(null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seek",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="seeks.seek",
                    ),
                ),
            ],
            options={
                "db_table": "league_seekinvitation",
                "ordering": ["made_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="SeekSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("joined_at", models.DateTimeField(default=games.database_time.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.player"
                    ),
                ),
                (
                    "seek",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="taken", to="seeks.seek"
                    ),
                ),
            ],
            options={
                "db_table": "league_seekseat",
                "ordering": ["joined_at", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("seek", "account"), name="unique_seek_account"),
                    models.UniqueConstraint(fields=("seek", "player"), name="unique_seek_player"),
                ],
            },
        ),
    ]
