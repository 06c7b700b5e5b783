"""The pages of clubs and players."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league import selectors


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the clubs, and what is being played in them."""
    context = {"clubs": selectors.clubs()}
    return render(request, "league/home.html", context)
