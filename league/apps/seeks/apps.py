"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class SeeksConfig(app.App):
    """Members look for players for a casual game."""

    name = "league.apps.seeks"
    verbose_name = _("Players wanted")
