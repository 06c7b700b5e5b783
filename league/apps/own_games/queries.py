"""The games of clubs: which are offered, and what defines one."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import QuerySet

from games import rules
from games.engine.jsontypes import JsonObject
from games.engine.replay import AnyRuleset
from games.rules.card_game import CardGame
from league.apps.own_games.models import OwnGame
from league.models import Account, Club
from league.queries import permissions


def own_games(club: Club, account: Account) -> QuerySet[OwnGame]:
    """Return a club's games, also retired ones; raises PermissionDenied for all but organisers."""
    permissions.require_organiser(club.pk, account)
    return OwnGame.objects.filter(club=club).order_by("title", "made_at", "pk")


def offered(clubs: Collection[UUID]) -> Sequence[AnyRuleset]:
    """Return the rulesets of the games that clubs offer, each once, by title."""
    found = OwnGame.objects.filter(club__in=clubs, retired_at=None).order_by("title", "pk")
    made = (rules.of(CardGame.key, {CardGame.defined_by: each.definition}) for each in found)
    return [*{ruleset.key: ruleset for ruleset in made}.values()]


def defining_options(ruleset: str) -> JsonObject | None:
    """Return the options that define a club's game, by the name of its ruleset; None for an unknown one."""
    found = (
        OwnGame.objects.filter(ruleset=ruleset).order_by("pk").values_list("definition", flat=True).first()
    )
    return found and {CardGame.defined_by: found}
