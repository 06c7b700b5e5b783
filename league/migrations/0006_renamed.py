from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0005_expelled"),
    ]

    operations = [
        migrations.AddField(
            model_name="competition",
            name="renamed",
            field=models.PositiveIntegerField(default=0, verbose_name="changes of its players’ names"),
        ),
    ]
