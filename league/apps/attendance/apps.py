"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class AttendanceConfig(app.App):
    """Who comes to an evening of a club."""

    name = "league.apps.attendance"
    verbose_name = _("Who is coming")
