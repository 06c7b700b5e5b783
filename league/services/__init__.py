"""Every write of the league, as keyword-only verbs; ``by`` is the account that asks.

A verb raises `games.engine.refusals.Refusal` (malformed, illegal, stale), PermissionDenied, or the
DoesNotExist of what is not there. Then nothing has changed.
"""

from league.services.accounts import NewToken, create_account, create_token, revoke_token, use_token
from league.services.clubs import (
    add_member,
    change_club,
    change_player,
    create_club,
    create_player,
    remove_member,
)
from league.services.competitions import (
    add_season,
    add_stage,
    cancel,
    close_entries,
    finish,
    open_competition,
    open_entries,
    pause,
    resume,
    start,
    start_stage,
)
from league.services.deadlines import end_overdue
from league.services.deliveries import ping, send_webhook
from league.services.entries import (
    absent,
    admit,
    approve,
    check_in,
    enter,
    present,
    reject,
    return_entry,
    substitute,
    withdraw,
)
from league.services.importing import Imported, import_competition
from league.services.imports import import_players
from league.services.mailing import send_notices
from league.services.notices import (
    ask_for_address,
    choose_notices,
    confirm_address,
    read_token_to_stop,
    stop_notices,
    tell_of_forgotten_passwords,
)
from league.services.once import KeyReused, Made, forget_keys, once
from league.services.own import (
    absent_self,
    check_in_self,
    enter_self,
    open_table_self,
    present_self,
    withdraw_self,
)
from league.services.play import make_move, open_casual_game, run_out
from league.services.results import (
    adjust,
    forfeit,
    no_show,
    record_result,
    replay,
    rule,
    void,
    walk_over,
)
from league.services.rounds import (
    advance,
    close_round,
    draw,
    move_seat,
    open_table,
    publish,
    set_deadline,
)
from league.services.standings import compute_standings
from league.services.turns import tell_of_reminders, tell_of_turns
from league.services.webhooks import (
    NewWebhook,
    change_webhook,
    create_webhook,
    remove_webhook,
    renew_secret,
    resend,
)

__all__ = [
    "Imported",
    "KeyReused",
    "Made",
    "NewToken",
    "NewWebhook",
    "absent",
    "absent_self",
    "add_member",
    "add_season",
    "add_stage",
    "adjust",
    "admit",
    "advance",
    "approve",
    "ask_for_address",
    "cancel",
    "change_club",
    "change_player",
    "change_webhook",
    "check_in",
    "check_in_self",
    "choose_notices",
    "close_entries",
    "close_round",
    "compute_standings",
    "confirm_address",
    "create_account",
    "create_club",
    "create_player",
    "create_token",
    "create_webhook",
    "draw",
    "end_overdue",
    "enter",
    "enter_self",
    "finish",
    "forfeit",
    "forget_keys",
    "import_competition",
    "import_players",
    "make_move",
    "move_seat",
    "no_show",
    "once",
    "open_casual_game",
    "open_competition",
    "open_entries",
    "open_table",
    "open_table_self",
    "pause",
    "ping",
    "present",
    "present_self",
    "publish",
    "read_token_to_stop",
    "record_result",
    "reject",
    "remove_member",
    "remove_webhook",
    "renew_secret",
    "replay",
    "resend",
    "resume",
    "return_entry",
    "revoke_token",
    "rule",
    "run_out",
    "send_notices",
    "send_webhook",
    "set_deadline",
    "start",
    "start_stage",
    "stop_notices",
    "substitute",
    "tell_of_forgotten_passwords",
    "tell_of_reminders",
    "tell_of_turns",
    "use_token",
    "void",
    "walk_over",
    "withdraw",
    "withdraw_self",
]
