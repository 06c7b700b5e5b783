"""The forms of the desk's pages."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.fields import TextField
from league.apps.between import queries
from league.forms import NumberField
from league.models import Club, Player
from league.models.names import nameable
from league.queries.clubs import clubs_named, find_club

FARTHEST = 1_000_000_000


class ClubForm(forms.Form):
    """Which club takes part."""

    club = TextField(
        label=gettext_lazy("Club"),
        max_length=100,
        help_text=gettext_lazy(
            "Its name or address on this server. Name your own club too if it has teams: then their results "
            "are confirmed by the other club like everybody’s."
        ),
    )

    def clean_club(self) -> Club:
        """Return the club of the address or the name."""
        typed = self.cleaned_data["club"].strip()
        known = find_club(typed.lower()) or next(iter(clubs_named(typed).filter(name__iexact=typed)), None)
        if known is None:
            raise forms.ValidationError(_("There is no such club on this server."))
        return known


class LineUpForm(forms.Form):
    """Who plays for a team, board by board, and what a new one is called."""

    def __init__(self, *args: Any, club: Club, size: int, lineup: Sequence[UUID] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        people = [(str(each.pk), each.name) for each in queries.people_of(club)]
        if not lineup:
            self.fields["name"] = TextField(label=_("Name of the team"), max_length=60, validators=[nameable])
        for number in range(size):
            self.fields[f"board.{number}"] = forms.ChoiceField(
                label=_("Board %(number)d") % {"number": number + 1},
                choices=[("", "–"), *people],
                initial=str(lineup[number]) if number < len(lineup) else "",
            )

    @property
    def players(self) -> Sequence[Player]:
        """Return those chosen, in the order of the boards."""
        ids = [UUID(value) for name, value in self.cleaned_data.items() if name.startswith("board.")]
        known = Player.objects.in_bulk(ids)
        return [known[each] for each in ids]


class BoardForm(forms.Form):
    """The scores of a board: of the team at home, and of the other."""

    home = NumberField(min_value=-FARTHEST, max_value=FARTHEST)
    away = NumberField(min_value=-FARTHEST, max_value=FARTHEST)


class ObjectionForm(forms.Form):
    """Which posted result of the club's own boards is wrong, and what is wrong."""

    what = TextField(label=gettext_lazy("What is wrong"), max_length=500)

    def __init__(self, *args: Any, tables: Sequence[tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.tables = tables
        self.fields["table"] = forms.ChoiceField(label=_("Table"), choices=tables)
        self.order_fields(["table", "what"])
