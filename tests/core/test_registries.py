"""Every format and tie-break that a file declares is in its registry."""

from collections.abc import Mapping
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from types import ModuleType

import pytest

from league.core import formats
from league.core.formats import Format
from league.core.standings import tie_breaks
from league.core.standings.tie_breaks import Criterion

EARLIER = {type(each) for each in formats.EARLIER.values()}
BESIDE_TIE_BREAKS = {type(each) for each in (tie_breaks.EXPELLED, tie_breaks.PLACEMENT, tie_breaks.POINTS)}


@pytest.mark.parametrize(
    ("package", "kind", "registry", "others"),
    [
        pytest.param(formats, Format, formats.BY_KEY, EARLIER, id="formats"),
        pytest.param(tie_breaks, Criterion, tie_breaks.BY_KEY, BESIDE_TIE_BREAKS, id="tie-breaks"),
    ],
)
def test_every_declaration_is_registered_under_its_own_key(
    package: ModuleType, kind: type, registry: Mapping[str, object], others: set[type]
) -> None:
    modules = [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]
    declared = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, kind) and not isabstract(value)
    }
    missing = sorted(each.__name__ for each in declared - {type(each) for each in registry.values()} - others)
    assert missing == [], f"add a line for it to BY_KEY of {package.__name__}"
    assert len(registry) == len(declared - others)
