"""The Django app of the API."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The REST API."""

    name = "api"
    verbose_name = "Api"
