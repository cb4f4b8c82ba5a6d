#!/usr/bin/env python3
"""Verifies exported journals without a line of the program that wrote them.

    verify.py [--json] [--attestation FILE] JOURNAL...

Written from crates/event/FORMAT.md alone, with Python's standard library. Checks of every journal its records and their digests,
the entries' numbers, times, epochs, bodies and chain, the blobs against the entries that list them, and computes the digest of the
story. With an attestation that `twicetold attest` wrote, checks its signature and that the journals still match it.

Blobs may be compressed with zstd, which Python has from 3.14 on (`compression.zstd`); before that the module `zstandard` or the
program `zstd` is used. Without any of them the digests of compressed contents are not computed, and the report says so; every byte
is under its record's digest all the same.

Exit codes: 0 all is whole, 2 wrong arguments, 4 something is damaged.
"""

import array
import json
import re
import shutil
import struct
import subprocess
import sys
from hashlib import sha512
from pathlib import Path

# ---------------------------------------------------------------------------------------------------------------- BLAKE3

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
MIXES = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
BLOCK, CHUNK = 64, 1024
# Chunks that are hashed at once. More gain nothing: the numbers below no longer fit the processor's cache.
LANES_MAX = 1024


def pack(words):
    """Numbers of 32 bits as one integer with 64 bits for each: Python then computes on all of them at once."""
    lanes = array.array("Q", words)
    if sys.byteorder == "big":
        lanes.byteswap()
    return int.from_bytes(lanes.tobytes(), "little")


def unpack(packed, count):
    lanes = array.array("Q", packed.to_bytes(8 * count, "little"))
    if sys.byteorder == "big":
        lanes.byteswap()
    return lanes


def compress(chaining, blocks, counters, lengths, flags):
    """BLAKE3's compression of as many blocks as `blocks` has; everything else is a list of that length."""
    count = len(blocks)
    every = pack([1] * count)
    mask = every * 0xFFFFFFFF
    words = array.array("I", b"".join(block.ljust(BLOCK, b"\0") for block in blocks))
    if sys.byteorder == "big":
        words.byteswap()
    message = [pack(words[place::16]) for place in range(16)]
    state = chaining + [every * IV[place] for place in range(4)]
    state += [pack([counter & 0xFFFFFFFF for counter in counters]), pack([counter >> 32 for counter in counters])]
    state += [pack(lengths), pack(flags)]
    for turn in range(7):
        for place, (a, b, c, d) in enumerate(MIXES):
            for word, first, second in ((message[2 * place], 16, 12), (message[2 * place + 1], 8, 7)):
                state[a] = (state[a] + state[b] + word) & mask
                mixed = state[d] ^ state[a]
                state[d] = ((mixed >> first) | (mixed << (32 - first))) & mask
                state[c] = (state[c] + state[d]) & mask
                mixed = state[b] ^ state[c]
                state[b] = ((mixed >> second) | (mixed << (32 - second))) & mask
        if turn < 6:
            message = [message[place] for place in PERMUTATION]
    return [state[place] ^ state[place + 8] for place in range(8)]


def chunk_values(chunks):
    """Chaining values of chunks: (bytes, counter, whether the chunk is the root), in their order."""
    order = sorted(range(len(chunks)), key=lambda place: -len(chunks[place][0]))
    values = [b""] * len(chunks)
    for start in range(0, len(order), LANES_MAX):
        lanes = [chunks[place] for place in order[start : start + LANES_MAX]]
        blocks_of = [max(1, -(-len(data) // BLOCK)) for data, _, _ in lanes]
        chaining = [pack([word] * len(lanes)) for word in IV]
        for step in range(blocks_of[0]):
            active = sum(1 for blocks in blocks_of if blocks > step)
            if step > 0:
                # Shorter chunks are done; they stand at the end.
                keep = (1 << 64 * active) - 1
                chaining = [word & keep for word in chaining]
            blocks, counters, flags = [], [], []
            for (data, counter, root), count in zip(lanes[:active], blocks_of):
                blocks.append(data[step * BLOCK : (step + 1) * BLOCK])
                counters.append(counter)
                flag = CHUNK_START if step == 0 else 0
                if step == count - 1:
                    flag |= CHUNK_END | (ROOT if root else 0)
                flags.append(flag)
            chaining = compress(chaining, blocks, counters, [len(block) for block in blocks], flags)
            ended = [lane for lane in range(active) if blocks_of[lane] == step + 1]
            if ended:
                columns = [unpack(word, active) for word in chaining]
                for lane in ended:
                    value = struct.pack("<8I", *(column[lane] for column in columns))
                    values[order[start + lane]] = value
    return values


def blake3_all(messages):
    """The BLAKE3 digest of each message."""
    chunks, counts = [], []
    for message in messages:
        count = max(1, -(-len(message) // CHUNK))
        counts.append(count)
        for place in range(count):
            chunks.append((message[place * CHUNK : (place + 1) * CHUNK], place, count == 1))
    values = iter(chunk_values(chunks))
    return [root([next(values) for _ in range(count)]) for count in counts]


def root(values):
    """Joins neighbours until one is left."""
    while len(values) > 1:
        pairs = [values[place] + values[place + 1] for place in range(0, len(values) - 1, 2)]
        odd = values[len(pairs) * 2 :]
        count = len(pairs)
        flags = [PARENT | (ROOT if len(values) == 2 else 0)] * count
        joined = compress([pack([word] * count) for word in IV], pairs, [0] * count, [BLOCK] * count, flags)
        columns = [unpack(word, count) for word in joined]
        values = [struct.pack("<8I", *(column[lane] for column in columns)) for lane in range(count)] + odd
    return values[0]


def under(domain, content):
    """What a digest of `domain` is computed over."""
    return struct.pack("<I", len(domain)) + domain.encode("ascii") + content


# --------------------------------------------------------------------------------------------------------------- Ed25519

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def point_add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def point_times(number, point):
    result = (0, 1, 1, 0)
    while number > 0:
        if number & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        number >>= 1
    return result


def point_of(data):
    """The point that 32 bytes name, or None."""
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P != 0 or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, message, signature):
    """Ed25519 of RFC 8032."""
    point, commitment = point_of(key), point_of(signature[:32])
    number = int.from_bytes(signature[32:], "little")
    if point is None or commitment is None or number >= ORDER:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = point_times(number, BASE), point_add(commitment, point_times(challenge, point))
    same_x = (left[0] * right[2] - right[0] * left[2]) % P == 0
    return same_x and (left[1] * right[2] - right[1] * left[2]) % P == 0


# ------------------------------------------------------------------------------------------------------------------ zstd


def decompressor():
    """A function that unpacks zstd, or None where this Python has no way to."""
    try:
        from compression import zstd

        return zstd.decompress
    except ImportError:
        pass
    try:
        import zstandard

        return lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data)
    except ImportError:
        pass
    program = shutil.which("zstd")
    if program is None:
        return None

    def by_program(data):
        done = subprocess.run([program, "-dcq"], input=data, capture_output=True, check=False)
        if done.returncode != 0:
            raise ValueError(done.stderr.decode("utf-8", "replace").strip())
        return done.stdout

    return by_program


# ----------------------------------------------------------------------------------------------------------- the journal

MAGIC = b"TWICETOLD JOURNAL 1\n"
HEADER, BLOB, ENTRY, END = 1, 2, 3, 4
ENTRY_HEADER = struct.Struct("<B16sQIQ16sII32s32s")
EXPORT_HEADER = struct.Struct("<16sQIQ32s")
BYTES_MAX = 32 * 1024 * 1024

# Inputs and events by number and version: what the page's tables list. Others are kept, and are no part of the story.
PAGE = Path(__file__).resolve().parents[2] / "crates/event/FORMAT.md"
ROWS = re.findall(r"^\| (\d+) \| (\d+) \| `\w+` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
KNOWN = {(int(number), int(version)) for number, version in ROWS}
PERSON_ANSWERED, FORK_ASKED = 8, 10
MODEL_CALL_REQUESTED, REPLY_IGNORED = 120, 123
# ModelFailed, TimerFired, ResumeAsked, PauseAsked, ForkAsked; CampaignPaused, CampaignResumed, RetryScheduled.
NO_STORY = {3, 4, 5, 6, 10, 101, 102, 121}


class Damage(Exception):
    """Which part is damaged, at which byte, and how."""

    def __init__(self, part, byte, why):
        super().__init__(f"{part} (byte {byte}): {why}" if byte is not None else f"{part}: {why}")


class Payload:
    """Reads a payload's fields in postcard."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise ValueError("a payload ends early")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self):
        result, shift = 0, 0
        while True:
            byte = self.take(1)[0]
            result |= (byte & 0x7F) << shift
            if byte < 0x80:
                return result
            shift += 7
            if shift > 63:
                raise ValueError("a number does not end")

    def choice(self, fields):
        """A choice whose variants' fields are functions that read them."""
        for field in fields.get(self.number(), ()):
            field()


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
    if (kind, version) not in KNOWN or kind in NO_STORY:
        return b""
    if kind == MODEL_CALL_REQUESTED:
        fields = Payload(payload)
        fields.number()
        fields.choice({1: [lambda: fields.take(1)]})
        fields.choice({2: [fields.number, fields.number], 4: [fields.number], 5: [fields.number]})
        fields.take(32)
        fields.number()
        # In the place of the manifest: no base, no edits.
        payload = payload[: fields.at] + b"\0\0"
    if kind == PERSON_ANSWERED and version == 2:
        fields = Payload(payload)
        fields.number()
        fields.take(fields.number())
        if payload[fields.at :] == b"\0":
            # Without tool calls it is known by version 1.
            version, payload = 1, payload[: fields.at]
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
                continue
            try:
                content = self.unpack_zstd(content) if codec == 1 else content
            except Exception as error:  # Each way to unpack has errors of its own.
                raise Damage(part, byte, f"it cannot be unpacked: {error}") from None
            if len(content) > BYTES_MAX:
                raise Damage(part, byte, "it is larger than a blob may be")
            plain.append((part, byte, digest, content))
        digests = blake3_all([under("twicetold blob 1", content) for _, _, _, content in plain])
        for (part, byte, stated, _), digest in zip(plain, digests):
            if stated != digest:
                raise Damage(part, byte, "its content does not have its digest")

    def entry(self, byte, payload, chain, body_digest):
        part = f"entry #{self.numbers}"
        if not 125 < len(payload) <= BYTES_MAX:
            raise Damage(part, byte, "its length is not that of an entry")
        fields = ENTRY_HEADER.unpack(payload[:125])
        form, campaign, first, count, at, _build, _turn, epoch, previous, body = fields
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
            self.story = blake3_all([under("twicetold story 1", text)])[0]

    def end(self, data, stated, byte, payload, before, end):
        if self.waiting:
            raise Damage(f"blob {self.blobs}", self.waiting[0][0], "no entry lists it")
        if self.entries != stated[1]:
            raise Damage(self.expected(stated), byte, "the end record is at its position")
        if stated != (self.campaign, self.entries, self.blobs, self.numbers, self.chain):
            raise Damage("header", len(MAGIC), "it belongs to another journal than the entries")
        seals = b"".join(seal for _, _, _, seal in before)
        digest = blake3_all([under("twicetold export 1", seals)])[0]
        if payload != struct.pack("<Q", len(before)) + digest:
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


# ----------------------------------------------------------------------------------------------------------- attestations


def attestation(path):
    """Reads a signed attestation: the key, and (next, chain) for each campaign."""
    with open(path, "rb") as file:
        text = file.read()
    signed, mark, signature = text.rpartition(b"signature ")
    lines = signed.decode("utf-8", "replace").split("\n")
    if lines[0] != "twicetold attestation 1" or not mark or not signed.endswith(b"\n"):
        raise Damage("attestation", None, "the file is not an attestation")
    try:
        key = bytes.fromhex(next(line[4:] for line in lines if line.startswith("key ")))
        genuine = is_signed(key, signed, bytes.fromhex(signature.decode("ascii").strip()))
    except (StopIteration, ValueError):
        genuine = False
    if not genuine:
        raise Damage("attestation", None, "the signature does not match")
    heads = {}
    for line in lines:
        words = line.split(" ")
        if words[0] == "campaign":
            if len(words) != 6 or words[2] != "next" or words[4] != "chain" or not words[3].isdecimal():
                raise Damage("attestation", None, f"a line cannot be parsed: {line}")
            heads[words[1]] = (int(words[3]), words[5])
    return key.hex(), heads


def compare_with_attestation(journal, heads):
    head = heads.get(journal.campaign.hex())
    if head is None:
        raise Damage("journal", None, "the attestation does not list this campaign")
    number, chain = head
    if journal.chains.get(number, b"").hex() != chain:
        raise Damage("journal", None, f"its history differs from the attestation up to #{number - 1}")
    return f"up to #{number - 1} as attested"


# ----------------------------------------------------------------------------------------------------------- command line


def main(arguments):
    as_json = "--json" in arguments
    paths = [argument for argument in arguments if argument != "--json"]
    file = None
    if "--attestation" in paths:
        place = paths.index("--attestation")
        file = paths[place + 1] if place + 1 < len(paths) else ""
        del paths[place : place + 2]
    if not paths or file == "" or any(path.startswith("--") for path in paths):
        print(__doc__, file=sys.stderr)
        return 2
    heads, damaged = None, False
    try:
        if file is not None:
            key, heads = attestation(file)
            print(f"{file}: signed by {key}", file=sys.stderr)
    except (Damage, OSError) as error:
        print(f"{file}: {error}", file=sys.stderr)
        return 4
    unpack_zstd = decompressor()
    for path in paths:
        try:
            with open(path, "rb") as file:
                journal = Journal(file.read(), unpack_zstd)
            report = journal.report()
            if heads is not None:
                report["attestation"] = compare_with_attestation(journal, heads)
        except (Damage, OSError) as error:
            damaged = True
            report = {"whole": False, "damage": str(error)}
        print(json.dumps(report) if as_json else f"{path}: {as_text(report)}")
    return 4 if damaged else 0


def as_text(report):
    if not report["whole"]:
        return f"damaged: {report['damage']}"
    text = "whole: {entries} entries, {numbers} numbers, {blobs} blobs, chain {chain}, story {story}".format(**report)
    if report["blobs_not_unpacked"]:
        text += f"; {report['blobs_not_unpacked']} compressed blobs were not unpacked: no zstd here"
    return text + (f"; {report['attestation']}" if "attestation" in report else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
