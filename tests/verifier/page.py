"""The tables of crates/event/FORMAT.md as a decoder: every input and event, field by field, and nothing that the tables do not have."""

import re
import struct
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "crates/event/FORMAT.md"

# A word of the page's tables: type number, version, name, fields, and who may know it (events only).
WORD = re.compile(r"^\| (\d+) \| (\d+) \| `(\w+)` \| (.*?) \| (?:([^|]*) \| )?[^|]* \|$", re.MULTILINE)
SHAPE = re.compile(r"^\| `(\w+)` \| (.*) \|$", re.MULTILINE)
FIELD = re.compile(r"`(\w+)` (.*?)(?=, `|$)")
VARIANT = re.compile(r"(\d+) `(\w+)`(?: \(((?:\([^)]*\)|[^()])*)\))?(?:, |$)")

BITS = {"u16": 16, "u32": 32, "u64": 64, "i32": 32, "i64": 64}


class Payload:
    """Reads a payload's fields in postcard."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise ValueError("a payload ends early")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, bits=64):
        result, shift = 0, 0
        while True:
            byte = self.take(1)[0]
            result |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift >= bits:
                raise ValueError("a number does not end")
        if shift and byte == 0:
            raise ValueError("a number is longer than it needs to be")
        if result >> bits:
            raise ValueError(f"a number does not fit into {bits} bits")
        return result

    def text(self):
        data = self.take(self.number(32))
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError("a text is not UTF-8") from None

    def flag(self):
        byte = self.take(1)[0]
        if byte > 1:
            raise ValueError(f"{byte} is neither yes nor no")
        return byte == 1


class Choice(tuple):
    """A variant of a choice, and its fields."""

    @property
    def name(self):
        return self[0]


def split_at_commas(text):
    """Types of a list such as `u32, list of Seat`, or named fields."""
    named = FIELD.findall(text)
    return [kind for _, kind in named] if named else text.split(", ")


class Page:
    """Types by their names, and words by their numbers."""

    def __init__(self, text):
        self.readers = {
            "u8": lambda payload: payload.take(1)[0],
            "bool": Payload.flag,
            "text": Payload.text,
            "Digest": lambda payload: payload.take(32),
            "16 bytes": lambda payload: payload.take(16),
        }
        for name, bits in BITS.items():
            self.readers[name] = self.integer(bits, name.startswith("i"))
        self.readers["Values"] = self.reader("list of (text, text)")
        shapes = text.split("### Shapes inside inputs and events")[1].split("\n#")[0]
        for name, cell in SHAPE.findall(shapes):
            variants = VARIANT.findall(cell)
            if variants and cell[0].isdigit():
                self.readers[name] = self.choice(name, variants)
            else:
                self.readers[name] = self.struct(cell)
        self.words = {}
        for number, version, name, cell, audience in WORD.findall(text):
            self.words[int(number), int(version)] = (name, self.struct(cell), audience)
            # A branch's amendments have the fields of an input.
            self.readers[name] = self.struct(cell)

    @staticmethod
    def integer(bits, signed):
        def read(payload):
            number = payload.number(bits)
            return (number >> 1) ^ -(number & 1) if signed else number

        return read

    def reader(self, kind):
        """The function that reads a type; shapes are looked up when they are met, for they refer to each other."""
        if kind.startswith("list of "):
            item = self.reader(kind[8:])
            return lambda payload: [item(payload) for _ in range(payload.number(32))]
        if kind.startswith("optional "):
            item = self.reader(kind[9:])
            return lambda payload: item(payload) if payload.flag() else None
        if kind.startswith("("):
            items = [self.reader(item) for item in kind[1:-1].split(", ")]
            return lambda payload: tuple(item(payload) for item in items)
        return lambda payload: self.readers[kind](payload)

    def struct(self, cell):
        fields = [(name, self.reader(kind)) for name, kind in FIELD.findall(cell)]
        return lambda payload: {name: read(payload) for name, read in fields}

    def choice(self, name, variants):
        known = {}
        for number, variant, fields in variants:
            readers = [self.reader(kind) for kind in split_at_commas(fields)] if fields else []
            known[int(number)] = (variant, readers)

        def read(payload):
            number = payload.number(32)
            if number not in known:
                raise ValueError(f"{number} is no variant of {name}")
            variant, readers = known[number]
            return Choice([variant] + [read(payload) for read in readers])

        return read

    def decode(self, kind, version, data):
        """A word's name and fields."""
        if (kind, version) not in self.words:
            raise ValueError(f"the page has no word with the type number {kind} and the version {version}")
        name, read, _ = self.words[kind, version]
        payload = Payload(data)
        try:
            fields = read(payload)
        except (ValueError, IndexError, struct.error) as error:
            raise ValueError(f"{name} cannot be read: {error}") from None
        if payload.at != len(data):
            raise ValueError(f"{name} cannot be read: {len(data) - payload.at} bytes follow its last field")
        return name, fields


THE_PAGE = Page(PAGE.read_text(encoding="utf-8"))
