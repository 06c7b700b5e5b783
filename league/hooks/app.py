"""An app: what its folder has, and how the spine finds it there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from django.apps import AppConfig, apps
from django.utils.module_loading import module_has_submodule

if TYPE_CHECKING:
    from django.urls import URLPattern, URLResolver


class App(AppConfig):
    """An app that hangs on the spine, in a folder of `league.apps`.

    Its modules, if it needs them: ``hooks`` connects it; ``tasks`` are for workers; ``desk`` has lists of the
    desk; ``pages`` and ``api`` addresses of pages and of the API; ``streams`` its `GOING_ON`. Its template
    ``at_PLACE.html`` is shown where a template of the spine has the tag ``{% of_apps "PLACE" %}``.

    An ``apps.py`` imports this module, not the class: of two such classes in it Django takes neither.
    """

    packages: ClassVar[Sequence[str]] = ()
    """Labels of other packages' apps that are installed for this one alone, whose tables it writes too."""

    def ready(self) -> None:
        """Connect the app, and let every process know its tasks by name, those that only queue them too."""
        self.submodule("tasks")
        self.submodule("hooks")

    def submodule(self, name: str) -> ModuleType | None:
        """Return a module of the app, None where it has none of that name."""
        found = self.module and module_has_submodule(self.module, name)
        return import_module(f"{self.name}.{name}") if found else None


def modules(name: str) -> list[ModuleType]:
    """Return the modules of a name that the apps have, in the order of the apps."""
    found = (each.submodule(name) for each in apps.get_app_configs() if isinstance(each, App))
    return [each for each in found if each]


def addresses_of(name: str) -> list[URLPattern | URLResolver]:
    """Return the ``urlpatterns`` that the apps have in modules of a name."""
    return [pattern for each in modules(name) for pattern in each.urlpatterns]


@cache
def templates_at(place: str) -> Sequence[str]:
    """Return the templates that the apps have for a place in one of the spine, in the order of the apps."""
    labels = {each.label: Path(each.path) for each in apps.get_app_configs() if isinstance(each, App)}
    named = {f"{label}/at_{place}.html": path / "templates" for label, path in labels.items()}
    return [name for name, folder in named.items() if (folder / name).exists()]
