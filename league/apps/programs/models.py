"""Programs that people connect to their accounts by OAuth 2, as their developers registered them."""

import re
from typing import ClassVar, Final
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from oauth2_provider.models import AbstractApplication

from league.models.accounts import Account
from league.models.names import LineField, nameable

MOST_ADDRESSES: Final = 10
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_HOST: Final = re.compile(r"(\[::1\]|[a-z0-9-]+(\.[a-z0-9-]+)*)(:[0-9]{1,5})?", re.ASCII | re.IGNORECASE)
_OWN_SCHEME: Final = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:/(?!/)[!-~]*", re.ASCII)
"""A scheme of an app's own: a domain backwards, then one slash (RFC 8252, section 7.1)."""


class ProgramKind(models.TextChoices):
    """Where a program runs, which decides how people connect it."""

    APP = "app", _("on people’s own devices or in their browsers: it can’t keep a secret")
    SERVER = "server", _("on a server: it keeps a secret")
    DEVICE = "device", _("on devices without a browser: people type a code elsewhere")


class Program(AbstractApplication):
    """A program that people connect to their accounts; ``user`` is the account of whoever developed it."""

    objects: ClassVar[models.Manager["Program"]] = models.Manager()

    user = models.ForeignKey(Account, models.CASCADE, related_name="+", verbose_name=_("developer"))
    name = LineField(_("name"), max_length=80, validators=[nameable])

    class Meta:
        db_table = "league_program"
        ordering: ClassVar = ["name", "id"]
        verbose_name = _("program")
        verbose_name_plural = _("programs")

    @property
    def kind(self) -> ProgramKind:
        """Return where the program runs, which decides how people connect it."""
        if self.authorization_grant_type == self.GRANT_DEVICE_CODE:
            return ProgramKind.DEVICE
        is_public = self.client_type == self.CLIENT_PUBLIC
        return ProgramKind.APP if is_public else ProgramKind.SERVER

    @kind.setter
    def kind(self, kind: str) -> None:
        """Set how the program logs in, and how people connect it."""
        server, device = ProgramKind.SERVER, ProgramKind.DEVICE
        self.client_type = self.CLIENT_CONFIDENTIAL if kind == server else self.CLIENT_PUBLIC
        self.authorization_grant_type = (
            self.GRANT_DEVICE_CODE if kind == device else self.GRANT_AUTHORIZATION_CODE
        )

    @property
    def addresses(self) -> list[str]:
        """Return the addresses to which people are sent back, which must match exactly."""
        return str(self.redirect_uris).split()

    def get_allowed_schemes(self) -> list[str]:
        """Return the schemes of the registered addresses."""
        return sorted({urlsplit(address).scheme for address in self.addresses})

    def clean(self) -> None:
        """Raise ValidationError for addresses to which nobody may be sent with a code."""
        if self.kind == ProgramKind.DEVICE:
            self.redirect_uris = ""
            return
        if not self.addresses:
            raise ValidationError({"redirect_uris": _("Enter at least one address.")})
        if len(self.addresses) > MOST_ADDRESSES:
            raise ValidationError({"redirect_uris": _("There are too many addresses.")})
        for address in self.addresses:
            if not self._may_lead_to(address):
                text = _("%(address)s is not an address to which people can be sent back.")
                raise ValidationError({"redirect_uris": text % {"address": address}})

    def _may_lead_to(self, address: str) -> bool:
        """Return whether an address is https, http on the caller's own machine, or an app's own scheme."""
        try:
            parts = urlsplit(address)
            _port = parts.port  # raises ValueError for one that is no number
        except ValueError:
            return False
        if not re.fullmatch(r"[!-~]{1,500}", address) or {*address} & set("#*\\<>\"'`{}|^"):
            return False
        if parts.netloc and not _HOST.fullmatch(parts.netloc):
            return False
        is_app = self.kind == ProgramKind.APP
        match parts.scheme:
            case "https":
                return bool(parts.hostname)
            case "http":
                return parts.hostname in _LOOPBACK
            case _:
                return is_app and bool(_OWN_SCHEME.fullmatch(address))
