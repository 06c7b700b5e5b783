"""The content security policy: strict for the site, looser where a third party's pages ask for it."""

from typing import Any

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase

# The admin's components are Alpine, which evaluates expressions out of attributes.
_ADMIN: dict[str, Any] = {
    "script-src": [SELF, UNSAFE_EVAL, UNSAFE_INLINE],
    "style-src": [SELF, UNSAFE_INLINE],
}
# The API's documentation page is styled by elements and attributes that its scripts make.
_DOCS: dict[str, Any] = {"style-src": [SELF, UNSAFE_INLINE]}
_LOOSER = (("/admin/", _ADMIN), ("/api/v1/docs/", _DOCS))


class ContentPolicyMiddleware(CSPMiddleware):
    """Sends the policy of the settings, with additions for the paths that need them."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the policy for one answer."""
        parts = super().get_policy_parts(request, response, report_only)
        for prefix, additions in _LOOSER:
            if request.path_info.startswith(prefix):
                parts.update = {**additions, **(parts.update or {})}
        return parts
