"""Thinking and calls that stand among the words of a reply."""

import re

from rawjson import HALF, LEVELS_MAX, WHITE, Cut, Wrong, get, is_blank, items, members_of, quoted, skip, strict, text_of, trim, whole

TAG = re.compile("<(/?)(think|thinking|thought|reasoning)>", re.ASCII | re.IGNORECASE)
# The marks, and what stands behind them.
FENCE = re.compile("(`{3,}|~{3,})(.*)", re.DOTALL)
OPENERS = ("<tool_call>", "<tool_calls>", "<function_call>", "<tools>", "<|tool_call|>", "<|python_tag|>", "[TOOL_CALLS]")
OPENERS += ("<function_calls>", "<minimax:tool_call>", "<|tool_calls_section_begin|>", "<|tool_call_begin|>")
OPENERS += ("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>")
CLOSERS = ("</tool_call>", "</tool_calls>", "</function_call>", "</tools>", "<|/tool_call|>", "[/TOOL_CALLS]")
CLOSERS += ("</function_calls>", "</minimax:tool_call>", "<|tool_call_end|>", "<|tool_calls_section_end|>")
CLOSERS += ("<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>")
NAME = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*)(?::[0-9]*)?")
NAMED = re.compile(r'<function=([^>]*)>|<invoke name="(.*?)">', re.DOTALL)
SEPARATOR = re.compile(r"\[ARGS\]|<\|tool_call_argument_begin\|>|<｜tool▁sep｜>")
PARAMETER = re.compile(
    r'<parameter=([^>]*)>(.*?)</parameter>|<parameter name="(.*?)">(.*?)</parameter>'
    rf"|<arg_key>(.*?)</arg_key>[{WHITE}]*<arg_value>(.*?)</arg_value>",
    re.DOTALL,
)
END = re.compile("</function>|</invoke>|</tool_call>")
MISTAKEN_LINES_MAX = 32
ESCAPE_BYTES_MAX = 11
PIECE = re.compile(r'"(?:[^"\\]|\\.)*+"|[][{}]', re.DOTALL)


def paragraphs(pieces):
    return "\n\n".join(piece for piece in map(trim, pieces) if piece)


def without_thinking(text):
    words, rest, found = [], text, False
    while tag := TAG.search(rest):
        found, before, rest = True, rest[: tag.start()], rest[tag.end() :]
        if tag[1]:
            words = []
            continue
        words.append(before)
        closing = (end for end in TAG.finditer(rest) if end[1] and end[2].lower() == tag[2].lower())
        end = next(closing, None)
        rest = rest[end.end() :] if end else ""
    return paragraphs(words + [rest]) if found else text


def calls_among_words(text, how):
    """The words and the calls of a text in the form in which a model was told to call."""
    found = {"native": alone, "prompted": among, "structured": in_an_object, "guided": chosen}[how](text)
    return found if found is not None else (text, [])


def alone(text):
    """Where the words are calls and nothing else."""
    found = among(text)
    return found if found and not found[0] else None


def is_object(text, how):
    """Is a text in the form of this mode?"""
    return {"structured": in_an_object, "guided": chosen}[how](text) is not None


def named(raw):
    """The members that are of a call, by what they mean."""
    names = {"tool": ("tool", "name", "tool_name"), "arguments": ("arguments", "args", "parameters")}
    names |= {"function": ("function",), "tool_calls": ("tool_calls", "calls")}
    found = dict(zip(sum(names.values(), ()), get(raw, *sum(names.values(), ()))))
    there = {name for name, _ in whole(raw, "{")}
    if any(HALF.search(name) for name in there):
        raise Wrong("a name holds half a character")
    if any(sum(name in there for name in alike) > 1 for alike in names.values()):
        raise Wrong("two members mean the same")
    one = {meaning: next((found[name] for name in alike if found[name]), None) for meaning, alike in names.items()}
    if one["tool"] is not None and (not one["tool"].startswith('"') or not strict(one["tool"])):
        raise Wrong("a tool's name is no text")
    if one["tool_calls"] is not None and not one["tool_calls"].startswith("["):
        raise Wrong("the calls are no list")
    return one


def is_too_deep(text):
    """Does a JSON text have more levels than a call may have?"""
    levels = 0
    for piece in PIECE.findall(text):
        levels += (piece in "{[") - (piece in "}]")
        if levels > LEVELS_MAX:
            return True
    return False


def call(raw):
    """Name and arguments of an object that is a call; None for anything else."""
    if not raw.startswith("{"):
        return None
    try:
        outer = named(raw)
        tool, arguments, function = outer["tool"], outer["arguments"], outer["function"]
        if function and function.startswith("{"):
            if tool or arguments:
                return None
            inner = named(function)
            tool, arguments = inner["tool"], inner["arguments"]
        elif function:
            if tool or not function.startswith('"') or not strict(function):
                return None
            tool = function
        if not tool or not arguments or is_blank(text_of(tool)):
            return None
        if arguments.startswith('"'):
            if not strict(arguments):
                return None
            arguments = text_of(arguments)
            if is_too_deep(arguments):
                return None
            whole(arguments, "{")
        elif not arguments.startswith("{"):
            return None
        return text_of(tool), arguments
    except Wrong:
        return None


def calls(raw):
    """The calls that a value is; None where it is anything else."""
    if is_too_deep(raw):
        return None
    try:
        if raw.startswith("["):
            found = [call(item) for item in items(raw)]
            return found if None not in found else None
        outer = named(raw)
        if outer["tool_calls"] and not (outer["tool"] or outer["arguments"] or outer["function"]):
            return calls(outer["tool_calls"])
    except Wrong:
        return None
    one = call(raw)
    return [one] if one else None


def fence(line):
    """Mark, length and info text of the line that opens a block."""
    found = FENCE.fullmatch(line.lstrip(WHITE))
    if not found:
        return None
    info = trim(found[2])
    if found[1][0] == "`" and "`" in info:
        return None
    return found[1][0], len(found[1]), info


def behind(text, marks):
    text = text.lstrip(WHITE)
    while mark := next((mark for mark in marks if text.startswith(mark)), None):
        text = text[len(mark) :].lstrip(WHITE)
    return text


def parameters(left):
    """The parameters that a text begins with, and what follows; None where two have one name."""
    found, left = {}, left.lstrip(WHITE)
    while one := PARAMETER.match(left):
        name, value = (trim(part) for part in one.groups() if part is not None)
        if name in found:
            return None, left
        found[name], left = value, left[one.end() :].lstrip(WHITE)
    return found, left


def object_at(left):
    """The raw object that a text begins with, and what follows."""
    end = members_of(left, 0)[1] if left.startswith("{") else 0
    if not end or is_too_deep(left[:end]):
        raise Wrong("no object")
    return left[:end], left[end:]


def by_marks(text):
    """The call by marks that a text begins with, and where it ends; None where it begins with none."""
    named = NAMED.match(text)
    name = NAME.match(text) if not named else NAME.match(named[1] if named[1] is not None else named[2])
    if not name or named and name.string[name.end() :].lstrip(WHITE):
        return None
    left = text[(named or name).end() :].lstrip(WHITE)
    try:
        if not named and (mark := SEPARATOR.match(left)):
            raw, left = object_at(left[mark.end() :].lstrip(WHITE))
            return (name[1], raw), len(text) - len(left)
        if named and left.startswith("{"):
            raw, left = object_at(left)
        else:
            found, left = parameters(left)
            if found is None or not (found or named):
                return None
            members = sorted(found.items(), key=lambda member: member[0].encode())
            raw = "{" + ",".join(f"{quoted(name)}:{quoted(value)}" for name, value in members) + "}"
    except Wrong:
        return None
    left = left.lstrip(WHITE)
    end = END.match(left)
    return ((name[1], raw), len(text) - len(left) + end.end()) if end else None


def next_calls(left):
    """The calls that a text begins with as one value or by marks, and where they end."""
    if left[:1] not in ("{", "["):
        made = by_marks(left)
        return ([made[0]], made[1]) if made else (None, 0)
    try:
        end = members_of(left, 0)[1]
    except Wrong:
        return None, 0
    return calls(left[:end]), end


def calls_at(text):
    """The calls that a text begins with, and how long they are."""
    found, left = [], behind(text, OPENERS)
    while True:
        made, end = next_calls(left)
        if made is None:
            break
        found += made
        left = behind(behind(left[end:], CLOSERS).lstrip(",;"), OPENERS)
    return found, len(text) - len(left)


def among(text):
    found, words, kept_from, opened, at, mistaken = [], [], 0, None, 0, 0

    def take(made, begin, end):
        nonlocal kept_from
        found.extend(made)
        words.append(text[kept_from:begin])
        kept_from = end

    def block(begin, content, content_end, end):
        made, length = calls_at(text[content:content_end])
        if made and length == content_end - content:
            take(made, begin, end)

    while at < len(text):
        start, end = at, text.find("\n", at) + 1 or len(text)
        line, at = text[start:end], end
        mark = fence(line)
        if opened:
            (kind, length, _), begin, content = opened
            if mark and mark[0] == kind and mark[1] >= length and not mark[2]:
                block(begin, content, start, end)
                opened = None
        elif mark:
            opened = (mark, start, end)
        elif line.lstrip(WHITE)[:1] in tuple("{[<`~") and mistaken < MISTAKEN_LINES_MAX:
            made, length = calls_at(text[start:])
            if made:
                at = start + length
                take(made, start, at)
            else:
                mistaken += 1
    if opened:
        _, begin, content = opened
        block(begin, content, len(text), len(text))
    return (paragraphs(words + [text[kept_from:]]), found) if found else None


def unfenced(text):
    if text.startswith("```") and text.endswith("```") and len(text) >= 6:
        info, mark, inside = text[3:-3].partition("\n")
        if mark and "{" not in info:
            return trim(inside)
    return text


def read_members(json):
    """The members of an object: whether it is whole, and None where it is none."""
    try:
        members = whole(json, "{")
    except Cut:
        return "cut"
    except Wrong:
        return None
    return members


def in_an_object(text):
    json = unfenced(trim(text))
    if not json.startswith("{"):
        return None
    members = read_members(json)
    if members == "cut":
        said = so_far(json, "say")
        return None if said is None else (said, [])
    if members is None or sorted(name for name, _ in members) not in (["calls", "say"], ["say"]):
        return None
    members = dict(members)
    made = calls(members.get("calls", "[]"))
    if not members["say"].startswith('"') or not strict(members["say"]) or made is None:
        return None
    return text_of(members["say"]), made


def chosen(text):
    json = unfenced(trim(text))
    if not json.startswith("{"):
        return None
    members = read_members(json)
    if members == "cut":
        return so_far(json, "words") or "", []
    if members is None or not strict(json):
        return None
    members = dict(members)
    words = text_of(members.get("words"))
    more = [("choose", json)] if len(members) > (words is not None) else []
    return words or "", more


def so_far(json, member):
    """What the first member holds, as far as it came."""
    start = re.match(r'\{[\s]*"' + member + r'"\s*:\s*"', json)
    if not start:
        return None
    text = re.match(r'(?:[^"\\]|\\.)*\\?', json[start.end() :], re.DOTALL)[0]
    for cut in range(min(ESCAPE_BYTES_MAX, len(text)) + 1):
        kept = '"' + text[: len(text) - cut] + '"'
        try:
            if skip(kept, 0) == 0 and members_of("[" + kept + "]", 0)[1] == len(kept) + 2 and strict(kept):
                return text_of(kept)
        except Wrong:
            continue
    return None
