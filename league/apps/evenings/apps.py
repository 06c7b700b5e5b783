"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league import hooks


class EveningsConfig(hooks.App):
    """A club's evenings that come again."""

    name = "league.apps.evenings"
    verbose_name = _("Evenings")
