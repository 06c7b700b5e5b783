"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class PeopleConfig(app.App):
    """A club's people: merged, forgotten, and what they show of themselves."""

    name = "league.apps.people"
    verbose_name = _("People")
