"""In what the endpoints that speak the chat protocol differ."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of endpoint.

    key_required: whether it wants a key. searches: it knows plugins and the search as
    a server tool. routes: it knows `provider`, `models` and `reasoning`.
    mapping_arguments: arguments of calls are objects, not texts. broken_arguments: it
    takes back a text that is no JSON. usage_always: usage comes without being asked
    for. max_tokens: the parameter's name. must_reason: models that refuse to do
    without reasoning. error_code: errors carry their status as `code`.
    """

    name: str
    key_required: bool = True
    searches: bool = False
    routes: bool = False
    mapping_arguments: bool = False
    broken_arguments: bool = True
    usage_always: bool = False
    max_tokens: tuple[str, ...] = ("max_tokens", "max_completion_tokens")
    must_reason: tuple[str, ...] = ()
    error_code: bool = False


OPENROUTER = Dialect(
    "openrouter",
    searches=True,
    routes=True,
    usage_always=True,
    must_reason=("anthropic/claude-opus-5.5",),
    error_code=True,
)
OPENAI = Dialect("openai", max_tokens=("max_completion_tokens",))
OLLAMA = Dialect(
    "ollama", key_required=False, mapping_arguments=True, broken_arguments=False
)
LLAMA_CPP = Dialect("llama_cpp", key_required=False, broken_arguments=False)
VLLM = Dialect("vllm", key_required=False, broken_arguments=False)
LM_STUDIO = Dialect("lm_studio", key_required=False, broken_arguments=False)
