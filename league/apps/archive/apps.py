"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class ArchiveConfig(app.App):
    """Archives of logs, and drills of restoring backups."""

    name = "league.apps.archive"
    verbose_name = _("Archives and drills")
