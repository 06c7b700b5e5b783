"""Where wishes take part: in draws, in what is forgotten of a person, and in what is checked."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from league import hooks
from league.apps.wishes.queries import SEAL, WISH, contradicted, in_draws
from league.apps.wishes.services import forget_wishes
from league.words import club_changes, reference

_SEALED: Final = "the commitment in the club’s record, which is in the signed log"
_COVERED: Final[tuple[tuple[str, reference.How, str], ...]] = (
    ("player_id other_id kind always table salt", "log", _SEALED),
    ("id", "not", reference.ROW),
    ("club_id", "not", "the club of the player, whose record has it"),
    ("reason by_other", "not", "a note of the organisers, and on whose page it is: it counts for nothing"),
)
reference.COVERAGE.extend(
    reference.Covered("wishes.PlayerWish", columns, how, why) for columns, how, why in _COVERED
)
hooks.WISHES.append(in_draws)
hooks.player_forgotten.connect(forget_wishes)
hooks.CHECKS.append(hooks.Check(lambda parser: None, contradicted, lambda games: iter(()), lambda: iter(())))
club_changes.HIDDEN.update((SEAL, WISH))
club_changes.FIELDS["wish"] = _("wish for draws")
