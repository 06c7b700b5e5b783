"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class HallConfig(app.App):
    """A hall in which people play with real cards: its screens, kiosks, calls and codes of seats."""

    name = "league.apps.hall"
    verbose_name = _("Hall")
