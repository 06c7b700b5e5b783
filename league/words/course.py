"""What the automatic pace does next, and who won, in words."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import database_time
from games.engine.messages import filled
from league.models import Competition
from league.queries.pictures import FinalPlace
from league.words.names import shown_name
from league.words.values import final_place

# ---- Course --------------------------------------------------------------------------------------


def does_later(competition: Competition, at: datetime) -> str:
    """Return what the automatic pace does once it has waited, with the time in the club's zone.

    Where `Competition.acts_at` has a time and games can still be played, it closes the round.
    """
    local = at.astimezone(competition.club.zone)
    same_day = local.date() == database_time.now().astimezone(competition.club.zone).date()
    time = date_format(local, "H:i" if same_day else "j M Y, H:i")
    texts = {
        **dict.fromkeys(
            ("play", "close_round"), _("All tables are decided. Round %(round)d closes at %(time)s.")
        ),
        "finish": _("All rounds are played. The competition finishes at %(time)s."),
    }
    return filled(texts[competition.step], {"round": competition.round, "time": time})


def does_soon(competition: Competition) -> str:
    """Return what the automatic pace does in the next seconds."""
    now, coming = {"round": competition.round}, {"round": competition.round + 1}
    texts = {
        "start_stage": _("The next stage begins automatically in a moment."),
        "draw": _("Round %(round)d is drawn automatically in a moment.") % coming,
        "publish": _("Round %(round)d is published automatically in a moment.") % coming,
        **dict.fromkeys(
            ("play", "close_round"), _("Round %(round)d is closed automatically in a moment.") % now
        ),
        "finish": _("The competition finishes automatically in a moment."),
    }
    if getattr(competition, "opens_tables", False):
        texts["draw"] = _("Round %(round)d is prepared automatically in a moment.") % coming
    return texts[competition.step]


# ---- Winners -------------------------------------------------------------------------------------

MOST_NAMED = 12


def share_text(competition: Competition, places: Sequence[FinalPlace], address: str) -> str:
    """Return the competition, its first places line by line, and the page's address where one is known."""
    line = _("%(place)s: %(name)s")
    told = [line % {"place": _place(each), "name": shown_name(each.name)} for each in places[:MOST_NAMED]]
    title = _("%(competition)s, %(club)s") % {"competition": competition.name, "club": competition.club.name}
    return "\n".join([title, *told, *([address] if address else [])])


def _place(each: FinalPlace) -> str:
    return final_place(each.place, shared=each.shared, by_lot=each.by_lot)
