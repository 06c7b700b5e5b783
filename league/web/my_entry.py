"""The panel of a logged-in player on a competition's page: their entry, and forms for their verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from games.engine import shapes
from games.engine.kinds import Record
from games.engine.refusals import Malformed, Refusal
from games.engine.textinput import values_in_form
from league.callers import AsPlayer
from league.choices import EntryStatus
from league.core import formats
from league.core.agreed import free_rounds
from league.core.course import absent_entries
from league.core.open_tables import TableOpened
from league.core.verb import OwnButton, Verb
from league.core.verbs import PLAYER_VERBS
from league.core.verbs.answers import Answer
from league.core.verbs.challenges import challengeable
from league.core.verbs.objections import objector
from league.core.verbs.tables import playing_already
from league.forms import NamedField, add_errors, fields_of
from league.queries import permissions
from league.queries.competitions import all_competitions, entries_of, state_of
from league.queries.verbs import OwnPart, free_players, own_part, unmailed, why_not_chosen
from league.requests import account_in, spectator_or_account
from league.services.verbs import perform
from league.words.challenges import challenge_later, costs_in_words, ending_in_words, open_pairs
from league.words.competitions import objections_of, posted_tables
from league.words.messages import translated

if TYPE_CHECKING:
    from league.models import Competition


TYPED: Final = "typed"
"""Where a session keeps what was typed into a form that was refused, until the page is shown again."""
MOST_KEPT: Final = 5000


class PlayerVerbForm(forms.Form):
    """The form of a player's verb, made from the verb's fields.

    ``otherwise`` is why an entry that plays can't be chosen, ``about`` what is done where nothing is typed.
    """

    otherwise = gettext_lazy("changed meanwhile")
    about = costs = ""

    def __init__(
        self, *args: Any, competition: Competition, part: OwnPart, verb: type[Verb], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.competition, self.part = competition, part
        own_fields = [field for field in shapes.record(verb).fields if field.name in (verb.own or ())]
        self.record = Record(verb, tuple(own_fields))
        self.offer()
        for name, field in self.fields.items():
            sent = self.data.get(self.add_prefix(name), "")
            if isinstance(field, forms.ModelChoiceField) and (
                why := why_not_chosen(competition, sent, str(self.otherwise))
            ):
                field.error_messages["invalid_choice"] = why

    def offer(self) -> None:
        """Add the verb's fields; subclasses add choices that depend on the competition."""
        self.fields.update(fields_of(self.record, "", {}))

    @property
    def fields_of_verb(self) -> dict[str, Any]:
        """Return the verb's fields from a valid form; raise `Malformed`."""
        return values_in_form(self.record, self.cleaned_data)


class AbsentForm(PlayerVerbForm):
    """The round to miss, as a hidden field, so that a second click doesn't miss the round after it."""

    def offer(self) -> None:
        super().offer()
        self.fields["round"].widget = forms.HiddenInput()
        self.fields["round"].initial = self.part.next_round


class WithdrawForm(PlayerVerbForm):
    """Why the player leaves, and which open challenges end with that."""

    def offer(self) -> None:
        super().offer()
        if self.part.entry:
            self.costs = ending_in_words(open_pairs(state_of(self.competition), [str(self.part.entry.pk)]))


class PresentForm(PlayerVerbForm):
    """The round to play after all: hidden where it is the only one that the player would miss."""

    def offer(self) -> None:
        super().offer()
        if len(self.part.absences) > 1:
            self.fields["round"] = round_choice(self.part.absences)
        else:
            self.fields["round"].widget = forms.HiddenInput()
            self.fields["round"].initial = next(iter(self.part.absences), None)


class ByeForm(PlayerVerbForm):
    """The round in which the player has a bye."""

    def offer(self) -> None:
        super().offer()
        state = state_of(self.competition)
        entry = self.part.entry
        free = free_rounds(state, state.entry(str(entry.pk))) if entry else ()
        # What a second click sends again is not refused: the bye is there.
        self.fields["round"] = round_choice(sorted({*free, *self.part.requested} if self.is_bound else free))


def round_choice(rounds: Iterable[int]) -> forms.TypedChoiceField:
    """Return the field of one of these rounds."""
    choices = [(number, str(number)) for number in rounds]
    return forms.TypedChoiceField(label=_("Round"), choices=choices, coerce=int)


class EnterForm(PlayerVerbForm):
    """The partners and the name of a team; empty for entries of one player."""

    @property
    def fields_of_verb(self) -> dict[str, Any]:
        """Return the team in the order of its line-up, the player first."""
        partners = [value for name, value in self.cleaned_data.items() if name.startswith("partner")]
        if not partners:
            return {}
        return {
            "players": tuple(str(player.pk) for player in (self.part.player, *partners)),
            "name": self.cleaned_data["name"],
        }

    def offer(self) -> None:
        """Add fields for partners and the team's name where teams enter."""
        size = state_of(self.competition).opening.team_size
        others = free_players(self.competition).exclude(pk=self.part.player.pk)
        for number in range(2, size + 1):
            label = _("Player %(number)d") % {"number": number}
            self.fields[f"partner{number}"] = NamedField(
                others, label=label, empty_label=_("Choose a player")
            )
        if size > 1:
            self.fields["name"] = forms.CharField(
                label=_("Name of the team"),
                max_length=100,
                required=False,
                help_text=_("Leave it empty to use the players’ names."),
            )


class TableForm(PlayerVerbForm):
    """The opponents at a table of open play. The key makes sure that a second click opens no second table."""

    key = forms.CharField(max_length=100, widget=forms.HiddenInput)
    otherwise = gettext_lazy("out of reach")

    def offer(self) -> None:
        """Add fields for the opponents at a table of the usual size."""
        self.fields["key"].initial = uuid4().hex
        state = state_of(self.competition)
        stage = state.stage
        away = absent_entries(state)
        entries = entries_of(self.competition).filter(status=EntryStatus.ENTERED).exclude(pk__in=away)
        if self.part.entry and stage:
            own = str(self.part.entry.pk)
            entries = entries.filter(pk__in=formats.of(stage.plan).opponents(state, stage, own))
            # What a second click sends again is not refused: its table is open.
            if state.current_round and not self.is_bound:
                entries = entries.exclude(pk__in=playing_already(state.current_round, own))
        size = stage.plan.table_size if stage else 1
        for number in range(1, size):
            self.fields[f"with{number}"] = NamedField(
                entries,
                label=_("Opponent %(number)d") % {"number": number} if size > 2 else _("Opponent"),
                required=number == 1,
                empty_label=_("Choose an entry") if number == 1 else _("nobody else"),
            )

    @property
    def fields_of_verb(self) -> dict[str, Any]:
        """Return the seats; the opponents sit before the player."""
        opponents = [value for name, value in self.cleaned_data.items() if name.startswith("with")]
        entries = (*opponents, self.part.entry)
        seats = tuple(str(entry.pk) for entry in entries if entry)
        return {"once": self.cleaned_data["key"], "entries": seats}


class ChallengeForm(PlayerVerbForm):
    """Whom the player challenges: who can be challenged now, with no open challenge or table between them."""

    otherwise = gettext_lazy("out of reach")

    def offer(self) -> None:
        """Offer the entries that the player's entry may meet."""
        state, entries = state_of(self.competition), entries_of(self.competition)
        free = challengeable(state, str(self.part.entry.pk)) if self.part.entry else ()
        label = self.record.fields[0].label
        self.fields["opponent"] = NamedField(
            entries.filter(pk__in=free), label=_(label), empty_label=_("Choose an entry")
        )

    @property
    def fields_of_verb(self) -> dict[str, Any]:
        return {"opponent": str(self.cleaned_data["opponent"].pk)}


class AnswerForm(PlayerVerbForm):
    """Which challenge the player answers or withdraws; the only one as a hidden field, with its ``costs``."""

    def offer(self) -> None:
        """Offer the open challenges with which the player's entry can do this."""
        state = state_of(self.competition)
        verb = cast("type[Answer]", self.record.cls)
        theirs = [*verb.theirs(state, str(self.part.entry.pk))] if self.part.entry else []
        choices = [(str(each.number), challenge_later(state, each)) for each in theirs]
        # What a second click sends again is not refused here: it is answered already.
        self.fields["challenge"] = field = forms.IntegerField(
            label=_(self.record.fields[0].label), widget=forms.Select(choices=choices)
        )
        if len(choices) == 1:
            field.widget, field.initial = forms.HiddenInput(), choices[0][0]
            self.about = choices[0][1]
            if verb.status == "refused":
                self.costs = costs_in_words(state, theirs[0])

    @property
    def fields_of_verb(self) -> dict[str, Any]:
        return {"challenge": self.cleaned_data["challenge"]}


class ObjectForm(PlayerVerbForm):
    """The table whose posted result is wrong, the own ones first, and what is wrong."""

    def offer(self) -> None:
        super().offer()
        state = state_of(self.competition)
        entry = objector(state, str(self.part.player.pk))
        choices = posted_tables(state, entry.id if entry else "")
        self.fields["table"] = forms.ChoiceField(label=self.fields["table"].label, choices=choices)
        what = self.fields["what"]
        self.fields["what"] = forms.CharField(label=what.label, help_text=what.help_text, max_length=500)


FORMS: Final[Mapping[str, type[PlayerVerbForm]]] = {
    "enter": EnterForm,
    "absent": AbsentForm,
    **dict.fromkeys(("accept-challenge", "refuse-challenge", "withdraw-challenge"), AnswerForm),
    "challenge": ChallengeForm,
    "present": PresentForm,
    "request-bye": ByeForm,
    "withdraw": WithdrawForm,
    "object": ObjectForm,
    "open-table": TableForm,
}
"""The forms of verbs with fields."""


@dataclass(frozen=True)
class Offer:
    """A verb that the player may use now: its button, its form and the address that the form is sent to."""

    button: OwnButton
    form: PlayerVerbForm
    address: str


@dataclass(frozen=True)
class Panel:
    """The content of the panel; ``part`` is None for an account that is not a player of the club."""

    part: OwnPart | None
    offers: tuple[Offer, ...]
    objections: Sequence[tuple[str, str]] = ()


def panel(request: HttpRequest, competition: Competition) -> Panel | None:
    """Return the panel of the logged-in account, None where nobody is logged in."""
    account = spectator_or_account(request)
    if account is None:
        return None
    if permissions.player_in(competition.club_id, account) is None:
        return Panel(None, ())
    part = own_part(account, competition)
    offered = [key for key in part.may if PLAYER_VERBS[key].own_button]
    state = state_of(competition)
    entry = objector(state, str(part.player.pk)) if competition.objections_until else None
    objections = objections_of(state, entry.id) if entry else ()
    here = reverse("competition", args=[competition.slug])
    typed = request.session.get(TYPED, {})
    if typed and typed["address"].startswith(here):
        del request.session[TYPED]
    return Panel(part, tuple(_offer(competition, part, key, typed) for key in offered), objections)


def _offer(competition: Competition, part: OwnPart, key: str, typed: Mapping[str, Any]) -> Offer:
    address = reverse("own", args=[competition.slug, key])
    again = typed["fields"] if typed.get("address") == address else {}
    form = _form(key)(competition=competition, part=part, verb=PLAYER_VERBS[key], prefix=key)
    # Hidden fields say what the page offers now.
    form.initial = {each.name: again[each.name] for each in form.visible_fields() if each.name in again}
    return Offer(_button(key), form, address)


def _form(key: str) -> type[PlayerVerbForm]:
    return FORMS.get(key, PlayerVerbForm)


def _button(key: str) -> OwnButton:
    button = PLAYER_VERBS[key].own_button
    assert button is not None
    return button


@login_required
@require_POST
def act(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Carry out a player's verb and redirect to the competition; a second click changes nothing more.

    What was typed and is refused stands in the form there once more.
    """
    competition = get_object_or_404(all_competitions(), slug=slug)
    if verb not in PLAYER_VERBS:
        raise Http404
    part = own_part(account_in(request), competition)
    kind = PLAYER_VERBS[verb]
    form = _form(verb)(request.POST, competition=competition, part=part, verb=kind, prefix=verb)
    try:
        if form.is_valid():
            said = kind.of_player(**form.fields_of_verb)
            done = perform(AsPlayer(account_in(request)), competition=competition, verb=said)
            opened = [event.table for event in done.events if isinstance(event, TableOpened)]
            messages.success(request, " ".join([_done(request, done.competition, verb), *_not_told(opened)]))
            return redirect("competition", slug=slug)
        refused = _errors_of(form)
    except Malformed as refusal:
        add_errors(form, refusal.errors)
        refused = _errors_of(form)
    except Refusal as refusal:
        refused = translated(refusal.sentence)
    messages.error(request, refused)
    _keep(request, form)
    return redirect("competition", slug=slug)


def _keep(request: HttpRequest, form: PlayerVerbForm) -> None:
    fields = {name: request.POST.get(form.add_prefix(name), "")[:MOST_KEPT] for name in form.fields}
    request.session[TYPED] = {"address": request.path, "fields": fields}


def _not_told(opened: Iterable[str]) -> Iterator[str]:
    """Yield who gets no email about a table that was opened."""
    for names in unmailed([*map(UUID, opened)]).values():
        told = ngettext(
            "%(names)s gets no email about it: tell them yourself.",
            "%(names)s get no email about it: tell them yourself.",
            len(names),
        )
        yield told % {"names": ", ".join(names)}


def _errors_of(form: PlayerVerbForm) -> str:
    """Return the errors of a form, each with its field, in one text."""
    return " ".join(
        f"{form.fields[name].label}: {error}" if name in form.fields else str(error)
        for name, errors in form.errors.items()
        for error in errors
    )


def _done(request: HttpRequest, competition: Competition, verb: str) -> str:
    """Return the message that confirms a verb."""
    button = PLAYER_VERBS[verb].own_button
    if button and button.done:
        return translated(button.done)
    entry = own_part(account_in(request), competition).entry
    outcomes = {
        "entered": _("You have entered."),
        "applied": _("Your entry waits for an organiser’s approval."),
        "waiting": _("The competition is full. You are on the waiting list."),
    }
    return outcomes.get(entry.status if entry else "", "")
