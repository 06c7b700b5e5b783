"""Entering players by a list of their names, such as a column of a spreadsheet."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextareaWidget

from league import selectors
from league.admin.verbs.base import LIVE, ActForm, Verb
from league.admin.verbs.entries import alone, enter_each
from league.models import Player
from league.models.names import search_key

MOST_NAMES: Final = 1000


class NamesForm(ActForm):
    """Names of players of the club, one a line."""

    names = forms.CharField(
        label=gettext_lazy("Names"),
        max_length=100 * MOST_NAMES,
        help_text=gettext_lazy("One a line, in any accents and case. Who takes part already is passed over."),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 12}),
    )

    def clean_names(self) -> Sequence[Player]:
        """Take each name for the one active player who is called so; all that are wrong are named."""
        lines = [line.strip() for line in self.cleaned_data["names"].splitlines() if line.strip()]
        known = self._known()
        wrong = [sentence for line in lines if (sentence := _wrong(line, known.get(search_key(line), ())))]
        wrong += [_("%(name)s stands here twice.") % {"name": name} for name in _repeated(lines)]
        if wrong:
            raise forms.ValidationError(wrong)
        return [known[search_key(line)][0] for line in lines]

    def _known(self) -> Mapping[str, list[Player]]:
        found: dict[str, list[Player]] = {}
        for player in selectors.players_of(self.competition.club, active=True):
            found.setdefault(player.search_name, []).append(player)
        return found

    @property
    def told(self) -> dict[str, Any]:
        """Return those who do not take part yet, in the order of the list."""
        entries = (entry for entry in self.state.entries if entry.status in _INSIDE)
        inside = {player for entry in entries for player in entry.players}
        return {"players": [each for each in self.cleaned_data["names"] if str(each.pk) not in inside]}


_INSIDE: Final = ("applied", "waiting", "entered")


def _wrong(line: str, found: Sequence[Player]) -> str:
    """Return what is wrong with a name that means nobody, or more than one; empty where it means one."""
    match len(found):
        case 0:
            return _("No active player of the club is called %(name)s.") % {"name": line}
        case 1:
            return ""
        case _:
            return _("Several players are called %(name)s: tick the right one under “Enter players”.") % {
                "name": line
            }


def _repeated(lines: Sequence[str]) -> Sequence[str]:
    counted = Counter(map(search_key, lines))
    return [line for line in lines if counted.pop(search_key(line), 1) > 1]


VERBS: Final = (
    Verb(
        "enter_names",
        gettext_lazy("Enter a list of names"),
        gettext_lazy("Everybody on the list takes part; after the start, from the next round on."),
        gettext_lazy("An entry can be withdrawn again."),
        LIVE,
        enter_each,
        NamesForm,
        part="entries",
        only=alone,
    ),
)
