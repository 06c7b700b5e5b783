"""Forms that make something, sent twice by a double click or a reload: what they ask for is made once."""

import hashlib
from collections.abc import Callable

from django.db.models import Model
from django.http import HttpRequest

from games.engine import chain
from league import services
from league.services import Made
from league.views.callers import caller


def made_once(request: HttpRequest, make: Callable[[], Model]) -> Made:
    """Make what a posted form asks for; of the same form sent again return what it made.

    A form is known by its CSRF token, which every page that shows one masks anew: the same form filled in
    twice the same way, on two pages, makes two things.
    """
    if not request.POST.get("csrfmiddlewaretoken"):
        return Made(make().pk, created=True)
    fields = {name: request.POST.getlist(name) for name in request.POST}
    told = chain.canonical({"path": request.get_full_path(), "fields": dict(fields)})
    sent = hashlib.sha256(told).hexdigest()
    # No key of the API holds a space.
    return services.once(by=caller(request), key=f"form {sent}", asked=sent, make=make)
