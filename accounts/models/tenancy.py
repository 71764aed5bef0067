"""The one filter that keeps organizations apart."""

from typing import ClassVar, Self, TypeVar

from django.db import models

_Row = TypeVar("_Row", bound=models.Model)


class TenantQuerySet(models.QuerySet[_Row]):
    """Rows of a model that belongs to an organization, directly or by a parent."""

    organization_path: ClassVar[str] = "organization"

    def for_organization(self, organization: models.Model) -> Self:
        """Only this organization's rows; an unsaved organization is an error."""
        if organization.pk is None:  # would otherwise mean "rows of no organization"
            raise ValueError("The organization has not been saved.")
        return self.filter(**{self.organization_path: organization})
