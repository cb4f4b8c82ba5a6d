"""Asks the vendors' own types whether they take requests: judge.py FILE.

Each line of the file is a JSON object {"protocol": …, "body": …}. Each body that a vendor's types refuse is printed as a line
{"line": …, "protocol": …, "why": …}; in the end {"judged": {protocol: count}}. Ends with 0 where nothing is refused, else with 1.
"""

import importlib
import json
import pkgutil
import sys

import anthropic.types as anthropic_types
import openai.types.chat as openai_chat
import openai.types.responses as openai_responses
import openai.types.shared_params as openai_shared
import pydantic
import typing_extensions
from google.ai.generativelanguage_v1beta import GenerateContentRequest
from google.genai import types as genai
from google.protobuf import json_format
from ollama._types import ChatRequest, Message

# The dictionaries of both vendors allow unknown members unless they are told otherwise.
for package in (openai_chat, openai_responses, openai_shared, anthropic_types):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        for kind in vars(importlib.import_module(module.name)).values():
            if typing_extensions.is_typeddict(kind) and "__pydantic_config__" not in vars(kind):
                kind.__pydantic_config__ = {"extra": "forbid"}


def drain(value):
    """Reads lists to their end: types of the kind `Iterable` check their items only as they are read."""
    if isinstance(value, dict):
        return {name: drain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ValidatorIterator":
        return [drain(item) for item in value]
    return value


def adapter(params, name):
    """The types of whole and of streamed requests."""
    kinds = [getattr(params, f"{name}{how}") for how in ("NonStreaming", "Streaming")]
    whole, streamed = (pydantic.TypeAdapter(kind) for kind in kinds)
    return lambda body: drain((streamed if body.get("stream") else whole).validate_python(body))


chat_completions = adapter(openai_chat.completion_create_params, "CompletionCreateParams")
responses = adapter(openai_responses.response_create_params, "ResponseCreateParams")
anthropic_messages = adapter(anthropic_types.message_create_params, "MessageCreateParams")


def gemini(body):
    json_format.ParseDict({"model": "models/x", **body}, GenerateContentRequest.pb()())
    # The client's own types know more of the API, but neither roles nor the places of members.
    genai.GenerateContentConfig.model_validate(config_of(body))
    for content in body["contents"]:
        genai.Content.model_validate(content)
    # Schemas are anything to both. All of ours are taken by the stricter form of them, too.
    for schema in schemas_of(body):
        genai.JSONSchema.model_validate(schema)
        genai.Schema.model_validate(schema)


def schemas_of(body):
    for tool in body.get("tools", []):
        for function in tool["functionDeclarations"]:
            yield function.get("parametersJsonSchema", {})
    yield body.get("generationConfig", {}).get("responseJsonSchema", {})


def config_of(body):
    """The body as the client's configuration, which holds all but the conversation."""
    rest = {name: value for name, value in body.items() if name not in ("contents", "generationConfig")}
    return {**rest, **body.get("generationConfig", {})}


# What the client's types read past though the server takes it: what to do with a prompt or a reply that does not fit, and the
# ids of calls. The client is older.
OLLAMA_ALLOWED = ("/truncate", "/shift", "/id", "/tool_call_id")


def lost(sent, read, at=""):
    """The places of what the client's types read past."""
    if isinstance(sent, dict):
        known = read if isinstance(read, dict) else {}
        return [
            place
            for name, value in sent.items()
            for place in (lost(value, known[name], f"{at}/{name}") if name in known else [f"{at}/{name}"])
        ]
    if isinstance(sent, list):
        return [place for n, (value, other) in enumerate(zip(sent, read)) for place in lost(value, other, f"{at}/{n}")]
    return []


def ollama(body):
    read = ChatRequest.model_validate(body).model_dump(exclude_none=True)
    # Messages are read each by itself: within a request the client does not look into them.
    read["messages"] = [Message.model_validate(said).model_dump(exclude_none=True) for said in body["messages"]]
    passed = [place for place in lost(body, read) if not place.endswith(OLLAMA_ALLOWED)]
    if passed:
        raise ValueError(f"read past: {passed[:5]}")


JUDGES = {
    "chat-completions": chat_completions,
    "responses": responses,
    "anthropic-messages": anthropic_messages,
    "gemini": gemini,
    "ollama": ollama,
}


def main():
    judged = dict.fromkeys(JUDGES, 0)
    refused = 0
    with open(sys.argv[1], encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            asked = json.loads(line)
            protocol = asked["protocol"]
            judged[protocol] += 1
            # Whatever a vendor's types throw is a rejection: some throw AttributeError at what they do not expect.
            try:
                JUDGES[protocol](asked["body"])
            except Exception as error:
                refused += 1
                why = " ".join(f"{type(error).__name__}: {error}".split())[:600]
                print(json.dumps({"line": number, "protocol": protocol, "why": why}))
    print(json.dumps({"judged": judged}))
    sys.exit(1 if refused else 0)


main()
