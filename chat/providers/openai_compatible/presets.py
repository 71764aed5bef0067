"""What differs between endpoints that all speak the OpenAI chat protocol.

preset_named("openrouter") gives one; a Preset of your own is as good as these.
"""

from dataclasses import dataclass
from typing import Literal

from chat.engine import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """How one kind of server wants its requests.

    base_url: where it listens unless told otherwise, None where that must be said.
    max_tokens: the name of the limit of a reply. stream_usage: the usage of a stream
    must be asked for. tool_choice: it obeys "none"; to one that does not no tool is
    shown in the closing turn. json_schema: `never` sent, sent `alone` (a server that
    constrains the grammar of a reply lets it call no tool), or `always`.
    mapping_arguments: arguments of earlier calls are sent as an object, not as its
    text. broken_arguments: it takes back arguments that are no JSON, as it sent them.
    reasoning_details: they are to be sent back. web: it searches by plugin and routes.
    cuts_silently: it cuts a prompt that is longer than its window without a word.
    """

    name: str
    base_url: str | None = None
    max_tokens: str = "max_tokens"
    stream_usage: bool = True
    tool_choice: bool = True
    json_schema: Literal["never", "alone", "always"] = "never"
    mapping_arguments: bool = False
    broken_arguments: bool = False
    reasoning_details: bool = False
    web: bool = False
    cuts_silently: bool = False

    def check_window(self, window: int | None) -> None:
        """Raise ConfigurationError where an unknown window would lose messages.

        The loop assumes a long one where nobody names it, and asks for no shorter
        prompt before it is reached. No request can set or ask for it here.
        """
        if self.cuts_silently and window is None:
            msg = (
                f"Set window to the context length that {self.name} is run with: it"
                " cuts a longer prompt without a word."
            )
            raise ConfigurationError(msg)


GENERIC = Preset(name="openai-compatible")
OPENAI = Preset(
    name="openai",
    base_url="https://api.openai.com/v1",
    max_tokens="max_completion_tokens",
    json_schema="always",
    broken_arguments=True,
)
OPENROUTER = Preset(
    name="openrouter",
    base_url="https://openrouter.ai/api/v1",
    stream_usage=False,
    broken_arguments=True,
    reasoning_details=True,
    web=True,
)
OLLAMA = Preset(
    name="ollama",
    base_url="http://127.0.0.1:11434/v1",
    tool_choice=False,
    json_schema="alone",
    mapping_arguments=True,
    cuts_silently=True,
)
VLLM = Preset(
    name="vllm",
    base_url="http://127.0.0.1:8000/v1",
    json_schema="alone",
)
LM_STUDIO = Preset(
    name="lm_studio",
    base_url="http://127.0.0.1:1234/v1",
    json_schema="alone",
)
LLAMA_CPP = Preset(
    name="llama_cpp",
    base_url="http://127.0.0.1:8080/v1",
    json_schema="alone",
)

_ALL = (GENERIC, OPENAI, OPENROUTER, OLLAMA, VLLM, LM_STUDIO, LLAMA_CPP)


def preset_named(preset: str | Preset | None) -> Preset:
    """The preset of that name, however it is spelt; None is no preset in particular."""
    if preset is None:
        return GENERIC
    if isinstance(preset, Preset):
        return preset
    for each in _ALL:
        if _letters(each.name) == _letters(preset):
            return each
    known = ", ".join(each.name for each in _ALL)
    msg = f"There is no preset {preset!r}; known are {known}."
    raise ConfigurationError(msg)


def _letters(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())
