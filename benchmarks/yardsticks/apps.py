"""The yardsticks as an app, for their tables."""

from django.apps import AppConfig


class YardsticksConfig(AppConfig):
    name = "benchmarks.yardsticks"
    label = "yardsticks"
    default_auto_field = "django.db.models.BigAutoField"
