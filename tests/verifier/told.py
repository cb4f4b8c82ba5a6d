"""A request as text only, for models that do not call tools as their protocol says."""

import re

from page import PAGE
from rawjson import is_blank, is_object, quoted
from request import ASSISTANT, CALL, REQUIRED, RESULT, SYSTEM, TEXT, TOOL, USER

MOST = {
    ("prompted", True): "A reply may hold several such blocks, one for each call.",
    ("prompted", False): "A reply may hold one such block.",
    ("structured", True): "`calls` may hold several.",
    ("structured", False): "`calls` may hold one at most.",
}
# The forms in which a model is told to call, as the page has them: the instructions, and two forms.
_, PROMPTED, STRUCTURED = re.findall("````text\n(.*?)\n````", PAGE.read_text(encoding="utf-8"), re.DOTALL)
FORMS = {how: text.removesuffix(MOST[how, True]) for how, text in (("prompted", PROMPTED), ("structured", STRUCTURED))}


def arguments(text):
    """What a model wrote as arguments, as an object."""
    if is_blank(text):
        return "{}"
    return text if is_object(text) else '{"malformed":' + quoted(text) + "}"


def told(request, compat):
    """The request without tools, calls and results."""
    how, messages, names = compat["tool_calls"], [], {}

    def say(role, text):
        if role == TOOL or (role == SYSTEM and compat["system_role"] == "user"):
            role = USER
        if text == "":
            return
        if messages and messages[-1][0] == role:
            messages[-1][1] += "\n\n" + text
        else:
            messages.append([role, text])

    left = instructions(request, how)
    if not request.messages or request.messages[0][0] != SYSTEM:
        say(SYSTEM, left)
        left = ""
    for role, parts in request.messages:
        calls = []
        for part in parts:
            if part[0] == CALL:
                names[part[1]] = part[2]
                calls.append(part)
            elif part[0] == RESULT:
                of = f" of {names[part[1]]}" if part[1] in names else ""
                say(TOOL, f"[result{of}] {part[2]}")
        text = "\n\n".join(part[1] for part in parts if part[0] == TEXT)
        whose = ASSISTANT if calls else role
        if whose == ASSISTANT and (text or calls):
            text = written(text, calls, how)
        say(whose, text)
        if role == SYSTEM:
            say(SYSTEM, left)
            left = ""
    schema = request.schema
    if how == "structured" and request.tools and schema is None:
        schema = ("reply", reply_schema(request), False)
    messages = [[role, [[TEXT, text]]] for role, text in messages]
    return request._replace(messages=messages, tools=[], schema=schema)


def instructions(request, how):
    if how not in ("prompted", "structured") or not request.tools:
        return ""
    form = FORMS[how] + MOST[how, request.parallel]
    form += " This reply must use at least one tool." if request.choice == REQUIRED else ""
    out = f"# Tools\n\n{form} These are the tools:"
    for name, description, schema in request.tools:
        out += f"\n\n## {name}\n{description}\nArguments (JSON Schema): {schema}"
    return out


def written(text, calls, how):
    """A reply of the model's own in the form in which it was told to reply."""
    made = ['{"tool": ' + quoted(name) + ', "arguments": ' + arguments(given) + "}" for _, _, name, given in calls]
    if how == "structured":
        return '{"say": ' + quoted(text) + ', "calls": [' + ", ".join(made) + "]}"
    for one in made:
        text += ("\n\n" if text else "") + "```json\n" + one + "\n```"
    return text


def reply_schema(request):
    tools = ",".join(
        '{"type":"object","properties":{"tool":{"type":"string","enum":['
        + quoted(name)
        + ']},"arguments":'
        + schema
        + '},"required":["tool","arguments"],"additionalProperties":false}'
        for name, _, schema in request.tools
    )
    return (
        '{"type":"object","properties":{"say":{"type":"string"},"calls":{"type":"array",'
        + ("" if request.parallel else '"maxItems":1,')
        + '"items":{"anyOf":['
        + tools
        + ']}}},"required":["say","calls"],"additionalProperties":false}'
    )
