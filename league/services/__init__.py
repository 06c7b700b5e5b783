"""Every write of the league, as keyword-only functions; ``by`` is the account that asks.

A verb raises `games.engine.refusals.Refusal` (malformed, illegal, stale), PermissionDenied, or the
DoesNotExist of what is not there. Then nothing has changed. Callers import each from its module.
"""
