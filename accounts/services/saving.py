"""How every service writes a row: checked first, refused with one sentence."""

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, models, transaction

from accounts.errors import BadInput, Conflict, ProductError
from accounts.models import Organization

_TAKEN = frozenset({"unique", "unique_together"})


def save_checked(row: models.Model) -> None:
    """full_clean, then save. Raises BadInput, or Conflict where a row is in the way."""
    _check_text(row)
    try:
        row.full_clean()
    except ValidationError as error:
        raise _refusal(error) from error
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise Conflict("Somebody changed the same thing just now.") from error


def lock_organization(organization: Organization) -> None:
    """Wait for other changes to this organization; held until the transaction ends."""
    rows = Organization.objects.select_for_update(no_key=True)
    rows.get(pk=organization.pk)


def _check_text(row: models.Model) -> None:
    """No database stores NUL or half a surrogate pair; some only say so late."""
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        if isinstance(value, str) and not _storable(value):
            raise BadInput(
                f"{field.name}: This text has characters that cannot be stored.",
                field=field.name,
            )


def _storable(text: str) -> bool:
    try:
        return b"\x00" not in text.encode()
    except UnicodeEncodeError:
        return False


def _refusal(error: ValidationError) -> ProductError:
    field, errors = next(iter(error.error_dict.items()))
    kind = Conflict if errors[0].code in _TAKEN else BadInput
    text = errors[0].messages[0]
    if field == NON_FIELD_ERRORS:
        return kind(text)
    return kind(f"{field}: {text}", field=field)
