"""Who answers a challenge by the link of an email."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied

from games import database_time
from league.apps.challenges.queries import Link, read_link
from league.callers import Caller
from league.core.verb import Given, Verb
from league.core.verbs.answers import AcceptChallenge, RefuseChallenge
from league.models import Competition


@dataclass(frozen=True)
class ByLink(Caller):
    """Whoever has the link of an email, as its player; the log shows no account."""

    link: Link

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what the answer may know; raise PermissionDenied for others, `Illegal` for a former link."""
        link = read_link(
            competition_id=self.link.competition.pk,
            number=self.link.number,
            player_id=self.link.player.pk,
            token=self.link.token,
        )
        for verb in verbs:
            if not isinstance(verb, AcceptChallenge | RefuseChallenge) or verb.challenge != link.number:
                raise PermissionDenied
        return Given(str(competition.pk), database_time.now(), "player", str(link.player.pk))
