"""`manage.py token`: a token for a program, on standard output and nowhere else."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games.engine.refusals import Malformed
from league import services
from league.models import Account, Token


class Command(BaseCommand):
    """Makes a token for an account and prints it; nothing can show it again."""

    help = "Make a token for an account and print it, and nothing else."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare whose token it is and what it opens."""
        parser.add_argument("username")
        parser.add_argument(
            "--scope",
            action="extend",
            nargs="+",
            required=True,
            choices=Token.Scope.values,
            help="what the token is good for; several may be named",
        )
        parser.add_argument("--name", default="command line", help="by which the account knows the token")

    def handle(self, *, username: str, scope: Sequence[str], name: str, **_: Any) -> None:
        """Print the token. Raises CommandError for an account that is not there."""
        account = Account.objects.filter(username=username).first()
        if account is None:
            raise CommandError(f"There is no account named {username}.")
        try:
            made = services.create_token(by=account, name=name, scopes=scope)
        except Malformed as refusal:
            raise CommandError(refusal.sentence) from None
        self.stdout.write(made.secret)
