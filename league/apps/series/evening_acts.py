"""What organisers do with the evenings of a series on the desk: a form for each act."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import filled
from games.engine.refusals import Malformed
from games.engine.values import replace
from league.admin.fields import RowsField
from league.admin.like_names import AsksWhoIsLike, Question
from league.admin.needs import PROVIDERS, Clubs, Need
from league.apps.series import bringing, queries, services
from league.apps.series.acts import ActForm, players_field
from league.apps.series.core import events as e
from league.apps.series.core.state import Series as State
from league.apps.series.core.state import TypedTotal
from league.apps.series.models import HandedIn, Series
from league.core.state.entries import JOIN
from league.models import Competition
from league.models.names import search_key
from league.queries.clubs import players_of
from league.queries.competitions import last_entries_of_namesakes
from league.queries.names import MOST_NAMES, NameList, as_written, name_list, people_in, two_readings
from league.services.players import NewPlayer
from league.words.messages import shown_name, told_apart

# ---- Competitions ------------------------------------------------------------------------------------


class AddEvenings(ActForm):
    """Competitions that are evenings of the series."""

    title = gettext_lazy("Add evenings")
    about = gettext_lazy(
        "They stand in the order of their days. Results count as they come, and corrections too."
    )
    event, asks = e.EveningAdded, ("weight", "final", "deals")

    def offer(self) -> None:
        """Offer the club's competitions that are no evenings of the series yet, the latest first."""
        known = [each.competition for each in self.state.evenings if each.competition]
        rows = queries.to_add(self.club).exclude(pk__in=known)
        competitions = _CompetitionsField(rows, label=_("Competitions"))
        self.fields = {"competitions": competitions, **self.fields}

    def tick(self, query: QueryDict) -> None:
        super().tick(query)
        self.fields["competitions"].initial = query.getlist("competition")

    def events(self) -> Sequence[e.Event]:
        given = self.values()
        return [
            e.EveningAdded(competition=str(each.pk), on=queries.day_of(each).isoformat(), **given)
            for each in self.cleaned_data["competitions"]
        ]


class _CompetitionsField(RowsField):
    def label_from_instance(self, obj: Competition) -> str:
        """Return a competition's name and its day."""
        return f"{obj.name} ({date_format(queries.day_of(obj), 'SHORT_DATE_FORMAT')})"


class TotalsForm(AsksWhoIsLike, ActForm):
    """A list of totals, one a line, in which unknown names are asked about as in any list of names."""

    part = "admin/suggested_names.html"
    rare = ("low_wins", "field", "tables", "weight", "final")
    listed: NameList | None = None
    people: Sequence[tuple[services.TotalLine, str]] = ()
    unclear: Sequence[tuple[services.TotalLine, str]] = ()

    def offer(self) -> None:
        """Add the list, and put a name that was suggested in place of the one that was typed."""
        self.fields["totals"] = forms.CharField(
            label=_("Totals"),
            max_length=150 * MOST_NAMES,
            widget=forms.Textarea({"rows": 12}),
            help_text=_(
                "One person per line, or partners as in “Ann & Ben”, who are one entry: names and points, "
                "then, where they are counted, the deals and the lists or tables that each played. Columns "
                "of a spreadsheet can be pasted."
            ),
        )
        self.fields["add"] = forms.BooleanField(
            label=_("Add unknown names as new players of the club"),
            required=False,
            widget=forms.CheckboxInput,
            help_text=_("Of names that are like known ones you are asked who is meant."),
        )
        self.put_known("totals", services.renamed)

    def clean(self) -> dict[str, Any]:
        """Read the list; add an error for each line, and each name that doesn't stand for one player.

        A new name that is near to a known one is refused until it is said that it is somebody new's.
        """
        cleaned: dict[str, Any] = super().clean() or {}
        if "totals" not in cleaned:
            return cleaned
        try:
            lines = services.lines_in(cleaned["totals"])
        except Malformed as refusal:
            self.show(refusal.errors)
            return cleaned
        self._read(lines)
        for error in self._wrong(add=bool(cleaned.get("add"))):
            self.add_error("totals", error)
        return cleaned

    def _read(self, lines: Sequence[services.TotalLine]) -> None:
        known = {*players_of(self.club).values_list("search_name", flat=True)}
        people = [(line, name) for line in lines for name in people_in(line.name, known)]
        self.unclear = [(line, why) for line, name in people if (why := two_readings(name, known))]
        names = as_written(self.club, [name for _line, name in people])
        self.people = [(line, name) for (line, _typed), name in zip(people, names, strict=True)]
        there = {self.state.now(each.player) for each in (self.evening.totals if self.evening else ())}
        self.listed = name_list(self.club, names, teams=True, meant=self._meant(), past=True, there=there)

    def _wrong(self, *, add: bool) -> Sequence[str]:
        assert self.listed
        if self.unclear:
            told = _("Line %(line)d: %(why)s")
            return [filled(told, {"line": line.number, "why": why}) for line, why in self.unclear]
        if self.listed.repeated:
            told = _("%(name)s is on the list more than once.")
            return [filled(told, {"name": name}) for name in self.listed.repeated]
        if not add:
            return [*self.listed.errors(), *self.listed.errors_of_unknown(self.somebody_new)]
        return [*self.listed.errors(), *self.listed.similar(self.somebody_new)]

    # ---- What the page asks -----------------------------------------------------------------------

    left_out, asked_doubled, asked_twice = "", (), ()

    @property
    def asked_who(self) -> Sequence[Question]:
        """Return the names that several players have, each with those."""
        unclear = self.listed.unclear() if self.listed and self._is_readable else {}
        last = last_entries_of_namesakes(self.club) if unclear else {}
        return [
            (
                f"{self.people[at][0].number}: {self.people[at][1]}",
                self._field(at),
                "radio",
                [(str(each.pk), told_apart(each, last)) for each in players],
            )
            for at, players in unclear.items()
        ]

    @property
    def asked_like(self) -> Sequence[Question]:
        return super().asked_like if self._is_readable else ()

    @property
    def _is_readable(self) -> bool:
        return bool(self.listed and not (self.unclear or self.listed.repeated))

    @property
    def answered(self) -> Sequence[tuple[str, str]]:
        """Return what was answered already."""
        asked = {field for _name, field, *_rest in self.asked_who}
        fields = [self._field(at) for at in range(len(self.people))]
        found = [(each, self.data[each]) for each in fields if each in self.data and each not in asked]
        return [*found, *self.answered_new]

    def _field(self, at: int) -> str:
        return f"who:{at}:{search_key(self.people[at][1])}"

    def _meant(self) -> Sequence[str]:
        return [str(self.data.get(self._field(at), "")) for at in range(len(self.people))]

    # ---- As it is sent ----------------------------------------------------------------------------

    @cached_property
    def _new(self) -> Mapping[str, NewPlayer]:
        return {search_key(name): NewPlayer(name) for name in (self.listed.unknown if self.listed else ())}

    @property
    def new(self) -> Sequence[NewPlayer]:
        return [*self._new.values()]

    def totals(self) -> tuple[TypedTotal, ...]:
        """Return the totals of a valid form."""
        chosen = self.listed.chosen() if self.listed else []
        ids: dict[services.TotalLine, list[str]] = {}
        for (line, name), player in zip(self.people, chosen, strict=True):
            ids.setdefault(line, []).append(str(player.pk if player else self._new[search_key(name)].id))
        return tuple(
            TypedTotal(pk, line.points, line.deals, line.tables, tuple(each for each in pair if each != pk))
            for line, pair in ids.items()
            for pk in pair
        )


class TypeIn(TotalsForm):
    """An evening that was played before the series, or elsewhere."""

    title = gettext_lazy("Type in an evening")
    about = gettext_lazy(
        "For evenings that were played before, or elsewhere: the totals count like those of a competition. "
        "You can correct them later."
    )
    event, asks = e.EveningTypedIn, ("on", "name", *TotalsForm.rare)

    def events(self) -> Sequence[e.Event]:
        return [e.EveningTypedIn(totals=self.totals(), **self.values())]


class _Changed(ActForm):
    """An evening that is changed: only what is another one than before is written."""

    event = e.EveningChanged
    of_evening = True

    def now(self) -> Mapping[str, Any]:
        return vars(self.evening)

    def changed(self) -> dict[str, Any]:
        """Return the fields that have other values than before."""
        empty = {
            "name": "",
            "final": False,
            "low_wins": False,
            "weight": 1,
            "deals": 0,
            "field": 0,
            "tables": 0,
        }
        values = {**{name: empty[name] for name in self.asks if name in empty}, **self.values()}
        return {
            name: value
            for name, value in values.items()
            if name == "reason" or value != getattr(self.evening, name)
        }

    def events(self) -> Sequence[e.Event]:
        assert self.evening
        return [e.EveningChanged(evening=self.evening.id, **self.changed())]


class ChangeEvening(_Changed):
    """An evening of a competition."""

    title = gettext_lazy("Change an evening")
    asks = ("on", "name", "weight", "final", "deals", "reason")


class CorrectEvening(_Changed, TotalsForm):
    """An evening that was typed in."""

    title = gettext_lazy("Correct an evening")
    asks = ("on", "name", "reason", *TotalsForm.rare)

    def offer(self) -> None:
        """Show the totals as they are typed."""
        super().offer()
        assert self.evening
        names = queries.names_of(total.player for total in self.evening.totals)
        lines = (_as_line(each, names) for each in _entries(self.evening.totals))
        self.fields["totals"].initial = "\n".join(lines)

    def changed(self) -> dict[str, Any]:
        totals, told = self.totals(), super().changed()
        assert self.evening
        # Partners who don't have the same figures have a line each, which says nothing of their partners.
        before = {
            self._known(own[0])[1:]: own[0].partners for own in _entries(self.evening.totals) if len(own) == 1
        }
        kept = tuple(
            replace(each, partners=each.partners or before.get(self._known(each)[1:], ())) for each in totals
        )
        same = {*map(self._known, kept)} == {*map(self._known, self.evening.totals)}
        return told if same else {**told, "totals": kept}

    def _known(self, total: TypedTotal) -> tuple[object, ...]:
        now = self.state.now
        return frozenset(map(now, total.partners)), now(total.player), *_numbers(total)


def _entries(totals: Iterable[TypedTotal]) -> Sequence[Sequence[TypedTotal]]:
    """Return the totals that are one line each: those of partners who have the same figures are one."""
    found: dict[object, list[TypedTotal]] = {}
    for each in totals:
        found.setdefault((frozenset({each.player, *each.partners}), *_numbers(each)), []).append(each)
    lines = (
        [own] if len(own) == len(own[0].partners) + 1 else [[each] for each in own] for own in found.values()
    )
    return [*chain.from_iterable(lines)]


def _numbers(total: TypedTotal) -> tuple[str, int, int]:
    return total.points, total.deals, total.tables


def _as_line(entry: Sequence[TypedTotal], names: Mapping[str, str]) -> str:
    total = entry[0]
    parts = [JOIN.join(names.get(each.player, "?") for each in entry), total.points.replace("-", "−")]
    if total.deals or total.tables:
        parts.append(str(total.deals))
    if total.tables:
        parts.append(str(total.tables))
    return "\t".join(parts)


class BringEvening(ActForm):
    """Another club's evening, of which people of the club bring what they had."""

    title = gettext_lazy("Bring an evening from another club")
    about = gettext_lazy(
        "The file is what “Download everything” sends on the page of that competition’s log. It is verified, "
        "and its code is written in the log of the series."
    )
    event, asks = e.EveningBrought, ("weight", "final")

    @classmethod
    def is_offered(cls, state: State) -> bool:
        return super().is_offered(state) and state.rule.count.brought

    def offer(self) -> None:
        """Ask for the file, and for the people who bring it."""
        own = {
            "file": forms.FileField(label=_("File"), max_length=200),
            "players": players_field(self.club),
            "called": forms.CharField(
                label=_("Who is called otherwise there"),
                required=False,
                max_length=5000,
                widget=forms.Textarea({"rows": 3}),
                help_text=_(
                    "One person per line: the name here = the name in the file. Who has the same account or "
                    "the same name is found without it."
                ),
            ),
        }
        self.fields = {**own, **self.fields}

    def clean_file(self) -> bytes:
        """Return the content of the file; raise ValidationError for one that is too big."""
        file = self.cleaned_data["file"]
        if file.size > bringing.MOST_BYTES:
            raise forms.ValidationError(_("The file is too big."))
        content: bytes = file.read()
        return content

    def events(self) -> Sequence[e.Event]:
        given = self.cleaned_data
        file, report = bringing.read(given["file"])
        people = bringing.matched(file, given["players"], bringing.lines_in(given["called"]))
        event = bringing.brought(file, report, people, **self.values())
        bringing.refuse_own(self.series, event.brought.opening)
        return [event]


def handed_in(series: Series) -> Sequence[Mapping[str, Any]]:
    """Return what players handed in, with their names and what the files say."""
    return [
        {
            "pk": each.pk,
            "name": shown_name(each.player.called),
            "called": each.called,
            "evening": each.event["name"],
            "club": each.event["brought"]["club"],
            "on": date.fromisoformat(each.event["on"]),
            **each.event["shares"][0],
        }
        for each in HandedIn.objects.filter(series=series).select_related("player")
    ]


def waiting(clubs: Clubs) -> Iterator[Need]:
    """Yield the series in which evenings wait that players handed in."""
    rows = HandedIn.objects.filter(series__club__in=clubs, series__closed=False).select_related("series")
    for each in {row.series_id: row for row in reversed(rows)}.values():
        address = reverse("admin:series_series_change", args=[each.series_id]) + "#handed-in"
        sentence = _("A player handed in an evening of another club.")
        yield Need(each.series.name, sentence, _("Accept or refuse"), address, each.at)


PROVIDERS.append(waiting)


class RemoveEvening(ActForm):
    """An evening that counts no more."""

    title = gettext_lazy("Remove an evening")
    event, asks = e.EveningRemoved, ("reason",)
    danger = of_evening = True

    @property
    def about(self) -> str:
        """Return what is left of the evening."""
        if self.evening and self.evening.competition:
            return _("It counts no more. The competition stays as it is, and can be added again.")
        if self.evening and self.evening.brought:
            return _("It counts no more. With the other club’s file it can be brought in again.")
        return _("It counts no more, and its totals are gone from the table. They can be typed in again.")


class Declare(ActForm):
    """Who declared that an evening shall count for them."""

    title = gettext_lazy("Who declared this evening")
    about = gettext_lazy("Before the evening begins. Only evenings that somebody declared count for them.")
    event = e.Declared
    of_evening = True

    @classmethod
    def is_offered(cls, state: State) -> bool:
        return super().is_offered(state) and bool(state.rule.count.declared)

    def offer(self) -> None:
        """Offer who is in the club; those who declared the evening are ticked."""
        self.fields["players"] = players_field(self.club, required=False, here=self._before())
        self.fields["players"].initial = sorted(self._before())

    def _before(self) -> set[str]:
        return {
            player for player, evening in self.state.declared if self.evening and evening == self.evening.id
        }

    def events(self) -> Sequence[e.Event]:
        assert self.evening
        now, before = {str(each.pk) for each in self.cleaned_data["players"]}, self._before()
        return [
            *(e.Declared(player=pk, evening=self.evening.id) for pk in sorted(now - before)),
            *(e.DeclarationTakenBack(player=pk, evening=self.evening.id) for pk in sorted(before - now)),
        ]
