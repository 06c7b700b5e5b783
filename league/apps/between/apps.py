"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league import hooks


class BetweenConfig(hooks.App):
    """Teams of several clubs in one competition."""

    name = "league.apps.between"
    verbose_name = _("Between clubs")
