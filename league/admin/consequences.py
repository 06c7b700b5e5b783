"""What an organiser reads of a verb: cautions before it, what it would change, and what it did."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils.timezone import override
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import database_time
from games.engine.messages import both, filled, plural, text
from league import hooks
from league.admin.needs import need_of_card
from league.admin.verbs import Offer, VerbForm, offered
from league.admin.verbs.rounds import DrawForm
from league.core.previews import Comparison, Place, Preview, compared
from league.core.state.competition import Competition as State
from league.core.verb import Button, Caution, Verb
from league.core.verbs import EVENTS
from league.core.verbs.course import FinishCompetition
from league.core.verbs.days import away_told
from league.core.verbs.draw import DrawRound
from league.core.verbs.presence import CheckInAllEntries
from league.core.verbs.rounds import PublishRound, WithdrawRound
from league.core.verbs.start import StartCompetition
from league.models import Account, ClubGame, Competition, Table
from league.queries.clubs import without_account
from league.queries.competitions import left_since, state_of
from league.queries.events import events_of
from league.queries.score_cards import cards_to_confirm, left_empty
from league.queries.verbs import away_from_round, declined, lost, not_expected, preview, with_wishes
from league.words.competitions import short_time
from league.words.event_text import MOST_NAMED, EventLine, event_lines, sentences
from league.words.messages import shown_name, translated
from league.words.times import point_in_time
from league.words.values import numbers_within, on_paper

# ---- Cautions ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Warned:
    """A caution on the page of a verb.

    ``remedy`` is the button that helps, None where there is none now; ``at_once``: pressing it carries it
    out, because it asks for nothing. ``stops``: the verb would be refused now. ``address`` is that of a page
    that helps, with its ``title``.
    """

    sentence: str
    remedy: Button | None = None
    at_once: bool = False
    stops: bool = False
    address: str = ""
    title: str = ""


_TOO_LATE: Final = {
    "paused": Caution(text("The competition is paused. Resume it first."), "resume", stops=True),
    "finished": Caution(text("The competition is finished. Reopen it first."), "reopen", stops=True),
    "cancelled": Caution(text("The competition is cancelled. Reopen it first."), "reopen", stops=True),
}
"""Why nothing can be done, by the status of a competition, where a verb is not for it."""


OF_APPS: Final[list[Callable[[Competition, type[Verb], Collection[str]], Iterable[Warned]]]] = []
"""What apps know before a verb is carried out, by the ids of the entries that it is about."""
ALTHOUGH: Final[list[Callable[[UUID, Set[str]], Iterable[str]]]] = []
"""What apps know of players, by their ids, who were just entered."""


def warnings_about(
    competition: Competition, offer: Offer, table: str = "", entries: Collection[str] = ()
) -> Sequence[Warned]:
    """Return what to know before a verb is carried out, by the ids of its table and entries."""
    now = {each.button.key: each for each in offered(competition)}
    too_late = _TOO_LATE.get(competition.status)
    if too_late and competition.status not in offer.button.statuses:
        return [_warned(too_late, now.get(too_late.remedy))]
    state, refused = state_of(competition), issubclass(offer.verb, WithdrawRound)
    ending = list(offer.verb.ends(state, offer.button, table))
    losses = lost(state, ending, withdrawn=refused)
    cautions = [
        *offer.verb.cautions(with_wishes(competition, state)),
        *_away(competition, state, offer),
        *_declined(competition, state, offer),
        *_left(competition, state, offer),
        *_objecting(competition, offer),
        *(Caution(loss, stops=refused) for loss in losses),
    ]
    warned = [_warned(caution, now.get(caution.remedy)) for caution in cautions]
    warned += map(_unconfirmed, cards_to_confirm(game.id for table in ending for game in table.games))
    warned += [each for app in OF_APPS for each in app(competition, offer.verb, entries)]
    return [*warned, *_without_account(competition)] if issubclass(offer.verb, StartCompetition) else warned


def _away(competition: Competition, state: State, offer: Offer) -> Iterator[Caution]:
    """Yield who is away on the day of a round that is to be drawn or published."""
    if issubclass(offer.verb, DrawRound | PublishRound):
        told = away_told(state, away_from_round(competition.pk, state))
        if told:
            yield Caution(told, "absent" if issubclass(offer.verb, DrawRound) else "")


def _declined(competition: Competition, state: State, offer: Offer) -> Iterator[Caution]:
    """Yield whose check-in is left out of that of all, because they said No or are away."""
    if not issubclass(offer.verb, CheckInAllEntries):
        return
    said, gone = ({*map(str, each(competition.pk))} for each in (declined, left_since))
    left_out = not_expected(competition.pk, state)
    waits = [entry for entry in state.not_checked_in if entry.id in left_out]
    no = [entry.name for entry in waits if not said.isdisjoint(entry.players)]
    away = [entry.name for entry in waits if (said | gone).isdisjoint(entry.players)]
    if no:
        yield Caution(
            plural(
                "%(count)d said No, and is not checked in by this: %(names)s.",
                "%(count)d said No, and are not checked in by this: %(names)s.",
                len(no),
                names=_some(no),
            )
        )
    if away:
        yield Caution(
            plural(
                "%(count)d is away that day, and is not checked in by this: %(names)s.",
                "%(count)d are away that day, and are not checked in by this: %(names)s.",
                len(away),
                names=_some(away),
            )
        )


def _left(competition: Competition, state: State, offer: Offer) -> Iterator[Caution]:
    """Yield who has left the club, and is still entered, before anything draws or checks them in."""
    if not issubclass(offer.verb, CheckInAllEntries | StartCompetition | DrawRound | PublishRound):
        return
    gone = {str(player) for player in left_since(competition.pk)}
    names = [each.name for each in state.entries if each.live and not gone.isdisjoint(each.players)]
    if names:
        told = plural(
            "No longer in the club, and still entered: %(names)s. Withdraw the entry.",
            "No longer in the club, and still entered: %(names)s. Withdraw their entries.",
            len(names),
            names=_some(names),
        )
        yield Caution(told, "withdraw")


def _some(names: Sequence[str]) -> str:
    return some([*map(shown_name, names)])


def some(names: Sequence[str]) -> str:
    """Return the first of the names, and how many more there are."""
    more = [text("%(count)s more", count=len(names) - MOST_NAMED)] if len(names) > MOST_NAMED else []
    return both([*names[:MOST_NAMED], *more])


def _objecting(competition: Competition, offer: Offer) -> Iterator[Caution]:
    """Yield until when who played may object to results that are posted, and may become others."""
    if issubclass(offer.verb, FinishCompetition) and competition.takes_objections:
        assert competition.objections_until
        with override(competition.club.zone):
            until = point_in_time(competition.objections_until)
        yield Caution(
            text("Who played may still object to the posted results, until %(until)s.", until=until)
        )


def _without_account(competition: Competition) -> Iterator[Warned]:
    """Yield who has entered a competition that is played online and has no account to play with."""
    names = [] if on_paper(competition.ruleset) else [each.name for each in without_account(competition)]
    if not names:
        return
    sentence = plural(
        "The games are played online, and %(count)d player has no account: %(names)s.",
        "The games are played online, and %(count)d players have no account: %(names)s.",
        len(names),
        names=_some(names),
    )
    query = urlencode({"club": competition.club.slug, "competition": competition.pk})
    page = f"{reverse('admin:league_invitation_many')}?{query}"
    yield Warned(translated(sentence), address=page, title=_("Invite players"))


def _unconfirmed(card: ClubGame) -> Warned:
    need = need_of_card(card)
    return Warned(need.text, address=need.address, title=_("Confirm the scores"))


def _warned(caution: Caution, remedy: Offer | None) -> Warned:
    button = remedy.button if remedy else None
    return Warned(translated(caution.sentence), button, bool(remedy and _asks_nothing(remedy)), caution.stops)


def _asks_nothing(offer: Offer) -> bool:
    # What the form of a draw asks can be left out.
    return offer.form in (VerbForm, DrawForm) and not (offer.button.asks or offer.button.danger)


def remedy_for(competition: Competition, offer: Offer, key: str) -> Offer | None:
    """Return the remedy with this key that a page of a verb offers to carry out at once, None for another."""
    warned = [each.remedy.key for each in warnings_about(competition, offer) if each.remedy and each.at_once]
    now = {each.button.key: each for each in offered(competition)}
    return now[key] if key in warned else None


# ---- What would change ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """An entry's rank and points, and where it goes in the next stage: each now and after."""

    name: str
    stage: int
    changed: bool
    rank: tuple[int | None, int | None]
    points: tuple[object, object]
    goes: tuple[str, str]


@dataclass(frozen=True)
class WhatIf:
    """The sentences of what would happen; the lines that would change, and all lines.

    ``lots`` say for whom lots would be drawn, which no line can show. ``stages`` and ``goes`` say whether the
    lines are of several stages, and whether anybody goes on.
    """

    sentences: Sequence[str]
    lots: Sequence[str]
    changed: Sequence[Line]
    lines: Sequence[Line]
    stages: bool
    goes: bool


def can_preview(form: VerbForm) -> bool:
    """Return whether what a form does can be shown before: once there are standings, but for draws."""
    state = form.state
    return not form.empty and state.stage is not None and not form.verb.draws(state)


@transaction.atomic
def what_if(by: Account, form: VerbForm) -> WhatIf:
    """Return what a valid form would change now; raises what carrying it out would raise. Nothing is kept."""
    found = preview(by=by, competition=form.competition, verbs=form.verbs(by))
    told = sentences(form.competition.pk, found.events)
    transaction.set_rollback(True)
    lines = [_line(found, row) for row in compared(found)]
    return WhatIf(
        told,
        [translated(each) for each in found.lots],
        [line for line in lines if line.changed],
        lines,
        stages=len(found.stages) > 1,
        goes=bool(found.before.goes_on or found.after.goes_on),
    )


def _line(found: Preview, row: Comparison) -> Line:
    return Line(
        found.names[row.entry],
        row.stage,
        row.changed,
        (row.before.rank if row.before else None, row.after.rank if row.after else None),
        (row.before.points if row.before else None, row.after.points if row.after else None),
        (_goes(found, row.place_before), _goes(found, row.place_after)),
    )


def _goes(found: Preview, place: Place | None) -> str:
    """Return in words where an entry goes, empty for nowhere."""
    if place is None:
        return ""
    if place.movement == "undecided":
        return _("level on the last place")
    if not (found.before.divisions or found.after.divisions):
        return _("qualifies")
    movement = {"up": " ▲", "down": " ▼"}.get(place.movement, "")
    return _("Division %(number)d") % {"number": place.group} + movement


# ---- What was done -------------------------------------------------------------------------------

MOST_TOLD: Final = 3
MINUTES_TOLD: Final = 60
"""From so many minutes on the time is told, not how long ago it was."""


def what_was_done(by: Account, competition: Competition, before: int) -> str:
    """Return what an account wrote into a log after entry ``before``; a draw stands for its cut-off.

    That a card without an entry is closed, because totals decide its table, surprises nobody.
    """
    written = events_of(competition, withheld=True).filter(seq__gt=before, account=str(by.pk))
    events = list(written.order_by("seq"))
    empty = left_empty([each.event for each in events]) if on_paper(competition.ruleset) else ()
    told = (each for each in events if each.event["type"] != "cut_off")
    shown = [each for each in told if each.event.get("game") not in empty]
    return " ".join(
        [
            _events_in_words(event_lines(shown or events)),
            *_although(competition.pk, [each.event for each in events]),
            *_until(competition, [each.event for each in events]),
        ]
    )


def _although(competition: UUID, events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield who was entered and has said No, or is away on the day, which a list of names does not show."""
    came = {player for each in events if each["type"] == "entered" for player in each["players"]}
    if not came:
        return
    state = state_of(Competition.objects.get(pk=competition))
    said = came & {*map(str, declined(competition))}
    away = (came & away_from_round(competition, state)) - said
    sentences = (_("Entered, but said No: %(names)s."), _("Entered, but away on the day: %(names)s."))
    for sentence, players in zip(sentences, (said, away), strict=True):
        names = [each.name for each in state.entries if not players.isdisjoint(each.players)]
        if names:
            yield filled(sentence, {"names": translated(_some(names))})
    for app in ALTHOUGH:
        yield from app(competition, came)


def _until(competition: Competition, events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield until when the tables may play that were given more or less time than their round."""
    given = {each["table"] for each in events if each["type"] == "time_given"}
    for table in Table.objects.filter(pk__in=given).select_related("round").order_by("number", "pk"):
        timers = (each(competition) for each in hooks.ROUND_ENDS)
        ends = [table.deadline, *(each and each + table.more for each in timers)]
        if known := [each for each in ends if each]:
            at = short_time(min(known), competition.club)
            yield filled(_("Table %(number)d has until %(at)s."), {"number": table.number, "at": at})


def what_others_did(by: Account, competition: Competition, since: int) -> list[str]:
    """Return what was written into a competition's log from entry ``since`` on, the latest first."""
    written = events_of(competition, withheld=True).filter(seq__gte=since)
    lines = event_lines(list(written[:MOST_TOLD]))
    told = [_told(line, by) for line in lines]
    if more := written.count() - len(told):
        told.append(
            ngettext("And %(count)d more entry in the log.", "And %(count)d more entries in the log.", more)
            % {"count": more}
        )
    return told


def _told(line: EventLine, by: Account) -> str:
    who = _("you") if line.event.account == str(by.pk) else line.account or line.event.get_role_display()
    told = {"who": who, "sentence": numbers_within(line.sentence)}
    minutes = int((database_time.now() - line.event.at).total_seconds() // 60)
    if minutes >= MINUTES_TOLD:
        return _("%(at)s, %(who)s: %(sentence)s") % {**told, "at": point_in_time(line.event.at)}
    if minutes < 1:
        return _("Just now, %(who)s: %(sentence)s") % told
    sentence = ngettext(
        "%(count)d minute ago, %(who)s: %(sentence)s", "%(count)d minutes ago, %(who)s: %(sentence)s", minutes
    )
    return sentence % {**told, "count": minutes}


def _events_in_words(lines: Sequence[EventLine]) -> str:
    """Return what events say in all, many of a type in one sentence."""
    if not lines:
        return _("Nothing had to be changed.")
    kinds = Counter(line.event.event["type"] for line in lines)
    together = {kind: _together(kind, count) for kind, count in kinds.items() if count > 1}
    sentences = list(
        dict.fromkeys(
            together.get(line.event.event["type"]) or numbers_within(line.sentence) for line in lines
        )
    )
    more = len(sentences) - MOST_TOLD
    if more > 0:
        del sentences[MOST_TOLD:]
        sentence = ngettext("And %(count)d more change.", "And %(count)d more changes.", more)
        sentences.append(sentence % {"count": more})
    return " ".join(sentences)


def _together(kind: str, count: int) -> str:
    return translated(EVENTS[kind].sentence_of_many(count)) if kind in EVENTS else ""
