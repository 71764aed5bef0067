"""What is attached to a task reaches a model that reads it, or nothing is run."""

from typing import Any

import pytest

from chat.engine import ConfigurationError, Reply, ScriptedModel, Task, execute, run
from chat.providers.anthropic import AnthropicModel
from chat.providers.extractive import ExtractiveModel
from chat.providers.openai_compatible import OpenAICompatibleModel
from tests.chat.engine.toolbox import Recorder

PICTURE = {"type": "image", "media_type": "image/png", "data": "iVBORw0KGgo="}
SHOWN = Task("What is on it?", attachments=[PICTURE])
ADDRESS = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    "model",
    [
        AnthropicModel("claude-sonnet-5-5", api_key="x", base_url=ADDRESS),
        OpenAICompatibleModel("some/model", api_key="", base_url=ADDRESS),
        ExtractiveModel(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_model_that_reads_no_attachments_is_not_run_without_them(model: Any) -> None:
    with pytest.raises(ConfigurationError, match="reads no attachments, and the task"):
        run(model, SHOWN)
    run(model, Task("What is on it?")).close()


def test_a_model_that_reads_attachments_is_given_them_with_every_request() -> None:
    recorder = Recorder()
    execute(ScriptedModel([Reply("A cat.")]), SHOWN, plugins=[recorder])

    assert [each.task.attachments for each in recorder.requests] == [(PICTURE,)]


def test_attachments_are_part_of_what_every_request_takes() -> None:
    plain, shown = (
        execute(ScriptedModel([Reply("A cat.")]), task)
        for task in (Task("What is on it?"), SHOWN)
    )

    assert shown.report.budget.system > plain.report.budget.system + 1_000
