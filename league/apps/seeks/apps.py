"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league import hooks


class SeeksConfig(hooks.App):
    """Members look for players for a casual game."""

    name = "league.apps.seeks"
    verbose_name = _("Players wanted")
