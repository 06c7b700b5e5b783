"""Where evenings take part: in the sweep, set-up, calendar and emails of a club."""

from league import hooks
from league.apps.evenings.lines import days_off, forerunners, orders_of, rhythms_due
from league.apps.evenings.queries import came_last, invited, kept_presets, teams_came_last, told_apart
from league.apps.evenings.services import follow_events
from league.hooks import upkeep

upkeep.WORK.append(upkeep.Work(f"{__package__}.tasks.prepare_evening", rhythms_due, "due"))
hooks.ASKED.append(invited)
hooks.CAME_LAST.append(came_last)
hooks.TEAMS_CAME_LAST.append(teams_came_last)
hooks.DAYS_OFF.append(days_off)
hooks.FORERUNNERS.append(forerunners)
hooks.ORDERS.append(orders_of)
hooks.KEPT_PRESETS.append(kept_presets)
hooks.TOLD_APART.append(told_apart)
hooks.events_appended.connect(follow_events)
