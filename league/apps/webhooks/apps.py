"""The app's place in Django."""

from django.utils.translation import gettext_lazy as _

from league.hooks import app


class WebhooksConfig(app.App):
    """Messages to a club's other programs."""

    name = "league.apps.webhooks"
    verbose_name = _("Webhooks")
