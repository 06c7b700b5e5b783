"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class MyEveningConfig(app.App):
    """A person's own page for an evening, opened with a code that is printed, shown or sent."""

    name = "league.apps.my_evening"
    verbose_name = _("My evening")
