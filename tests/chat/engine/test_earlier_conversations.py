"""An earlier conversation is put aside when it is long, and stays within reach."""

import pytest

from chat.engine import Message, Reply, Role, ScriptedModel, Task, execute
from tests.chat.engine.toolbox import Recorder

SAID = "The port is 8443. " + "We spoke of many things. " * 400


@pytest.mark.row("B6")
def test_what_was_said_before_can_be_recalled_in_a_run_without_tools() -> None:
    talk: list[Message] = []
    for place in range(6):
        talk += [
            Message.user(f"{place}: {SAID}"),
            Message(Role.ASSISTANT, f"Yes, {place}."),
        ]
    recorder = Recorder()
    script = [
        Reply(calls=[("recall", {"search": "port is 8443"})]),
        Reply("It is 8443."),
    ]
    model = ScriptedModel(script, window=16_000)
    task = Task("Which port?", messages=talk)
    result = execute(model, task, plugins=[recorder])

    assert result.output == "It is 8443."
    found = recorder.last_answers.results[0]
    assert not found.is_error
    assert "The port is 8443" in found.content
