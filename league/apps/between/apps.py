"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class BetweenConfig(app.App):
    """Teams of several clubs in one competition."""

    name = "league.apps.between"
    verbose_name = _("Between clubs")
