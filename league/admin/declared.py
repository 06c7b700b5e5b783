"""Form fields from declarations, with the desk's widgets."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from games.engine.kinds import Record
from league.forms import Widgets
from league.forms import fields_of as plain_fields_of

WIDGETS: Final[Widgets] = {
    "flag": UnfoldBooleanSwitchWidget,
    "number": UnfoldAdminIntegerFieldWidget,
    "choice": UnfoldAdminSelectWidget,
    "rows": UnfoldAdminTextareaWidget,
    "text": UnfoldAdminTextInputWidget,
}


def fields_of(record: Record, prefix: str, initial: Mapping[str, Any]) -> dict[str, forms.Field]:
    """Return `league.forms.fields_of` with the desk's widgets."""
    return plain_fields_of(record, prefix, initial, WIDGETS)
