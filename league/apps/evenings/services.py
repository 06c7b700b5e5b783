"""Running an evening again: another competition with the same settings, and those who played entered."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils.formats import date_format
from django.utils.translation import override

from games import database_time
from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed, Refusal
from league import hooks
from league.apps.evenings.lines import (
    MOST_TAKEN,
    days_to_come,
    free_day,
    line_of,
    made_on,
    nearest_days,
    next_name,
    repeated,
    rhythm_of,
)
from league.apps.evenings.models import MOST_KEPT, Cancellation, Evening, KeptPreset, Rhythm, Skipped
from league.apps.evenings.queries import Former, changed_game
from league.callers import ByAccount
from league.core.presets import Preset
from league.core.verbs.checking import SetChecking
from league.core.verbs.course import Reopened
from league.core.verbs.entries import SubstitutePlayer
from league.core.verbs.rooms import SetRooms
from league.core.verbs.start import OpenEntries
from league.log import Appended
from league.models import Account, Club, Competition, Details
from league.queries import permissions
from league.queries.competitions import details_of, prizes_of, state_of
from league.queries.rounds import rooms_of
from league.services.checking import check
from league.services.competitions import FIELDS, Entrants, enter_players, given_by, open_competition
from league.services.verbs import perform
from league.words.messages import translated


@transaction.atomic
def run_again(
    *,
    by: Account,
    like: Competition,
    name: str,
    day: date,
    at: time | None,
    entries: Sequence[Former] = (),
    open_entries: bool = False,
    rhythm: Rhythm | None = None,
    new_pairs: Sequence[tuple[UUID, UUID]] = (),
    stand_ins: Mapping[UUID, UUID] = MappingProxyType({}),
    old_rules: bool = False,
) -> Competition:
    """Return a new competition with the settings of another one and these of its entries, in their order.

    Then come ``new_pairs`` of players who did not play together. ``stand_ins`` play for some players of
    entries, who are away. Where the club has changed its game of the same name since, that is played, but for
    ``old_rules``.

    Raises `Malformed` for what the services that it calls refuse, and where the day has such an evening
    already; and PermissionDenied.
    """
    if not EARLIEST <= day <= LATEST:
        raise Malformed({"day": [text("This must be a day of this century.")]})
    details = {**_details(like, day), "begins_at": at}
    same = given_by(_preset_of(like, old_rules=old_rules), name)
    same["details"] = details
    made = open_competition(by=by, club=like.club, **same)
    try:
        with transaction.atomic():
            Evening.objects.create(competition=made, like=like, day=day, rhythm=rhythm)
    except IntegrityError:
        raise Malformed({"day": [_taken(like, day)]}) from None
    _set_alike(by, made, like)
    if open_entries:
        perform(ByAccount(by), competition=made, verb=OpenEntries())
    if teams := [*(each.players for each in entries), *new_pairs]:
        players = tuple(str(player) for team in teams for player in team)
        named = Entrants(
            players=players, teams=(*(each.own_name for each in entries), *[""] * len(new_pairs))
        )
        enter_players(by=by, competition=made, entrants=named)
    if stand_ins:
        perform(ByAccount(by), competition=made, verb=[*_substitutes(made, stand_ins)])
    made = Competition.objects.get(pk=made.pk)
    if rhythm is None and (passed := _locked(rhythm_of(made))) and not passed.stopped:
        _schedule(passed)
    hooks.evening_opened(made, like)
    return made


def _set_alike(by: Account, made: Competition, like: Competition) -> None:
    if like.rooms:
        perform(ByAccount(by), competition=made, verb=SetRooms(**vars(rooms_of(like))))
    if state_of(like).checking:
        perform(ByAccount(by), competition=made, verb=SetChecking(required=True))


def _preset_of(like: Competition, *, old_rules: bool) -> Preset:
    preset = Preset.of(state_of(like).repeated)
    if old_rules or not (changed := changed_game(like)):
        return preset
    chosen = {key: value for key, value in preset.options.items() if key != changed.defined_by}
    return replace(preset, ruleset=changed.key, options=chosen)


def _substitutes(made: Competition, stand_ins: Mapping[UUID, UUID]) -> Iterator[SubstitutePlayer]:
    for entry in state_of(Competition.objects.get(pk=made.pk)).entries:
        for out in entry.players:
            if into := stand_ins.get(UUID(out)):
                yield SubstitutePlayer(entry.id, out, str(into))


def _taken(like: Competition, day: date) -> Message:
    """Return that an evening was set up for a day already, by whom, and what it is called."""
    made = Evening.objects.select_related("competition").filter(like=like, day=day).first()
    opening = made and made.competition.events.filter(seq=1).first()
    by = Account.objects.filter(pk=opening.account).first() if opening and opening.account else None
    if made is None or by is None:
        return text("This evening was run again for this day already.")
    return text(
        "%(who)s was faster: “%(name)s” is set up for this day already. Open it instead, or choose another "
        "day.",
        who=by.username,
        name=made.competition.name,
    )


EARLIEST: Final = date(2000, 1, 1)
LATEST: Final = date(2099, 12, 31)
"""The days on which evenings can be."""


# ---- Rhythms -------------------------------------------------------------------------------------


@transaction.atomic
def begin_rhythm(
    *,
    by: Account,
    like: Competition,
    weekday: int,
    nth: int,
    weeks: int,
    first: date,
    at: time | None,
    days_before: int,
    always: Competition | None = None,
) -> Rhythm:
    """Return a rhythm of the line of a competition; one that there is already is changed.

    Each evening is set up like the one before it, or like the one that is given for ``always``. Raises
    `Malformed` and PermissionDenied.
    """
    permissions.require_organiser(like.club_id, by)
    if not EARLIEST <= first <= LATEST:
        raise Malformed({"first": [text("This must be a day of this century.")]})
    Club.objects.select_for_update(no_key=True).get(pk=like.club_id)
    rhythm = _locked(rhythm_of(like)) or Rhythm(club=like.club, like=like)
    rhythm.like, rhythm.stays = always or rhythm.like, always is not None
    rhythm.by, rhythm.weekday, rhythm.nth, rhythm.weeks = by, weekday, nth, weeks
    rhythm.first, rhythm.at, rhythm.days_before = first, at, days_before
    rhythm.stopped = False
    _schedule(rhythm)
    return rhythm


@transaction.atomic
def stop_rhythm(*, by: Account, rhythm: Rhythm) -> None:
    """Set up no further evening by a rhythm; those that are set up stay. Raises PermissionDenied."""
    permissions.require_organiser(rhythm.club_id, by)
    if (stopped := _locked(rhythm)) is not None:
        stopped.stopped, stopped.due, stopped.next_on, stopped.trouble = True, None, None, ""
        stopped.save()


@transaction.atomic
def skip_day(*, by: Account, rhythm: Rhythm, day: date, why: str = "", skip: bool = True) -> None:
    """Set up no evening on a day of a rhythm, or do it after all; raises `Malformed`, PermissionDenied."""
    permissions.require_organiser(rhythm.club_id, by)
    locked = _locked(rhythm)
    if locked is None:
        return
    locked.skipped.filter(day=day).delete()
    if skip:
        _require_free(locked, day)
        skipped = Skipped(rhythm=locked, day=day, why=why)
        check(skipped, against_others=False)
        skipped.save()
    if not locked.stopped:
        _schedule(locked)


def _require_free(rhythm: Rhythm, day: date) -> None:
    """Raise `Malformed` for a day that is none of a rhythm's, or on which an evening is set up already."""
    if day not in islice(days_to_come(rhythm), MOST_TAKEN):
        first, second = map(_told, nearest_days(rhythm, day))
        words = text(
            "No evening is to be set up on this day. The days nearest to it are %(first)s and %(second)s.",
            first=first,
            second=second,
        )
        raise Malformed({"day": [words]})
    if made := made_on(line_of(rhythm.like)).get(day):
        words = text("%(name)s is set up for this day already: cancel that evening.", name=made.name)
        raise Malformed({"day": [words]})


def _told(day: date) -> str:
    return f"{date_format(day, 'l')}, {date_format(day, 'DATE_FORMAT')}"


def _locked(rhythm: Rhythm | None) -> Rhythm | None:
    """Return a rhythm as it is now, locked against others who change it; None where it is gone.

    Its club is locked before it, as by all who change what is the club's.
    """
    if rhythm is None:
        return None
    its = Rhythm.objects.filter(pk=rhythm.pk)
    list(Club.objects.select_for_update(no_key=True).filter(pk__in=its.values("club")))
    rows = its.select_for_update(of=("self",), no_key=True).select_related("club", "like", "by")
    return rows.first()


def _schedule(rhythm: Rhythm) -> None:
    """Save a rhythm with its next day that is neither skipped nor set up, and when it is due."""
    rhythm.next_on, rhythm.due, rhythm.trouble = free_day(rhythm, line_of(rhythm.like)), None, ""
    if rhythm.next_on:
        before = rhythm.next_on - timedelta(days=rhythm.days_before)
        rhythm.due = datetime.combine(before, rhythm.at or time(12), rhythm.club.zone).astimezone(UTC)
    rhythm.save()


@transaction.atomic
def prepare_evening(*, rhythm_id: UUID) -> None:
    """Set up the next evening of a rhythm if it is due, open for entries, and tell the club's members.

    All of it is one transaction, so that an end in the middle leaves nothing, and it is done by the next try.
    An evening that an organiser has set up for that day is left as it is. What refuses it is kept for the
    organisers, and the rhythm waits for them.
    """
    rhythm = _locked(Rhythm(pk=rhythm_id))
    if rhythm is None or rhythm.due is None or rhythm.due > database_time.now() or rhythm.next_on is None:
        return
    line = line_of(rhythm.like)
    if free_day(rhythm, line) != rhythm.next_on:
        _schedule(rhythm)
        return
    try:
        with transaction.atomic():
            made = _prepared(rhythm, repeated(rhythm, line), rhythm.next_on)
    except (Refusal, PermissionDenied) as refusal:
        sentence = refusal.sentence if isinstance(refusal, Refusal) else NOT_ORGANISER
        with override((rhythm.by and rhythm.by.language) or settings.LANGUAGE_CODE):
            rhythm.due, rhythm.trouble = None, translated(sentence)[:500]
        rhythm.save()
        return
    if not rhythm.stays:
        rhythm.like = made
    _schedule(rhythm)


def _prepared(rhythm: Rhythm, like: Competition, day: date) -> Competition:
    if rhythm.by is None or not rhythm.by.is_active:
        raise Illegal(NOT_ORGANISER)
    name = next_name(like, day)
    made = run_again(
        by=rhythm.by, like=like, name=name, day=day, at=rhythm.at, open_entries=True, rhythm=rhythm
    )
    hooks.members_invited(made)
    return made


NOT_ORGANISER: Final = text("Who set up this rhythm is no longer an organiser of the club: set it up again.")


# ---- Presets of a club ---------------------------------------------------------------------------


@transaction.atomic
def keep_preset(*, by: Account, competition: Competition, name: str) -> KeptPreset:
    """Return a preset of the club's own like a competition; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(competition.club_id, by)
    settings = Preset.of(state_of(competition).repeated).settings()
    return _kept(KeptPreset(club=competition.club, name=name, settings=settings))


@transaction.atomic
def rename_preset(*, by: Account, preset: KeptPreset, name: str) -> KeptPreset:
    """Give a preset another name; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(preset.club_id, by)
    preset.name = name
    return _kept(preset)


def remove_preset(*, by: Account, preset: KeptPreset) -> None:
    """Remove a preset; competitions that were set up by it stay. Raises PermissionDenied."""
    permissions.require_organiser(preset.club_id, by)
    preset.delete()


def _kept(preset: KeptPreset) -> KeptPreset:
    Club.objects.select_for_update(no_key=True).get(pk=preset.club_id)
    others = KeptPreset.objects.filter(club=preset.club_id).exclude(pk=preset.pk)
    if others.count() >= MOST_KEPT:
        raise Malformed({"name": [text("A club keeps at most %(most)d presets.", most=MOST_KEPT)]})
    if others.filter(name=preset.name).exists():
        raise Malformed({"name": [text("The club has a preset of this name already.")]})
    check(preset, against_others=False)
    preset.save()
    return preset


# ---- Cancelling ----------------------------------------------------------------------------------


def tell_apart(*, by: Account, competition: Competition, told: str) -> None:
    """Keep what those who have entered a competition that is being cancelled are told, and nobody else.

    Raises `Malformed` and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    kept = Cancellation(competition=competition, told=told)
    if told:
        check(kept, against_others=False)
    forget_told(competition)
    if told:
        kept.save(force_insert=True)


def forget_told(competition: Competition) -> None:
    """Forget what those alone were told who had entered a cancelled competition."""
    Cancellation.objects.filter(competition=competition).delete()


def follow_events(appended: Appended) -> None:
    """Forget that where a competition takes place after all: another cancellation has its own words."""
    if any(isinstance(event, Reopened) for event in appended.events):
        forget_told(Competition(pk=appended.competition.pk))


# ---- Details -------------------------------------------------------------------------------------


def _details(competition: Competition, day: date) -> dict[str, Any]:
    """Return what another evening on a day tells: all but the picture, and who won the prizes."""
    told: Details = details_of(competition)
    lasts = told.ends_on - told.begins_on if told.ends_on and told.begins_on else None
    same = {name: getattr(told, name) for name in FIELDS if name != "picture_text"}
    prizes = [replace(each, winner="") for each in prizes_of(told)]
    return {**same, "begins_on": day, "ends_on": lasts and day + lasts, "prizes": prizes}
