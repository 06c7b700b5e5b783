from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0018_paper"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="table",
            options={
                "ordering": ["round", "number", "id"],
                "verbose_name": "table",
                "verbose_name_plural": "tables",
            },
        ),
        migrations.RemoveConstraint(
            model_name="table",
            name="unique_table_number",
        ),
    ]
