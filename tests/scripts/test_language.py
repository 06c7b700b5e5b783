"""The browser's language, which the library of plots gives to Intl."""

import pytest

from tests.scripts.node import SCRIPTS, found

_LOADED = """
Object.defineProperty(globalThis, "navigator", { value: { language: given.language } });
Object.assign(globalThis, {
  window: globalThis, devicePixelRatio: 1, matchMedia: () => ({ addEventListener() {} }),
  document: { body: {} }, addEventListener() {}, dispatchEvent() {},
});
return import(given.script).then(() => import(given.library)).then(() => navigator.language);
"""


@pytest.mark.parametrize(
    ("tag", "taken"), [("C", "en"), ("", "en"), ("en_US.UTF-8", "en"), ("de-AT", "de-AT")]
)
def test_plots_are_loaded_in_every_language_of_a_browser(tag: str, taken: str) -> None:
    library = SCRIPTS.parent / "vendor" / "uplot" / "uPlot.esm.js"
    given = {"language": tag, "script": (SCRIPTS / "language.js").as_uri(), "library": library.as_uri()}
    assert found("dealing.js", _LOADED, given) == taken
