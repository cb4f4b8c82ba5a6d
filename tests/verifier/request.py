"""Requests: from a manifest to items, from items to messages, from messages to a digest."""

from collections import namedtuple

from charter import is_guided, slug, tokens_max
from draws import model_seed

Request = namedtuple("Request", "messages tools schema model temperature seed tokens_max parallel choice")
# A message is [role, parts]; a part is ["text", text], ["call", id, name, arguments], ["result", id, text] or ["block", vendor, body].
TEXT, CALL, RESULT, BLOCK = "text", "call", "result", "block"
PARTS = (TEXT, CALL, RESULT, BLOCK)
AUTO, REQUIRED, NONE = 0, 1, 2
SYSTEM, USER, ASSISTANT, TOOL = range(4)
LOOK_AHEAD = 512
INLINE_BYTES_MAX = 96
CHAIN_MAX = 32


def resolved(edits, base):
    found = []
    for edit in edits:
        if edit.name == "Add":
            found.append(edit[1])
            continue
        _, start, count = edit
        if start + count > len(base):
            raise ValueError("a manifest keeps more items than its base has")
        found += base[start : start + count]
    return found


def difference(old, new):
    """The edits from one list of items to another."""
    edits, cursor, place = [], 0, 0
    while place < len(new):
        start = next_match(old, cursor, new, place)
        if start is None:
            edits.append(("Add", new[place]))
            place += 1
            continue
        count = 0
        while start + count < len(old) and place + count < len(new) and old[start + count] == new[place + count]:
            count += 1
        edits.append(("Keep", start, count))
        cursor, place = start + count, place + count
    return edits


def next_match(old, cursor, new, place):
    if cursor < len(old) and old[cursor] == new[place]:
        return cursor
    two = new[place : place + 2]
    if len(two) < 2:
        return None
    end = min(len(old), cursor + LOOK_AHEAD)
    return next((at for at in range(cursor + 1, end) if old[at : at + 2] == two), None)


def own_id(number):
    return f"c{number:08}"


def request_of(items, word, charter, reply_of, text_of):
    """The request that items make; `text_of` gives a span's text, `reply_of` a call's reply."""
    seat = charter.seat(word["seat"])
    messages, tools, schema, choice = [], [], None, AUTO
    for item in items:
        kind = item.name
        if kind == "Message":
            if item[1] > TOOL:
                raise ValueError(f"{item[1]} is no role")
            messages.append([item[1], []])
        elif kind == "Tool":
            tools.append(charter.tool(item[1]))
        elif kind == "NoTools":
            choice = NONE
        elif kind == "ReplySchema":
            schema = ""
        elif kind == "Span" and schema is not None:
            schema += text_of(item[1])
        elif not messages:
            raise ValueError("a request begins with a message")
        else:
            add_part(messages[-1][1], item, seat["protocol"], reply_of, text_of)
    seed = None
    if seat["send_seed"]:
        seed = model_seed(charter.seed, slug(word["seat"]), word["call"] if is_guided(seat) else 0)
    return Request(
        messages,
        tools,
        None if schema is None else ("reply", schema, not tools),
        seat["model"],
        seat.get("temperature_milli"),
        seed,
        tokens_max(seat, word["purpose"], schema is not None),
        seat["parallel_tool_calls"],
        choice,
    )


def add_part(parts, item, protocol, reply_of, text_of):
    if item.name == "Span":
        text = text_of(item[1])
        if parts and parts[-1][0] in (TEXT, RESULT):
            parts[-1] = parts[-1][:-1] + [parts[-1][-1] + text]
        else:
            parts.append([TEXT, text])
    elif item.name == "ToolCall":
        _, call, index, number = item
        calls = reply_of(call).calls
        if index >= len(calls):
            raise ValueError(f"a manifest names the call {index} of the reply to {call}, which has {len(calls)}")
        parts.append([CALL, own_id(number), *calls[index]])
    elif item.name == "ToolResult":
        parts.append([RESULT, own_id(item[1]), ""])
    else:
        _, call, index = item
        blocks = reply_of(call).blocks
        if index >= len(blocks):
            raise ValueError(f"a manifest names the block {index} of the reply to {call}, which has {len(blocks)}")
        parts.append([BLOCK, protocol, blocks[index]])


def encoded(request):
    """What the digest of a request is computed over, and how many bytes its texts have."""
    out, size = [], 0

    def number(value):
        out.append(value.to_bytes(8, "little"))

    def text(value, counts=True):
        nonlocal size
        data = value.encode("utf-8")
        size += len(data) if counts else 0
        number(len(data))
        out.append(data)

    number(len(request.messages))
    for role, parts in request.messages:
        number(role)
        number(len(parts))
        for kind, *fields in parts:
            number(PARTS.index(kind))
            for place, field in enumerate(fields):
                # Ids and vendors are no words.
                text(field, kind == TEXT or place > 0)
    number(len(request.tools))
    for tool in request.tools:
        for field in tool:
            text(field)
    text(request.model, False)
    for optional in (request.temperature, request.seed):
        out.append(b"\0" if optional is None else b"\1")
        if optional is not None:
            number(optional)
    number(request.tokens_max)
    number(int(request.parallel))
    number(request.choice)
    if request.schema is not None:
        name, schema, strict = request.schema
        text(name, False)
        text(schema)
        number(int(strict))
    return b"".join(out), size
