"""Where wishes take part: in draws, in what is forgotten of a person, and in what is checked."""

from django.utils.translation import gettext_lazy as _

from league import hooks
from league.apps.wishes.queries import SEAL, WISH, contradicted, in_draws
from league.apps.wishes.services import forget_wishes
from league.hooks import upkeep
from league.words import club_changes

hooks.WISHES.append(in_draws)
hooks.player_forgotten.connect(forget_wishes)
upkeep.CHECKS.append(
    upkeep.Check(lambda parser: None, contradicted, lambda games: iter(()), lambda: iter(()))
)
club_changes.HIDDEN.update((SEAL, WISH))
club_changes.FIELDS["wish"] = _("wish for draws")
