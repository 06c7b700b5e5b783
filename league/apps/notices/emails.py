"""Sample emails: one of each kind that a club's players get, about invented games."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _

from games import database_time
from league.models import Club, Member, Notice
from league.models.notices import CHOSEN
from league.words.emails import Email, rendered

_SHOWN: Final = (*CHOSEN, Notice.Kind.INVITATION)


def samples(club: Club) -> list[tuple[str, Email]]:
    """Return the title of each kind of email that the club's players get, with a sample."""
    variables = _variables()
    return [
        (str(Notice.Kind(kind).label), rendered(Notice(kind=kind, club=club, about={}), "", variables))
        for kind in _SHOWN
    ]


def _variables() -> Mapping[str, Any]:
    """Return variables for the templates of all kinds."""
    competition = {"name": _("Winter league")}
    soon = database_time.now() + timedelta(days=2)
    game = {"ruleset": settings.DEMO_RULESET}
    link = f"{settings.SITE_URL}/…/"
    return {
        "competition": competition,
        "round": {"number": 3, "deadline": soon},
        "tables": [{"number": 2, "others": ["Anna", "Ben", "Chloé"], "links": [link]}],
        "results": [
            (
                {"number": 2, "round": {"number": 3}, "status": "played"},
                [
                    [{"rank": rank, "name": name, "score": score}]
                    for rank, name, score in ((1, "Anna", 95), (2, "Ben", 110), (3, "Chloé", 140))
                ],
            )
        ],
        "club_game": {"competition": competition, "game": game},
        "deadline": soon,
        "invitation": {
            "get_role_display": Member.Role.PLAYER.label,
            "made_by": {"username": "olga"},
            "expires_at": soon,
        },
        "games": [{"club_game": {"competition": competition, "game": game}, "link": link}],
        "link": link,
    }
