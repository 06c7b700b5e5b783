from django.db import migrations


def keep(apps, schema_editor):
    """Keep who wanted no emails that ask, among those who have stopped a kind."""
    unasked = apps.get_model("attendance", "Unasked").objects.values_list("player_id", flat=True)
    stopped = apps.get_model("league", "StoppedEmails")
    stopped.objects.bulk_create(stopped(player_id=player, kind="coming") for player in unasked)


class Migration(migrations.Migration):
    dependencies = [
        ("attendance", "0001_who_comes"),
        ("league", "0008_stopped_emails"),
    ]

    operations = [
        migrations.RunPython(keep, migrations.RunPython.noop),
        migrations.DeleteModel(name="Unasked"),
    ]
