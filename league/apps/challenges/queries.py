"""Reads of challenges: those that are open, and what the link of an email opens."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.utils.crypto import constant_time_compare

from games.engine.messages import text
from games.engine.refusals import Illegal
from league.core.state.challenges import Challenge, waiting
from league.core.verbs.challenges import answer_by, numbered
from league.models import Competition, Player
from league.queries.competitions import state_of
from league.queries.links import derived, reader_of
from league.words.challenges import challenge_in_words

ASKED: Final = "challenge"
"""The kind of email to who is challenged."""
ANSWERED: Final = "challenge_answer"
"""The kind of email that says what became of a challenge."""


@dataclass(frozen=True)
class Link:
    """What the link of an email opens: a challenge to answer for a player of the entry that is challenged."""

    competition: Competition
    player: Player
    number: int
    token: str

    @property
    def challenge(self) -> Challenge:
        """Return the challenge as it is now; raise `Illegal` where it is gone."""
        return numbered(state_of(self.competition), self.number)


@dataclass(frozen=True)
class Open:
    """An open challenge as a page shows it."""

    by: str
    entry: str
    until: datetime


def token_of(competition: Competition, number: int, player: Player) -> str:
    """Return the token of the link in a player's email, which ends with another account or address."""
    return derived("challenge", competition.pk, number, player.pk, reader_of(player))


def read_link(*, competition_id: UUID, number: int, player_id: UUID, token: str) -> Link:
    """Return what a link opens; raises `Illegal` for a wrong one, and once the player is not active."""
    people = Player.objects.select_related("account", "contact").filter(active=True)
    player = people.filter(pk=player_id, club__competitions=competition_id).first()
    competition = Competition.objects.select_related("club").filter(pk=competition_id).first()
    if player is None or competition is None:
        raise Illegal(_WRONG)
    if not constant_time_compare(token_of(competition, number, player), token):
        raise Illegal(_WRONG)
    return Link(competition, player, number, token)


_WRONG: Final = text("This link is wrong, or belongs to a former address.")


MOST_PAST: Final = 10
"""How many challenges a page tells the end of; the file of all of them has the others."""


def past_challenges(competition: Competition) -> Sequence[str]:
    """Return what became of the last challenges of a competition, the one that was over last first."""
    state = state_of(competition)
    over = [each for each in state.challenges if each.closed]
    over.sort(key=lambda each: (-each.closed, each.number))
    return [challenge_in_words(state, each) for each in over[:MOST_PAST]]


def open_challenges(competition: Competition) -> Sequence[Open]:
    """Return the open challenges of a competition, the one whose time ends first before the others."""
    state = state_of(competition)
    return [
        Open(state.entry(each.by).name, state.entry(each.entry).name, answer_by(state, each))
        for each in waiting(state.challenges)
    ]
