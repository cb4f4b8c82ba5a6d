"""Thinking and calls that stand among the words of a reply."""

import re

from rawjson import Cut, Wrong, is_blank, items, members_of, skip, strict, text_of, trim, whole

TAG = re.compile("<(/?)(think|thinking|thought|reasoning)>", re.ASCII | re.IGNORECASE)
# Up to three spaces, the marks, and what stands behind them.
FENCE = re.compile("( {0,3})(`{3,}|~{3,})(.*)", re.DOTALL)
ESCAPE_BYTES_MAX = 11


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
    found = {"prompted": in_blocks, "structured": in_an_object, "guided": chosen}[how](text)
    return found if found is not None else (text, [])


def call(raw):
    """Name and arguments of an object that is exactly a call; None for anything else."""
    try:
        members = whole(raw, "{")
    except Wrong:
        return None
    named = dict(members)
    if len(members) != 2 or set(named) not in ({"tool", "arguments"}, {"name", "arguments"}):
        return None
    name, arguments = named.get("tool", named.get("name")), named["arguments"]
    if not name.startswith('"') or not strict(name) or is_blank(text_of(name)) or not arguments.startswith("{"):
        return None
    return text_of(name), arguments


def calls(raw):
    try:
        found = [call(item) for item in items(raw)]
    except Wrong:
        return None
    return found if None not in found else None


def fence(line):
    """Mark, length and info text of the line that opens a block."""
    found = FENCE.fullmatch(line)
    if not found:
        return None
    info = trim(found[3])
    if found[2][0] == "`" and "`" in info:
        return None
    return found[2][0], len(found[2]), info


def in_blocks(text):
    found, words, kept_from, opened, at = [], [], 0, None, 0
    for line in re.findall("[^\n]*\n|[^\n]+", text):
        start, at = at, at + len(line)
        mark = fence(line)
        if opened is None:
            opened = (mark, start, at) if mark else None
            continue
        (kind, length, info), block, content = opened
        if not mark or mark[0] != kind or mark[1] < length or mark[2]:
            continue
        opened = None
        if kind == "`" and info.lower() == "json":
            inside = text[content:start]
            one = call(inside)
            more = [one] if one else calls(inside)
            if more:
                found += more
                words.append(text[kept_from:block])
                kept_from = at
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
