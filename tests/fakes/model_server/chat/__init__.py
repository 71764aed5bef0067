"""The server as an OpenAI-compatible endpoint: OpenRouter, OpenAI, Ollama."""
