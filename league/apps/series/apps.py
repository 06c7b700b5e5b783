"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class SeriesConfig(app.App):
    """Tables of a club over many evenings, each with a log of its own."""

    name = "league.apps.series"
    verbose_name = _("Series")
