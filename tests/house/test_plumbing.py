"""What every other test relies on."""

import pytest
from django.db import connection

from league.models import Account


@pytest.mark.django_db
def test_a_test_has_a_real_postgresql_of_a_supported_version() -> None:
    Account.objects.create_user("anna")
    assert connection.vendor == "postgresql"
    assert connection.pg_version >= 150000
