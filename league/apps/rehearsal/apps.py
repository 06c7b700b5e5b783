"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league import hooks


class RehearsalConfig(hooks.App):
    """Planned competitions, played through with invented results."""

    name = "league.apps.rehearsal"
    verbose_name = _("Rehearsal")
