"""What a club knows of its people, over the API: for programs of its organisers."""

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers
from rest_framework.generics import ListAPIView

from api.serializers.games import PlayerReferenceSerializer
from api.views.base import Operation, Resource
from league.apps.people.models import Person, Standing
from league.apps.people.queries import people_of
from league.queries.clubs import club_at


class PeriodSerializer(serializers.Serializer[Any]):
    """From when until when a player is something in the club, both days included; null leaves it open."""

    what = serializers.ChoiceField([*Standing.choices, ("category", "in a ticked category")])
    category = serializers.CharField(
        source="category.name",
        allow_null=True,
        default=None,
        help_text="The name of the category; null for the others.",
    )
    since = serializers.DateField(allow_null=True)
    until = serializers.DateField(allow_null=True)


class PersonSerializer(serializers.Serializer[Any]):
    """What a club knows of a player."""

    player = PlayerReferenceSerializer()
    pass_number = serializers.CharField(
        help_text="The number that a federation knows the person by, or empty."
    )
    born = serializers.IntegerField(allow_null=True, help_text="The year of birth.")
    left_on = serializers.DateField(allow_null=True, help_text="From the day after they belong to nothing.")
    died = serializers.BooleanField()
    periods = PeriodSerializer(many=True, source="player.periods.all")


class People(Resource, ListAPIView[Person]):
    """What the club knows of its players, by name; those of whom it knows nothing are left out."""

    serializer_class = PersonSerializer
    filter_backends = ()
    operations = {"GET": Operation(scopes=("club:organise",))}

    def get_queryset(self) -> QuerySet[Person]:
        account = self.account()
        return people_of(club_at(self.kwargs["slug"]), account)


urlpatterns = [path("clubs/<slug:slug>/people/", People.as_view(), name="people")]
