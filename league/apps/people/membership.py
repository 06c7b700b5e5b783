"""What a club knows of its people: kept, forgotten and merged, and as texts in the columns of files.

The club's record says which facts changed, and has a commitment to all of them: their salt goes with the
person.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league import hooks
from league.apps.people.models import Category, OnRota, Period, Person, Rule, Standing, Turn
from league.apps.people.queries import (
    NOTHING,
    OWN,
    SEAL,
    Facts,
    Part,
    as_one,
    categories_of,
    facts_of,
    sealed,
    united,
)
from league.hooks.papers import PlayerColumns
from league.models import Account, Club, ClubChange, Invitation, Player
from league.models.names import search_key
from league.queries import permissions
from league.services.audit import note_change, note_changes
from league.services.checking import check
from league.services.players import forget_invitations

_Change: Final = ClubChange.Kind
_MOST_AGE: Final = 130
_MOST: Final = 40
"""How many categories a club has at most."""


# ---- Facts -----------------------------------------------------------------------------------------


@transaction.atomic
def keep_facts(*, by: Account, club: Club, facts: Mapping[Player, Facts]) -> Collection[UUID]:
    """Keep what the club knows of players; return the ids of those of whom it is something else now.

    Who has left by today is active no more, and open invitations are revoked; who is said to have left no
    longer is active again. The club's record gets the names of what changed, and a commitment to all of it.
    Raises `Malformed` and PermissionDenied.
    """
    permissions.require_organiser(club.pk, by)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    before = facts_of(player.pk for player in facts)
    whole = {player: replace(each, periods=united(each.periods)) for player, each in facts.items()}
    known = {player: before.get(player.pk, NOTHING) for player in whole}
    changed = {player: each for player, each in whole.items() if each != known[player]}
    _check_facts(club, changed)
    _write_facts(by, club, changed, known)
    for player, each in changed.items():
        if each.left_on is None and known[player].left_on:
            _set_active(by, player, active=True)
    let_go(by=by, players=[player.pk for player in changed])
    return {player.pk for player in changed}


def _check_facts(club: Club, facts: Mapping[Player, Facts]) -> None:
    numbers = dict[str, Player]()
    known = {*categories_of(club).filter(rule=Rule.TICKED).values_list("pk", flat=True)}
    for player, each in facts.items():
        if player.club_id != club.pk or player.anonymous:
            raise Illegal("%(name)s is no player of the club.", name=player.name)
        if each.died and each.left_on is None:
            raise Malformed({"left_on": [text("Say since when, as far as it is known.")]})
        check(_person(club, player, each), against_others=False)
        number = each.pass_number
        if number and numbers.setdefault(number, player) != player:
            raise _taken(number, numbers[number])
        _check_periods(player, each.periods, known)
    others = Person.objects.filter(club=club, pass_number__in=numbers).exclude(player__in=[*facts])
    for other in others.select_related("player"):
        raise _taken(other.pass_number, other.player)


def _check_periods(player: Player, periods: tuple[Part, ...], categories: Collection[UUID]) -> None:
    for standing, category, since, until in periods:
        if since and until and since > until:
            raise Malformed({"periods": [text("The last day is before the first one.")]})
        if standing not in Standing.values and category not in categories:
            raise Malformed({"periods": [text("Choose one of those who are listed.")]})
    if as_one(periods) != periods:
        sentence = text(
            "%(name)s would be a guest and a member on the same days. Let one of the two end before the "
            "other begins.",
            name=player.name,
        )
        raise Malformed({"periods": [sentence]})


def _taken(number: str, player: Player) -> Malformed:
    sentence = text("%(name)s has the pass number %(number)s.", name=player.name, number=number)
    return Malformed({"pass_number": [sentence]})


def _person(club: Club, player: Player, facts: Facts) -> Person:
    return Person(player=player, club=club, **{name: getattr(facts, name) for name in OWN})


def _write_facts(
    by: Account | None, club: Club, facts: Mapping[Player, Facts], before: Mapping[Player, Facts]
) -> None:
    people = {player: _person(club, player, each) for player, each in facts.items()}
    # Two may exchange their pass numbers.
    Person.objects.filter(player__in=people).delete()
    Person.objects.bulk_create(people.values())
    Period.objects.filter(player__in=people).delete()
    Period.objects.bulk_create(
        Period(player=player, standing=standing, category_id=category, since=since, until=until)
        for player, each in facts.items()
        for standing, category, since, until in each.periods
    )
    made = [
        (player.name, _noted(people[player].salt, before[player], each), player.pk)
        for player, each in facts.items()
    ]
    note_changes(by, club, _Change.PLAYER_CHANGED, made)
    hooks.people_known(club)


def _noted(salt: str, before: Facts, after: Facts) -> Mapping[str, str]:
    """Return what the record says of a change: which facts, never what they are."""
    names = [name for name in (*OWN, "periods") if getattr(before, name) != getattr(after, name)]
    return {"fields": ", ".join(names), SEAL: sealed(salt, after)}


def _set_active(by: Account | None, player: Player, *, active: bool) -> None:
    Player.objects.filter(pk=player.pk).update(active=active)
    before, after = {"active": not active}, {"active": active}
    note_change(
        by, player.club, _Change.PLAYER_CHANGED, player.name, before=before, after=after, about=player.pk
    )


@transaction.atomic
def let_go(*, by: Account | None = None, players: Collection[UUID] | None = None) -> None:
    """Make those no longer active who have left by today: they are not offered for entries or invited.

    Without ``players`` those are meant whose last day came lately: an organiser may have made others active.
    """
    people = Person.objects.filter(left_on__isnull=False, player__active=True)
    if players is None:
        lately = database_time.now().date() - timedelta(days=3)
        people = people.filter(left_on__gte=lately)
    else:
        people = people.filter(player__in=players)
    for person in people.select_related("player__club").order_by("pk"):
        if person.left_on and person.left_on <= person.player.club.today:
            _set_active(by, person.player, active=False)
            forget_invitations(Invitation.objects.filter(player=person.player, accepted_at=None))
            OnRota.objects.filter(player=person.player).delete()


@transaction.atomic
def add_period(
    *,
    by: Account,
    club: Club,
    players: Iterable[Player],
    what: Standing | Category,
    since: date | None,
    until: date | None,
) -> int:
    """Add a period to what the club knows of players; return of how many it knew something else.

    Who becomes a member is a guest no more on those days. Raises `Malformed` and PermissionDenied.
    """
    chosen = [*players]
    known = facts_of(player.pk for player in chosen)
    kind = ("", what.pk) if isinstance(what, Category) else (str(what), None)
    joined = as_one if what == Standing.MEMBER else tuple[Part, ...]
    facts = {
        player: replace(each, periods=joined((*each.periods, (*kind, since, until))))
        for player in chosen
        for each in [known.get(player.pk, NOTHING)]
    }
    return len(keep_facts(by=by, club=club, facts=facts))


@transaction.atomic
def keep_category(*, by: Account, club: Club, category: Category | None, **given: Any) -> Category:
    """Return the category with these values, a new one for None; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if category is None and categories_of(club).count() >= _MOST:
        raise Illegal("A club has at most %(most)s categories.", most=_MOST)
    stored = Category.objects.get(pk=category.pk) if category else None
    if stored is None or stored.name != given["name"]:
        _check_name(given["name"])
    kept = Category(pk=stored.pk if stored else uuid4(), club=club, **given)
    kept._state.adding = stored is None
    _check_rule(kept)
    check(kept)
    kept.save()
    was = stored.name if stored else None
    note_change(
        by, club, _Change.CLUB_CHANGED, club.name, before={"category": was}, after={"category": kept.name}
    )
    hooks.people_known(club)
    return kept


def _check_name(name: str) -> None:
    """Raise `Malformed` for what the club knows of people by other facts: one fact says who is a member."""
    known = (*Standing.values, *Standing.labels, "members", "guests", _("Members"))
    if search_key(name) in {search_key(str(each)) for each in known}:
        why = text("Who is a member, a guest or paid up is kept on each player’s page. Choose another name.")
        raise Malformed({"name": [why]})


def _check_rule(category: Category) -> None:
    """Raise `Malformed` for a rule without what it needs; forget what it doesn't need."""
    rule, least, most = category.rule, category.least, category.most
    category.since = category.since if rule == Rule.SINCE else None
    if rule == Rule.SINCE and category.since is None:
        raise Malformed({"since": [text("Enter a day.")]})
    if rule in (Rule.TICKED, Rule.SINCE):
        category.least = category.most = None
    elif rule == Rule.FIRST:
        category.least = None
        if not most:
            raise Malformed({"most": [text("Enter a number of evenings.")]})
    elif least is None and most is None:
        raise Malformed({"least": [text("Enter at least one of the two numbers.")]})
    elif least is not None and most is not None and least > most:
        raise Malformed({"most": [text("This is less than the first number.")]})
    elif rule == Rule.AGE and max(least or 0, most or 0) > _MOST_AGE:
        raise Malformed({"most": [text("This is no age.")]})


@transaction.atomic
def remove_category(*, by: Account, category: Category) -> None:
    """Remove a category, and that people were in it; raises PermissionDenied."""
    permissions.require_organiser(category.club_id, by)
    club = Club.objects.select_for_update(no_key=True).get(pk=category.club_id)
    ids = Period.objects.filter(category=category).values_list("player", flat=True)
    players = {player.pk: player for player in Player.objects.filter(pk__in=[*ids])}
    known = facts_of(players)
    without = {
        player: replace(
            known[pk], periods=tuple(each for each in known[pk].periods if each[1] != category.pk)
        )
        for pk, player in players.items()
    }
    keep_facts(by=by, club=club, facts=without)
    category.delete()
    hooks.people_known(club)
    before = {"category": category.name}
    note_change(by, club, _Change.CLUB_CHANGED, club.name, before=before)


def forget_facts(player: Player) -> None:
    """Forget what the club knows of a person, who is in no rota any more."""
    mine = [player.pk, *player.merged.values_list("pk", flat=True)]
    for rows in (Person, Period, OnRota, Turn):
        rows._default_manager.filter(player__in=mine).delete()


def merge_facts(by: Account, kept: Player, merged: Player) -> None:
    """Let a player have what the club knows of both; what it knows of the one who is kept comes first."""
    known = facts_of([kept.pk, merged.pk])
    if merged.pk in known:
        own, other = known.get(kept.pk, NOTHING), known[merged.pk]
        both = {name: getattr(own, name) or getattr(other, name) for name in OWN}
        # Who was one of two, one of whom has left, is here.
        if own.left_on is None and kept.active:
            both |= {"left_on": None, "died": False}
        whole = Facts(**both, periods=as_one((*own.periods, *other.periods)))
        Person.objects.filter(player=merged).delete()
        Period.objects.filter(player=merged).delete()
        if whole != own:
            _write_facts(by, kept.club, {kept: whole}, {kept: own})
    Turn.objects.filter(player=merged).update(player=kept)
    rota = OnRota.objects.filter(player=merged)
    rota.exclude(duty__rota__player=kept).update(player=kept)
    rota.delete()


# ---- In files --------------------------------------------------------------------------------------


_OF_MEMBERS: Final = (Standing.MEMBER, Standing.GUEST)


def texts_of(players: Collection[UUID]) -> Mapping[UUID, Mapping[str, str]]:
    """Return what files say of players, by id: of members and guests since when they last were that."""
    return {pk: _texts(facts) for pk, facts in facts_of(players).items()}


def _texts(facts: Facts) -> Mapping[str, str]:
    last = _last(facts)
    own = {"born": facts.born, "pass_number": facts.pass_number, "left": facts.left_on}
    given = {"membership": last and last[0], "since": last and last[2], **own}
    return {name: str(value) for name, value in given.items() if value}


def _last(facts: Facts) -> Part | None:
    """Return the last period as a member or a guest."""
    parts = [each for each in facts.periods if each[0] in _OF_MEMBERS]
    return max(parts, key=lambda each: each[2] or date.min, default=None)


def read_text(column: str, given: str) -> str:
    """Return a cell's text as `texts_of` gives it; raises ValidationError."""
    match column:
        case "since" | "left":
            # A year alone is its first day; a spreadsheet's day has a time of day.
            whole = f"{given}-01-01" if given.isdecimal() and len(given) == 4 else given.partition("T")[0]
            return str(forms.DateField().clean(whole))
        case "membership":
            names = {search_key(str(word)): each.value for each in _OF_MEMBERS for word in (each, each.label)}
            if (key := search_key(given)) not in names:
                raise ValidationError(_("This must be “member” or “guest”."))
            return names[key]
        case "born":
            # Of a whole birthday only the year is kept.
            year = given if given.isdecimal() else str(forms.DateField().clean(given.partition("T")[0]).year)
            return _field("born", year)
        case _:
            return _field(column, given)


def _field(name: str, given: str) -> str:
    return str(Person._meta.get_field(name).clean(given, None))  # type: ignore[union-attr]


def keep_texts(by: Account, club: Club, texts: Mapping[Player, Mapping[str, str]]) -> None:
    """Keep what a file says of players; raises `Malformed` and PermissionDenied."""
    known = facts_of(player.pk for player in texts)
    today = club.today
    facts = {player: _with(known.get(player.pk, NOTHING), each, today) for player, each in texts.items()}
    keep_facts(by=by, club=club, facts=facts)


def _with(facts: Facts, texts: Mapping[str, str], today: date) -> Facts:
    """Return facts with what a file says. Who becomes a member is a guest no more, from that day on."""
    changed: dict[str, Any] = {"pass_number": texts.get("pass_number", facts.pass_number)}
    if "born" in texts:
        changed["born"] = int(texts["born"])
    if "left" in texts:
        changed["left_on"] = date.fromisoformat(texts["left"])
    last = _last(facts)
    told = _texts(facts)
    if any(texts.get(name, told.get(name)) != told.get(name) for name in ("membership", "since")):
        since = date.fromisoformat(texts["since"]) if "since" in texts else None
        standing = texts.get("membership") or (last[0] if last else Standing.MEMBER)
        others = [each for each in facts.periods if each != last]
        if last is None:
            others.append((standing, None, since, None))
        elif last[0] == standing:
            others.append((standing, None, since, last[3]))
        else:
            begins = since or today
            if last[2] is None or last[2] < begins:
                ends = begins - timedelta(days=1)
                others.append((*last[:3], ends if last[3] is None else min(last[3], ends)))
            others.append((standing, None, begins, None))
        changed["periods"] = as_one(others)
    return replace(facts, **changed)


COLUMNS: Final = PlayerColumns(
    titles={
        "membership": gettext_lazy("membership"),
        "since": gettext_lazy("since"),
        "left": gettext_lazy("left on"),
        "pass_number": gettext_lazy("pass number"),
        "born": gettext_lazy("year of birth"),
    },
    headings={
        **dict.fromkeys(("standing", "membership", "memberorguest", "mitgliedschaft"), "membership"),
        **dict.fromkeys(("since", "membersince", "joined", "seit", "mitgliedseit", "eintritt"), "since"),
        **dict.fromkeys(("left", "lefton", "austritt", "ausgetretenam"), "left"),
        **dict.fromkeys(
            ("passnumber", "pass", "license", "passnummer", "passnr", "spielerpass"), "pass_number"
        ),
        **dict.fromkeys(("born", "yearofbirth", "birthyear", "birthday", "geburtsjahr", "jahrgang"), "born"),
    },
    about=gettext_lazy(
        "What the club knows of the person: member or guest, and since when; the day of leaving; the pass "
        "number; the year of birth. Only organisers of the club see this. If empty, it doesn’t change."
    ),
    words=lambda column, given: str(Standing(given).label) if column == "membership" else given,
    read=read_text,
    of=texts_of,
    keep=keep_texts,
)
