"""Where programs take part: they call as accounts, and end with them."""

from typing import Final

from oauth2_provider.models import AccessToken, DeviceGrant, Grant, IDToken, RefreshToken

from league import hooks
from league.apps.programs.queries import access_with
from league.apps.programs.services import disconnect_all, forget_program_tokens, remove_programs
from league.words import reference

_TABLES: Final = (AccessToken, DeviceGrant, Grant, IDToken, RefreshToken)

hooks.account_locked.connect(disconnect_all)
hooks.account_deleted.connect(remove_programs)
hooks.CREDENTIALS.append(access_with)
hooks.tidied.connect(forget_program_tokens)
reference.COVERAGE.extend(
    reference.Covered(table, reference.ALL, "not", reference.LOG_IN)
    for table in ("programs.Program", *(f"oauth2_provider.{model.__name__}" for model in _TABLES))
)
