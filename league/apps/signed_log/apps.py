"""The app's place in Django."""

from importlib import import_module

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from league.hooks import app


class SignedLogConfig(app.App):
    """The signed log over all logs, with its witnesses."""

    name = "league.apps.signed_log"
    verbose_name = _("Signed log")

    def ready(self) -> None:
        """Connect the app; raises `BadSetting` where a witness is none."""
        super().ready()
        if settings.LOG_WITNESSES:
            import_module("league.apps.signed_log.signing").check_witnesses()
