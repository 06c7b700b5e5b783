"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class AwayConfig(app.App):
    """When people are away: they are not asked then, and rounds on such a day know it."""

    name = "league.apps.away"
    verbose_name = _("Days away")
