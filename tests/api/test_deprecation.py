"""What is deprecated says so in its answers and in the schema, a year before it ends."""

import json
from datetime import date
from typing import Any

import pytest
import time_machine
from drf_spectacular.generators import SchemaGenerator
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory

from api.requests import FROM_ZERO, Deprecation, Parameter
from api.views.base import Operation, Resource

ENDING = Deprecation(date(2026, 12, 31), date(2028, 1, 1), "/api/v1/docs/")
HEADERS = {
    "Deprecation": "@1798675200",
    "Sunset": "Sat, 01 Jan 2028 00:00:00 GMT",
    "Link": '</api/v1/docs/>; rel="deprecation"; type="text/html"',
}


class Old(Resource):
    """An address that goes on for a while."""

    authentication_classes = ()
    operations = {
        "GET": Operation(query=(Parameter("depth", "How deep.", FROM_ZERO, deprecated=ENDING),)),
        "DELETE": Operation(deprecated=ENDING),
    }

    def get(self, request: Any) -> Response:
        return Response({})

    def delete(self, request: Any) -> Response:
        raise PermissionError


def answer(method: str, path: str = "/") -> Any:
    return Old.as_view()(getattr(APIRequestFactory(), method)(path))


def told(method: str, path: str = "/") -> dict[str, str]:
    return {name: value for name, value in answer(method, path).items() if name in HEADERS}


def test_an_operation_tells_it_when_it_is_refused_too() -> None:
    assert told("delete") == HEADERS


def test_a_parameter_tells_it_to_those_who_use_it() -> None:
    assert told("get", "/?depth=2") == HEADERS
    assert told("get") == {}


def test_the_schema_marks_both() -> None:
    from django.urls import path

    made = SchemaGenerator(patterns=[path("old/", Old.as_view())]).get_schema(public=True)
    (item,) = made["paths"].values()
    assert item["delete"]["deprecated"] is True
    assert "deprecated" not in item["get"]
    assert [each["deprecated"] for each in item["get"]["parameters"]] == [True]


def test_what_has_ended_is_gone() -> None:
    with time_machine.travel("2027-12-31T23:59:59Z", tick=False):
        assert answer("get", "/?depth=2").status_code == 200
    with time_machine.travel("2028-01-01T00:00:00Z"):
        gone = answer("delete")
        assert (gone.status_code, json.loads(gone.content)["code"]) == (410, "ended")
        assert {name: gone[name] for name in HEADERS} == HEADERS
        assert answer("get").status_code == 200
        assert "depth" in json.loads(answer("get", "/?depth=2").content)["errors"]


def test_nothing_ends_within_a_year() -> None:
    with pytest.raises(ValueError, match="365"):
        Deprecation(date(2026, 12, 31), date(2027, 12, 30), "/")
