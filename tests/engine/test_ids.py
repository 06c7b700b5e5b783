"""Ids in the order of time."""

from datetime import UTC, datetime, timedelta
from uuid import RFC_4122, UUID

from games.engine import chain

AT = datetime(2022, 2, 22, 19, 22, 22, tzinfo=UTC)
REST = bytes.fromhex("fcc318c4dc0c0c07398f")


def test_an_id_is_that_of_the_standard_s_example() -> None:
    made = chain.id_at(AT, REST)  # RFC 9562, appendix A.6
    assert str(made) == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
    assert (made.version, made.variant) == (7, RFC_4122)
    assert chain.time_in(made) == AT


def test_ids_are_in_the_order_of_time() -> None:
    least, most = bytes(chain.RANDOM_BYTES), b"\xff" * chain.RANDOM_BYTES
    later = AT + timedelta(milliseconds=1)
    assert chain.first_id(AT) < chain.id_at(AT, least) < chain.id_at(AT, most) < chain.first_id(later)


def test_a_derived_id_is_always_the_same_and_another_for_another_name_or_time() -> None:
    made = chain.derived_id(AT, "a")
    assert made == chain.derived_id(AT + timedelta(microseconds=999), "a")
    assert len({made, chain.derived_id(AT, "b"), chain.derived_id(AT + timedelta(seconds=1), "a")}) == 3


def test_derived_ids_of_one_time_are_in_their_order() -> None:
    made = [chain.derived_id(AT, str(order), order) for order in range(0, 4096, 13)]
    assert made == sorted(made)


def test_a_time_before_1970_counts_as_its_beginning() -> None:
    assert chain.first_id(datetime(1, 1, 1, tzinfo=UTC)) == UUID(int=0)
