"""What is stored of rounds without a result is told in the words of today."""

from django.db import migrations

OLD = (
    "it counts as what the trend of all results in the stage gives for as many points (%(points)s); the trend is "
    "the straight line that fits them best."
)
NEW = "it counts as results of others do on average that earned as many points (%(points)s)."
_REWORD = """
UPDATE league_roundstandings SET "order" = replace("order"::text, %s, %s)::jsonb
WHERE position(%s in "order"::text) > 0
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0009_days_of_rounds")]

    operations = [
        migrations.RunSQL([(_REWORD, [OLD, NEW, OLD])], [(_REWORD, [NEW, OLD, NEW])]),
    ]
