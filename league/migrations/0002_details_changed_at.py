from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="details",
            name="changed_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
