"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class CompanyConfig(app.App):
    """Friends, who is here, what players say to each other at a table, and reports to organisers."""

    name = "league.apps.company"
    verbose_name = _("Company")
