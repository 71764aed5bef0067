"""The keys that each block and each tool may have, and the tools that exist."""

COMMON = frozenset({"type", "cache_control"})
RESULT = COMMON | {"tool_use_id", "content"}
CALLED = RESULT | {"caller"}

BLOCKS = {
    "text": COMMON | {"text", "citations"},
    "image": COMMON | {"source", "transformations"},
    "document": COMMON | {"source", "title", "context", "citations"},
    "search_result": COMMON | {"source", "title", "content", "citations"},
    "thinking": frozenset({"type", "thinking", "signature"}),
    "redacted_thinking": frozenset({"type", "data"}),
    "tool_use": COMMON | {"id", "name", "input", "caller", "toolset_name"},
    "tool_result": RESULT | {"is_error", "toolset_name"},
    "server_tool_use": COMMON | {"id", "name", "input", "caller"},
    "web_search_tool_result": CALLED,
    "web_fetch_tool_result": CALLED,
    "code_execution_tool_result": RESULT,
    "bash_code_execution_tool_result": RESULT,
    "text_editor_code_execution_tool_result": RESULT,
    "tool_search_tool_result": RESULT,
    "container_upload": COMMON | {"file_id"},
}

REQUIRED = {
    "text": ("text",),
    "search_result": ("source", "title", "content"),
    "thinking": ("signature", "thinking"),
    "redacted_thinking": ("data",),
    "tool_use": ("id", "name", "input"),
    "server_tool_use": ("id", "name", "input"),
    "tool_result": ("tool_use_id",),
    "web_search_tool_result": ("tool_use_id", "content"),
    "web_fetch_tool_result": ("tool_use_id", "content"),
    "code_execution_tool_result": ("tool_use_id", "content"),
    "bash_code_execution_tool_result": ("tool_use_id", "content"),
    "text_editor_code_execution_tool_result": ("tool_use_id", "content"),
    "tool_search_tool_result": ("tool_use_id", "content"),
}

USER_ONLY = frozenset({"tool_result", "search_result", "image", "container_upload"})
ASSISTANT_ONLY = frozenset(
    {"tool_use", "server_tool_use", "thinking", "redacted_thinking"}
)

# Parameters of a request; the second group needs an anthropic-beta header.
PARAMETERS = frozenset(
    {
        "cache_control",
        "container",
        "diagnostics",
        "inference_geo",
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "output_config",
        "service_tier",
        "speed",
        "stop_sequences",
        "stream",
        "system",
        "thinking",
        "tool_choice",
        "tools",
        "user_profile_id",
        "workspace_id",
    }
)
BETA_PARAMETERS = frozenset(
    {
        "billing_policy",
        "compaction",
        "context_management",
        "fallback_credit_token",
        "fallbacks",
        "mcp_servers",
        "thread",
    }
)
SAMPLING = ("temperature", "top_p", "top_k")

TOOL = frozenset({"type", "name", "cache_control", "strict", "defer_loading"}) | {
    "allowed_callers"
}
CLIENT_RUN = TOOL | {"input_examples"}
DOMAINS = {"allowed_domains", "blocked_domains", "max_uses"}
SEARCH = TOOL | DOMAINS | {"user_location"}
FETCH = TOOL | DOMAINS | {"citations", "max_content_tokens", "url_sources"}

TOOLS = {
    "bash_20250124": CLIENT_RUN,
    "code_execution_20250522": TOOL,
    "code_execution_20250825": TOOL,
    "code_execution_20260120": TOOL,
    "code_execution_20260521": TOOL,
    "custom": CLIENT_RUN | {"description", "input_schema", "eager_input_streaming"},
    "memory_20250818": CLIENT_RUN,
    "text_editor_20250124": CLIENT_RUN,
    "text_editor_20250429": CLIENT_RUN,
    "text_editor_20250728": CLIENT_RUN | {"max_characters"},
    "tool_search_tool_bm25_20251119": TOOL,
    "tool_search_tool_regex_20251119": TOOL,
    "web_fetch_20250910": FETCH,
    "web_fetch_20260209": FETCH,
    "web_fetch_20260309": FETCH | {"use_cache"},
    "web_fetch_20260318": FETCH | {"use_cache", "response_inclusion"},
    "web_search_20250305": SEARCH,
    "web_search_20260209": SEARCH,
    "web_search_20260318": SEARCH | {"response_inclusion"},
}

# From these dates on, calls come out of a program unless `allowed_callers` says direct.
PROGRAMMATIC = tuple(
    name for name in TOOLS if name.startswith("web_") and name[-8:] >= "20260209"
)
