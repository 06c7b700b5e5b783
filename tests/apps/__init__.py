"""Tests of the apps, each in a folder of its own."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from django.apps import apps

from league.hooks.app import App


def of_site(name: str) -> dict[str, ModuleType]:
    """Return the modules of a name in the tests of the apps of the site, by app."""
    labels = [each.label for each in apps.get_app_configs() if isinstance(each, App)]
    known = [label for label in labels if Path(__file__).with_name(label).joinpath(f"{name}.py").exists()]
    return {label: import_module(f"{__name__}.{label}.{name}") for label in known}
