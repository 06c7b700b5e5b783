"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class ExchangeConfig(app.App):
    """Lists as files and players from files; competitions and games of other servers."""

    name = "league.apps.exchange"
    verbose_name = _("Imports and exports")
