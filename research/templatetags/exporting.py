"""What a stand-alone export shows and a page does not."""

from collections.abc import Mapping

from django import template

from research.models import Citation
from research.services.passages import Passage

register = template.Library()


@register.simple_tag
def passage_at(passages: Mapping[int, Passage], citation: Citation) -> Passage:
    """The archived text around a citation's quote."""
    return passages[citation.pk]
