"""What a run is made of, checked and derived before anything is asked of a model."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from chat.engine.budget import Budget, Role, resolve_budget
from chat.engine.context.recall import RECALL, recall_tool
from chat.engine.context.store import Store
from chat.engine.context.tokens import attachment_tokens, text_tokens, tool_tokens
from chat.engine.context.transcript import Transcript
from chat.engine.errors import ConfigurationError
from chat.engine.limits import Limits
from chat.engine.messages import Message, transcript_problem
from chat.engine.messages import Role as Speaker
from chat.engine.model import Model, ModelProfile
from chat.engine.preflight import check_fitness, effective_limits
from chat.engine.state import State
from chat.engine.structured import contract_for
from chat.engine.task import Task
from chat.engine.tools import Tool


class Setup:
    """The parts of one run; ConfigurationError for what cannot be run."""

    def __init__(
        self, model: Model, task: Task, tools: Iterable[Tool], limits: Limits
    ) -> None:
        self.model = model
        self.task = task
        self.profile = _profile(model)
        _check_task(task)
        _check_attachments(task, self.profile)
        _check_limits(limits)
        self.contract = contract_for(task.output_schema)
        self.tools = _by_name(tools)
        self.budget = self._budget(task, limits)
        transcript = self._transcript(task)
        fixed = self.budget.system + self.budget.tools
        self.preflight = check_fitness(limits, self.budget, transcript.tokens - fixed)
        self.limits = effective_limits(limits, self.preflight)
        self.state = State(
            transcript,
            tuple(self.tools.values()),
            schema=self.contract is not None,
            window=self.budget.window,
        )

    def _transcript(self, task: Task) -> Transcript:
        """Begin the transcript, with the tool that reads what is put aside of it."""
        store = Store()
        if self.tools or task.messages:
            page = self.budget.chars(Role.RECALL_PAGE)
            self.tools[RECALL] = recall_tool(store, page_chars=page)
        declared = sum(map(tool_tokens, self.tools.values()))
        self.budget = replace(self.budget, tools=declared)
        head = [Message.user(task.objective)]
        return Transcript(task.messages, head, self.budget.system + declared, store)

    def _budget(self, task: Task, limits: Limits) -> Budget:
        attached = sum(map(attachment_tokens, task.attachments))
        system = text_tokens(task.system) + attached
        return resolve_budget(limits, self.profile, system=system, tools=0)


def _profile(model: Model) -> ModelProfile:
    for name in ("complete", "estimate", "price"):
        if not callable(getattr(model, name, None)):
            msg = f"{type(model).__name__} is no model: it lacks {name}."
            raise ConfigurationError(msg)
    profile: object = getattr(model, "profile", None)
    if not isinstance(profile, ModelProfile):
        msg = f"{type(model).__name__} is no model: it has no ModelProfile."
        raise ConfigurationError(msg)
    named: object = profile.name
    if not isinstance(named, str):
        msg = f"The name of a model must be text, not a {type(named).__name__}."
        raise ConfigurationError(msg)
    return profile


def _check_task(task: object) -> None:
    if not isinstance(task, Task):
        msg = f"The task must be a Task, not a {type(task).__name__}."
        raise ConfigurationError(msg)
    name: object = task.id
    if name is not None and not isinstance(name, str):
        msg = f"Task.id must be text, not a {type(name).__name__}."
        raise ConfigurationError(msg)
    problem = transcript_problem(task.messages)
    if problem is None and task.messages and task.messages[0].role is not Speaker.USER:
        problem = "it does not begin with a person's message"
    if problem:
        msg = f"Task.messages cannot be continued: {problem}."
        raise ConfigurationError(msg)


def _check_attachments(task: Task, profile: ModelProfile) -> None:
    """What nobody reads must not be missed in silence."""
    if task.attachments and not profile.attachments:
        count = len(task.attachments)
        msg = f"{profile.name} reads no attachments, and the task has {count} of them."
        raise ConfigurationError(msg)


def _check_limits(limits: object) -> None:
    if not isinstance(limits, Limits):
        msg = f"limits must be Limits, not a {type(limits).__name__}."
        raise ConfigurationError(msg)


def _by_name(tools: Iterable[Any]) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    for tool in tools:
        if not isinstance(tool, Tool):
            msg = f"A tool must be a Tool, not a {type(tool).__name__}."
            raise ConfigurationError(msg)
        if tool.name == RECALL:
            msg = f"The name {RECALL!r} is the loop's own; call the tool otherwise."
            raise ConfigurationError(msg)
        if tool.name in named:
            msg = f"Two tools are called {tool.name!r}."
            raise ConfigurationError(msg)
        named[tool.name] = tool
    return named
