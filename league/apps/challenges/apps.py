"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class ChallengesConfig(app.App):
    """Who is told of challenges on a ladder, and answers from an email."""

    name = "league.apps.challenges"
    verbose_name = _("Challenges")
