"""The texts are extracted, filled in and compiled; the catalogues are those of the source."""

import gettext
import json
import re
from io import BytesIO
from pathlib import Path
from textwrap import dedent

import pytest
from babel.messages.catalog import Catalog
from django.core.management import CommandError, call_command

from league.words import catalogue
from league.words.catalogue import Found, Text, in_python, in_template

PYTHON = """
    from django.utils import translation
    from django.utils.translation import gettext as _, ngettext, pgettext
    from games.engine import messages
    from games.engine.messages import plural, text
    _("Plain")
    _(variable)
    ngettext("%(count)d card", "%(count)d cards", count)
    pgettext("of a card", "suit")
    text("%(name)s wins" if won else "lost", name=name)
    text("%(name)s loses", name=name)
    plural("%(count)s day", "%(count)s days", days)
    messages.text("Through a module")
    translation.gettext("Through Django's")
    environment.text("SECRET_KEY")
"""

TEMPLATE = """
    {% load i18n %}
    <p title="{% translate "It’s here" %}">{% translate 'suit' context "of a card" %}</p>
    {% include "part.html" with label=_("A label") %}
    {% blocktranslate count days=days %}{{ days }} day{% plural %}{{ days }} days{% endblocktranslate %}
    {% blocktranslate with who=player.name %}{{ who }} "wins" 5 %{% endblocktranslate %}
"""


def test_texts_of_a_module_are_found() -> None:
    assert {*in_python(dedent(PYTHON))} == {
        Text("Plain"),
        Text("%(count)d card", "%(count)d cards"),
        Text("suit", "", "of a card"),
        Text("%(name)s loses"),
        Text("%(count)s day", "%(count)s days"),
        Text("Through a module"),
        Text("Through Django's"),
    }


def test_texts_of_a_template_are_found() -> None:
    assert {*in_template(dedent(TEMPLATE))} == {
        Text("It’s here"),
        Text("suit", "", "of a card"),
        Text("A label"),
        Text("%(days)s day", "%(days)s days"),
        Text('%(who)s "wins" 5 %%'),
    }


def test_a_text_is_one_wherever_it_is_said() -> None:
    found = {(each.text.id, each.text.context): each for each in catalogue.everything()}
    assert found["Standings", ""].places[0].startswith("league/")
    assert len(found) == len(catalogue.everything())
    assert found["seat %(number)s", ""].places == ("games/engine/messages.py",)


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for a catalogue of three texts."""
    texts = (Text("Plain"), Text("%(count)d card", "%(count)d cards"), Text('<a href="%(url)s">here</a>'))
    monkeypatch.setattr(catalogue, "LOCALE", tmp_path)
    monkeypatch.setattr(catalogue, "everything", lambda: tuple(Found(text, ("a.py",)) for text in texts))
    return tmp_path


def lines(tmp_path: Path, *data: object) -> Path:
    file = tmp_path / "lines"
    file.write_text("\n".join(map(json.dumps, data)))
    return file


def run(*arguments: object) -> None:
    call_command("messages", *map(str, arguments), language="de")


class TestTheCommand:
    def test_prints_what_is_missing(self, german: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            run("--missing")
        printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [line["id"] for line in printed] == ["Plain", "%(count)d card", '<a href="%(url)s">here</a>']
        assert printed[1] == {"id": "%(count)d card", "plural": "%(count)d cards", "places": ["a.py"]}
        assert not catalogue.path_of("de").exists()

    def test_fills_in_and_compiles_translations(
        self, german: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        cards = ["%(count)d Karte", "%(count)d Karten"]
        run("--fill", lines(german, {"id": "Plain", "translation": "Einfach"}))
        run("--fill", lines(german, {"id": "%(count)d card", "translation": cards}))
        assert "de: 3 texts (5 words), 1 not translated." in capsys.readouterr().out
        with catalogue.path_of("de").with_suffix(".mo").open("rb") as file:
            read = gettext.GNUTranslations(file)
        assert read.gettext("Plain") == "Einfach"
        assert read.ngettext("%(count)d card", "%(count)d cards", 0) == "%(count)d Karten"
        assert read.gettext('<a href="%(url)s">here</a>') == '<a href="%(url)s">here</a>'

    def test_is_content_where_nothing_is_missing(
        self, german: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(catalogue, "everything", lambda: (Found(Text("Plain"), ("a.py",)),))
        run("--fill", lines(german, {"id": "Plain", "translation": "Einfach"}))
        capsys.readouterr()
        run("--missing")
        assert capsys.readouterr().out == ""

    def test_drops_translations_of_texts_that_are_gone(
        self, german: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run("--fill", lines(german, {"id": "Plain", "translation": "Einfach"}))
        monkeypatch.setattr(catalogue, "everything", lambda: (Found(Text("Plain", "Plains"), ("a.py",)),))
        run()
        assert [catalogue.strings_of(text) for text in catalogue.texts_in(catalogue.read("de"))] == [("", "")]

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ({"id": "Unknown", "translation": "x"}, "not in the catalogue"),
            ({"id": "Plain"}, "not an object"),
            ({"id": "Plain", "translation": ""}, "1 forms to translate"),
            ({"id": "%(count)d card", "translation": "Karten"}, "2 forms to translate"),
            ({"id": "%(count)d card", "translation": ["Karte", "Karten"]}, "instead of %(count)d"),
            ({"id": "Plain", "translation": "%(name)s"}, "instead of nothing"),
            ({"id": '<a href="%(url)s">here</a>', "translation": "%(url)s"}, "instead of"),
        ],
    )
    def test_refuses_a_file_with_a_wrong_line(self, german: Path, line: object, why: str) -> None:
        with pytest.raises(CommandError, match=f"Line 2: .*{re.escape(why)}") as refusal:
            run("--fill", lines(german, {"id": "Plain", "translation": "Einfach"}, line))
        assert "Line 1" not in str(refusal.value)
        assert not catalogue.path_of("de").exists()


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
class TestTheCatalogue:
    def test_is_compiled(self, language: str) -> None:
        compiled = catalogue.path_of(language).with_suffix(".mo").read_bytes()
        assert translations(compiled) == translations(catalogue.as_mo(catalogue.read(language)))

    def test_keeps_the_parameters_and_tags_of_each_text(self, language: str) -> None:
        assert list(catalogue.wrong(catalogue.read(language))) == []


def translations(compiled: bytes) -> object:
    return vars(gettext.GNUTranslations(BytesIO(compiled)))["_catalog"]


def test_a_wrong_placeholder_is_found() -> None:
    wrong = Catalog(locale="de")
    wrong.add("%(name)s wins", "%(nam)s gewinnt")
    wrong.add(
        ("%(count)d card of %(name)s", "%(count)d cards of %(name)s"), ("eine Karte", "%(count)d Karten")
    )
    assert len(list(catalogue.wrong(wrong))) == 3
