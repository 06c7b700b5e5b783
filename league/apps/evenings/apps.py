"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class EveningsConfig(app.App):
    """A club's evenings that come again."""

    name = "league.apps.evenings"
    verbose_name = _("Evenings")
