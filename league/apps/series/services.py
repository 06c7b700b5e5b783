"""What organisers do with a series: each call is one transaction, and writes its log and its rows.

With ``seq`` events are written at that number of the log, and the same call again is answered as before;
without it they are written at the log's end. Each raises `games.engine.refusals.Refusal` (malformed, illegal,
stale) and PermissionDenied; then nothing has changed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Final, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils.formats import get_format

from games.engine import shapes
from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed, Refusal
from games.engine.textinput import exact, in_ascii
from games.engine.textinput import number as number_in
from games.engine.values import replace
from league import hooks
from league.apps.series import log, projections
from league.apps.series.core import evenings, events, ranking, verifier
from league.apps.series.core.events import Event
from league.apps.series.core.rule import NEWEST, Rule
from league.apps.series.core.state import Series as State
from league.apps.series.core.state import TypedTotal
from league.apps.series.log import Appended
from league.apps.series.models import Series, SeriesEvening
from league.apps.series.queries import day_of, table_of
from league.choices import EventRole, TokenScope
from league.core.state.entries import JOIN
from league.log import SYSTEM, Author
from league.models import Account, Club, Competition, Player
from league.models.names import address_of, first_name_first
from league.projections.appearing import appear
from league.projections.public_names import lock
from league.queries import permissions
from league.queries.clubs import ids_of
from league.queries.names import lines_of, people_in
from league.services.players import NewPlayer, create_players

# ---- Series --------------------------------------------------------------------------------------


@transaction.atomic
def open_series(
    *,
    by: Account,
    club: Club,
    name: str,
    rule: Rule = Rule(),  # noqa: B008 - a frozen value
    ranked: Literal["everybody", "counted"] = "everybody",
    slug: str = "",
    gathers: bool = True,
    follows: str = "",
    first: Sequence[Event] = (),
) -> Series:
    """Return a new series of the club, after its ``first`` events.

    ``gathers``: what is like one of its evenings joins it. ``follows``: whom the club knows as that count.
    """
    permissions.require_organiser(club.pk, by)
    # The club's row is the lock: two series may be given one address at once.
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    stem = address_of(slug or name)[:60] or "series"
    taken = {*Series.objects.filter(club=club, slug__startswith=stem).values_list("slug", flat=True)}
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    free = next(each for each in (stem, *numbered) if each not in taken)
    opening = events.Opened(name=name, rule=replace(rule, edition=NEWEST), ranked=ranked)
    opened = log.open_series(club=club.pk, slug=free, opening=opening, author=_author(by), gathers=gathers)
    Series.objects.filter(pk=opened.series.pk).update(follows=follows)
    opened.series.follows = follows
    return perform(by=by, series=opened.series, event=first).series if first else opened.series


@transaction.atomic
def perform(
    *,
    by: Account,
    series: Series,
    event: Event | Sequence[Event],
    seq: int | None = None,
    new: Sequence[NewPlayer] = (),
) -> Appended:
    """Write an organiser's event, or several at once; the rows of evenings follow.

    ``new`` are players whom the events name and who are added to the club first.
    """
    permissions.require_organiser(series.club_id, by)
    # Its people may be called otherwise after this: the club is locked before the series.
    lock(series.club_id)
    if new:
        create_players(by=by, club=series.club, new=new)
    decided = [_newest(each) for each in ([event] if isinstance(event, Event) else event)]
    for each in decided:
        _check(series, each)
    written = _written(series, _author(by), decided, seq)
    if written.created and any(isinstance(each, events.EveningAdded | events.Reopened) for each in decided):
        gather(series.club_id)
        written.series.refresh_from_db()
    _follow_days(written)
    return written


def _follow_days(written: Appended) -> None:
    """Say anew who counts, where that is followed: of days before the first evening the log says nothing."""
    series, before = written.series, written.before
    if series.follows and (before is None or before.days != written.state.days):
        hooks.people_known(series.club)
        series.refresh_from_db()


def _author(by: Account) -> Author:
    return Author(EventRole.ORGANISER, str(by.pk))


def _newest(event: Event) -> Event:
    """Return an event; a rule that it has is one of the newest edition."""
    if isinstance(event, events.RuleChanged):
        return replace(event, rule=replace(event.rule, edition=NEWEST))
    return event


def _check(series: Series, event: Event) -> None:
    """Raise `Illegal` for an event that names what is not the club's, or that nobody writes by hand."""
    if "organiser" not in event.said_by or isinstance(event, events.Opened | events.Merged):
        raise Illegal("Nobody writes this by hand.")
    people = {*event.people()}
    if people and Player.objects.filter(club=series.club_id, pk__in=people).count() < len(people):
        raise Illegal("The club has no such player.")
    competitions = Competition.objects.filter(club=series.club_id)
    if isinstance(event, events.EveningAdded) and not competitions.filter(pk=event.competition).exists():
        raise Illegal("The club has no such competition.", fields=["competition"])
    if isinstance(event, events.WinnersLeftOut):
        of = Series.objects.filter(club=series.club_id, pk=event.of).exclude(pk=series.pk)
        if not (of or competitions.filter(pk=event.of)):
            raise Illegal("The club has no such series or competition.", fields=["of"])
    if isinstance(event, events.Declared | events.DeclarationTakenBack):
        _refuse_begun(series, event.evening)
    if isinstance(event, events.EveningBrought) and Competition.objects.filter(
        club=series.club_id, pk=event.brought.competition
    ):
        raise Illegal("This is a competition of the club: add it.")
    if isinstance(event, events.EveningTypedIn):
        _refuse_few(event.totals, event.field)
    if isinstance(event, events.EveningChanged) and (event.totals or event.field):
        before = log.latest(Series.objects.get(pk=series.pk)).evening(event.evening)
        field = before.field if event.field is None else event.field
        _refuse_few(event.totals or before.totals, field)


def _refuse_few(totals: Sequence[TypedTotal], field: int) -> None:
    """Raise `Malformed` where fewer are said to have played than have a total, or partners are one-sided.

    Logs of before may say so.
    """
    together = {(total.player, other) for total in totals for other in total.partners}
    if {(other, player) for player, other in together} != together:
        raise Malformed({"totals": [text("Partners name each other, and each has a total.")]})
    had = evenings.entries_of(totals)
    if 0 < field < had:
        raise Malformed(
            {"field": [text("%(count)d have a total: no fewer can have played. 0 means those.", count=had)]}
        )


def _written(series: Series, author: Author, decided: Sequence[Event], seq: int | None) -> Appended:
    appended = log.append(series_id=series.pk, author=author, command=lambda _state, _now: decided, seq=seq)
    if appended.created:
        projections.follow(appended.series, appended.before, appended.state)
        appear(verifier.played(appended.events))
        _check_directions(appended)
        if any(getattr(each, "totals", ()) for each in decided):
            table_of(appended.series)
        _note_merged(appended.series)
    return appended


def written_by_system(series: Series, command: log.Command) -> None:
    """Write what follows from what a club knows, decided on the state that it is written to."""
    lock(series.club_id)
    appended = log.append(series_id=series.pk, author=SYSTEM, command=command)
    if appended.created:
        projections.follow(appended.series, appended.before, appended.state)
        appear(verifier.played(appended.events))
        _follow_days(appended)


def _check_directions(appended: Appended) -> None:
    """Raise `Illegal` where the rule can't count the evenings: where low scores win, and where high."""
    low = dict(SeriesEvening.objects.filter(series=appended.series).values_list("number", "low_wins"))
    parts = [replace(evenings.part_of(each), low_wins=low[each.id]) for each in appended.state.evenings]
    ranking.check_parts(appended.state.rule, parts)


# ---- Evenings ------------------------------------------------------------------------------------


def add_evening(
    *,
    by: Account,
    series: Series,
    competition: Competition,
    on: date | None = None,
    name: str = "",
    weight: int = 1,
    final: bool = False,
    deals: int = 0,
    seq: int | None = None,
) -> Appended:
    """Make a competition an evening of the series, of its first day unless another one is given."""
    added = _added(competition, on or day_of(competition), name=name, weight=weight, final=final, deals=deals)
    return perform(by=by, series=series, event=added, seq=seq)


def _added(competition: Competition, on: date, **more: object) -> events.EveningAdded:
    return shapes.read(
        events.EveningAdded, {"competition": str(competition.pk), "on": on.isoformat(), **more}
    )


@transaction.atomic
def gather(club: UUID) -> None:
    """Make each competition to come an evening of the open series that gather and have one that it is like.

    One that was an evening of the series before was taken out by hand, and stays out; so does one like a
    final, after which no other comes by itself.
    """
    rows = Series.objects.filter(club=club, gathers=True, closed=False).order_by("pk")
    known = {pk: like for of_app in hooks.FORERUNNERS for pk, like in of_app(club).items()} if rows else {}
    coming = Competition.objects.filter(pk__in=known).select_related("club", "stored_details")
    to_come = sorted(coming, key=lambda each: (day_of(each), each.pk))
    for series in rows if to_come else ():
        written_by_system(series, partial(_gathered, series, to_come, known))


def _gathered(
    series: Series,
    to_come: Sequence[Competition],
    known: Mapping[UUID, Sequence[UUID]],
    state: State,
    _now: datetime,
) -> Sequence[Event]:
    added = log.all_rows().filter(series=series, event__type="evening_added")
    ever, found = {*added.values_list("event__competition", flat=True)}, []
    for each in (each for each in to_come if str(each.pk) not in ever):
        of = next(filter(None, (state.evening_of(str(like)) for like in known[each.pk])), None)
        if of and not of.final:
            found.append(_added(each, day_of(each), deals=of.deals))
    return found


@transaction.atomic
def follow_day(competition: Competition, before: date) -> None:
    """Give evenings of open series the new day of a competition, unless they have a day of their own."""
    now = day_of(competition)
    rows = Series.objects.filter(evenings__competition=competition, closed=False).order_by("pk")
    if before == now or not rows:
        return
    lock(competition.club_id)

    def moved(state: State, _now: datetime) -> Sequence[Event]:
        its = state.evening_of(str(competition.pk))
        follows = its is not None and its.on == before.isoformat()
        return [events.EveningChanged(evening=its.id, on=now.isoformat())] if its and follows else []

    for series in rows:
        written_by_system(series, moved)


@transaction.atomic
def choose_gathering(*, by: Account, series: Series, gathers: bool) -> Series:
    """Say whether what is set up like an evening of the series joins it by itself."""
    permissions.require_organiser(series.club_id, by)
    Series.objects.filter(pk=series.pk).update(gathers=gathers)
    series.gathers = gathers
    gather(series.club_id)
    return series


@dataclass(frozen=True)
class TotalLine:
    """A line of a list of totals: a name as it was typed, and what the person had."""

    number: int
    name: str
    points: str
    deals: int = 0
    tables: int = 0


_LINE: Final = re.compile(
    r"(?P<name>.*?\S)\s*(?:[\t;:]|\s)\s*(?P<points>[-−–+]?[\d.,/'’\u00a0\u202f]+)"
    r"(?:\s*[\t;]\s*(?P<deals>\d{0,9}))?(?:\s*[\t;]\s*(?P<tables>\d{0,9}))?"
)


_THOUSANDS: Final = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}")
"""What some write for thousands and others for decimals."""


def lines_in(written: str) -> Sequence[TotalLine]:
    """Return the totals of a text, one a line: a name, the points, and maybe the deals and tables played.

    Columns of a spreadsheet do, too. Raises `Malformed` for field ``totals`` with a sentence for each line.
    """
    lines, wrong = list[TotalLine](), list[str]()
    for number, line in enumerate(written.splitlines(), 1):
        if line.strip():
            try:
                lines.append(_line(number, line.strip()))
            except Refusal as refusal:
                sentence = next(iter(refusal.errors.values()), [refusal.sentence])[0]
                wrong.append(text("Line %(number)d: %(why)s", number=number, why=sentence))
    if wrong or not lines:
        raise Malformed({"totals": wrong or [text("Write a name and a total on each line.")]})
    return lines


def _line(number: int, line: str) -> TotalLine:
    found = _LINE.fullmatch(line)
    if found is None:
        raise Illegal("Write a name and a total on each line.")
    played = {name: int(found[name] or 0) for name in ("deals", "tables")}
    typed = in_ascii(found["points"])
    if _THOUSANDS.fullmatch(typed):
        raise Illegal(_either(found["points"]))
    grouped = number_in(typed)
    points = str(grouped) if isinstance(grouped, int) else exact(typed)
    # Of anybody, only to read the numbers.
    shapes.read(TypedTotal, {"player": str(UUID(int=0)), "points": points, **played})
    name = _name(found)
    if not name:
        raise Illegal("Write a name and a total on each line.")
    return TotalLine(number, name, points, **played)


def _name(found: re.Match[str]) -> str:
    """Return the name of a line as a list of names has it, without numbering."""
    return next(iter(lines_of(found["name"])), "")


def _either(points: str) -> Message:
    whole, part = re.split("[.,]", in_ascii(points).replace("-", "−"))
    decimal = f"{whole}{get_format('DECIMAL_SEPARATOR')}{part.rstrip('0') or '0'}"
    return text(
        "%(typed)s can mean %(thousands)s or %(decimal)s: write %(thousands)s, or %(clear)s as a decimal.",
        typed=points,
        thousands=f"{whole}{part}",
        decimal=decimal,
        # Three digits would be asked about again.
        clear=decimal if part.endswith("0") else f"{decimal}0",
    )


def renamed(written: str, typed: str, known: str) -> str:
    """Return a text with a known name in place of a typed one; its other lines stay as they were typed.

    What was typed as "Berg, Ada" is found as "Ada Berg", too.
    """

    def is_it(name: str) -> bool:
        return first_name_first(name) == first_name_first(typed)

    def names_in(name: str) -> Sequence[str]:
        return [name] if is_it(name) else people_in(name)

    found = [(line, _LINE.fullmatch(line.strip())) for line in written.splitlines()]
    lines = [(line, each, names_in(_name(each)) if each else ()) for line, each in found]
    return "\n".join(
        line.replace(each["name"], JOIN.join(known if is_it(name) else name for name in names), 1)
        if each and any(map(is_it, names))
        else line
        for line, each, names in lines
    )


# ---- People --------------------------------------------------------------------------------------


@transaction.atomic
def declare(
    *,
    by: Account,
    series: Series,
    evening: int,
    player: Player | None = None,
    taken_back: bool = False,
    seq: int | None = None,
) -> Appended:
    """Declare that an evening shall count for a player, or take that back, before the evening has begun.

    Without a player it is the caller's own.
    """
    kind = events.DeclarationTakenBack if taken_back else events.Declared
    if player is not None:
        return perform(by=by, series=series, event=kind(str(player.pk), evening), seq=seq)
    own = str(permissions.require_player(series.club_id, by, TokenScope.PLAY_ENTER).pk)
    _refuse_begun(series, evening)
    state = log.latest(Series.objects.get(pk=series.pk))
    # Of somebody who was two players, what each of them declared is taken back.
    said = [player for player, each in state.declared if each == evening and state.now(player) == own]
    if not taken_back and not said and not state.declares_left(own):
        raise Illegal("You have declared as many evenings as count.")
    people = said if taken_back else [own]
    author = Author(EventRole.PLAYER, str(by.pk))
    return _written(series, author, [kind(each, evening) for each in people], seq)


NOT_BEGUN: Final = (Competition.Status.PREPARING, Competition.Status.ENTERING)


def _refuse_begun(series: Series, evening: int) -> None:
    competition = log.latest(Series.objects.get(pk=series.pk)).evening(evening).competition
    if not competition or not Competition.objects.filter(pk=competition, status__in=NOT_BEGUN).exists():
        raise Illegal("The evening has begun: nobody can declare it any more.")


def follow_merged(player: Player) -> None:
    """Note in the series of a club who is whom now, after players were merged."""
    for series in Series.objects.filter(club=player.club_id).order_by("pk"):
        _note_merged(series)


def _note_merged(series: Series) -> None:
    """Note which of the people in a series are others now."""
    rows = Player.objects.filter(club=series.club_id).exclude(merged_into=None).order_by("pk")
    merged = {str(pk): str(into) for pk, into in rows.values_list("pk", "merged_into")}
    if not merged:
        return

    def command(state: State, _now: datetime) -> Sequence[Event]:
        named = verifier.named(events.read(entry.event) for entry in log.entries(series))
        wholes = SeriesEvening.objects.filter(series=series).values_list("whole", flat=True)
        named |= {share[0] for whole in wholes for share in whole["shares"]}
        new = [pk for pk in merged if pk in named and pk not in dict(state.merged)]
        return [events.Merged(pk, merged[pk]) for pk in new]

    log.append(series_id=series.pk, author=SYSTEM, command=command)


def is_named(player: Player) -> bool:
    """Return whether the log of a series names a player, or one who was merged into them."""
    written = log.all_rows().filter(series__club=player.club_id).annotate(said=Cast("event", TextField()))
    return any(written.filter(said__contains=str(pk)).exists() for pk in ids_of(pk=player.pk))
