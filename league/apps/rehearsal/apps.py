"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class RehearsalConfig(app.App):
    """Planned competitions, played through with invented results."""

    name = "league.apps.rehearsal"
    verbose_name = _("Rehearsal")
