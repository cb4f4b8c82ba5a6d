"""JSON as the page reads it: raw pieces by their places, and whether a text is cut or wrong."""

import json
import re

BLANKS = re.compile(r"[ \t\n\r]*")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
CUT_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.|(?:\.[0-9]+)?[eE][+-]?))?\Z")
CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
HALF = re.compile("[\ud800-\udfff]")
# Unicode's property White_Space.
WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
# Levels that a text which goes back to a server may have, and those that Python can follow.
LEVELS_MAX, FOLLOWED_MAX = 127, 400


class Wrong(ValueError):
    """What stands there is no JSON."""


class Cut(Wrong):
    """The text ends in the middle."""


def skip(text, at):
    return BLANKS.match(text, at).end()


def string(text, at):
    """Where the string that begins here ends."""
    end = STRING.match(text, at).end()
    if end < len(text) and text[end] == '"':
        return end + 1
    if end == len(text) or CUT_ESCAPE.match(text, end):
        raise Cut("a text does not end")
    raise Wrong("a text holds what it must not")


def value(text, at, levels=FOLLOWED_MAX):
    """Where the value that begins here ends."""
    if at >= len(text):
        raise Cut("a value is missing")
    first = text[at]
    if first == '"':
        return string(text, at)
    if first in "{[":
        return members_of(text, at, levels)[1]
    for word in ("true", "false", "null"):
        if text.startswith(word, at):
            return at + len(word)
        if word.startswith(text[at:]):
            raise Cut("a word is cut")
    if CUT_NUMBER.match(text, at):
        raise Cut("a number is cut")
    found = NUMBER.match(text, at)
    if not found:
        raise Wrong("this is no value")
    return found.end()


def members_of(text, at, levels=FOLLOWED_MAX):
    """The members of an object, or the items of a list: (name or None, raw value), and where it ends."""
    if levels == 0:
        raise Wrong("it is nested too deeply")
    close = "}" if text[at] == "{" else "]"
    found = []
    at = skip(text, at + 1)
    if text[at : at + 1] == close:
        return found, at + 1
    while True:
        name = None
        if close == "}":
            if at >= len(text):
                raise Cut("an object does not end")
            if text[at] != '"':
                raise Wrong("a member has no name")
            end = string(text, at)
            name = json.loads(text[at:end])
            at = skip(text, end)
            if at >= len(text):
                raise Cut("a member has no value")
            if text[at] != ":":
                raise Wrong("a member has no value")
            at = skip(text, at + 1)
        end = value(text, at, levels - 1)
        found.append((name, text[at:end]))
        at = skip(text, end)
        if at >= len(text):
            raise Cut("it does not end")
        if text[at] == close:
            return found, at + 1
        if text[at] != ",":
            raise Wrong("a comma is missing")
        at = skip(text, at + 1)


def whole(text, first, levels=FOLLOWED_MAX):
    """The members, or items, of a text that is one object, or list, and nothing else."""
    at = skip(text, 0)
    if at >= len(text):
        raise Cut("there is nothing")
    if text[at] != first:
        raise Wrong("it is something else")
    found, end = members_of(text, at, levels)
    if skip(text, end) != len(text):
        raise Wrong("something follows it")
    return found


def items(text):
    return [raw for _, raw in whole(text, "[")]


def get(text, *names):
    """Members of an object by their names, null as None; each at most once."""
    found = dict.fromkeys(names)
    seen = set()
    for name, raw in whole(text, "{"):
        if name in found:
            if name in seen:
                raise Wrong(f"the member {name} occurs twice")
            seen.add(name)
            found[name] = None if raw == "null" else raw
    return [found[name] for name in names]


def text_of(raw):
    """The text of a JSON string; None for anything else."""
    if raw is None or not raw.startswith('"'):
        return None
    return json.loads(raw).encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def text_or_raw(raw):
    if raw is None:
        return ""
    text = text_of(raw)
    return raw if text is None else text


def whole_number(raw):
    """A number from 0 below 2^64; None for anything else."""
    if raw is None or not re.fullmatch("0|[1-9][0-9]{0,19}", raw) or int(raw) >> 64:
        return None
    return int(raw)


def strict(text, at=0, levels=LEVELS_MAX):
    """Is every value in here one that each parser reads?"""
    first = text[at]
    if first == '"':
        return not HALF.search(json.loads(text))
    if first in "{[":
        if levels == 0:
            return False
        members, _ = members_of(text, at)
        fine = all(name is None or not HALF.search(name) for name, _ in members)
        return fine and all(strict(raw, 0, levels - 1) for _, raw in members)
    if first in "-0123456789":
        return abs(float(text)) != float("inf")
    return True


def is_object(text):
    try:
        whole(text, "{")
        return strict(trim(text))
    except Wrong:
        return False


def trim(text):
    return text.strip(WHITE)


def is_blank(text):
    return trim(text) == ""


ESCAPES = {code: f"\\u{code:04x}" for code in range(32)}
ESCAPES.update({ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"})


def quoted(text):
    """J(text)."""
    return '"' + text.translate(ESCAPES) + '"'
