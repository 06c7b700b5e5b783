"""The audit record on the desk: who changed what in a club. It can be searched and read."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league.admin.base import ClubScopedAdmin
from league.admin.labels import display
from league.admin.site import desk
from league.models import ClubChange
from league.queries.clubs import changes_with_players
from league.words.club_changes import accounts_called, change_in_words, changes_called


@admin.register(ClubChange, site=desk)
class ClubChangeAdmin(ClubScopedAdmin[ClubChange]):
    """Every change to members, players, settings, webhooks and apps of the club."""

    list_title = gettext_lazy("The club’s changes")
    list_display = ("at", "sentence", "club")
    list_filter = ("kind", "at", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("account", "club")
    search_fields = ("subject", "account__username", "values")
    search_help_text = gettext_lazy(
        "What was done, such as role or webhook; a name, an account, or a value before or after the change"
    )
    ordering = ("-at", "-pk")
    fields = ("club", "at", "sentence")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ClubChange]:
        """Return the changes with the present names of the players that they are about."""
        return changes_with_players(super().get_queryset(request))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[ClubChange], search_term: str
    ) -> tuple[QuerySet[ClubChange], bool]:
        """Return the changes that match all words, as a kind of change or in what they hold."""
        for word in search_term.split():
            holds = (Q(**{f"{name}__icontains": word}) for name in self.search_fields)
            matching = Q(kind__in=changes_called(word))
            ids = accounts_called(word)
            for each in (*holds, Q(subject__in=ids), *(Q(values__icontains=pk) for pk in ids)):
                matching |= each
            queryset = queryset.filter(matching)
        return queryset, False

    @display(description=gettext_lazy("what happened"))
    def sentence(self, change: ClubChange) -> str:
        return change_in_words(change)
