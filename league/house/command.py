"""What manage.py does once it runs inside the environment."""

import sys
from collections.abc import Sequence

import django
from django.core.management import execute_from_command_line

from league.house import outside, places, processes
from league.house.environment import BadSetting
from league.house.servers import CannotServe
from league.house.services import House

# These look at files only.
_NEED_NO_SERVICES = {"check", "compilemessages", "help", "makemessages", "spectacular", "version"}
# These see to their services themselves.
_BRING_THEIR_OWN = {"demo", "up"}


def run(argv: Sequence[str]) -> None:
    """Run a command of manage.py, with the embedded services in reach if it may need them."""
    processes.end_when_asked()
    name = argv[1] if len(argv) > 1 else "help"
    try:
        if name == "test":
            from league.house import testing

            testing.run(argv[2:])
        if name in _BRING_THEIR_OWN | _NEED_NO_SERVICES or {"--help", "-h", "--version"} & set(argv[1:]):
            execute_from_command_line([*argv])
            return
        with House(places.data_folder()).used():
            django.setup()
            outside.check_database()
            execute_from_command_line([*argv])
    except (CannotServe, BadSetting) as refusal:
        sys.exit(str(refusal))
