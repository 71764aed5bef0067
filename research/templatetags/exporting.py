"""What a stand-alone export shows and a page does not."""

from collections.abc import Mapping

from django import template

from research.exports.passages import Passage
from research.models import Citation

register = template.Library()


@register.simple_tag
def passage_at(passages: Mapping[int, Passage], citation: Citation) -> Passage:
    """The archived text around a citation's quote."""
    return passages[citation.pk]
