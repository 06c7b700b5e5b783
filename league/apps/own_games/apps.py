"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class OwnGamesConfig(app.App):
    """Games that clubs make for themselves from copies of others."""

    name = "league.apps.own_games"
    verbose_name = _("Games of clubs")
