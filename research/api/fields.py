"""Input read strictly: what is misspelt, doubled or of another type is refused."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers


class Text(serializers.CharField):
    """A string; a number or a truth value is not taken for one."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class AwareTime(serializers.DateTimeField):
    """An ISO 8601 time that names its offset from UTC."""

    default_error_messages = {"naive": "Name a time zone, such as Z or +02:00."}

    def enforce_timezone(self, value: datetime) -> datetime:
        if timezone.is_naive(value):
            self.fail("naive")
        return super().enforce_timezone(value)


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields it does not know, and single fields that came twice, by name."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            faults = {str(name): self._fault(data, name) for name in data}
            errors = {name: [fault] for name, fault in faults.items() if fault}
            if errors:
                raise serializers.ValidationError(errors)
        return super().to_internal_value(data)

    def _fault(self, data: Mapping[str, Any], name: str) -> str:
        declared = self.fields.get(name)
        if declared is None:
            return f"There is no such field here; known are {', '.join(self.fields)}."
        single = not isinstance(declared, serializers.ListField)
        if single and isinstance(data, MultiValueDict) and len(data.getlist(name)) > 1:
            return "This field was sent more than once."
        return ""
