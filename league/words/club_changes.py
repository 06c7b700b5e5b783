"""The changes of a club's audit record as sentences, and the words by which people find them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import filled
from league.choices import Announced, BotsPlay, ChangeKind, MemberRole, NamesShown, PaperSize
from league.models import Account
from league.models.names import search_key
from league.words.values import words

if TYPE_CHECKING:
    from league.models import ClubChange

FIELDS: Final[dict[str, Any]] = {
    "account": gettext_lazy("account"),
    "active": gettext_lazy("active"),
    "bots": gettext_lazy("bots may play"),
    "break_after": gettext_lazy("break after round"),
    "break_minutes": gettext_lazy("minutes of the break"),
    "begins_at": gettext_lazy("time of day"),
    "begins_on": gettext_lazy("first day"),
    "contact": gettext_lazy("contact"),
    "description": gettext_lazy("description"),
    "email": gettext_lazy("email"),
    "embed_on": gettext_lazy("websites that may embed games"),
    "ends_on": gettext_lazy("last day"),
    "fields": gettext_lazy("what changed"),
    "kinds": gettext_lazy("events"),
    "mail_note": gettext_lazy("sentence in mails"),
    "name": gettext_lazy("name"),
    "names": gettext_lazy("name on public pages"),
    "note": gettext_lazy("note"),
    "paper": gettext_lazy("paper"),
    "phone": gettext_lazy("phone"),
    "picture": gettext_lazy("picture"),
    "picture_text": gettext_lazy("what the picture shows"),
    "place": gettext_lazy("place"),
    "prizes": gettext_lazy("prizes"),
    "quiet": gettext_lazy("quiet hours"),
    "role": gettext_lazy("role"),
    "round_minutes": gettext_lazy("minutes of a round"),
    "slug": gettext_lazy("address"),
    "timezone": gettext_lazy("time zone"),
    "url": gettext_lazy("address"),
}
"""What a field is called; another one is called by its name."""
HIDDEN: Final[set[str]] = set()
"""Fields that say nothing to people, as commitments."""
_OF_MEMBERS: Final = (
    *(ChangeKind.MEMBER_ADDED, ChangeKind.MEMBER_CHANGED, ChangeKind.MEMBER_REMOVED),
    ChangeKind.INVITATION_ACCEPTED,
)
"""Kinds of change that are about an account, which they name by its id."""
NAMELESS: Final = "–"
"""What the record calls somebody whom it doesn't name."""
_NAMES: Final = ("name", "merged")
_MOST_FOUND: Final = 20
_TEXT_NOT_KEPT: Final = {"some": gettext_lazy("given"), "other": gettext_lazy("changed")}
CHOICES: Final[Mapping[str, Mapping[Any, Any]]] = {
    **dict.fromkeys(("contact", "description", "picture", "picture_text", "prizes"), _TEXT_NOT_KEPT),
    "role": dict(MemberRole.choices),
    "bots": dict(BotsPlay.choices),
    "kinds": dict(Announced.choices),
    "paper": dict(PaperSize.choices),
    "names": {"": gettext_lazy("as the club says"), **dict(NamesShown.choices)},
}
"""The titles of values, field by field."""


def change_in_words(change: ClubChange) -> str:
    """Return a change as a sentence: who did what, with each value before and after."""
    said = {
        "who": change.account.username if change.account else _("The server"),
        "what": change.get_kind_display(),
        "subject": _subject(change),
        "values": _values(_shown(change)),
    }
    if said["values"]:
        return _("%(who)s %(what)s: %(subject)s (%(values)s).") % said
    return filled(_("%(who)s %(what)s: %(subject)s."), said)


def _subject(change: ClubChange) -> str:
    """Return what a change is about; a removed player, and one whom it doesn't name, by the present name."""
    if change.kind in _OF_MEMBERS:
        return _account(change.subject)
    now = getattr(change, "player_name", None)
    return now if now and (_is_removed(change) or change.subject == NAMELESS) else change.subject


def _shown(change: ClubChange) -> Mapping[str, Any]:
    """Return the values of a change, without the names of a player who was removed since."""
    hidden = {*HIDDEN, *(_NAMES if _is_removed(change) else ())}
    return {field: each for field, each in change.values.items() if field not in hidden}


def _is_removed(change: ClubChange) -> bool:
    return getattr(change, "player_removed", False)


def _account(key: str) -> str:
    """Return the present name of the account that a record names by its id."""
    try:
        return Account.objects.get(pk=key).username
    except (Account.DoesNotExist, ValidationError):
        return key


def accounts_called(word: str) -> list[str]:
    """Return the ids of accounts whose names hold a word."""
    found = Account.objects.filter(username__icontains=word).order_by("username")
    return [str(pk) for pk in found.values_list("pk", flat=True)[:_MOST_FOUND]]


def _values(values: Mapping[str, Any]) -> str:
    return "; ".join(_pair(field, *pair) for field, pair in sorted(values.items()))


def _pair(field: str, before: Any, after: Any) -> str:
    said = {
        "field": FIELDS.get(field) or words(field),
        "before": _value(field, before),
        "after": _value(field, after),
    }
    if before is None:
        return _("%(field)s: %(after)s") % said
    return _("%(field)s: %(before)s → %(after)s") % said


def _value(field: str, value: Any) -> str:
    match value:
        case None | "" | []:
            return "–"
        case bool():
            return _("yes") if value else _("no")
        case list():
            return ", ".join(_value(field, each) for each in value)
        case str() if field == "fields":
            return ", ".join(str(FIELDS.get(each) or words(each)) for each in value.split(", "))
        case str() if field == "account":
            return _account(value)
        case _:
            return str(CHOICES.get(field, {}).get(value, value))


def changes_called(word: str) -> list[str]:
    """Return the kinds of change with a word in their titles that begins with a word."""
    wanted = search_key(word)
    titles = {kind.value: re.findall(r"[^\W_]+", search_key(str(kind.label))) for kind in ChangeKind}
    return [kind for kind, title in titles.items() if any(each.startswith(wanted) for each in title)]
