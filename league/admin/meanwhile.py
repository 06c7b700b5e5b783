"""Two people with the same form open: the second reads what the first did, and nothing is overwritten.

A form that changes a row has a hidden field with a stamp: when its page was made, and a digest of what the
row held then. Where the row holds something else by the time the form is sent, the form is refused once, with
what was done meanwhile; it keeps what was typed, and the page that says so has a new stamp.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from django.db.models import Model
from django.forms import BaseForm, BaseModelForm
from django.utils.dateparse import parse_datetime
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from games import database_time
from league.models import ClubChange
from league.words.club_changes import change_in_words

M = TypeVar("M", bound=Model)

SEEN: Final = "seen"
"""The hidden field with the stamp."""
Since = Callable[[datetime], Sequence[ClubChange]]
"""Returns the changes of a row from a time on, the latest first."""


def stamp(values: Mapping[str, Any]) -> str:
    """Return the stamp of a page that shows these values."""
    return f"{_digest(values)} {database_time.now().isoformat()}"


def refuse_stale(form: BaseForm, sent: str, values: Mapping[str, Any], since: Since) -> None:
    """Add an error to a form whose page was made from other values than the present ones.

    A form without a stamp, and one that would change nothing, are left alone.
    """
    digest, _space, at = sent.partition(" ")
    made_at = _time(at)
    if made_at is None or digest == _digest(values) or not form.has_changed():
        return
    form.add_error(None, _("Somebody else was faster. Check what happened, then send the form again."))
    for change in since(made_at):
        told = {"ago": timesince(change.at), "change": change_in_words(change)}
        form.add_error(None, _("%(ago)s ago, %(change)s") % told)


def _digest(values: Mapping[str, Any]) -> str:
    held = sorted((name, str(value)) for name, value in values.items())
    return hashlib.sha256(repr(held).encode()).hexdigest()


def _time(text: str) -> datetime | None:
    """Return the time of a stamp, None for anything else."""
    try:
        at = parse_datetime(text)
    except ValueError:
        return None
    return at if at is not None and at.tzinfo is not None else None


def noticing(form: type["BaseModelForm[M]"], since: Callable[[M], Since]) -> type["BaseModelForm[M]"]:
    """Return a class of forms of an existing row that refuse to overwrite what somebody else did."""

    class Noticing(form):  # type: ignore[valid-type, misc]  # the class is known only here
        @property
        def seen(self) -> str:
            """Return the stamp of the page that shows this form."""
            return stamp(self._held(self.initial))

        def clean(self) -> Any:
            cleaned = super().clean()
            rows = type(self.instance)._base_manager.select_for_update(no_key=True)
            now = type(self)(instance=rows.get(pk=self.instance.pk))
            refuse_stale(self, self.data.get(SEEN, ""), self._held(now.initial), since(self.instance))
            return cleaned

        def _held(self, initial: Mapping[str, Any]) -> dict[str, Any]:
            return {name: value for name, value in initial.items() if name in self.fields}

    return Noticing
