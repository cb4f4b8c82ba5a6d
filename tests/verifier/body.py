"""Bodies of chat completions, Ollama and Responses, and what all protocols share."""

import re

from rawjson import is_object, quoted, trim, whole
from request import ASSISTANT, AUTO, BLOCK, CALL, NONE, RESULT, SYSTEM, TEXT
from told import arguments

# ----------------------------------------------------------------------------------------------- what all protocols share


def acceptable(name):
    return re.sub("[^A-Za-z0-9_-]", "_", name[:64]) or "unknown"


def thousandths(milli):
    fraction = f"{milli % 1000:03}".rstrip("0")
    return str(milli // 1000) + ("." + fraction if fraction else "")


def texts(values):
    return "[" + ",".join(map(quoted, values)) + "]"


def an_object(members):
    """An object of those members that are there: names and raw JSON."""
    return "{" + ",".join(quoted(name) + ":" + raw for name, raw in members if raw is not None) + "}"


def yes(flag):
    return "true" if flag else "false"


def extra(compat, *shared):
    return [(name, raw) for name, raw in sorted(compat["extra_fields"].items()) if name not in shared]


def shared(name, own, compat):
    """An object of members of our own and others of configuration; nothing where there are none."""
    own = [(member, raw) for member, raw in own if raw is not None]
    further = dict(whole(compat["extra_fields"].get(name, "{}"), "{"))
    own += [(member, raw) for member, raw in sorted(further.items()) if member not in dict(own)]
    return [(name, an_object(own))] if own else []


def sends_tools(request, compat):
    return bool(request.tools) and compat["tools"] and (compat["tool_choice"] or request.choice != NONE)


def temperature(request, compat, most=None):
    if request.temperature is None or not compat["temperature"]:
        return None
    return thousandths(request.temperature if most is None else min(request.temperature, most))


def seed(request, compat):
    return None if request.seed is None or not compat["seed"] else str(request.seed)


def bound(request, compat):
    return None if request.tokens_max == 0 or compat["tokens_field"] == "none" else request.tokens_max


def number(value):
    return None if value is None else str(value)


def role_name(role, compat):
    if role == SYSTEM:
        return compat["system_role"]
    return "assistant" if role == ASSISTANT else "user"


def calls_as_text(text, calls):
    lines = [f"[call {of}] {name} {given}" for _, of, name, given in calls]
    return "\n".join([text] * (text != "") + lines)


def result_as_text(result):
    return f"[result {result[1]}] {result[2]}"


def of_kind(parts, kind):
    return [part for part in parts if part[0] == kind]


def functions(tools):
    made = ('{"type":"function","function":' + function(*tool, "parameters") + "}" for tool in tools)
    return "[" + ",".join(made) + "]"


def function(name, description, schema, member):
    return an_object([("name", quoted(name)), ("description", quoted(description)), (member, schema)])


def choice_of_tools(request, compat):
    if not compat["tool_choice"] or request.choice == AUTO:
        return None
    return '"none"' if request.choice == NONE else '"required"'


def parallel(request, compat):
    return yes(request.parallel) if compat["parallel_tool_calls"] else None


# -------------------------------------------------------------------------------------------- chat completions and Ollama


def split(message, vendor):
    """Results, text (None without one), calls and blocks of a message."""
    _, parts = message
    said = [part[1] for part in of_kind(parts, TEXT)]
    blocks = [body for _, of, body in of_kind(parts, BLOCK) if of == vendor and is_object(body)]
    return of_kind(parts, RESULT), "\n\n".join(said) if said else None, of_kind(parts, CALL), blocks


def members_alone(block):
    """The members of an object as they are, without its braces."""
    inside = trim(trim(block)[1:-1])
    return "," + inside if inside else ""


def chat_message(message, compat):
    results, text, calls, blocks = split(message, "chat-completions")
    for result in results:
        if compat["tool_messages"]:
            content = [("role", '"tool"'), ("content", quoted(result[2])), ("tool_call_id", quoted(result[1]))]
            yield an_object(content)
        else:
            yield an_object([("role", '"user"'), ("content", quoted(result_as_text(result)))])
    if text is None and not calls and message[1]:
        return
    role = quoted(role_name(ASSISTANT if calls else message[0], compat))
    if not calls:
        members = [("role", role), ("content", quoted(text or ""))]
    elif compat["tool_messages"]:
        made = [
            an_object([("id", quoted(of)), ("type", '"function"'), ("function", called(name, quoted(arguments(given))))])
            for _, of, name, given in calls
        ]
        members = [("role", role), ("content", "null" if text is None else quoted(text))]
        members.append(("tool_calls", "[" + ",".join(made) + "]"))
        field = compat["thinking_field"]
        if not blocks and field in ("reasoning_content", "reasoning_details"):
            members.append((field, "[]" if field == "reasoning_details" else '""'))
    else:
        members = [("role", role), ("content", quoted(calls_as_text(text or "", calls)))]
    thought = members_alone(blocks[0]) if blocks and compat["tool_messages"] else ""
    yield an_object(members)[:-1] + thought + "}"


def called(name, given):
    return an_object([("name", quoted(acceptable(name))), ("arguments", given)])


def chat_completions(request, compat):
    messages = (one for message in request.messages for one in chat_message(message, compat))
    members = [("model", quoted(request.model)), ("messages", "[" + ",".join(messages) + "]")]
    if sends_tools(request, compat):
        members.append(("tools", functions(request.tools)))
        members.append(("tool_choice", choice_of_tools(request, compat)))
        members.append(("parallel_tool_calls", parallel(request, compat)))
    if request.schema is not None and "response_format" not in compat["extra_fields"]:
        name, schema, strict = request.schema
        form = an_object([("name", quoted(name)), ("strict", "true" if strict else None), ("schema", schema)])
        members.append(("response_format", an_object([("type", '"json_schema"'), ("json_schema", form)])))
    members += [("temperature", temperature(request, compat)), ("seed", seed(request, compat))]
    members.append((compat["tokens_field"], number(bound(request, compat))))
    members.append(("stop", texts(compat["stop"]) if compat["stop"] else None))
    if compat["stream"]:
        members += [("stream", "true"), ("stream_options", '{"include_usage":true}')]
    return an_object(members + extra(compat))


def ollama_message(message, names, compat):
    results, text, calls, blocks = split(message, "ollama")
    for result in results:
        if compat["tool_messages"]:
            name = quoted(acceptable(names[result[1]])) if result[1] in names else None
            members = [("role", '"tool"'), ("content", quoted(result[2])), ("tool_name", name)]
            yield an_object(members + [("tool_call_id", quoted(result[1]))])
        else:
            yield an_object([("role", '"user"'), ("content", quoted(result_as_text(result)))])
    if text is None and not calls and message[1]:
        return
    role = quoted(role_name(ASSISTANT if calls else message[0], compat))
    text = text or ""
    if calls and not compat["tool_messages"]:
        members = [("role", role), ("content", quoted(calls_as_text(text, calls)))]
    else:
        members = [("role", role), ("content", quoted(text))]
    if calls and compat["tool_messages"]:
        names.update({of: name for _, of, name, _ in calls})
        made = [an_object([("id", quoted(of)), ("function", called(name, arguments(given)))]) for _, of, name, given in calls]
        members.append(("tool_calls", "[" + ",".join(made) + "]"))
    thought = members_alone(blocks[0]) if blocks and compat["tool_messages"] else ""
    yield an_object(members)[:-1] + thought + "}"


def ollama(request, compat):
    names = {}
    messages = (one for message in request.messages for one in ollama_message(message, names, compat))
    members = [("model", quoted(request.model)), ("messages", "[" + ",".join(messages) + "]")]
    if request.tools and compat["tools"] and request.choice != NONE:
        members.append(("tools", functions(request.tools)))
    members.append(("format", request.schema[1] if request.schema is not None else None))
    members += [("stream", yes(compat["stream"])), ("truncate", "false"), ("shift", "false")]
    options = [
        ("num_ctx", number(compat["context"])),
        ("num_predict", number(bound(request, compat))),
        ("temperature", temperature(request, compat)),
        ("seed", seed(request, compat)),
        ("stop", texts(compat["stop"]) if compat["stop"] else None),
    ]
    return an_object(members + shared("options", options, compat) + extra(compat, "options"))


# ------------------------------------------------------------------------------------------------------------- responses


def response_items(message, compat):
    role, parts = message
    calls = of_kind(parts, CALL)
    role = quoted(role_name(ASSISTANT if calls else role, compat))
    for result in of_kind(parts, RESULT):
        if compat["tool_messages"]:
            members = [("type", '"function_call_output"'), ("call_id", quoted(result[1])), ("output", quoted(result[2]))]
            yield an_object(members)
        else:
            yield an_object([("role", '"user"'), ("content", quoted(result_as_text(result)))])
    text, blocks = "", []

    def said(words):
        if words:
            yield from blocks
            blocks.clear()
            yield an_object([("role", role), ("content", quoted(words))])

    for part in parts:
        if part[0] == TEXT:
            text += ("\n\n" if text and part[1] else "") + part[1]
        elif part[0] == BLOCK:
            yield from said(text)
            text = ""
            if part[1] == "responses" and is_object(part[2]):
                blocks.append(part[2])
        elif part[0] == CALL and compat["tool_messages"]:
            yield from said(text)
            text = ""
            yield from blocks
            blocks.clear()
            _, of, name, given = part
            members = [("type", '"function_call"'), ("call_id", quoted(of)), ("name", quoted(acceptable(name)))]
            yield an_object(members + [("arguments", quoted(arguments(given)))])
    yield from said(text if compat["tool_messages"] else calls_as_text(text, calls))


def responses(request, compat):
    items = (one for message in request.messages for one in response_items(message, compat))
    members = [("model", quoted(request.model)), ("input", "[" + ",".join(items) + "]")]
    if sends_tools(request, compat):
        made = ('{"type":"function",' + function(*tool, "parameters")[1:-1] + ',"strict":false}' for tool in request.tools)
        members.append(("tools", "[" + ",".join(made) + "]"))
        members.append(("tool_choice", choice_of_tools(request, compat)))
        members.append(("parallel_tool_calls", parallel(request, compat)))
    form = None
    if request.schema is not None:
        name, schema, strict = request.schema
        form = [("type", '"json_schema"'), ("name", quoted(name)), ("strict", yes(strict)), ("schema", schema)]
        form = an_object(form)
    members += shared("text", [("format", form)], compat)
    members.append(("temperature", temperature(request, compat)))
    most = bound(request, compat)
    members.append(("max_output_tokens", number(most and max(most, 16))))
    members.append(("store", "false"))
    if "include" not in compat["extra_fields"]:
        members.append(("include", '["reasoning.encrypted_content"]'))
    members.append(("stream", "true" if compat["stream"] else None))
    return an_object(members + extra(compat, "text"))
