"""The header Content-Security-Policy."""

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class ContentPolicyMiddleware(CSPMiddleware):
    """Sends the policy of the settings, which it writes once; the library writes two for each answer."""

    _usual: str | None = None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        # A nonce that a page asked for makes its policy another one.
        nonce = bool(getattr(request, "csp_nonce", ""))
        changed = nonce or any(name.startswith("_csp") for name in vars(response))
        if changed or self._usual is None:
            response = super().process_response(request, response)
            self._usual = self._usual if changed else response.get(HEADER)
        else:
            response.headers.setdefault(HEADER, self._usual)
        return response
