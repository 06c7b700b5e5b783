import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="LogEpoch",
            fields=[
                ("number", models.PositiveIntegerField(primary_key=True, serialize=False)),
                ("origin", models.CharField(max_length=220, unique=True)),
                ("reason", models.TextField(blank=True)),
                ("previous", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
            ],
            options={
                "db_table": "league_logepoch",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="LogHead",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("size", models.PositiveBigIntegerField()),
                ("root", models.BinaryField()),
                ("note", models.TextField()),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "epoch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="heads",
                        to="signed_log.logepoch",
                    ),
                ),
            ],
            options={
                "db_table": "league_loghead",
                "ordering": ["-epoch", "-size"],
                "constraints": [models.UniqueConstraint(fields=("epoch", "size"), name="unique_head_size")],
            },
        ),
        migrations.CreateModel(
            name="Cosignature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("witness", models.CharField(max_length=200)),
                ("line", models.TextField()),
                ("at", models.DateTimeField()),
                (
                    "head",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cosignatures",
                        to="signed_log.loghead",
                    ),
                ),
            ],
            options={
                "db_table": "league_cosignature",
                "ordering": ["head", "witness"],
                "constraints": [
                    models.UniqueConstraint(fields=("head", "witness"), name="unique_cosignature")
                ],
            },
        ),
        migrations.CreateModel(
            name="LogKey",
            fields=[
                ("number", models.PositiveIntegerField(primary_key=True, serialize=False)),
                ("public", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
            ],
            options={
                "db_table": "league_logkey",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="LogLeaf",
            fields=[
                ("index", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=12)),
                ("subject", models.UUIDField()),
                ("seq", models.PositiveBigIntegerField()),
                ("head", models.BinaryField()),
                ("hash", models.BinaryField()),
                ("at", models.DateTimeField()),
            ],
            options={
                "db_table": "league_logleaf",
                "ordering": ["index"],
                "indexes": [models.Index(fields=["hash"], name="leaves_by_hash")],
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "subject", "seq"), name="unique_leaf_of_entry")
                ],
            },
        ),
        migrations.CreateModel(
            name="LogNode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("level", models.PositiveSmallIntegerField()),
                ("index", models.PositiveBigIntegerField()),
                ("hash", models.BinaryField()),
            ],
            options={
                "db_table": "league_lognode",
                "ordering": ["level", "index"],
                "constraints": [models.UniqueConstraint(fields=("level", "index"), name="unique_log_node")],
            },
        ),
        migrations.CreateModel(
            name="SignedLog",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("only", models.BooleanField(default=True, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("as_of", models.DateTimeField(null=True)),
                ("contradicted", models.TextField(blank=True, default="")),
            ],
            options={
                "db_table": "league_signedlog",
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="LogSalt",
            fields=[
                (
                    "leaf",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="salt",
                        serialize=False,
                        to="signed_log.logleaf",
                    ),
                ),
                ("salt", models.BinaryField()),
            ],
            options={
                "db_table": "league_logsalt",
                "ordering": ["leaf"],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logepoch",
            trigger=pgtrigger.compiler.Trigger(
                name="epoch_update_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="aaa3336846c58b8d42d2e6c8b1d4447d33682525",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_epoch_update_refused_78caa",
                    table="league_logepoch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logepoch",
            trigger=pgtrigger.compiler.Trigger(
                name="epoch_delete_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="adb1bb34e6e369d600e7f7cfb7aec98546934baf",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_epoch_delete_refused_439d9",
                    table="league_logepoch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logepoch",
            trigger=pgtrigger.compiler.Trigger(
                name="epoch_truncate_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="ad407e8a58712ddd9bdc8a6e9689f9a0015814e3",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_epoch_truncate_refused_9310d",
                    table="league_logepoch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logkey",
            trigger=pgtrigger.compiler.Trigger(
                name="log_key_update_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="1932e564ff329129d7ef77d1b41977d6589d72fd",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_log_key_update_refused_71cea",
                    table="league_logkey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logkey",
            trigger=pgtrigger.compiler.Trigger(
                name="log_key_delete_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="0452d2e67db7f23287c6ca82ca745d98f849f6a8",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_log_key_delete_refused_7caf6",
                    table="league_logkey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logkey",
            trigger=pgtrigger.compiler.Trigger(
                name="log_key_truncate_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="7aabaf76482b7b9cfdeabad6d7feca34084b42fe",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_log_key_truncate_refused_3333c",
                    table="league_logkey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logleaf",
            trigger=pgtrigger.compiler.Trigger(
                name="leaf_update_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="d81c868c488c26d2f2b7706509d17d1556a06747",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_leaf_update_refused_c8559",
                    table="league_logleaf",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logleaf",
            trigger=pgtrigger.compiler.Trigger(
                name="leaf_delete_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="cd467bbbcff01eaf684cefc024448e01585f170b",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_leaf_delete_refused_f7f5c",
                    table="league_logleaf",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logleaf",
            trigger=pgtrigger.compiler.Trigger(
                name="leaf_truncate_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="10d3ea597231c86aeabeba1e5a10bffc208444c0",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_leaf_truncate_refused_94b98",
                    table="league_logleaf",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="loghead",
            trigger=pgtrigger.compiler.Trigger(
                name="log_head_update_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="1a5f3af9d758b2d0258544013a620680a23e0ab8",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_log_head_update_refused_74de3",
                    table="league_loghead",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="loghead",
            trigger=pgtrigger.compiler.Trigger(
                name="log_head_delete_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="a1f51e979b9ee3fe791c82e34855edce3b83eb34",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_log_head_delete_refused_490df",
                    table="league_loghead",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="loghead",
            trigger=pgtrigger.compiler.Trigger(
                name="log_head_truncate_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="e7e3bc3ce54a4499ecd1c830f68000a671d45543",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_log_head_truncate_refused_23f13",
                    table="league_loghead",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="cosignature",
            trigger=pgtrigger.compiler.Trigger(
                name="cosignature_update_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="46454204d5e04d8156fd669773eb98f6a595d48d",
                    level="STATEMENT",
                    operation="UPDATE",
                    pgid="pgtrigger_cosignature_update_refused_81ede",
                    table="league_cosignature",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="cosignature",
            trigger=pgtrigger.compiler.Trigger(
                name="cosignature_delete_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="f94349cf22661bafe1dececbaf9d7fd92e7eeda1",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_cosignature_delete_refused_e5081",
                    table="league_cosignature",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="cosignature",
            trigger=pgtrigger.compiler.Trigger(
                name="cosignature_truncate_refused",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'a log row is never changed or removed';",
                    hash="b054d416b3143b2df1fb0c9b8d5496ff5ed9cda6",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_cosignature_truncate_refused_f4ace",
                    table="league_cosignature",
                    when="BEFORE",
                ),
            ),
        ),
    ]
