"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class ProgramsConfig(app.App):
    """Programs of third parties, which people connect to their accounts."""

    name = "league.apps.programs"
    verbose_name = _("Programs")
    packages = ("oauth2_provider",)
