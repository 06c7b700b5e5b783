"""The PostgreSQL that the tests use."""

import pytest
from django.db import connection

from league.ops.postgres import OLDEST


@pytest.mark.django_db
def test_tests_use_a_supported_version_of_postgresql() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        (version,) = cursor.fetchone()
    assert int(version) // 10000 >= OLDEST
