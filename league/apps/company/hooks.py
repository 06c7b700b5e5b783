"""Where company takes part: who is kept apart, who is here, and what is forgotten."""

from django.utils.translation import gettext_lazy as _

from league import hooks
from league.apps.company import acts, queries, services
from league.queries.at_table import AT_TABLE, HIDDEN_AT
from league.words import club_changes

hooks.KEPT_APART.append(queries.kept_apart)
AT_TABLE.append(acts.follow_table)
HIDDEN_AT.append(queries.hidden_at)
hooks.account_deleted.connect(services.forget_account)
hooks.player_forgotten.connect(services.forget_reports)
hooks.players_merged.connect(services.follow_merge)
club_changes.FIELDS.update(room=_("room for voice or chat"), phrases=_("set phrases at tables"))
