"""Bodies of the protocols in which user and model take turns."""

import json

from body import (
    acceptable, an_object, bound, calls_as_text, extra, function, number, result_as_text, seed, sends_tools, shared,
    temperature, texts,
)
from rawjson import WHITE, Wrong, get, is_blank, is_object, quoted, whole
from request import ASSISTANT, BLOCK, CALL, NONE, REQUIRED, RESULT, SYSTEM, TEXT
from told import arguments

OPENING, NO_RESULT = "Begin.", "No result is known."
# A piece of a turn is ["text", text], ["call", id, name, arguments], ["block", json], or a result:
ANSWER = "answer"  # [ANSWER, call, content, whether it is missing]


def conversation(request, compat, vendor, with_calls):
    """Instructions, and turns as [whether it is the model's, pieces]."""
    system, turns, results = [], [], []

    def add(is_model, pieces):
        if turns and turns[-1][0] == is_model:
            turns[-1][1].extend(pieces)
        else:
            turns.append([is_model, list(pieces)])
            results.append([])

    for role, parts in request.messages:
        said, answers = pieces_of(parts, vendor, with_calls)
        if answers:
            add(False, [])
            results[-1].extend(answers)
        if all(piece[0] == BLOCK for piece in said):
            continue
        calls = any(part[0] == CALL for part in parts)
        if role == SYSTEM and compat["system_role"] != "user" and not calls and not turns:
            system += [piece[1] for piece in said if piece[0] == TEXT]
        else:
            add(calls or role == ASSISTANT, said)
    if turns and any(piece[0] == CALL for piece in turns[-1][1]):
        add(False, [])
    answer(turns, results)
    if not turns or turns[0][0]:
        turns.insert(0, [False, [[TEXT, OPENING]]])
    return system, turns


def answer(turns, results):
    """Puts the results of each turn at its beginning."""
    calls = []
    for turn, left in zip(turns, results):
        pieces = []
        for call in calls:
            place = next((place for place, result in enumerate(left) if result[1] == call[1]), None)
            content = NO_RESULT if place is None else left.pop(place)[2]
            pieces.append([ANSWER, call, content, place is None])
        pieces += [[TEXT, result_as_text(result)] for result in left]
        turn[1] = pieces + turn[1]
        calls = [piece for piece in turn[1] if piece[0] == CALL]


def pieces_of(parts, vendor, with_calls):
    pieces, results = [], []

    def say(more, between):
        if is_blank(more):
            return
        if pieces and pieces[-1][0] == TEXT:
            pieces[-1] = [TEXT, pieces[-1][1] + between + more]
        else:
            pieces.append([TEXT, more])

    for part in parts:
        if part[0] == TEXT:
            say(part[1], "\n\n")
        elif part[0] == CALL and with_calls:
            pieces.append(part)
        elif part[0] == CALL:
            say(calls_as_text("", [part]), "\n")
        elif part[0] == RESULT:
            results.append(part)
        elif part[1] == vendor and with_calls:
            pieces.append([BLOCK, part[2]])
    return pieces, results


# ------------------------------------------------------------------------------------------------------------- anthropic

MARK = ("cache_control", '{"type":"ephemeral"}')
TOKENS_MAX, TEMPERATURE_MAX, TURNS_MARKED, OPTIONAL_MAX, DEPTH_MAX = 8192, 1000, 2, 24, 64
REFUSED = (
    "minLength maxLength maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf "
    "additionalProperties"
).split()


def anthropic(request, compat):
    has_tools = sends_tools(request, compat)
    system, turns = conversation(request, compat, "anthropic-messages", has_tools and compat["tool_messages"])
    members = [("model", quoted(request.model))]
    if has_tools:
        made = [(name, description, schema, place) for place, (name, description, schema) in enumerate(request.tools, 1)]
        made = (marked(function(*tool, "input_schema"), place == len(request.tools)) for *tool, place in made)
        members.append(("tools", "[" + ",".join(made) + "]"))
    if system:
        made = (marked(text_block(text), place == len(system)) for place, text in enumerate(system, 1))
        members.append(("system", "[" + ",".join(made) + "]"))
    users = [place for place, (is_model, _) in enumerate(turns) if not is_model][-TURNS_MARKED:]
    made = (anthropic_turn(turn, place in users, place == len(turns) - 1) for place, turn in enumerate(turns))
    members.append(("messages", "[" + ",".join(made) + "]"))
    if has_tools:
        members.append(("tool_choice", anthropic_choice(request, compat)))
    members.append(("max_tokens", number(bound(request, compat) or TOKENS_MAX)))
    members.append(("temperature", temperature(request, compat, TEMPERATURE_MAX)))
    stop = [text for text in compat["stop"] if not is_blank(text)]
    members.append(("stop_sequences", texts(stop) if stop else None))
    form = None
    if request.schema is not None and left_out(json.loads(request.schema[1])) <= OPTIONAL_MAX:
        form = an_object([("type", '"json_schema"'), ("schema", held(request.schema[1]))])
    members += shared("output_config", [("format", form)], compat)
    members.append(("stream", "true" if compat["stream"] else None))
    return an_object(members + extra(compat, "output_config"))


def text_block(text):
    return an_object([("type", '"text"'), ("text", quoted(text))])


def marked(raw, is_marked):
    return raw[:-1] + "," + an_object([MARK])[1:] if is_marked else raw


def anthropic_turn(turn, is_marked, is_last):
    is_model, pieces = turn
    while pieces and pieces[-1][0] == BLOCK:
        pieces = pieces[:-1]
    pieces = [piece for piece in pieces if piece[0] != BLOCK or is_object(piece[1])]
    made = []
    for place, piece in enumerate(pieces, 1):
        is_end = place == len(pieces)
        if piece[0] == BLOCK:
            made.append(piece[1])
            continue
        if piece[0] == TEXT:
            raw = text_block(piece[1].rstrip(WHITE) if is_model and is_last and is_end else piece[1])
        elif piece[0] == CALL:
            _, of, name, given = piece
            raw = [("type", '"tool_use"'), ("id", quoted(acceptable(of))), ("name", quoted(acceptable(name)))]
            raw = an_object(raw + [("input", arguments(given))])
        else:
            _, call, content, is_missing = piece
            raw = [("type", '"tool_result"'), ("tool_use_id", quoted(acceptable(call[1])))]
            raw += [("content", None if is_blank(content) else quoted(content)), ("is_error", "true" if is_missing else None)]
            raw = an_object(raw)
        made.append(marked(raw, is_marked and is_end))
    return an_object([("role", '"assistant"' if is_model else '"user"'), ("content", "[" + ",".join(made) + "]")])


def anthropic_choice(request, compat):
    if request.choice == NONE and compat["tool_choice"]:
        return '{"type":"none"}'
    choice = "any" if request.choice == REQUIRED and compat["tool_choice"] else "auto"
    only_one = compat["parallel_tool_calls"] and not request.parallel
    if choice == "auto" and not only_one:
        return None
    return an_object([("type", quoted(choice)), ("disable_parallel_tool_use", "true" if only_one else None)])


def left_out(schema):
    """How many properties may be left out, at all depths."""
    if isinstance(schema, list):
        return sum(map(left_out, schema))
    if not isinstance(schema, dict):
        return 0
    properties, required = schema.get("properties"), schema.get("required")
    own = len(properties) - (len(required) if isinstance(required, list) else 0) if isinstance(properties, dict) else 0
    return max(own, 0) + sum(map(left_out, schema.values()))


def held(schema, depth=0):
    try:
        members = whole(schema, "{")
    except Wrong:
        return schema
    if depth >= DEPTH_MAX:
        return schema
    made, has_properties = [], False
    for name, raw in members:
        if name in REFUSED or (name == "minItems" and raw not in ("0", "1")):
            continue
        if name == "properties":
            has_properties = True
            if raw.startswith("{"):
                raw = an_object([(inner, held(one, depth + 1)) for inner, one in whole(raw, "{")])
        elif name == "items":
            raw = held(raw, depth + 1)
        elif name == "anyOf" and raw.startswith("["):
            raw = "[" + ",".join(held(one, depth + 1) for _, one in whole(raw, "[")) + "]"
        made.append((name, raw))
    return an_object(made + [("additionalProperties", "false" if has_properties else None)])


# ---------------------------------------------------------------------------------------------------------------- gemini

HOTTEST, STOPS_MAX = 2000, 5
NO_SIGNATURE = '"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="'
UNSIGNED = ("gemini-1", "gemini-2", "gemma")


def gemini(request, compat):
    system, turns = conversation(request, compat, "gemini", compat["tool_messages"])
    signs = not request.model.removeprefix("models/").startswith(UNSIGNED)
    members = []
    if system:
        parts = ",".join(an_object([("text", quoted(text))]) for text in system)
        members.append(("systemInstruction", '{"parts":[' + parts + "]}"))
    members.append(("contents", "[" + ",".join(gemini_turn(*turn, signs) for turn in turns) + "]"))
    if sends_tools(request, compat):
        members.append(("tools", '[{"functionDeclarations":[' + ",".join(map(declaration, request.tools)) + "]}]"))
        mode = {NONE: "NONE", REQUIRED: "ANY"}.get(request.choice)
        if mode and compat["tool_choice"]:
            members.append(("toolConfig", '{"functionCallingConfig":{"mode":"' + mode + '"}}'))
    own = [
        ("temperature", temperature(request, compat, HOTTEST)),
        ("seed", seed(request, compat)),
        ("maxOutputTokens", number(bound(request, compat))),
        ("stopSequences", texts(compat["stop"][:STOPS_MAX]) if compat["stop"] else None),
    ]
    if request.schema is not None:
        own += [("responseMimeType", '"application/json"'), ("responseJsonSchema", request.schema[1])]
    return an_object(members + shared("generationConfig", own, compat) + extra(compat, "generationConfig"))


def declaration(tool):
    name, description, schema = tool
    (properties,) = get(schema, "properties")
    has_arguments = properties is not None and properties.startswith("{") and whole(properties, "{")
    return function(name, description, schema if has_arguments else None, "parametersJsonSchema")


def signature_alone(block):
    """The signature of a block that holds nothing else."""
    members = whole(block, "{")
    return members[0][1] if [name for name, _ in members] == ["thoughtSignature"] else None


def gemini_turn(is_model, pieces, signs):
    made, signature, has_calls = [], None, False

    def alone():
        if signature is not None:
            made.append('{"text":"","thoughtSignature":' + signature + "}")

    for piece in pieces:
        if piece[0] == CALL:
            _, of, name, given = piece
            call = an_object([("id", quoted(acceptable(of))), ("name", quoted(gemini_name(name))), ("args", arguments(given))])
            signature = signature or (NO_SIGNATURE if signs and not has_calls else None)
            made.append(an_object([("functionCall", call), ("thoughtSignature", signature)]))
            signature, has_calls = None, True
            continue
        alone()
        signature = None
        if piece[0] == BLOCK and is_object(piece[1]):
            signature = signature_alone(piece[1])
            made += [piece[1]] if signature is None else []
        elif piece[0] == TEXT:
            made.append(an_object([("text", quoted(piece[1]))]))
        elif piece[0] == ANSWER:
            _, call, content, is_missing = piece
            answer = an_object([("error" if is_missing else "output", quoted(content))])
            members = [("id", quoted(acceptable(call[1]))), ("name", quoted(gemini_name(call[2]))), ("response", answer)]
            made.append(an_object([("functionResponse", an_object(members))]))
    alone()
    return an_object([("role", '"model"' if is_model else '"user"'), ("parts", "[" + ",".join(made) + "]")])


def gemini_name(name):
    name = acceptable(name)
    return name if name[0].isalpha() else acceptable("x" + name)
