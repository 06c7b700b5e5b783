"""Importing players from files: the whole file in one transaction, or nothing."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from games.engine.messages import text
from games.engine.refusals import Illegal, Refusal
from league.files.imports.players import NEW, SKIP, Line, Lines, Seen
from league.models import Account, Club, Member, Player
from league.models.names import search_key
from league.queries import permissions
from league.services.clubs import change_player, create_player


@dataclass(frozen=True)
class ImportedPlayers:
    """How many players were made, changed, and left as they were or out."""

    new: int
    changed: int
    unchanged: int


@transaction.atomic
def import_players(*, by: Account, lines: Lines) -> ImportedPlayers:
    """Make and change a club's players as the lines say, each with a choice; return what was done.

    The same lines again change nothing. Raises PermissionDenied, and `Illegal` with the row's number where
    the club's players are no longer as the lines saw them or cannot be so; then nothing has changed.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=lines.club)
    permissions.require_organiser(club.pk, by)
    present = _Present(by, club, lines)
    done = [present.do(line) for line in lines.lines]
    return ImportedPlayers(done.count("new"), done.count("changed"), done.count("unchanged"))


class _Present:
    """The club's players as they are now, beside what the lines saw."""

    def __init__(self, by: Account, club: Club, lines: Lines) -> None:
        self.by, self.club = by, club
        meant = {pk for line in lines.lines for pk in (line.id, *(seen.id for seen in line.seen))}
        self.players = Player.objects.filter(club=club).in_bulk(map(UUID, meant))
        keys = {search_key(line.name) for line in lines.lines if line.choice == NEW}
        namesakes = Player.objects.filter(club=club, search_name__in=keys)
        self.namesakes: dict[str, set[str]] = {}
        for key, pk in namesakes.values_list("search_name", "pk"):
            self.namesakes.setdefault(key, set()).add(str(pk))
        members = Member.objects.filter(club=club).select_related("account")
        self.accounts = {str(member.account_id): member.account for member in members}

    def do(self, line: Line) -> str:
        """Do what a line says and return what came of it; raises `Illegal` with the row's number."""
        try:
            if line.choice == SKIP:
                return "unchanged"
            return self._make(line) if line.choice == NEW else self._change(line)
        except Refusal as refusal:
            why = refusal.sentence
            raise Illegal(
                text("Row %(row)s, %(name)s: %(why)s", row=line.number, name=line.name, why=why)
            ) from None

    def _make(self, line: Line) -> str:
        if UUID(line.id) in self.players:
            return "unchanged"
        if self.namesakes.get(search_key(line.name), set()) - {seen.id for seen in line.seen}:
            raise Illegal(text("meanwhile there is a player of this name. Choose the file again."))
        create_player(
            by=self.by,
            club=self.club,
            name=line.name,
            account=self._account(line.account),
            active=line.active is not False,
            player_id=UUID(line.id),
        )
        return "new"

    def _change(self, line: Line) -> str:
        (seen,) = (seen for seen in line.seen if seen.id == line.choice)
        player = self.players.get(UUID(seen.id))
        after = line.wanted(seen)
        if player is not None and _as_seen(player) == after:
            return "unchanged"
        if player is None or _as_seen(player) != seen:
            raise Illegal(text("the player has been changed meanwhile. Choose the file again."))
        account = self._account(after.account)
        change_player(by=self.by, player=player, name=after.name, account=account, active=after.active)
        return "changed"

    def _account(self, pk: str | None) -> Account | None:
        if pk is not None and pk not in self.accounts:
            raise Illegal(text("the account is no longer a member of the club."))
        return self.accounts[pk] if pk else None


def _as_seen(player: Player) -> Seen:
    return Seen(
        str(player.pk), player.name, str(player.account_id) if player.account_id else None, player.active
    )
