"""A charter: its files as they are at an entry, its seats, and how their models are asked."""

import tomllib

from digests import digest
from rawjson import get, text_of

SESSION_ZERO_TOKENS, WORDS_TOKENS_MAX = 2_500, 60
COMPAT = {
    "temperature": True,
    "seed": True,
    "tokens_field": "max_tokens",
    "tool_calls": "native",
    "tools": True,
    "tool_choice": True,
    "parallel_tool_calls": True,
    "tool_messages": True,
    "system_role": "system",
    "thinking_field": "none",
    "stream": False,
    "context": None,
    "stop": [],
    "extra_fields": {},
}
CHOICES = {
    "tokens_field": ("max_tokens", "max_completion_tokens", "none"),
    "tool_calls": ("native", "prompted", "structured", "guided"),
    "system_role": ("system", "developer", "user"),
    "thinking_field": ("none", "reasoning_content", "reasoning", "reasoning_details"),
}
PROTOCOLS = ("chat-completions", "improv", "responses", "anthropic-messages", "gemini", "ollama")
# What a table of seats.toml holds: name, type, whether it may be left out.
SEAT = {
    "protocol": (str, False),
    "wire": (int, False),
    "model": (str, False),
    "temperature_milli": (int, True),
    "tokens_max": (int, False),
    "parallel_tool_calls": (bool, False),
    "send_seed": (bool, False),
    "token_factor_percent": (int, False),
    "compat": (dict, True),
}


def slug(seat):
    """A seat as seats.toml and streams know it."""
    return f"player-{seat[1]}" if seat.name == "Player" else seat.name.lower()


class Charter:
    """Files by their order, and what is read from them once."""

    def __init__(self, seed, rules, files):
        self.seed, self.rules = seed, rules
        # Path, digest and content, in order.
        self.files = files
        self.kept = {}

    def digest(self):
        content = self.seed.to_bytes(8, "little") + self.rules.to_bytes(8, "little")
        content += len(self.files).to_bytes(8, "little")
        for path, seal, _ in self.files:
            path = path.encode("utf-8")
            content += len(path).to_bytes(8, "little") + path + seal
        return digest("twicetold charter 1", content)

    def text(self, path):
        return next((content for name, _, content in self.files if name == path), None)

    def amended(self, path, content):
        """The charter with this file in the place of the one with its path, or as the last."""
        files = list(self.files)
        place = next((index for index, file in enumerate(files) if file[0] == path), None)
        file = (path, digest("twicetold blob 1", content.encode("utf-8")), content.encode("utf-8"))
        if place is None:
            files.append(file)
        else:
            files[place] = file
        return Charter(self.seed, self.rules, files)

    def seeded(self, seed):
        return Charter(seed, self.rules, self.files)

    def toml(self, path):
        """A file as TOML; an empty table where there is none."""
        if path not in self.kept:
            text = self.text(path)
            try:
                self.kept[path] = tomllib.loads((text or b"").decode("utf-8"))
            except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
                raise ValueError(f"{path} cannot be read: {error}") from None
        return self.kept[path]

    def pack(self, table, name):
        """An entry of the rules pack."""
        pack = f"rules/{self.toml('campaign.toml').get('rules')}/pack.toml"
        found = self.toml(pack).get(table, {}).get(name)
        if found is None:
            raise ValueError(f"{pack} does not say {table}.{name}")
        return found

    def seat(self, seat):
        """The table of a seat, with the whole of its compat; the DM's where it has none."""
        name = slug(seat)
        if ("seat", name) not in self.kept:
            seats = self.toml("seats.toml").get("seat", {})
            self.kept["seat", name] = checked(name, seats.get(name, seats.get("dm")))
        return self.kept["seat", name]

    def tool(self, index):
        """Name, description and schema of the tool in a file."""
        if index >= len(self.files):
            raise ValueError(f"a tool is the charter's file {index}; it has {len(self.files)}")
        if index not in self.kept:
            name, description, schema = get(self.files[index][2].decode("utf-8"), "name", "description", "schema")
            name, description = text_of(name), text_of(description)
            if name is None or description is None or schema is None:
                raise ValueError(f"{self.files[index][0]} is not the file of a tool")
            self.kept[index] = (name, description, schema)
        return self.kept[index]

    def replaced(self, stream, counter):
        """The faces that draws.toml has for a draw."""
        rows = [row for row in self.toml("draws.toml").get("draw", []) if (row["stream"], row["counter"]) == (stream, counter)]
        return rows[-1]["faces"] if rows else None


def is_of(value, kind):
    return isinstance(value, kind) and isinstance(value, bool) == (kind is bool)


def checked(name, table):
    if table is None:
        raise ValueError(f"seats.toml has no seat {name}")
    for member, (kind, optional) in SEAT.items():
        if member not in table and not optional:
            raise ValueError(f"seats.toml: the seat {name} has no {member}")
        if member in table and not is_of(table[member], kind):
            raise ValueError(f"seats.toml: {member} of {name} is of another type")
    compat = table.get("compat", {})
    unknown = (set(table) - set(SEAT)) | (set(compat) - set(COMPAT))
    if unknown:
        raise ValueError(f"seats.toml: {name} has unknown members: {', '.join(sorted(unknown))}")
    for member, value in compat.items():
        if not is_of(value, int if member == "context" else type(COMPAT[member])):
            raise ValueError(f"seats.toml: {member} in the compat of {name} is of another type")
    compat = COMPAT | compat
    for member, known in CHOICES.items():
        if compat[member] not in known:
            raise ValueError(f"seats.toml: {compat[member]} is no {member}")
    if table["protocol"] not in PROTOCOLS or table["wire"] != 1:
        raise ValueError(f"seats.toml: the page has no version {table['wire']} of {table['protocol']}")
    return table | {"compat": compat}


def is_turn(purpose):
    return purpose.name in ("SessionZero", "Play", "Dialogue")


def is_guided(seat):
    return seat["compat"]["tool_calls"] == "guided"


def tokens_max(seat, purpose, has_schema):
    most = seat["tokens_max"]
    if most and purpose.name == "SessionZero" and seat["protocol"] != "improv":
        most = max(most, SESSION_ZERO_TOKENS)
    if is_guided(seat) and is_turn(purpose) and not has_schema:
        most = min(most or WORDS_TOKENS_MAX, WORDS_TOKENS_MAX)
    return most
