"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class WishesConfig(app.App):
    """What the people of a club wish for draws, in all its competitions."""

    name = "league.apps.wishes"
    verbose_name = _("Wishes for draws")
