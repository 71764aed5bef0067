"""The words of research.presentation as filters of the templates."""

from django import template

from research.presentation import facts, findings, runs, sources, words

register = template.Library()

for words_of in (
    words.kind_words,
    words.case_status_words,
    words.lookup_words,
    words.question_words,
    words.shape,
    words.tier_words,
    words.rejection_words,
    words.moment,
    words.minute,
    runs.run_status_words,
    runs.stop_words,
    runs.run_end,
    runs.researcher_note,
    facts.fact_name,
    facts.fact_value,
    findings.grade_words,
    findings.quote_light,
    sources.origin_words,
    sources.reading_faults,
):
    register.filter(words_of)


@register.simple_tag
def sentence(name: str) -> str:
    """One of `words.Sentence`, by its name in lower case."""
    return words.Sentence[name.upper()]
