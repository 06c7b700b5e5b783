"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class PrintsConfig(app.App):
    """What is printed of a competition, and blank score sheets of a game."""

    name = "league.apps.prints"
    verbose_name = _("Prints")
