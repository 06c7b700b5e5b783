"""What people are called in public."""

import pytest

from league.core.public_names import Person, public_names, shortened, tells, words_of


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Anna Peters", "Anna P."),
        ("Anna Maria Peters", "Anna P."),
        ("Hans von der Lippe", "Hans L."),
        ("Peters, Anna", "Anna P."),
        ("Dr. Anna Peters", "Anna P."),
        ("Émile Özdemir", "Émile Ö."),
        ("Anna", "Anna"),
    ],
)
def test_a_short_name_is_the_first_name_and_an_initial(name: str, short: str) -> None:
    assert shortened(name) == short


def test_people_of_one_short_name_are_told_apart_by_their_numbers() -> None:
    people = [
        Person("c", "Anna Pohl", "short", 9),
        Person("a", "Anna Peters", "short", 4),
        Person("b", "Anna Q.", "full", 2),
        Person("d", "Anna Quast", "short", 3),
        Person("e", "Bert Blum", "members", 17),
    ]
    named = {"a": "Anna P.", "b": "Anna Q.", "c": "Anna P. 9", "d": "Anna Q. 3", "e": "Member 17"}
    assert public_names(people) == public_names(people[::-1]) == named


def test_people_of_one_whole_name_who_show_it_keep_it() -> None:
    people = [Person(key, "Ada Able", "full", 0) for key in "ab"]
    assert public_names(people) == {"a": "Ada Able", "b": "Ada Able"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The Wild Bunch", False),
        ("Petér’s friends", True),
        ("Annas Bande", True),
        ("Li and others", True),
        ("Listening Posts", False),
    ],
)
def test_a_text_tells_a_name_by_any_of_its_words(text: str, told: bool) -> None:
    assert tells(text, words_of(["Anna Peter", "Li Po"])) is told
