"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league import hooks


class AwayConfig(hooks.App):
    """When people are away: they are not asked then, and rounds on such a day know it."""

    name = "league.apps.away"
    verbose_name = _("Days away")
