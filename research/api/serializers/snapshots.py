"""Archived copies of sources."""

from typing import Any

from rest_framework import serializers


class SnapshotOut(serializers.Serializer[Any]):
    """Offsets of citations address the text; both hashes are SHA-256 of the bytes."""

    id = serializers.CharField(source="public_id")
    uri = serializers.CharField()
    title = serializers.CharField()
    media_type = serializers.CharField()
    body_sha256 = serializers.CharField()
    body_bytes = serializers.IntegerField()
    text_sha256 = serializers.CharField()
    text_chars = serializers.IntegerField()
    text_truncated = serializers.BooleanField()
    reader_version = serializers.CharField()
    replaced = serializers.IntegerField(help_text="Characters that were undecodable.")
    removed = serializers.IntegerField(help_text="Invisible characters taken out.")
    taken_at = serializers.DateTimeField()
