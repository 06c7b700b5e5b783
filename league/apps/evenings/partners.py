"""Other partners: the people of the last evenings of pairs, and the fields that pair them anew."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.forms import BoundField
from django.utils.translation import gettext as _

from games.engine.messages import filled
from league import hooks
from league.admin.fields import ChoiceField, PathForm
from league.apps.evenings.queries import can_enter, evenings_before
from league.models import Club, Competition, Player
from league.queries.clubs import away, players_of
from league.queries.competitions import last_entries_of_namesakes, state_of
from league.words.competitions import away_until
from league.words.messages import told_apart

_PAIR: Final = 2
_SPARE: Final = 3
"""How many pairs of anybody in the club are asked for beyond those that are filled in."""
_PARTNER: Final = "partner-"
_ONE: Final = f"{_PARTNER}one-"
_OTHER: Final = f"{_PARTNER}other-"
"""What the names of fields begin with: of all of partners, and of the two of a pair of anybody."""


@dataclass(frozen=True)
class Person:
    """Somebody of the last evenings of pairs, as the club tells its people apart.

    ``earlier`` says that they were at none but evenings before the last one.
    """

    name: str
    earlier: bool


def people_of_pairs(competition: Competition, day: date) -> Mapping[UUID, Person]:
    """Return who of an evening of pairs, and those before it, can enter again on a day, by name.

    They entered with any partner, were replaced, or stood in. Nobody where entries are no pairs.
    """
    if state_of(competition).opening.team_size != _PAIR:
        return {}
    last, earlier = _people([competition]), _people(evenings_before(competition))
    everybody = {**last, **{pk: each for pk, each in earlier.items() if pk not in last}}
    names = _names(competition.club, everybody, day)
    return {pk: Person(names[pk], earlier=pk not in last) for pk in everybody}


def _names(club: Club, players: Mapping[UUID, Player], day: date) -> Mapping[UUID, str]:
    """Return the names of players as the club tells them apart, with who is a guest or away on a day."""
    gone, names = away([*players], day), last_entries_of_namesakes(club)
    guests = {player for app in hooks.GUESTS for player in app({*players}, day)}
    found = {}
    for pk, player in players.items():
        name = told_apart(player, names)
        name = _("%(name)s (guest)") % {"name": name} if pk in guests else name
        found[pk] = f"{name} ({away_until(gone[pk])})" if pk in gone else name
    return found


def _people(evenings: Sequence[Competition]) -> Mapping[UUID, Player]:
    swaps = [
        each.events.filter(event__type="substituted").values_list("event", flat=True) for each in evenings
    ]
    out = [UUID(event["out"]) for events in swaps for event in events]
    there = Q(entered__entry__competition__in=evenings) | Q(pk__in=out)
    found = Player.objects.filter(there).select_related("merged_into").order_by("sort_name", "pk")
    people = [each.merged_into or each for each in found.distinct()]
    return {each.pk: each for each in people if can_enter(each)}


class PartnersForm(PathForm):
    """A form with a field for each of these people: who their partner is, if it is another one now.

    ``more`` are the fields of pairs of anybody in the club, two for each; ``members`` the names of all.
    """

    people: Mapping[UUID, Person]
    members: Mapping[UUID, str] = MappingProxyType({})
    more: Sequence[tuple[str, str]] = ()

    def offer_partners(self, like: Competition, day: date) -> None:
        """Add the fields."""
        self.people = people_of_pairs(like, day)
        for player, person in self.people.items():
            others = [(str(pk), each.name) for pk, each in self.people.items() if pk != player]
            field = ChoiceField(choices=[("", "—"), *others], label=person.name, required=False)
            self.fields[_field(player)] = field
        if self.people:
            self._offer_members(like.club, day)
        names = {**self.members, **{pk: each.name for pk, each in self.people.items()}}
        for pair in self.pairs:
            for player, partner in (pair, pair[::-1]):
                if player in self.people and not self._typed(_field(player)):
                    told = filled(_("Plays with %(name)s."), {"name": names[partner]})
                    self[_field(player)].help_text = told

    def _offer_members(self, club: Club, day: date) -> None:
        """Add the fields of pairs of anybody in the club, some more than are filled in."""
        everybody = {each.pk: each for each in players_of(club, active=True).filter(bot=False)}
        self.members = _names(club, everybody, day)
        choices = [("", "—"), *((str(pk), name) for pk, name in self.members.items())]
        sent = [bool(self.data[name]) for name in self.data if name.startswith(_ONE)]
        count = max(len(sent), sum(sent) + _SPARE)
        self.more = [(f"{_ONE}{at}", f"{_OTHER}{at}") for at in range(1, count + 1)]
        for at, (one, other) in enumerate(self.more, 1):
            for name, label in ((one, _("Pair %(number)d")), (other, _("Pair %(number)d, with"))):
                told = filled(label, {"number": at})
                self.fields[name] = ChoiceField(choices=choices, label=told, required=False)

    def _typed(self, name: str) -> str:
        return str(self[name].value() or "")

    def clean(self) -> dict[str, Any]:
        """Refuse pairs of one person."""
        cleaned: dict[str, Any] = super().clean() or {}
        for one, other in self.more:
            if (self._typed(one) or self._typed(other)) and self._typed(one) in ("", self._typed(other)):
                self.add_error(one, _("Choose two people."))
            elif self._typed(one) and not self._typed(other):
                self.add_error(other, _("Choose two people."))
        return cleaned

    @property
    def pairs(self) -> Sequence[tuple[UUID, UUID]]:
        """Return the new pairs, each once: somebody, and who was chosen for them."""
        ids = {str(pk): pk for pk in (*self.people, *self.members)}
        rows = [(str(player), self._typed(_field(player))) for player in self.people]
        rows += [(self._typed(one), self._typed(other)) for one, other in self.more]
        chosen = [
            (ids[one], ids[other]) for one, other in rows if one != other and {one, other} <= ids.keys()
        ]
        return [*{frozenset(pair): pair for pair in reversed(chosen)}.values()][::-1]

    @property
    def members_shown(self) -> Sequence[BoundField]:
        """Return the fields of pairs of anybody in the club."""
        return [self[name] for pair in self.more for name in pair]

    @property
    def partners_told(self) -> bool:
        """Return whether anything of partners is filled in."""
        return bool(self.pairs) or any(name.startswith(_PARTNER) for name in self.errors)

    @property
    def partners(self) -> Sequence[Sequence[BoundField]]:
        """Return the fields for who was there the last time, and those for the others."""
        fields = [(self[_field(pk)], each.earlier) for pk, each in self.people.items()]
        return [[field for field, earlier in fields if earlier == which] for which in (False, True)]

    def names_of(self, players: Collection[UUID]) -> str:
        """Return the names of some of these people."""
        return ", ".join(each.name for pk, each in self.people.items() if pk in players)


def _field(player: UUID) -> str:
    return f"{_PARTNER}{player}"
