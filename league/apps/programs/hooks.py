"""Where programs take part: they call as accounts, and end with them."""

from league import hooks
from league.apps.programs.queries import access_with
from league.apps.programs.services import disconnect_all, forget_program_tokens, remove_programs
from league.hooks import upkeep

hooks.account_locked.connect(disconnect_all)
hooks.account_deleted.connect(remove_programs)
hooks.CREDENTIALS.append(access_with)
upkeep.tidied.connect(forget_program_tokens)
