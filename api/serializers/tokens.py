"""Tokens as their accounts read them. The secret is shown once, in the answer that makes it."""

from typing import Any

from rest_framework import serializers

from league.choices import TokenScope


class TokenSerializer(serializers.Serializer[Any]):
    """A token, without its secret."""

    id = serializers.CharField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(TokenScope.choices))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True, help_text="null for a token that never expires")
    last_used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class TokenWithSecretSerializer(serializers.Serializer[Any]):
    """A token just made, with the secret that is shown this once."""

    token = TokenSerializer()
    secret = serializers.CharField()
