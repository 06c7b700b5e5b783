from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0004_tell_of_the_next_evening"),
    ]

    operations = [
        migrations.AddField(
            model_name="emailchoices",
            name="results_to_confirm",
            field=models.BooleanField(
                default=True,
                verbose_name="another club has entered results of a team match, which wait for mine",
            ),
        ),
    ]
