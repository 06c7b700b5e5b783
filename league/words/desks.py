"""Which clubs' desks entered and confirmed the results of tables, in words."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from games.engine.messages import filled
from league.core.state.competition import Competition as State
from league.core.state.competition import Result
from league.core.verbs.checking import checked_by
from league.queries.clubs import names_of_clubs


def entered_by(state: State, tables: Iterable[str]) -> Mapping[str, str]:
    """Return by which clubs' desks the results of tables were entered and confirmed, by the tables' ids.

    Tables whose result no club's desk has entered are left out; one query for those that are not.
    """
    found = [table for each in tables if (table := state.any_table(each)).ruling and table.ruling.side]
    sides = [state.entry(entry) for table in found for entry in table.entries]
    known = names_of_clubs({entry.club for entry in sides if entry.club})
    # A log from another server names clubs that are unknown here.
    called = {entry.id: known.get(entry.club, entry.name) for entry in sides}
    return {table.id: _told(state, table.ruling, called) for table in found if table.ruling}


def _told(state: State, result: Result, called: Mapping[str, str]) -> str:
    club, confirmed = called[result.side], checked_by(state, result)
    if confirmed is None:
        return _("Entered by %(club)s, not confirmed.") % {"club": club}
    if not confirmed:
        return _("Entered by %(club)s, confirmed by an organiser.") % {"club": club}
    told = {"club": club, "other": called[confirmed]}
    return filled(_("Entered by %(club)s, confirmed by %(other)s."), told)
