"""The api application's place in Django."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """HTTP in front of services and selectors."""

    name = "api"
    verbose_name = "Api"
