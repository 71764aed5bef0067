"""People, as members of one organization see each other."""

from typing import Any

from rest_framework import serializers


class PersonOut(serializers.Serializer[Any]):
    email = serializers.EmailField()
    name = serializers.CharField()
