"""Running an evening again on the desk: the form of the next one, and the last ones on the first page."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from copy import copy
from datetime import date
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import filled
from games.engine.refusals import Malformed
from league import hooks
from league.admin.competitions import CompetitionAdmin
from league.admin.fields import RadioField, RowField, RowsField, TextField
from league.apps.evenings import lines, queries
from league.apps.evenings.partners import PartnersForm
from league.apps.evenings.queries import Former
from league.apps.evenings.services import run_again
from league.models import Competition, Entry, Player
from league.models.names import nameable
from league.queries.clubs import players_of
from league.queries.competitions import details_of, state_of
from league.requests import account_in, made_once
from league.words.messages import translated
from league.words.options import seating_in_words


class AgainForm(PartnersForm):
    """The next evening: its name, its day, and who of the last one is entered."""

    name = TextField(label=gettext_lazy("Name"), max_length=lines.LONGEST, validators=[nameable])
    day = forms.DateField(
        label=gettext_lazy("Day"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )
    at = forms.TimeField(
        label=gettext_lazy("Time of day"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    entries = RowsField(Entry.objects.none(), label=gettext_lazy("From last time"), required=False)
    stood_in = RowsField(
        Player.objects.none(),
        label=gettext_lazy("Stand-ins who played for points of their own"),
        required=False,
    )
    earlier = RowsField(Entry.objects.none(), label=gettext_lazy("From earlier evenings"), required=False)
    earlier_stand_ins = RowsField(
        Player.objects.none(), label=gettext_lazy("Stand-ins at earlier evenings"), required=False
    )
    open_entries = forms.BooleanField(
        label=gettext_lazy("Open entries"),
        required=False,
        help_text=gettext_lazy("Players with an account can enter themselves from now on."),
    )

    rules = RadioField(
        choices=[("new", gettext_lazy("the new rules")), ("old", gettext_lazy("as last time"))], initial="new"
    )
    ticked_for = forms.DateField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, like: Competition) -> None:
        day, self.state = lines.next_day(like), state_of(like)
        self.like, self.offered_day = like, day
        chosen = _day_in(data) or day
        self.former, self.before = queries.former_entries(like, chosen), queries.earlier_entries(like, chosen)
        self.alone = queries.former_stand_ins(like, chosen)
        too = (*self.former, *self.before, *self.alone)
        self.alone_before = queries.earlier_stand_ins(like, too, chosen)
        self.offered_earlier = (*self.before, *self.alone_before)
        self.chosen_day, self.cancelled = chosen, lines.cancelled_on(like, chosen)
        self.away = [each for each in self.former if each.away]
        initial = {
            "name": lines.next_name(like, day),
            "day": day,
            "ticked_for": day,
            "at": details_of(like).begins_at,
            "entries": [each.entry.pk for each in self.former if each.ticked],
            "stood_in": [each.players[0] for each in self.alone if each.ticked],
            "open_entries": "entering" in (self.state.status, self.state.before_start),
        }
        super().__init__(data, initial=initial)
        for name, offered in (("entries", self.former), ("earlier", self.before)):
            rows = Entry.objects.filter(pk__in=[each.entry.pk for each in offered])
            order = ("number",) if name == "entries" else ("name", "pk")
            self.fields[name].queryset = rows.order_by(*order)  # type: ignore[attr-defined]
            if not offered:
                del self.fields[name]
        for name, players in (("stood_in", self.alone), ("earlier_stand_ins", self.alone_before)):
            people = Player.objects.filter(pk__in=[each.players[0] for each in players])
            self.fields[name].queryset = people.order_by("search_name", "pk")  # type: ignore[attr-defined]
            if not players:
                del self.fields[name]
        if changed := queries.changed_game(like):
            title = {"game": translated(changed.title)}
            self.fields["rules"].label = _("The club’s %(game)s has changed since") % title
        else:
            del self.fields["rules"]
        self.offer_partners(like, chosen)
        self.stand_ins: dict[str, tuple[Former, UUID]] = {}
        self.stand_ins = dict(self._stand_ins())
        shown = ["name", "day", "at", "rules", "entries", "stood_in", *self.stand_ins]
        self.order_fields(shown)
        self._tell_guests(chosen)

    def _stand_ins(self) -> Iterator[tuple[str, tuple[Former, UUID]]]:
        """Offer a stand-in for each partner who is away; yield the fields' names, with whom they are for."""
        # Whose own pair is not ticked is free, too.
        known = {player for each in self.former if each.ticked for player in each.players}
        free = players_of(self.like.club, active=True).filter(bot=False).exclude(pk__in=known)
        gone = [player for each in self.away for player in each.players]
        names = dict(Player.objects.filter(pk__in=gone).values_list("pk", "name"))
        for each in self.away if self.state.opening.team_size > 1 else ():
            for player in each.missing if each.played else ():
                label = _("In place of %(name)s") % {"name": names[player]}
                nobody = _("Nobody: “%(entry)s” is not entered") % {"entry": each.called}
                others = free.exclude(pk__in=each.players)
                field = RowField(others, label=label, required=False, empty_label=nobody)
                self.fields[name := f"instead-{player}"] = field
                yield name, (each, player)

    def _tell_guests(self, day: date) -> None:
        """Name who came first where a stand-in has taken their place, and say who is a guest."""
        offered = [*self.former, *self.before, *self.alone, *self.alone_before]
        people = {player for each in offered for player in each.players}
        guests = {player for app in hooks.GUESTS for player in app(people, day)}
        rows = {each.entry.pk for each in (*self.former, *self.before) if not guests.isdisjoint(each.players)}
        first = {each.entry.pk: each.first for each in (*self.former, *self.before) if each.first}
        for name in ("entries", "earlier", "stood_in", "earlier_stand_ins"):
            if name in self.fields:
                _mark(self.fields[name], first, rows | guests, alone=self.state.opening.team_size == 1)

    @property
    def from_earlier(self) -> Sequence[Any]:
        """Return the fields that offer who was not entered last time."""
        return [self[name] for name in ("earlier", "earlier_stand_ins") if name in self.fields]

    @property
    def opens_earlier(self) -> bool:
        """Return whether something is ticked or wrong in those fields."""
        return any(each.errors or (self.is_bound and each.value()) for each in self.from_earlier)

    @property
    def ticked(self) -> Sequence[Any]:
        """Return who of the last time is ticked."""
        return self._sent("entries")

    def _sent(self, name: str) -> Sequence[Any]:
        return self[name].value() or () if name in self.fields else ()

    @property
    def entering(self) -> Sequence[Former]:
        """Return the entries that are chosen, but for those of whom somebody has another partner now."""
        paired = {player for pair in self.pairs for player in pair}
        replaced = {each.entry.pk for name, (each, _out) in self.stand_ins.items() if self._sent(name)}
        stay = [each for each in self._chosen() if paired.isdisjoint(each.players)]
        return [each for each in (*self.former, *self.before) if each in stay or each.entry.pk in replaced]

    def _chosen(self) -> Sequence[Former]:
        ticked = {str(pk) for name in ("entries", "earlier") for pk in self._sent(name)}
        return [each for each in (*self.former, *self.before) if str(each.entry.pk) in ticked]

    @property
    def left_alone(self) -> Set[UUID]:
        """Return those who are ticked and not away, whose partner has another one and who have none."""
        ticked = {player for each in self._chosen() for player in each.players if player not in each.missing}
        there = {player for each in self.entering for player in each.players}
        return ticked.difference(there, *self.pairs)

    @property
    def alone_now(self) -> str:
        """Return the names of those who are left alone."""
        return self.names_of(self.left_alone)

    @property
    def seating(self) -> str:
        """Return at how many tables those who are ticked sit."""
        opening, rooms = self.state.opening, self.state.rooms
        alone = [*self._sent("stood_in"), *self._sent("earlier_stand_ins")]
        count = len(self.entering) + len(self.pairs) + len(alone)
        return seating_in_words(count, opening, self.state.plans[0], rooms.tables)

    def clean(self) -> dict[str, Any]:
        """Let name and ticks follow the day that is chosen; who is away then is ticked once that was said."""
        cleaned: dict[str, Any] = super().clean() or {}
        day, told = cleaned.get("day"), cleaned.get("ticked_for") or self.offered_day
        if day and day != told:
            data: Any = copy(self.data)
            data["ticked_for"] = day.isoformat()
            if cleaned.get("name") == lines.next_name(self.like, told):
                cleaned["name"] = data["name"] = lines.next_name(self.like, day)
            if others := self._away_otherwise(told):
                self._follow(data, {each.entry.pk for each in others})
                sentence = _("Others are away on this day: the ticks follow it. Look through them.")
                self.add_error("day", sentence)
            self.data = data
        if not self.errors and (twice := self._twice()):
            self.add_error(
                None, filled(_("Chosen twice: %(names)s. Each plays in one pair or team."), {"names": twice})
            )
        return cleaned

    def _twice(self) -> str:
        """Return the names of those who would play in two pairs."""
        into = self._replaced()
        lineups = [[into.get(player, player) for player in each.players] for each in self.entering]
        times = Counter(player for each in (*lineups, *self.pairs) for player in each)
        twice = Player.objects.filter(pk__in=[player for player, count in times.items() if count > 1])
        return ", ".join(each.called for each in twice.order_by("sort_name", "pk"))

    def _replaced(self) -> Mapping[UUID, UUID]:
        """Return who stands in according to a valid form, by whom they replace."""
        into = {out: self.cleaned_data[name] for name, (_former, out) in self.stand_ins.items()}
        return {out: each.pk for out, each in into.items() if each}

    def _away_otherwise(self, told: date) -> Sequence[Former]:
        """Return who is away on the chosen day or on another one, and not on both."""
        then = (*queries.former_entries(self.like, told), *queries.earlier_entries(self.like, told))
        gone = {each.entry.pk for each in then if each.away}
        return [each for each in (*self.former, *self.before) if (each.entry.pk in gone) != bool(each.away)]

    def _follow(self, data: Any, others: Set[UUID]) -> None:
        """Tick these entries as they are ticked on the chosen day, all else as it was sent."""
        for name, offered in (("entries", self.former), ("earlier", self.before)):
            sent = [entry.pk for entry in self.cleaned_data.get(name, ()) if entry.pk not in others]
            here = [each.entry.pk for each in offered if each.ticked and each.entry.pk in others]
            data.setlist(name, [str(pk) for pk in (*sent, *here)])

    def save(self, request: HttpRequest) -> Competition | None:
        """Set up the evening of a valid form; return None where it is refused: its fields say why."""
        values = self.cleaned_data
        old_rules = values.get("rules") == "old"
        too = {each.pk for name in ("stood_in", "earlier_stand_ins") for each in values.get(name, ())}
        alone = (*self.alone, *self.alone_before)
        entries = [*self.entering, *(each for each in alone if each.players[0] in too)]
        told = {name: values[name] for name in ("name", "day", "at", "open_entries")}
        told |= {"stand_ins": self._replaced(), "old_rules": old_rules}
        by = account_in(request)
        try:
            made = made_once(
                request,
                lambda: run_again(by=by, like=self.like, entries=entries, new_pairs=self.pairs, **told),
            )
        except Malformed as refusal:
            self.show({path: [*sentences] for path, sentences in _renamed(refusal).items()})
            return None
        return Competition.objects.get(pk=made.id)


def _mark(field: Any, first: Mapping[UUID, str], guests: Set[UUID], *, alone: bool) -> None:
    label = field.label_from_instance

    def name(row: Any) -> str:
        return first.get(row.pk) or str(label(row))

    marked = _("%(name)s (guest)") if alone else _("%(name)s (with a guest)")
    field.label_from_instance = lambda row: marked % {"name": name(row)} if row.pk in guests else name(row)


def _day_in(data: Any) -> date | None:
    """Return the day in a form that was sent, None where it has none."""
    try:
        found: date | None = forms.DateField(required=False).clean(data.get("day") if data else None)
    except forms.ValidationError:
        return None
    return found


def _renamed(refusal: Malformed) -> dict[str, Any]:
    """Return the errors under the names of the form's fields."""
    names = {"begins_on": "day", "begins_at": "at"}
    return {names.get(path, path): sentences for path, sentences in refusal.errors.items()}


def again_page(admin: CompetitionAdmin, request: HttpRequest, competition: Competition) -> HttpResponse:
    """Ask for the day of the next evening and who plays; on POST set it up, or only look at it again."""
    form = AgainForm(request.POST if request.method == "POST" else None, like=competition)
    if form.is_bound and form.is_valid() and "look" not in request.POST and (made := form.save(request)):
        messages.success(request, _("%(name)s is set up.") % {"name": made.name})
        if alone := form.left_alone:
            noted = any(note(account_in(request), made, alone) for note in hooks.LEFT_ALONE)
            told = _("Not entered, without a partner, and noted as looking for one: %(names)s.")
            told = told if noted else _("Not entered, without a partner: %(names)s.")
            messages.warning(request, filled(told, {"names": form.alone_now}))
        return redirect("admin:league_competition_change", made.pk)
    context = {
        "competition": competition,
        "original": competition,
        "form": form,
        "others": lines.others_like(competition),
    }
    title = _("Run this evening again")
    return admin.render_page(request, "evenings/again.html", title, context)


_CLUBS: Final = 5
"""Of so many clubs the desk's first page offers to run the last evenings again."""


def last_evenings(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the last evenings of the clubs on the desk's first page that the caller directs."""
    shown = [each for each in page["clubs"] if page["chosen"] in ("", each.slug)]
    directed = [club for club in shown if club.pk in page["directs"]]
    return {"last_evenings": [each for club in directed[:_CLUBS] for each in queries.not_followed(club)]}
