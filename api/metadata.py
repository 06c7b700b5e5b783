"""The answer to OPTIONS."""

from typing import Any

from rest_framework.metadata import SimpleMetadata
from rest_framework.request import Request


class Description(SimpleMetadata):
    """Names and describes an address; its fields are in the OpenAPI document."""

    def determine_actions(self, request: Request, view: Any) -> dict[str, Any]:
        """Return nothing: REST Framework would describe the fields of answers as if clients sent them."""
        return {}
