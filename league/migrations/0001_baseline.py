import django.contrib.auth.models
import django.contrib.auth.validators
import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
import games.database_time
import league.choices
import league.models.clubs
import league.models.names
import league.ops.secret
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0001_initial"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                ),
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "language",
                    models.CharField(blank=True, editable=False, max_length=10, verbose_name="language"),
                ),
                (
                    "timezone",
                    models.CharField(
                        blank=True,
                        editable=False,
                        max_length=60,
                        validators=[league.models.names.known_zone],
                        verbose_name="time zone",
                    ),
                ),
                ("bot", models.BooleanField(default=False, editable=False, verbose_name="bot")),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="BeaconValue",
            fields=[
                ("round", models.BigIntegerField(primary_key=True, serialize=False, verbose_name="round")),
                ("signature", models.CharField(max_length=96, verbose_name="signature")),
            ],
            options={
                "verbose_name": "value of the beacon",
                "verbose_name_plural": "values of the beacon",
                "ordering": ["round"],
            },
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("slug", models.SlugField(max_length=60, unique=True, verbose_name="address")),
                (
                    "name",
                    models.CharField(
                        help_text="The address of the club’s pages follows the name. Earlier addresses keep working.",
                        max_length=100,
                        validators=[league.models.names.nameable],
                        verbose_name="name",
                    ),
                ),
                (
                    "timezone",
                    models.CharField(
                        default="UTC",
                        max_length=60,
                        validators=[league.models.names.known_zone],
                        verbose_name="time zone",
                    ),
                ),
                (
                    "quiet",
                    models.CharField(
                        blank=True,
                        default="22:00-07:00",
                        help_text="Hours such as 22:00-07:00 in which no email is sent; empty: emails are sent at any time.",
                        max_length=11,
                        validators=[league.models.clubs.quiet_hours],
                        verbose_name="quiet hours",
                    ),
                ),
                (
                    "mail_note",
                    models.CharField(
                        blank=True,
                        help_text="Shown below every email about the club’s games: where you meet, whom to ask.",
                        max_length=300,
                        validators=[league.models.names.printable],
                        verbose_name="sentence in emails",
                    ),
                ),
                (
                    "bots",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[("casual", "casual games"), ("competitions", "competitions")],
                            max_length=12,
                        ),
                        blank=True,
                        default=league.choices.casual_only,
                        help_text="A bot is a program that plays by itself. It is marked wherever its name is shown.",
                        size=None,
                        verbose_name="bots may play",
                    ),
                ),
                (
                    "embed_on",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200, validators=[league.models.clubs.origin]),
                        blank=True,
                        default=list,
                        help_text="Addresses such as https://www.example.org, one a line. They may show finished games in a frame.",
                        size=10,
                        verbose_name="websites that may embed games",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        default=games.database_time.now, editable=False, verbose_name="made"
                    ),
                ),
            ],
            options={
                "verbose_name": "club",
                "verbose_name_plural": "clubs",
                "ordering": ["name", "id"],
            },
        ),
        migrations.CreateModel(
            name="Competition",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("slug", models.SlugField(max_length=80, unique=True, verbose_name="address")),
                ("seq", models.PositiveIntegerField(default=0, verbose_name="entries in the log")),
                ("head", models.CharField(max_length=64, verbose_name="head")),
                ("opened_at", models.DateTimeField(verbose_name="opened")),
                ("changed_at", models.DateTimeField(verbose_name="last entry")),
                (
                    "shown_seq",
                    models.PositiveIntegerField(
                        verbose_name="last entry that changed what everybody may read"
                    ),
                ),
                ("shown_at", models.DateTimeField(verbose_name="last change that everybody may know")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("ruleset", models.CharField(max_length=60, verbose_name="game")),
                ("options", models.JSONField(default=dict, verbose_name="options")),
                (
                    "pace",
                    models.CharField(
                        choices=[
                            (
                                "automatic",
                                "automatic: rounds are prepared, published and closed as results come in",
                            ),
                            ("manual", "manual: an organiser prepares, publishes and closes each round"),
                        ],
                        default="manual",
                        max_length=10,
                        verbose_name="pace",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("preparing", "being prepared"),
                            ("entering", "open for entries"),
                            ("running", "running"),
                            ("paused", "paused"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                        ],
                        default="preparing",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("stage", models.PositiveSmallIntegerField(default=0, verbose_name="stage")),
                ("round", models.PositiveSmallIntegerField(default=0, verbose_name="round")),
                (
                    "step",
                    models.CharField(
                        choices=[
                            ("start", "entries and the start"),
                            ("start_stage", "the next stage"),
                            ("draw", "a draw"),
                            ("publish", "a draw to be published"),
                            ("play", "results"),
                            ("rule", "a result set by an organiser"),
                            ("close_round", "the round to be closed"),
                            ("finish", "the end"),
                            ("none", "nothing"),
                        ],
                        default="none",
                        max_length=12,
                        verbose_name="waits for",
                    ),
                ),
                (
                    "wait",
                    models.PositiveIntegerField(
                        null=True, verbose_name="minutes before the automatic pace takes this step"
                    ),
                ),
                (
                    "withheld_from",
                    models.PositiveIntegerField(null=True, verbose_name="first entry that is not public yet"),
                ),
                (
                    "awaited_beacon",
                    models.BigIntegerField(
                        default=0, verbose_name="round of the beacon that a draw waits for"
                    ),
                ),
                (
                    "overdue",
                    models.CharField(
                        choices=[
                            ("organiser", "an organiser decides"),
                            ("defaults", "the clock plays default moves to the end"),
                            ("forfeit", "players whose turn it is forfeit"),
                        ],
                        default="organiser",
                        max_length=10,
                        verbose_name="overdue games",
                    ),
                ),
                (
                    "open_hands",
                    models.PositiveIntegerField(
                        null=True, verbose_name="minutes until hands of past deals are shown"
                    ),
                ),
                (
                    "renamed",
                    models.PositiveIntegerField(default=0, verbose_name="changes of its players’ names"),
                ),
                (
                    "aided",
                    models.BooleanField(
                        default=False, verbose_name="the page of a game offers what hands make"
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="competitions",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
            ],
            options={
                "verbose_name": "competition",
                "verbose_name_plural": "competitions",
                "ordering": ["-opened_at", "id"],
                "indexes": [
                    models.Index(fields=["club", "status"], name="league_comp_club_id_db1a8c_idx"),
                    models.Index(fields=["status"], name="league_comp_status_8f93a2_idx"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=100, validators=[league.models.names.nameable], verbose_name="name"
                    ),
                ),
                ("search_name", models.CharField(editable=False, max_length=200)),
                ("active", models.BooleanField(default=True, verbose_name="active")),
                ("bot", models.BooleanField(default=False, editable=False, verbose_name="bot")),
                ("anonymous", models.BooleanField(default=False, editable=False)),
                (
                    "audience",
                    models.CharField(
                        choices=[
                            ("everybody", "everybody"),
                            ("club", "members of the club"),
                            ("nobody", "only me and those who run the club"),
                        ],
                        default="everybody",
                        editable=False,
                        max_length=10,
                        verbose_name="shown to",
                    ),
                ),
                (
                    "findable",
                    models.BooleanField(
                        default=False, editable=False, verbose_name="found by search in all clubs"
                    ),
                ),
                ("calendar_salt", models.CharField(blank=True, db_default="", editable=False, max_length=32)),
                (
                    "created_at",
                    models.DateTimeField(
                        default=games.database_time.now, editable=False, verbose_name="made"
                    ),
                ),
                (
                    "changed_at",
                    models.DateTimeField(
                        default=games.database_time.now, editable=False, verbose_name="changed"
                    ),
                ),
                (
                    "account",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="players",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="players",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="merged",
                        to="league.player",
                        verbose_name="is now",
                    ),
                ),
            ],
            options={
                "verbose_name": "player",
                "verbose_name_plural": "players",
                "ordering": ["search_name", "id"],
                "indexes": [
                    models.Index(fields=["club", "search_name"], name="league_play_club_id_da70f1_idx")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "account"),
                        name="unique_player_account",
                        violation_error_message="This account is another player of the club already.",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="FailedLogIns",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("count", models.PositiveIntegerField(default=0)),
                ("last_at", models.DateTimeField(db_index=True, default=games.database_time.now)),
            ],
            options={
                "ordering": ["-last_at", "key"],
            },
        ),
        migrations.CreateModel(
            name="PeriodicRun",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("began_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("ruleset", models.CharField(max_length=60, verbose_name="game")),
                ("points", models.IntegerField(verbose_name="rating")),
                ("uncertainty", models.IntegerField(verbose_name="uncertainty")),
                ("sure_points", models.IntegerField(verbose_name="conservative rating")),
                ("games", models.PositiveIntegerField(verbose_name="games")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="ratings", to="league.club"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="league.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "rating",
                "verbose_name_plural": "ratings",
                "ordering": ["club_id", "ruleset", "-sure_points", "id"],
                "indexes": [
                    models.Index(fields=["club", "ruleset", "-sure_points"], name="rating_lists_in_order")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "ruleset"), name="unique_rating_ruleset")
                ],
            },
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("format", models.CharField(max_length=40, verbose_name="format")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("planned", "to come"),
                            ("running", "being played"),
                            ("finished", "finished"),
                        ],
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("plan", models.JSONField(verbose_name="plan")),
                (
                    "corrected",
                    models.BooleanField(default=False, verbose_name="changed after its standings were final"),
                ),
                ("moves", models.JSONField(default=list, verbose_name="moves")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stages",
                        to="league.competition",
                    ),
                ),
            ],
            options={
                "verbose_name": "stage",
                "verbose_name_plural": "stages",
                "ordering": ["competition", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("competition", "number"), name="unique_stage_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "status",
                    models.CharField(
                        choices=[("drawn", "drawn"), ("published", "being played"), ("closed", "closed")],
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("deadline", models.DateTimeField(null=True, verbose_name="deadline")),
                ("report", models.JSONField(verbose_name="report on the draw")),
                ("moved", models.JSONField(default=list, verbose_name="reasons why seats were moved")),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="league.stage"
                    ),
                ),
            ],
            options={
                "verbose_name": "round",
                "verbose_name_plural": "rounds",
                "ordering": ["stage", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "number"), name="unique_round_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="RoundStandings",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("round", models.PositiveSmallIntegerField(verbose_name="round")),
                ("order", models.JSONField(verbose_name="order")),
                ("to_come", models.JSONField(verbose_name="tables to come")),
                ("ahead", models.JSONField(verbose_name="what is ahead")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="round_standings",
                        to="league.competition",
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="round_standings",
                        to="league.stage",
                    ),
                ),
            ],
            options={
                "verbose_name": "standings after a round",
                "verbose_name_plural": "standings after rounds",
                "ordering": ["stage", "round"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "round"), name="unique_round_standings")
                ],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                ("group", models.PositiveSmallIntegerField(default=1, verbose_name="group")),
                ("board", models.PositiveSmallIntegerField(default=1, verbose_name="board")),
                ("label", models.CharField(default="", max_length=60, verbose_name="label")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("drawn", "drawn"),
                            ("playing", "being played"),
                            ("postponed", "put off"),
                            ("abandoned", "abandoned"),
                            ("played", "played"),
                            ("walkover", "walkover"),
                            ("void", "void"),
                        ],
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("ruled", models.BooleanField(default=False, verbose_name="decided by an organiser")),
                ("void_reason", models.CharField(default="", max_length=500, verbose_name="why it is void")),
                (
                    "postponed_reason",
                    models.CharField(default="", max_length=500, verbose_name="why it is put off"),
                ),
                ("postponed_until", models.DateTimeField(null=True, verbose_name="to be played by")),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tables", to="league.round"
                    ),
                ),
            ],
            options={
                "verbose_name": "table",
                "verbose_name_plural": "tables",
                "ordering": ["round", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "number"), name="unique_table_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=80, validators=[league.models.names.nameable], verbose_name="name"
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("read:private", "see what only you can see: your cards and your entries"),
                                ("read:account", "list your tokens"),
                                ("play:move", "make the moves of your seats, and see your cards"),
                                ("play:enter", "enter competitions and open games as a player"),
                                ("club:rule", "keep scores: check entries in, set results, give penalties"),
                                (
                                    "club:organise",
                                    "manage the clubs that you organise, their players and competitions",
                                ),
                                ("read", "all that begins with read:"),
                                ("play", "all that begins with play:"),
                                ("organise", "all that begins with club:"),
                            ],
                            max_length=20,
                        ),
                        size=None,
                        verbose_name="scopes",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        default=games.database_time.now, editable=False, verbose_name="made"
                    ),
                ),
                ("expires_at", models.DateTimeField(editable=False, null=True, verbose_name="expires")),
                ("last_used_at", models.DateTimeField(editable=False, null=True, verbose_name="last used")),
                ("revoked_at", models.DateTimeField(editable=False, null=True, verbose_name="revoked")),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
            ],
            options={
                "verbose_name": "token",
                "verbose_name_plural": "tokens",
                "ordering": ["-created_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="VerifiedLog",
            fields=[
                ("stream", models.UUIDField(primary_key=True, serialize=False)),
                ("head", models.CharField(max_length=64)),
                ("release", models.CharField(max_length=64)),
            ],
            options={
                "ordering": ["stream"],
            },
        ),
        migrations.CreateModel(
            name="WatchedGames",
            fields=[
                (
                    "process",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("games", models.JSONField(default=dict)),
                ("at", models.DateTimeField(default=games.database_time.now)),
            ],
            options={
                "ordering": ["-at", "process"],
            },
        ),
        migrations.CreateModel(
            name="AccountFeed",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("last", models.PositiveIntegerField(default=0)),
                ("dropped", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["account"],
            },
        ),
        migrations.CreateModel(
            name="AccountEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField(null=True)),
                ("key", models.CharField(max_length=100, null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("turn", "your turn in a game"),
                            ("invitation", "an invitation to a game"),
                            ("game_begun", "a game of yours has begun"),
                            ("game_over", "a game of yours is over, or was called off"),
                            ("handed_over", "a seat of yours was handed over, or one to you"),
                            ("competition_started", "a competition of yours has started"),
                            ("round_published", "a round was published"),
                            ("round_withdrawn", "a round was withdrawn"),
                            ("round_closed", "a round was closed"),
                            ("result", "a result of yours was recorded or corrected"),
                            ("competition_finished", "a competition of yours is over"),
                            ("competition_reopened", "a competition of yours was reopened"),
                            ("seek_answered", "somebody joined your seek, or left it"),
                            ("seek_closed", "a seek of yours has begun, lapsed, or was withdrawn"),
                            ("call", "a table of your club calls the organiser"),
                        ],
                        max_length=24,
                    ),
                ),
                ("about", models.JSONField(default=dict)),
                ("at", models.DateTimeField(db_index=True, default=games.database_time.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["account", "seq", "id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("seq", None)), fields=["account"], name="account_events_unread"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("account", "seq"), name="unique_account_event_seq"),
                    models.UniqueConstraint(fields=("account", "key"), name="unique_account_event_key"),
                ],
            },
        ),
        migrations.CreateModel(
            name="App",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=60, validators=[league.models.names.nameable], verbose_name="name"
                    ),
                ),
                (
                    "made_at",
                    models.DateTimeField(
                        default=games.database_time.now, editable=False, verbose_name="made"
                    ),
                ),
                ("retired_at", models.DateTimeField(editable=False, null=True, verbose_name="retired")),
                (
                    "account",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="app",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="apps",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
            ],
            options={
                "verbose_name": "app",
                "verbose_name_plural": "apps",
                "ordering": ["name", "id"],
            },
        ),
        migrations.CreateModel(
            name="ClubChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("club_made", "created the club"),
                            ("club_changed", "changed the club"),
                            ("member_added", "added a member"),
                            ("member_changed", "changed a member’s role"),
                            ("member_removed", "removed a member"),
                            ("player_made", "added a player"),
                            ("player_changed", "changed a player"),
                            ("contact_changed", "changed a player’s contact"),
                            ("players_merged", "merged two players"),
                            ("player_removed", "removed a player"),
                            ("invited", "invited"),
                            ("invitation_revoked", "revoked an invitation"),
                            ("invitation_accepted", "accepted an invitation"),
                            ("app_made", "created an app"),
                            ("app_token_made", "created a token of an app"),
                            ("app_token_revoked", "revoked a token of an app"),
                            ("app_retired", "retired an app"),
                            ("webhook_made", "created a webhook"),
                            ("webhook_changed", "changed a webhook"),
                            ("webhook_removed", "removed a webhook"),
                            ("competition_described", "changed what a competition tells"),
                            ("kiosk_made", "made a kiosk"),
                            ("kiosk_revoked", "revoked a kiosk"),
                        ],
                        max_length=30,
                        verbose_name="what",
                    ),
                ),
                ("subject", models.CharField(max_length=200, verbose_name="about")),
                ("values", models.JSONField(default=dict, verbose_name="values")),
                ("about", models.UUIDField(editable=False, null=True)),
                ("at", models.DateTimeField(default=games.database_time.asked, verbose_name="at")),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="changes",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
            ],
            options={
                "verbose_name": "change",
                "verbose_name_plural": "changes",
                "ordering": ["-at", "-id"],
                "indexes": [
                    models.Index(fields=["club", "-at"], name="league_club_club_id_26bcb0_idx"),
                    models.Index(fields=["at"], name="league_club_at_9c0ddc_idx"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Details",
            fields=[
                (
                    "competition",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="stored_details",
                        serialize=False,
                        to="league.competition",
                    ),
                ),
                ("begins_on", models.DateField(blank=True, null=True, verbose_name="first day")),
                ("begins_at", models.TimeField(blank=True, null=True, verbose_name="time of day")),
                ("ends_on", models.DateField(blank=True, null=True, verbose_name="last day")),
                (
                    "place",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=200,
                        validators=[league.models.names.printable],
                        verbose_name="place",
                    ),
                ),
                (
                    "description",
                    models.TextField(
                        blank=True,
                        default="",
                        max_length=4000,
                        validators=[league.models.names.printable_lines],
                        verbose_name="description",
                    ),
                ),
                (
                    "contact",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=200,
                        validators=[league.models.names.printable],
                        verbose_name="contact",
                    ),
                ),
                ("prizes", models.JSONField(blank=True, default=list, verbose_name="prizes")),
                ("picture", models.CharField(blank=True, default="", max_length=64, verbose_name="picture")),
                (
                    "picture_text",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=200,
                        validators=[league.models.names.printable],
                        verbose_name="what the picture shows",
                    ),
                ),
                ("picture_width", models.PositiveSmallIntegerField(default=0)),
                ("picture_height", models.PositiveSmallIntegerField(default=0)),
                ("changed_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "verbose_name": "details of a competition",
                "verbose_name_plural": "details of competitions",
                "ordering": ["competition"],
            },
        ),
        migrations.CreateModel(
            name="Picture",
            fields=[
                (
                    "competition",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="league.competition",
                    ),
                ),
                ("data", models.BinaryField()),
            ],
            options={
                "ordering": ["competition"],
            },
        ),
        migrations.CreateModel(
            name="Ratings",
            fields=[
                (
                    "competition",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="ratings",
                        serialize=False,
                        to="league.competition",
                    ),
                ),
                ("as_of", models.PositiveIntegerField(default=0, verbose_name="as of entry")),
            ],
            options={
                "ordering": ["competition_id"],
            },
        ),
        migrations.CreateModel(
            name="Standings",
            fields=[
                (
                    "competition",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="standings",
                        serialize=False,
                        to="league.competition",
                    ),
                ),
                ("as_of", models.PositiveIntegerField(default=0, verbose_name="as of entry")),
            ],
            options={
                "ordering": ["competition"],
            },
        ),
        migrations.CreateModel(
            name="ClubGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="club_game",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("recorded", models.BooleanField(default=False, verbose_name="recorded")),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="games",
                        to="league.club",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="opened by",
                    ),
                ),
                (
                    "rematch_of",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rematches",
                        to="games.game",
                        verbose_name="rematch of",
                    ),
                ),
                (
                    "competition",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games",
                        to="league.competition",
                        verbose_name="competition",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="games",
                        to="league.table",
                    ),
                ),
            ],
            options={
                "ordering": ["game"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("competition__isnull", False), ("recorded", False)),
                        fields=["game"],
                        name="games_not_recorded",
                    ),
                    models.Index(fields=["club", "game"], name="games_of_club"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("competition__isnull", False), ("table", None), _connector="OR"),
                        name="tables_are_of_competitions",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Contact",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="contact",
                        serialize=False,
                        to="league.player",
                        verbose_name="player",
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "phone",
                    models.CharField(
                        blank=True,
                        max_length=60,
                        validators=[league.models.names.printable],
                        verbose_name="phone",
                    ),
                ),
                (
                    "note",
                    models.CharField(
                        blank=True,
                        max_length=500,
                        validators=[league.models.names.printable],
                        verbose_name="note",
                    ),
                ),
            ],
            options={
                "verbose_name": "contact",
                "verbose_name_plural": "contacts",
                "ordering": ["player"],
            },
        ),
        migrations.CreateModel(
            name="DrawSecret",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("root", models.CharField(max_length=64, unique=True)),
                ("secret", models.BinaryField()),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="league.competition"
                    ),
                ),
            ],
            options={
                "ordering": ["competition", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Email",
            fields=[
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                (
                    "next_at",
                    models.DateTimeField(
                        default=games.database_time.now, null=True, verbose_name="next attempt"
                    ),
                ),
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("key", models.CharField(max_length=200, unique=True)),
                ("kind", models.CharField(max_length=20)),
                ("about", models.JSONField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sent", "sent"),
                            ("dropped", "out of date"),
                            ("failed", "failed"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("made_at", models.DateTimeField(default=games.database_time.now, verbose_name="made")),
                ("sent_at", models.DateTimeField(null=True, verbose_name="sent")),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="emails",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="emails",
                        to="league.club",
                    ),
                ),
            ],
            options={
                "db_table": "league_notice",
                "ordering": ["-made_at", "id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "waiting")), fields=["next_at"], name="emails_due"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("affiliation", models.CharField(default="", max_length=100, verbose_name="affiliation")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("applied", "waits for approval"),
                            ("rejected", "rejected"),
                            ("waiting", "on the waiting list"),
                            ("entered", "takes part"),
                            ("withdrawn", "withdrawn"),
                        ],
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("checked_in", models.BooleanField(default=False, verbose_name="checked in")),
                ("from_round", models.PositiveSmallIntegerField(null=True, verbose_name="from round")),
                (
                    "withdrawn_from",
                    models.PositiveSmallIntegerField(null=True, verbose_name="withdrawn from round"),
                ),
                ("ranked", models.BooleanField(default=False, verbose_name="ranked")),
                ("expelled", models.BooleanField(default=False, verbose_name="expelled")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="league.competition",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry",
                "verbose_name_plural": "entries",
                "ordering": ["competition", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("competition", "number"), name="unique_entry_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="TableSeat",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveSmallIntegerField(verbose_name="seat")),
                ("rank", models.PositiveSmallIntegerField(null=True, verbose_name="rank")),
                ("score", models.IntegerField(null=True, verbose_name="score")),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("no_show", "no-show"),
                            ("forfeit", "forfeit"),
                            ("walkover", "walkover"),
                            ("resigned", "resigned"),
                            ("late", "lost on time"),
                        ],
                        default="",
                        max_length=10,
                        verbose_name="outcome",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="league.entry"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="league.player"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="league.table"
                    ),
                ),
            ],
            options={
                "ordering": ["table", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="unique_table_seat_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="Bye",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="byes", to="league.entry"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="byes", to="league.round"
                    ),
                ),
            ],
            options={
                "ordering": ["round", "entry__number"],
                "constraints": [models.UniqueConstraint(fields=("round", "entry"), name="unique_bye_entry")],
            },
        ),
        migrations.CreateModel(
            name="EntryPlayer",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="league.entry"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entered",
                        to="league.player",
                    ),
                ),
            ],
            options={
                "ordering": ["entry", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("entry", "player"), name="unique_entry_player")
                ],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField(verbose_name="log entry")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("organiser", "organiser"),
                            ("scorekeeper", "scorekeeper"),
                            ("player", "player"),
                            ("kiosk", "kiosk"),
                            ("clock", "clock"),
                            ("system", "system"),
                        ],
                        max_length=12,
                        verbose_name="role",
                    ),
                ),
                ("account", models.CharField(max_length=64, null=True, verbose_name="account")),
                ("event", models.JSONField(verbose_name="event")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("hash", models.CharField(max_length=64, verbose_name="hash")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="league.competition",
                        verbose_name="competition",
                    ),
                ),
            ],
            options={
                "verbose_name": "event",
                "verbose_name_plural": "events",
                "ordering": ["competition", "seq"],
                "constraints": [
                    models.UniqueConstraint(fields=("competition", "seq"), name="unique_event_seq")
                ],
            },
        ),
        migrations.CreateModel(
            name="FormerAddress",
            fields=[
                (
                    "slug",
                    models.SlugField(
                        max_length=60, primary_key=True, serialize=False, verbose_name="address"
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_addresses",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
            ],
            options={
                "ordering": ["slug"],
            },
        ),
        migrations.CreateModel(
            name="GameRating",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("ruleset", models.CharField(max_length=60, verbose_name="game")),
                ("ended_at", models.DateTimeField(verbose_name="ended")),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                ("team", models.PositiveSmallIntegerField(verbose_name="team")),
                ("rank", models.PositiveSmallIntegerField(verbose_name="rank")),
                ("mean", models.FloatField(verbose_name="mean")),
                ("deviation", models.FloatField(verbose_name="deviation")),
                ("games", models.PositiveIntegerField(verbose_name="games")),
                ("gained", models.IntegerField(verbose_name="gained")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="league.club"
                    ),
                ),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.competition"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="game_ratings",
                        to="league.player",
                    ),
                ),
            ],
            options={
                "ordering": ["club_id", "ruleset", "ended_at", "game_id", "seat"],
                "indexes": [
                    models.Index(fields=["club", "ruleset", "ended_at", "game"], name="rated_games_in_order"),
                    models.Index(
                        fields=["player", "ruleset", "ended_at", "game"], name="ratings_of_a_player"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "player"), name="unique_game_rating_player")
                ],
            },
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=games.database_time.now)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "competition",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imported",
                        to="league.competition",
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imported",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("competition", None), ("game", None), _connector="XOR"),
                        name="imports_are_of_one_log",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("organiser", "organiser"),
                            ("scorekeeper", "scorekeeper"),
                            ("player", "player"),
                        ],
                        max_length=12,
                        verbose_name="role",
                    ),
                ),
                ("salt", models.CharField(default=league.ops.secret.new_salt, editable=False, max_length=32)),
                (
                    "made_at",
                    models.DateTimeField(
                        default=games.database_time.now, editable=False, verbose_name="invited"
                    ),
                ),
                (
                    "expires_at",
                    models.DateTimeField(
                        default=league.models.clubs.expiry, editable=False, verbose_name="valid until"
                    ),
                ),
                ("accepted_at", models.DateTimeField(editable=False, null=True, verbose_name="accepted")),
                ("revoked_at", models.DateTimeField(editable=False, null=True, verbose_name="revoked")),
                (
                    "accepted_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="accepted by",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="invited by",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="league.player",
                        verbose_name="plays as",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "ordering": ["-made_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("read_players", "reading a file of players"),
                            ("import_players", "importing players"),
                            ("enter_players", "entering players"),
                            ("print", "printing"),
                            ("download", "preparing a download"),
                            ("import_log", "importing a log"),
                        ],
                        max_length=20,
                        verbose_name="what",
                    ),
                ),
                ("given", models.JSONField(default=dict)),
                ("upload", models.BinaryField(null=True)),
                ("language", models.CharField(max_length=20)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "in progress"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0, verbose_name="steps done")),
                ("total", models.PositiveIntegerField(default=0, verbose_name="steps in all")),
                ("cancelling", models.BooleanField(default=False)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("beat_at", models.DateTimeField(null=True)),
                ("result", models.JSONField(default=dict)),
                ("file", models.BinaryField(null=True)),
                ("file_name", models.CharField(blank=True, max_length=200)),
                ("file_until", models.DateTimeField(null=True)),
                ("error", league.models.names.MessageField(default=str)),
                ("made_at", models.DateTimeField(default=games.database_time.now, verbose_name="started")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended")),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="started by",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "competition",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="league.competition",
                        verbose_name="competition",
                    ),
                ),
            ],
            options={
                "verbose_name": "job",
                "verbose_name_plural": "jobs",
                "ordering": ["-made_at", "id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("status__in", ["waiting", "running"])),
                        fields=["made_at"],
                        name="jobs_to_do",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="KnownPlace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("last_at", models.DateTimeField(db_index=True, default=games.database_time.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-last_at", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("account", "digest"), name="unique_known_place")
                ],
            },
        ),
        migrations.CreateModel(
            name="LogIn",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("browser", models.CharField(blank=True, max_length=20)),
                ("system", models.CharField(blank=True, max_length=20)),
                ("at", models.DateTimeField(default=games.database_time.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="log_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="sessions.session"
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "id"],
            },
        ),
        migrations.CreateModel(
            name="MadeOnce",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                ("asked", models.CharField(max_length=64)),
                ("made", models.UUIDField(null=True)),
                ("at", models.DateTimeField(db_index=True, default=games.database_time.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("account", "key"), name="unique_idempotency_key")
                ],
            },
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("organiser", "organiser"),
                            ("scorekeeper", "scorekeeper"),
                            ("player", "player"),
                        ],
                        max_length=12,
                        verbose_name="role",
                    ),
                ),
                (
                    "agrees_to_games",
                    models.BooleanField(
                        default=False, editable=False, verbose_name="casual games begin without asking"
                    ),
                ),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
            ],
            options={
                "verbose_name": "member",
                "verbose_name_plural": "members",
                "ordering": ["club", "account"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "account"), name="unique_membership_account")
                ],
            },
        ),
        migrations.CreateModel(
            name="Passkey",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=80, validators=[league.models.names.nameable], verbose_name="name"
                    ),
                ),
                ("credential", models.CharField(max_length=1400, unique=True)),
                ("public_key", models.BinaryField()),
                ("uses", models.BigIntegerField(default=0)),
                ("made_at", models.DateTimeField(default=games.database_time.now, editable=False)),
                ("last_used_at", models.DateTimeField(editable=False, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passkeys",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "passkey",
                "verbose_name_plural": "passkeys",
                "ordering": ["-made_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="PlayerRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("player", models.UUIDField()),
                ("seq", models.PositiveIntegerField()),
                ("club", models.UUIDField()),
                ("account", models.UUIDField(null=True)),
                ("merged_into", models.UUIDField(null=True)),
                ("removed", models.BooleanField()),
                ("at", models.DateTimeField(db_index=True)),
            ],
            options={
                "ordering": ["player", "seq"],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "seq"), name="unique_player_record")
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="playerrecord",
            trigger=pgtrigger.compiler.Trigger(
                name="player_record_update_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="0c171506df30b6877f5b84a6f572fbd51318cfa8",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_player_record_update_refused_6140d",
                    table="league_playerrecord",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="playerrecord",
            trigger=pgtrigger.compiler.Trigger(
                name="player_record_delete_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="c6ac4bf7d8e8d73fb25ab9cfc6f5be8c8cb55231",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_player_record_delete_refused_73bba",
                    table="league_playerrecord",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="playerrecord",
            trigger=pgtrigger.compiler.Trigger(
                name="player_record_truncate_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="3e119a71fab392bb49c3fd97d9fb9686f2594c66",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_player_record_truncate_refused_5273b",
                    table="league_playerrecord",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="clubchange",
            trigger=pgtrigger.compiler.Trigger(
                name="club_change_update_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="1db3b4d314e10ab1abe04d55984b266941fd0ff6",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_club_change_update_refused_1c632",
                    table="league_clubchange",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="clubchange",
            trigger=pgtrigger.compiler.Trigger(
                name="club_change_delete_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="017caae9da9413a936d8a87dc5585e57abd22c72",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_club_change_delete_refused_6b66a",
                    table="league_clubchange",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="clubchange",
            trigger=pgtrigger.compiler.Trigger(
                name="club_change_truncate_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="da0e05c47344b3eae6e6a7b53ed6b1cd8b932dfc",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_club_change_truncate_refused_67511",
                    table="league_clubchange",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="player",
            trigger=pgtrigger.compiler.Trigger(
                name="player_recorded",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nIF TG_OP = 'UPDATE' THEN\n    IF (OLD.account_id, OLD.merged_into_id, OLD.anonymous)\n        IS NOT DISTINCT FROM (NEW.account_id, NEW.merged_into_id, NEW.anonymous) THEN\n        RETURN NULL;\n    END IF;\nELSIF TG_OP = 'DELETE' THEN\n    NEW = OLD;\n    NEW.account_id = NULL;\n    NEW.anonymous = true;\nEND IF;\nINSERT INTO league_playerrecord (player, seq, club, account, merged_into, removed, at)\nSELECT NEW.id, 1 + count(*), NEW.club_id, NEW.account_id, NEW.merged_into_id, NEW.anonymous,\n    clock_timestamp()\nFROM league_playerrecord WHERE player = NEW.id;\nRETURN NULL;\n",
                    hash="819c753db58cd10f84a9490622d1becd2760a678",
                    operation='INSERT OR UPDATE OF "account_id", "merged_into_id", "anonymous" OR DELETE',
                    pgid="pgtrigger_player_recorded_42229",
                    table="league_player",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="player",
            trigger=pgtrigger.compiler.Trigger(
                name="player_changed",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func="NEW.changed_at = clock_timestamp(); RETURN NEW;",
                    hash="0aec723f68dd60cfc2d769e55c9e001759cb420c",
                    operation="UPDATE",
                    pgid="pgtrigger_player_changed_d958b",
                    table="league_player",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="event",
            trigger=pgtrigger.compiler.Trigger(
                name="event_update_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="fe2de58e2dd45d40f73f4b35bfb073a51cd1922e",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_event_update_refused_e04c3",
                    table="league_event",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="event",
            trigger=pgtrigger.compiler.Trigger(
                name="event_delete_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="28a777b7d2343c5559e9680be6b2c4d9550c9a6a",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_event_delete_refused_3316c",
                    table="league_event",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="event",
            trigger=pgtrigger.compiler.Trigger(
                name="event_truncate_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="456c3e43d5ecdbcfb27d16560cd51ffea8089bbc",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_event_truncate_refused_9f6c8",
                    table="league_event",
                    when="BEFORE",
                ),
            ),
        ),
    ]
