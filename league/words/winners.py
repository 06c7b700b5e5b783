"""Who won a competition, as a text to share."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.models import Competition
from league.queries.pictures import FinalPlace
from league.words.names import shown_name
from league.words.values import final_place

MOST_NAMED = 12


def share_text(competition: Competition, places: Sequence[FinalPlace], address: str) -> str:
    """Return the competition, its first places line by line, and the page's address where one is known."""
    line = _("%(place)s: %(name)s")
    told = [line % {"place": _place(each), "name": shown_name(each.name)} for each in places[:MOST_NAMED]]
    title = _("%(competition)s, %(club)s") % {"competition": competition.name, "club": competition.club.name}
    return "\n".join([title, *told, *([address] if address else [])])


def _place(each: FinalPlace) -> str:
    return final_place(each.place, shared=each.shared, by_lot=each.by_lot)
