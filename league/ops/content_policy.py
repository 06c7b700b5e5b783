"""The content security policy: strict for the site, looser for pages of third-party packages."""

from typing import Any

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase

# The admin uses Alpine, which evaluates expressions in attributes.
_ADMIN: dict[str, Any] = {
    "script-src": [SELF, UNSAFE_EVAL, UNSAFE_INLINE],
    "style-src": [SELF, UNSAFE_INLINE],
}
# The scripts of the API's documentation page create style elements and attributes.
_DOCS: dict[str, Any] = {"style-src": [SELF, UNSAFE_INLINE]}
_LOOSER = (("/admin/", _ADMIN), ("/api/v1/docs/", _DOCS))


class ContentPolicyMiddleware(CSPMiddleware):
    """Sends the policy from the settings, with additions for some paths."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        for prefix, additions in _LOOSER:
            if request.path_info.startswith(prefix):
                parts.update = {**additions, **(parts.update or {})}
        return parts
