"""The fixed list of questions per kind of subject."""

import re
from dataclasses import replace

from research.subjects import cues_package, cues_server, cues_vendor
from research.subjects.question import Cue, LineCue, Question
from research.subjects.values import Subject, SubjectKind

__all__ = ["Cue", "LineCue", "Question", "questions_for"]

_LISTS: dict[SubjectKind, tuple[Question, ...]] = {
    SubjectKind.PACKAGE: cues_package.QUESTIONS,
    SubjectKind.MCP_SERVER: cues_server.QUESTIONS,
    SubjectKind.MCP_COMMAND: cues_server.QUESTIONS,
    SubjectKind.VENDOR: cues_vendor.QUESTIONS,
}


def questions_for(subject: Subject) -> tuple[Question, ...]:
    """The questions that a run on this subject has to answer, in order."""
    if subject.kind is SubjectKind.QUESTION:
        return (_free_question(subject.title),)
    return tuple(_named(question, subject) for question in _LISTS[subject.kind])


def _free_question(text: str) -> Question:
    """One line; its gate is the numbers and half of the content words of `text`."""
    return Question(key="question", wording=text, searches=(text[:400],), terms=text)


def _named(question: Question, subject: Subject) -> Question:
    """The question with the subject's own name in its cues."""
    words = re.split(r"[-_.]+", subject.title.rpartition("/")[2])
    name = r"[-_. ]?".join(re.escape(word) for word in words)
    return replace(
        question,
        cues=tuple(
            replace(cue, pattern=cue.pattern.replace("@NAME@", name))
            for cue in question.cues
        ),
    )
