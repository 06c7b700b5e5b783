"""The verbs of a competition by topic, each beside the events that it writes.

Every module of this package is imported here; verbs and events register themselves when they are declared.
"""

from importlib import import_module
from pkgutil import iter_modules

from league.core.events import EVENTS
from league.core.verb import ORGANISER_VERBS, PLAYER_VERBS

__all__ = ["EVENTS", "ORGANISER_VERBS", "PLAYER_VERBS"]

for _found in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_found}")
