"""The sizes of the tables of a round that is to be drawn, chosen or typed for each group."""

import re
from typing import Any, Final

from django.forms import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.fields import ChoiceField, RadioField, TextField
from league.admin.verbs.base import VerbForm
from league.core import sizes
from league.core.state.competition import Competition as State
from league.core.state.competition import Stage
from league.core.state.cut_offs import Sizes
from league.core.weighing import arrived_since_draw
from league.words.messages import translated

_SEPARATED: Final = re.compile(r"[\s,;+]+")
FEW: Final = 8
"""So many choices are all shown, more are in a list that opens."""
_TITLES: Final = {
    "set": gettext_lazy("as set for this round, %(tables)s"),
    "rooms": gettext_lazy("as the rooms allow, %(tables)s"),
    "": gettext_lazy("as planned, %(tables)s"),
}


class SizesField(TextField):
    """Sizes of tables, typed one after another: "6, 6, 5, 4"."""

    def clean(self, value: Any) -> tuple[int, ...]:
        """Return the sizes; raise ValidationError for anything but numbers from 2 to 10."""
        parts = [part for part in _SEPARATED.split(super().clean(value)) if part]
        if not all(part in map(str, range(2, 11)) for part in parts):
            raise ValidationError(_("Write the size of each table, for example 6, 6, 5, 4."))
        return tuple(map(int, parts))


class SizesForm(VerbForm):
    """A form that asks at what tables a round is drawn, if that can be chosen."""

    def offer(self) -> None:
        """Offer for each group what its number of entries allows, and sizes of one's own."""
        if stage := self.its_stage():
            for group, count in enumerate(sizes.playing(self.state, stage), 1):
                self._offer(self.state, stage, group, count)

    def its_stage(self) -> Stage | None:
        """Return the stage of the round, None where its sizes can't be chosen."""
        state = self.state
        return None if sizes.fixed(state) or arrived_since_draw(state) else state.stage

    def by_itself(self) -> sizes.ByItself:
        """Return the sizes that the round has if nothing is chosen."""
        return sizes.by_itself(self.state)

    def sizes_now(self) -> Sizes:
        """Return the sizes that were chosen for the draft that is to be drawn again, if any."""
        return self.state.pending.cut_off.sizes if self.state.pending else ()

    def _offer(self, state: State, stage: Stage, group: int, count: int) -> None:
        found = [*sizes.proposals(count, state.opening, stage.plan)]
        choices = [(_key(each), translated(sizes.in_words(each))) for each in found]
        if not choices:
            return
        usual = self.by_itself().sizes
        told = translated(sizes.in_words(usual[group - 1])) if usual else choices[0][1]
        taken = _key(usual[group - 1]) if usual else choices[0][0]
        by_itself = _TITLES[self.by_itself().source] % {"tables": told}
        choices = [("", by_itself), *(each for each in choices if each[0] != taken)]
        many = len(stage.groups) > 1
        label = _("Group %(number)d") % {"number": group} if many else _("Tables")
        make = RadioField if len(choices) <= FEW else ChoiceField
        chosen = self.sizes_now()
        now = _key(chosen[group - 1]) if chosen else ""
        initial = now if now in dict(choices) else ""
        self.fields[f"tables-{group}"] = make(label=label, choices=choices, required=False, initial=initial)
        self.fields[f"own-{group}"] = SizesField(
            label=_("Group %(number)d: sizes of your own") % {"number": group} if many else _("Other sizes"),
            help_text=_("The size of each table, for example 6, 6, 5, 4; they count instead."),
            required=False,
            initial="" if initial else now.replace(",", ", "),
        )

    def chosen(self) -> Sizes:
        """Return the sizes of all groups, none where all are as they are by themselves."""
        stage = self.its_stage()
        if not (stage and any(self._of(group + 1) for group in range(len(stage.groups)))):
            return ()
        usual = self.by_itself().sizes or sizes.planned(self.state, stage)
        return tuple(self._of(group) or each for group, each in enumerate(usual, 1))

    def _of(self, group: int) -> tuple[int, ...]:
        own: tuple[int, ...] = self.cleaned_data.get(f"own-{group}", ())
        picked = self.cleaned_data.get(f"tables-{group}", "")
        return own or tuple(int(size) for size in picked.split(",") if size)

    def values(self) -> dict[str, Any]:
        """Return the sizes beside what else the form has."""
        return {**super().values(), "sizes": self.chosen()}


def _key(found: tuple[int, ...]) -> str:
    return ",".join(map(str, found))


class SetSizesForm(SizesForm):
    """A form that asks at what tables the next round will be drawn."""

    def its_stage(self) -> Stage | None:
        return None if sizes.fixed_ahead(self.state) else sizes.coming_stage(self.state)

    def by_itself(self) -> sizes.ByItself:
        return sizes.by_itself(self.state, ahead=False)

    def sizes_now(self) -> Sizes:
        return sizes.set_ahead(self.state)


class RedrawForm(SizesForm):
    """Why a round is drawn again, and at what tables."""

    def offer(self) -> None:
        """Ask for the reason: without one the verb leaves the draw as it is."""
        VerbForm.offer(self)
        reason = self.fields["reason"]
        reason.required = True
        reason.error_messages["required"] = _("The round is drawn. Say why it must be drawn again.")
        super().offer()
