"""Who was what in a club when; what would become of a player who is merged or removed, of an account that is
deleted, and what it has.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from uuid import UUID

from django.apps import apps
from django.db.models import BinaryField, ForeignKey, Min, Model, Q, QuerySet
from django.db.models.fields.json import KT
from django.utils.translation import gettext_lazy

from games.engine.chain import canonical
from games.engine.messages import Message, plural, text
from games.models import Game, Seat
from games.transparency.proofs import commitment
from league import hooks, log
from league.apps.people.models import Category, Period, Person, Rule, Standing
from league.models import (
    Account,
    Club,
    ClubChange,
    Competition,
    Entry,
    Invitation,
    Member,
    Player,
    Round,
    TableSeat,
)
from league.queries import permissions
from league.queries.accounts import own_entries
from league.queries.clubs import OVER, clubs_of, competitions_with, ids_of, listed, still_playing
from league.queries.events import ids_as_text
from league.queries.links import masked

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

# ---- Players -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Merging:
    """What merging ``merged`` into ``kept`` would do: ``refusals`` say why it can't be done.

    ``competitions`` and ``games`` are how many pass to the player who is kept. Competitions ``in_the_way``
    are why it can't be done; in those of ``both`` each has an entry, which stays.
    """

    kept: Player
    merged: Player
    competitions: int
    games: int
    refusals: Sequence[Message]
    in_the_way: Sequence[Competition]
    both: Sequence[Competition]


def merging(kept: Player, merged: Player) -> Merging:
    """Return what merging two players of a club would do, and what stands against it."""
    theirs, own = list(competitions_with(merged)), {*competitions_with(kept).values_list("pk", flat=True)}
    both = [each for each in theirs if each.pk in own]
    apart = list(_as_two(kept, merged)) if both else []
    refusals = [
        *_of_accounts(kept, merged),
        *_of_shared(kept, merged, apart),
        *still_playing(merged),
    ]
    in_the_way = [each for each in theirs if each in apart or each.status not in OVER]
    return Merging(kept, merged, len(theirs), _seats(merged).count(), refusals, in_the_way, both)


def logs_naming(player: Player) -> int:
    """Return the number of competitions in whose logs an entry of the player was given a name with theirs."""
    own = Entry.objects.filter(members__player__in=ids_of(pk=player.pk))
    events = log.rows_of(competitions_with(player).values_list("pk", flat=True)).annotate(
        entered=KT("event__entry")
    )
    named = Q(event__name__icontains=player.name) | Q(event__former__icontains=player.name)
    found = events.filter(named, entered__in=ids_as_text(own)).order_by()
    return found.values("competition").distinct().count()


def _of_accounts(kept: Player, merged: Player) -> Sequence[Message]:
    if kept.pk == merged.pk or kept.club_id != merged.club_id:
        return [text("Choose two players of one club.")]
    if kept.anonymous or merged.anonymous:
        return [text("A player who was removed can't be merged.")]
    if kept.account_id and merged.account_id:
        return [text("Both have an account: take it from one of them first.")]
    return []


def _as_two(kept: Player, merged: Player) -> QuerySet[Competition]:
    """Return the competitions in which the two were two people: in one round, or in one team.

    Who is entered twice and plays under one name at a time, such as one who came back later, is one person.
    """
    pairs = [[*ids_of(pk=player.pk)] for player in (kept, merged)]
    rounds, entries = Round.objects.all(), Entry.objects.all()
    for mine in pairs:
        rounds = rounds.filter(tables__seats__player__in=mine)
        entries = entries.filter(members__player__in=mine)
    found = Q(stages__rounds__in=rounds.order_by()) | Q(entries__in=entries.order_by())
    return competitions_with(kept).filter(found).distinct()


def _of_shared(kept: Player, merged: Player, apart: Sequence[Competition]) -> Sequence[Message]:
    """Return that two players are two people: in a round or a team of ``apart``, or at one table."""
    if names := listed([each.name for each in apart]):
        return [
            text(
                "Both played in one round or one team, so they are two people there: %(competitions)s.",
                competitions=names,
            )
        ]
    games = _seats(kept).filter(game__in=_seats(merged).values("game")).count()
    if not games:
        return []
    return [
        plural(
            "Both sat in the same game, so they are two people.",
            "Both sat in the same %(count)d games, so they are two people.",
            games,
        )
    ]


def _seats(player: Player) -> QuerySet[Seat]:
    return Seat.objects.filter(player__in=ids_of(pk=player.pk))


# ---- As the club knows them ----------------------------------------------------------------------

Span: TypeAlias = tuple[date | None, date | None]
"""From one day to another, both included; None leaves it open."""
Part: TypeAlias = tuple[str, UUID | None, date | None, date | None]
"""A period: a `Standing` or the id of a category, and its days."""


@dataclass(frozen=True)
class Facts:
    """What a club knows of a player besides name and contact."""

    born: int | None = None
    pass_number: str = ""
    left_on: date | None = None
    died: bool = False
    periods: tuple[Part, ...] = ()


OWN: Final = tuple(field.name for field in fields(Facts) if field.name != "periods")
"""The facts that are fields of `Person`."""
NOTHING: Final = Facts()


def left_by(players: Collection[UUID], day: date) -> Mapping[UUID, date]:
    """Return which of the players have left before a day, as away for good: until the last day there is."""
    gone = Person.objects.filter(player__in=players, left_on__lt=day).order_by()
    return dict.fromkeys(gone.values_list("player", flat=True), date.max)


def facts_of(players: Iterable[UUID]) -> Mapping[UUID, Facts]:
    """Return what the club knows of players, by id; those of whom it knows nothing are left out."""
    wanted = [*players]
    people = {each.pk: each for each in Person.objects.filter(player__in=wanted)}
    parts = dict[UUID, list[Part]]()
    for row in Period.objects.filter(player__in=wanted):
        parts.setdefault(row.player_id, []).append((row.standing, row.category_id, row.since, row.until))
    return {
        pk: Facts(**{name: getattr(each, name) for name in OWN}, periods=united(parts.get(pk, ())))
        for pk, each in people.items()
    }


def people_of(club: Club, account: Account) -> QuerySet[Person]:
    """Return what the club knows of its players, by name; raises PermissionDenied for all but organisers."""
    permissions.require_organiser(club.pk, account)
    people = Person.objects.filter(club=club).select_related("player")
    return people.prefetch_related("player__periods__category").order_by("player__sort_name", "pk")


def united(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return periods in order, those of a kind that meet or overlap as one."""
    found = list[Part]()
    for part in sorted(parts, key=lambda each: (each[0], str(each[1]), each[2] or date.min)):
        *kind, since, until = part
        last = found[-1] if found else None
        meets = last and [*last[:2]] == kind and (last[3] is None or (since or date.min) <= _after(last[3]))
        if not (last and meets):
            found.append(part)
        elif last[3] is not None and (until is None or until > last[3]):
            found[-1] = (*last[:3], until)
    return tuple(found)


def as_one(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return periods in order, without those as a guest on days as a member: who is a member is no guest."""
    given = united(parts)
    kept = [each for each in given if each[0] != Standing.GUEST]
    for guest in (each for each in given if each[0] == Standing.GUEST):
        spans: list[Span] = [(guest[2], guest[3])]
        for standing, _category, since, until in given:
            if standing == Standing.MEMBER:
                spans = [left for span in spans for left in _without(span, (since, until))]
        kept += [(guest[0], None, *span) for span in spans]
    return united(kept)


def _without(span: Span, taken: Span) -> Iterator[Span]:
    """Yield what is left of a span without the days of another one."""
    (since, until), (first, last) = span, (taken[0] or date.min, taken[1] or date.max)
    if last < (since or date.min) or (until or date.max) < first:
        yield span
        return
    if (since or date.min) < first:
        yield since, first - timedelta(days=1)
    if last < (until or date.max):
        yield last + timedelta(days=1), until


def _after(day: date) -> date:
    return day if day == date.max else day + timedelta(days=1)


def sealed(salt: str, facts: Facts) -> str:
    """Return the commitment to facts that the club's record keeps."""
    periods = [[*map(_plain, part)] for part in facts.periods]
    own = {name: _plain(getattr(facts, name)) for name in OWN}
    return commitment(bytes.fromhex(salt), canonical({**own, "periods": periods}))


def _plain(value: object) -> Any:
    return str(value) if isinstance(value, date | UUID) else value


def contradicted(_options: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each player of whom the rows say something else than the club's record."""
    kept = dict(Person.objects.order_by("pk").values_list("pk", "salt"))
    changes = ClubChange.objects.filter(kind=ClubChange.Kind.PLAYER_CHANGED, values__has_key=SEAL)
    noted = changes.exclude(about=None).order_by("pk").iterator()
    last = {each.about: each.values[SEAL][-1] for each in noted if each.about}
    facts = facts_of(kept)
    gone = {*Player.objects.filter(pk__in=last, anonymous=True).values_list("pk", flat=True)}
    here = {*Player.objects.filter(pk__in=last, merged_into=None).values_list("pk", flat=True)} - gone
    for pk in sorted(here | {*kept}):
        if pk not in kept or last.get(pk) != sealed(kept[pk], facts[pk]):
            yield f"player {pk}: what the club knows of it was changed past the service"


SEAL: Final = "sealed"
"""The field of the club's record with the commitment."""


def periods_of(club: Club, what: Standing | Category) -> Mapping[UUID, Sequence[Span]]:
    """Return since when until when each player was that, in order; what it was never, is not in it.

    Who has left is nothing any more from the day after. Days that are not known are None.
    """
    found = _of_rule(club, what) if isinstance(what, Category) else _kept(club, Q(standing=what))
    left = Person.objects.filter(club=club, left_on__isnull=False).values_list("pk", "left_on")
    for pk, day in left:
        if pk in found and day:
            found[pk] = [
                (since, day if until is None else min(day, until))
                for since, until in found[pk]
                if since is None or since <= day
            ]
    return {pk: spans for pk, spans in found.items() if spans}


def known_as(club: Club) -> Iterator[hooks.KnownAs]:
    """Yield as what a club can know its players: members, those who are paid up, its categories."""
    kinds: Sequence[tuple[str, StrPromise | str, Standing | Category]] = [
        (Standing.MEMBER.value, gettext_lazy("Members"), Standing.MEMBER),
        (Standing.PAID.value, gettext_lazy("Paid-up members"), Standing.PAID),
        *((str(each.pk), each.name, each) for each in categories_of(club)),
    ]
    for key, title, kind in kinds:
        yield hooks.KnownAs(key, title, periods_of(club, kind))


def _kept(club: Club, which: Q) -> dict[UUID, list[Span]]:
    rows = Period.objects.filter(which, player__club=club, player__merged_into=None)
    spans = dict[UUID, list[Span]]()
    for pk, since, until in rows.values_list("player", "since", "until"):
        spans.setdefault(pk, []).append((since, until))
    return spans


def _of_rule(club: Club, category: Category) -> dict[UUID, list[Span]]:
    least, most = category.least, category.most
    match Rule(category.rule):
        case Rule.TICKED:
            return _kept(club, Q(category=category))
        case Rule.BORN:
            return {pk: [(None, None)] for pk, born in _born(club) if (least or 0) <= born <= (most or born)}
        case Rule.AGE:
            return {pk: [_at_age(born, least, most)] for pk, born in _born(club)}
        case Rule.FIRST:
            evenings, number = evenings_of(club), most or 1
            last = {pk: evenings.get(pk, [])[number - 1 : number] for pk in players_ids(club)}
            return {pk: [(None, day[0] if day else None)] for pk, day in last.items()}
        case Rule.SINCE:
            since = category.since or date.min
            firsts = {pk: spans[0][0] for pk, spans in _kept(club, Q(standing=Standing.MEMBER)).items()}
            return {pk: [(first, None)] for pk, first in firsts.items() if first and first >= since}


def _born(club: Club) -> Iterable[tuple[UUID, int]]:
    people = Person.objects.filter(club=club, player__merged_into=None).values_list("pk", "born")
    return [(pk, born) for pk, born in people if born]


def _at_age(born: int, least: int | None, most: int | None) -> Span:
    """Return in which years somebody reaches ages from ``least`` to ``most``."""
    return (
        date(born + least, 1, 1) if least else None,
        date(born + most, 12, 31) if most is not None else None,
    )


def players_ids(club: Club) -> Sequence[UUID]:
    """Return the ids of the club's players who were not removed."""
    here = Player.objects.filter(club=club, merged_into=None, anonymous=False)
    return [*here.order_by("pk").values_list("pk", flat=True)]


def evenings_of(club: Club) -> Mapping[UUID, Sequence[date]]:
    """Return the days of the competitions that each player has played in, in order."""
    seats = TableSeat.objects.filter(table__round__stage__competition__club=club).order_by()
    played = seats.values("player", "table__round__stage__competition").annotate(
        day=Min("table__round__stage__competition__stored_details__begins_on"),
        opened=Min("table__games__game__opened_at"),
    )
    days = dict[UUID, list[date]]()
    for row in played:
        if day := row["day"] or (row["opened"] and row["opened"].astimezone(club.zone).date()):
            days.setdefault(row["player"], []).append(day)
    return {pk: sorted(each) for pk, each in days.items()}


def within(periods: Mapping[UUID, Sequence[Span]], on: date) -> Collection[UUID]:
    """Return whose periods have a day."""
    return {
        pk
        for pk, spans in periods.items()
        if any((since or on) <= on <= (until or on) for since, until in spans)
    }


def guests_among(players: Collection[UUID], on: date) -> Collection[UUID]:
    """Return which of the players are guests on a day."""
    begun, lasts = Q(since=None) | Q(since__lte=on), Q(until=None) | Q(until__gte=on)
    rows = Period.objects.filter(begun, lasts, player__in=players, standing=Standing.GUEST)
    return {*rows.values_list("player", flat=True)}


def category_members(club: Club, category: Category, on: date) -> Collection[UUID]:
    """Return the ids of the players who were in a category on a day."""
    return within(periods_of(club, category), on)


def categories_of(club: Club) -> QuerySet[Category]:
    """Return the club's categories by name."""
    return Category.objects.filter(club=club)


# ---- Own data ------------------------------------------------------------------------------------

_SECRET: Final = frozenset(
    {"digest", "password", "salt", "session", "secret", "key"}
    | {"token", "token_checksum", "token_family", "jti", "code", "code_challenge", "nonce"}
    | {"device_code", "user_code", "client_secret"}
)
"""Fields that prove something to the server, or identify a session: a file must not hold them."""
_ABOUT: Final = (
    "All rows of this server that belong to the account or to its players. The moves and other entries that "
    "you made are in the logs of the games and competitions that are named here; logs are public and never "
    "changed. Secrets are left out: of passwords and tokens only hashes are stored."
)


def players_of_account(account: Account) -> QuerySet[Player]:
    """Return the account's players with their clubs, by the club's name."""
    mine = Player.objects.filter(account=account, merged_into=None).select_related("club")
    return mine.order_by("club__name", "sort_name", "pk")


def own_data(account: Account) -> Mapping[str, Any]:
    """Return all rows about the account and its players, by table.

    Which tables those are follows from the models: whatever refers to an account or a player is in it.
    """
    mine = {Account: [account.pk], Player: list(ids_of(account=account))}
    tables = {
        f"{model._meta.app_label}.{model._meta.model_name}": rows
        for model, condition in _about_people(mine)
        if (rows := list(_rows(model._default_manager.filter(condition))))
    }
    for row in tables.get("league.invitation", ()):
        if account.pk != row["made_by_id"] and account.email.lower() != row["email"].lower():
            row["email"] = masked(row["email"])
    if account.email:
        invited = Invitation.objects.filter(email__iexact=account.email)
        tables["invitations to my address"] = list(_rows(invited))
    seats = Seat.objects.filter(Q(account=account.pk) | Q(player__in=mine[Player]))
    tables["games.seat"] = list(_rows(seats))
    own = {
        "account": next(_rows(Account.objects.filter(pk=account.pk))),
        "players": list(_rows(Player.objects.filter(pk__in=mine[Player]))),
    }
    return {"about": _ABOUT, **own, "tables": tables}


def _about_people(mine: Mapping[type[Model], list[Any]]) -> Iterator[tuple[type[Model], Q]]:
    """Yield each model with rows that refer to an account or a player, and which of them are about these."""
    for model in sorted(apps.get_models(), key=lambda each: each._meta.label):
        condition = Q()
        for field in model._meta.concrete_fields:
            if isinstance(field, ForeignKey) and field.related_model in mine and model is not Player:
                condition |= Q(**{f"{field.name}__in": mine[field.related_model]})
        if condition:
            yield model, condition


def _rows(rows: QuerySet[Any]) -> Iterator[dict[str, Any]]:
    """Yield rows as their fields, without secrets and files."""
    fields = [
        field.attname
        for field in rows.model._meta.concrete_fields
        if field.name not in _SECRET and not isinstance(field, BinaryField)
    ]
    yield from rows.order_by("pk").values(*fields)


# ---- Deletion ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deletion:
    """What the deletion of an account would do: ``refusals`` say why it can't be done.

    Of ``games``, the running ones, it resigns its seats; ``entries`` of its own are withdrawn. ``teams`` go
    on without it.
    """

    games: int
    entries: Sequence[Entry]
    teams: Sequence[Entry]
    refusals: Sequence[Message]


def deletion_of(account: Account) -> Deletion:
    """Return what the deletion of the account would do now."""
    entries = list(own_entries(account))
    owned = ", ".join(club.name for club in _owned_alone(account))
    refusal = text("You are the only owner of %(clubs)s: make somebody else an owner first.", clubs=owned)
    return Deletion(
        running_seats(account).count(),
        [entry for entry in entries if entry.size == 1],
        [entry for entry in entries if entry.size > 1],
        [refusal] if owned else [],
    )


def running_seats(account: Account) -> QuerySet[Seat]:
    """Return the account's seats in games that are not over, invitations included."""
    running = (Game.Status.ACTIVE, Game.Status.INVITED)
    mine = Seat.objects.filter(account=account.pk, game__status__in=running)
    return mine.select_related("game").order_by("game__opened_at", "game")


def _owned_alone(account: Account) -> QuerySet[Club]:
    others = Member.objects.filter(role=Member.Role.OWNER).exclude(account=account)
    return clubs_of(account, Member.Role.OWNER).exclude(pk__in=others.values("club"))
