"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class PracticeConfig(app.App):
    """Bots for which the server plays, and practice games against them."""

    name = "league.apps.practice"
    verbose_name = _("Practice")
