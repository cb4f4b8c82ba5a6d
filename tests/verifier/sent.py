"""The body of the HTTP request that a request becomes, by the protocol and by what its server supports."""

from body import chat_completions, ollama, responses
from told import told
from turns import anthropic, gemini

WRITERS = {
    "chat-completions": chat_completions,
    "improv": chat_completions,
    "responses": responses,
    "anthropic-messages": anthropic,
    "gemini": gemini,
    "ollama": ollama,
}


def body(request, seat):
    """The body as text."""
    compat = seat["compat"]
    if compat["tool_calls"] != "native":
        request = told(request, compat)
    return WRITERS[seat["protocol"]](request, compat)
