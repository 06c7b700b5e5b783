"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class NotificationsConfig(app.App):
    """What players are told of their tables, by email and by their browsers."""

    name = "league.apps.notifications"
    verbose_name = _("Notifications")
