"""Where seeks take part: in the sweep, and on the pages of members."""

from django.utils.translation import gettext_lazy as _

from league import hooks
from league.apps.seeks.queries import seeks_lapsed
from league.hooks import upkeep

upkeep.WORK.append(upkeep.Work(f"{__package__}.tasks.lapse_seek", seeks_lapsed, "until"))
hooks.MEMBER_PAGES.append(
    hooks.MemberPage("seeks", _("Who wants to play?"), _("Who wants to play in %(club)s?"))
)
