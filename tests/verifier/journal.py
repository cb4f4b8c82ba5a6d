"""An export from its first to its last byte: records, blobs, entries, chain and story."""

import struct
from collections import namedtuple

from digests import blake3_all, digest, under
from page import THE_PAGE, Payload

# An entry: where it stands in the file, its header, and its words as (type number, version, payload).
Entry = namedtuple("Entry", "byte first count at build turn epoch first_blob blobs words")

MAGIC = b"TWICETOLD JOURNAL 1\n"
HEADER, BLOB, ENTRY, END = 1, 2, 3, 4
ENTRY_HEADER = struct.Struct("<B16sQIQ16sII32s32s")
EXPORT_HEADER = struct.Struct("<16sQIQ32s")
BYTES_MAX = 32 * 1024 * 1024

FORK_ASKED, MODEL_CALL_REQUESTED, REPLY_IGNORED = 10, 120, 123
# ModelFailed, TimerFired, ResumeAsked, PauseAsked, ForkAsked; CampaignPaused, CampaignResumed, RetryScheduled.
NO_STORY = {3, 4, 5, 6, 10, 101, 102, 121}


class Damage(Exception):
    """Which part is damaged, at which byte, and how."""

    def __init__(self, part, byte, why):
        super().__init__(f"{part} (byte {byte}): {why}" if byte is not None else f"{part}: {why}")


def records(data):
    """Kind, place, payload and digest of every record; the digests are compared."""
    at, found = len(MAGIC), []
    if not data.startswith(MAGIC):
        raise Damage("header", 0, "the first line is not that of an export of this version")
    broken = None
    while at < len(data):
        if at + 5 > len(data):
            broken = (at, "the file ends in the middle of it")
            break
        kind, length = struct.unpack_from("<BI", data, at)
        end = at + 5 + length
        if end + 32 > len(data):
            broken = (at, "the file ends in the middle of it, or its length is damaged")
            break
        found.append((kind, at, data[at + 5 : end], data[end : end + 32]))
        at = end + 32
        if kind == END:
            break
    digests = blake3_all([under("twicetold record 1", data[at : at + 5 + len(payload)]) for _, at, payload, _ in found])
    for place, ((_, start, _, seal), digest) in enumerate(zip(found, digests)):
        if seal != digest:
            return found[:place], (start, "it does not have its digest"), at
    return found, broken, at


def frames(part, place, body):
    """The front and the frames of a body."""
    try:
        first_blob, count = struct.unpack_from("<IH", body)
        at = 6 + 32 * count
        blobs = [body[6 + 32 * index : 38 + 32 * index] for index in range(count)]
        if at > len(body):
            raise struct.error
        found = []
        while at < len(body):
            kind, version, length = struct.unpack_from("<HBI", body, at)
            if at + 7 + length > len(body):
                raise struct.error
            found.append((kind, version, body[at + 7 : at + 7 + length]))
            at += 7 + length
    except struct.error:
        raise Damage(part, place, "its body is cut") from None
    return first_blob, blobs, found


def frame(kind, version, payload):
    return struct.pack("<HBI", kind, version, len(payload)) + payload


def told(kind, version, payload):
    """The frame by which the story knows a word, empty where it does not."""
    if (kind, version) not in THE_PAGE.words or kind in NO_STORY:
        return b""
    if kind == MODEL_CALL_REQUESTED:
        fields = Payload(payload)
        for field in ("u32", "Seat", "Purpose", "Digest", "u32"):
            THE_PAGE.readers[field](fields)
        # In the place of the manifest: no base, no edits.
        payload = payload[: fields.at] + b"\0\0"
    return frame(kind, version, payload)


def is_branch(parent, first, word):
    kind, _, payload = word
    if kind != FORK_ASKED:
        return False
    fields = Payload(payload)
    return fields.take(16) == parent and fields.number() == first


class Journal:
    """One export, checked from its first to its last byte."""

    def __init__(self, data, unpack_zstd):
        self.unpack_zstd = unpack_zstd
        self.entries = self.numbers = self.blobs = self.packed = 0
        self.campaign, self.chain, self.at, self.epoch = None, bytes(32), 0, 0
        self.story = bytes(32)
        # Where every entry ends, and the chain digest there: what an attestation lists.
        self.chains = {}
        self.read, self.texts = [], []
        self.waiting, self.contents = [], []
        self.walk(data)

    def walk(self, data):
        found, broken, end = records(data)
        chains = iter(blake3_all([under("twicetold chain 1", p[:125]) for kind, _, p, _ in found if kind == ENTRY]))
        bodies = iter(blake3_all([under("twicetold body 1", p[125:]) for kind, _, p, _ in found if kind == ENTRY]))
        stated = None
        for place, (kind, byte, payload, _) in enumerate(found):
            if stated is None:
                if kind != HEADER or len(payload) != EXPORT_HEADER.size:
                    raise Damage("header", byte, "it is not where it must be, or its length is wrong")
                stated = EXPORT_HEADER.unpack(payload)
            elif kind == BLOB:
                self.blob(byte, payload)
            elif kind == ENTRY:
                self.entry(byte, payload, next(chains), next(bodies))
            elif kind == END:
                self.end(data, stated, byte, payload, found[:place], end)
                return self.compare_contents()
            else:
                raise Damage(self.expected(stated), byte, f"a record of kind {kind} is at its position")
        byte, why = broken or (end, "the file ends before it")
        raise Damage(self.broken(stated, data, byte), byte, why)

    def expected(self, stated):
        if stated is None:
            return "header"
        return "end" if self.entries == stated[1] else f"entry #{self.numbers}"

    def broken(self, stated, data, byte):
        """What a record is that does not have its digest: its kind may be what broke, then its place says it."""
        kind = data[byte] if byte < len(data) else None
        if stated is not None and kind == BLOB:
            return f"blob {self.blobs + len(self.waiting)}"
        return self.expected(stated)

    def blob(self, byte, payload):
        part = f"blob {self.blobs + len(self.waiting)}"
        if len(payload) < 33:
            raise Damage(part, byte, "it is too short for a blob")
        codec, digest, content = payload[0], payload[1:33], payload[33:]
        self.waiting.append((byte, digest))
        if codec not in (0, 1):
            raise Damage(part, byte, f"its codec is {codec}; 0 and 1 are known")
        self.contents.append((part, byte, digest, codec, content))

    def compare_contents(self):
        """Blobs last: unpacking them is most of the work."""
        plain = []
        for part, byte, digest, codec, content in self.contents:
            if codec == 1 and self.unpack_zstd is None:
                self.packed += 1
                self.texts.append(None)
                continue
            try:
                content = self.unpack_zstd(content) if codec == 1 else content
            except Exception as error:  # Each way to unpack has errors of its own.
                raise Damage(part, byte, f"it cannot be unpacked: {error}") from None
            if len(content) > BYTES_MAX:
                raise Damage(part, byte, "it is larger than a blob may be")
            plain.append((part, byte, digest, content))
            self.texts.append(content)
        digests = blake3_all([under("twicetold blob 1", content) for _, _, _, content in plain])
        for (part, byte, stated, _), digest in zip(plain, digests):
            if stated != digest:
                raise Damage(part, byte, "its content does not have its digest")

    def entry(self, byte, payload, chain, body_digest):
        part = f"entry #{self.numbers}"
        if not 125 < len(payload) <= BYTES_MAX:
            raise Damage(part, byte, "its length is not that of an entry")
        fields = ENTRY_HEADER.unpack(payload[:125])
        form, campaign, first, count, at, build, turn, epoch, previous, body = fields
        first_blob, blobs, words = frames(part, byte, payload[125:])
        problems = (
            (form != 1, f"its format is {form}; 1 is known"),
            (body != body_digest, "its body does not have its digest"),
            (first != self.numbers, f"it begins at #{first}"),
            (previous != self.chain, "it does not follow the entry before it: the chain is broken"),
            (at < self.at, "its time is before that of the entry before it"),
            (epoch < self.epoch, "its epoch is older than that of the entry before it"),
            (first_blob != self.blobs, f"its blobs begin at {first_blob}; {self.blobs} is next"),
            (count != len(words) or count == 0, f"it counts {count} numbers and holds {len(words)}"),
        )
        for wrong, why in problems:
            if wrong:
                raise Damage(part, byte, why)
        try:
            if self.campaign not in (None, campaign) and not is_branch(self.campaign, first, words[0]):
                raise Damage(part, byte, f"it belongs to campaign {campaign.hex()}")
            self.tell(words)
        except ValueError as error:
            raise Damage(part, byte, str(error)) from None
        self.compare_waiting(part, byte, blobs)
        self.campaign, self.chain, self.at, self.epoch = campaign, chain, at, epoch
        self.entries += 1
        self.numbers += count
        self.chains[self.numbers] = chain
        self.read.append(Entry(byte, first, count, at, build, turn, epoch, first_blob, blobs, words))

    def compare_waiting(self, part, byte, listed):
        for place, digest in enumerate(listed):
            blob = f"blob {self.blobs + place}"
            if place >= len(self.waiting):
                raise Damage(blob, byte, f"it is missing before {part}, which lists it")
            if self.waiting[place][1] != digest:
                raise Damage(blob, self.waiting[place][0], "another blob is at its position")
        if len(self.waiting) > len(listed):
            raise Damage(f"blob {self.blobs + len(listed)}", self.waiting[len(listed)][0], "no entry lists it here")
        self.blobs += len(listed)
        self.waiting = []

    def tell(self, items):
        """Goes on with the digest of the story."""
        if any(kind == REPLY_IGNORED for kind, _, _ in items):
            return
        content = b"".join(told(*item) for item in items)
        if content:
            text = self.story + struct.pack("<Q", len(content)) + content
            self.story = digest("twicetold story 1", text)

    def end(self, data, stated, byte, payload, before, end):
        if self.waiting:
            raise Damage(f"blob {self.blobs}", self.waiting[0][0], "no entry lists it")
        if self.entries != stated[1]:
            raise Damage(self.expected(stated), byte, "the end record is at its position")
        if stated != (self.campaign, self.entries, self.blobs, self.numbers, self.chain):
            raise Damage("header", len(MAGIC), "it belongs to another journal than the entries")
        seals = b"".join(seal for _, _, _, seal in before)
        if payload != struct.pack("<Q", len(before)) + digest("twicetold export 1", seals):
            raise Damage("end", byte, "it belongs to another export")
        if end != len(data):
            raise Damage("end", byte, f"{len(data) - end} bytes follow it")

    def report(self):
        return {
            "whole": True,
            "campaign": self.campaign.hex(),
            "entries": self.entries,
            "numbers": self.numbers,
            "blobs": self.blobs,
            "chain": self.chain.hex(),
            "story": self.story.hex(),
            "blobs_not_unpacked": self.packed,
        }
