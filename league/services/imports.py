"""Importing players from files: the whole file in one transaction, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from games.engine.messages import text
from games.engine.refusals import Illegal, Refusal
from league.files.file import Progress, no_progress
from league.files.imports.players import NEW, SKIP, Line, Lines, Seen, seen_now
from league.models import Account, Club, Member, Player
from league.models.names import search_key
from league.queries import permissions
from league.services.players import NewPlayer, change_player, create_player, create_players, write_contacts


@dataclass(frozen=True)
class ImportedPlayers:
    """How many players were made, changed, and left as they were or out."""

    new: int
    changed: int
    unchanged: int


@transaction.atomic
def import_players(*, by: Account, lines: Lines, progress: Progress = no_progress) -> ImportedPlayers:
    """Make and change a club's players as the lines say, each with a choice; return what was done.

    The same lines again change nothing. Raises PermissionDenied, and `Illegal` with the row's number where
    the club's players are no longer as the lines saw them or cannot be so; then nothing has changed.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=lines.club)
    permissions.require_organiser(club.pk, by)
    present = _Present(by, club, lines)
    done = []
    for at, line in enumerate(lines.lines):
        progress(at, len(lines.lines))
        done.append(present.do(line))
    present.write_new()
    return ImportedPlayers(done.count("new"), done.count("changed"), done.count("unchanged"))


class _Present:
    """The club's players as they are now, beside what the lines saw."""

    def __init__(self, by: Account, club: Club, lines: Lines) -> None:
        self.by, self.club = by, club
        meant = {pk for line in lines.lines for pk in (line.id, *(seen.id for seen in line.seen))}
        players = Player.objects.filter(club=club, merged_into=None).select_related("contact")
        self.players = players.in_bulk(map(UUID, meant))
        keys = {search_key(line.name) for line in lines.lines if line.choice == NEW}
        namesakes = Player.objects.filter(club=club, search_name__in=keys)
        self.namesakes: dict[str, set[str]] = {}
        for key, pk in namesakes.values_list("search_name", "pk"):
            self.namesakes.setdefault(key, set()).add(str(pk))
        members = Member.objects.filter(club=club).select_related("account")
        self.accounts = {str(member.account_id): member.account for member in members}
        self.new: list[NewPlayer] = []
        self.contacts: dict[UUID, Mapping[str, str]] = {}

    def do(self, line: Line) -> str:
        """Do what a line says and return what came of it; raises `Illegal` with the row's number."""
        try:
            if line.choice == SKIP:
                return "left out"
            return self._make(line) if line.choice == NEW else self._change(line)
        except Refusal as refusal:
            why = refusal.sentence
            raise Illegal(
                text("Row %(row)s, %(name)s: %(why)s", row=line.number, name=line.name, why=why)
            ) from None

    def write_new(self) -> None:
        """Write the new players without accounts, and all contacts, together."""
        create_players(by=self.by, club=self.club, new=self.new)
        players = Player.objects.in_bulk(self.contacts)
        contacts = {players[pk]: fields for pk, fields in self.contacts.items()}
        write_contacts(by=self.by, club=self.club, contacts=contacts)

    def _make(self, line: Line) -> str:
        pk, made = UUID(line.id), line.made()
        if pk in self.players:
            return "unchanged"
        if self.namesakes.get(search_key(line.name), set()) - {seen.id for seen in line.seen}:
            raise Illegal(text("meanwhile there is a player of this name. Choose the file again."))
        account = self._account(line.account)
        if account is None:
            self.new.append(NewPlayer(made.name, made.active, pk))
        else:
            create_player(
                by=self.by,
                club=self.club,
                name=made.name,
                account=account,
                active=made.active,
                player_id=pk,
            )
        self._keep_contact(pk, made)
        return "new"

    def _change(self, line: Line) -> str:
        seen = line.chosen
        assert seen is not None
        player = self.players.get(UUID(seen.id))
        after = line.wanted(seen)
        if player is not None and seen_now(player) == after:
            return "unchanged"
        if player is None or seen_now(player) != seen:
            raise Illegal(text("the player has been changed meanwhile. Choose the file again."))
        account = self._account(after.account)
        change_player(by=self.by, player=player, name=after.name, account=account, active=after.active)
        self._keep_contact(player.pk, after)
        return "changed"

    def _keep_contact(self, pk: UUID, wanted: Seen) -> None:
        if any(wanted.contact.values()):
            self.contacts[pk] = wanted.contact

    def _account(self, pk: str | None) -> Account | None:
        if pk is not None and pk not in self.accounts:
            raise Illegal(text("the account is no longer a member of the club."))
        return self.accounts[pk] if pk else None
