"""What mails say: each of them as a club's players would get it, made of things that don't exist."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Club, Member, Notice
from league.models.notices import CHOSEN
from league.services.letters import Letter, written

_SHOWN: Final = (*CHOSEN, Notice.Kind.INVITATION)


def samples(club: Club) -> list[tuple[str, Letter]]:
    """Return the kinds of mail that the club's people get, each with one such mail."""
    words = _words()
    return [
        (str(Notice.Kind(kind).label), written(Notice(kind=kind, club=club, about={}), "", words))
        for kind in _SHOWN
    ]


def _words() -> Mapping[str, Any]:
    """Return what the words of all kinds are made of."""
    competition = {"name": _("Winter league")}
    soon = timezone.now() + timedelta(days=2)
    game = {"ruleset": "scoops@1"}
    link = f"{settings.SITE_URL}/…/"
    return {
        "competition": competition,
        "round": {"number": 3, "deadline": soon},
        "tables": [{"number": 2, "others": ["Anna", "Ben", "Chloé"], "links": [link]}],
        "table": {"number": 2, "round": {"number": 3}, "status": "played"},
        "seats": [
            {"rank": rank, "player": {"name": name}, "score": score}
            for rank, name, score in ((1, "Anna", 95), (2, "Ben", 110), (3, "Chloé", 140))
        ],
        "place": {"competition": competition, "game": game},
        "deadline": soon,
        "invitation": {
            "get_role_display": Member.Role.PLAYER.label,
            "made_by": {"username": "olga"},
            "expires_at": soon,
        },
        "link": link,
    }
