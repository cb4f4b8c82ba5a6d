"""BLAKE3 with Python's integers: many blocks are computed at once, as lanes of one large number.

Where the module `blake3` is installed, it is asked instead: it takes a hundredth of the time.
"""

import array
import struct
import sys
from hashlib import sha256

try:
    from blake3 import blake3 as installed
except ImportError:
    installed = None

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
MIXES = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)
CHUNK_START, CHUNK_END, PARENT, ROOT, KEY_CONTEXT, KEY_MATERIAL = 1, 2, 4, 8, 32, 64
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


def chunk_values(chunks, key=IV, kind=0):
    """Chaining values of chunks: (bytes, counter, whether the chunk is the root), in their order."""
    order = sorted(range(len(chunks)), key=lambda place: -len(chunks[place][0]))
    values = [b""] * len(chunks)
    for start in range(0, len(order), LANES_MAX):
        lanes = [chunks[place] for place in order[start : start + LANES_MAX]]
        blocks_of = [max(1, -(-len(data) // BLOCK)) for data, _, _ in lanes]
        chaining = [pack([word] * len(lanes)) for word in key]
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
                flag = kind | (CHUNK_START if step == 0 else 0)
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


# Digests by what a fast hash says of their messages: journals of one campaign have most of their contents in common.
KNOWN = {}


def blake3_all(messages):
    """The BLAKE3 digest of each message, each computed once."""
    if installed:
        return [installed(message).digest() for message in messages]
    names = [sha256(message).digest() for message in messages]
    missing = {name: message for name, message in zip(names, messages) if name not in KNOWN}
    KNOWN.update(zip(missing, computed(list(missing.values()))))
    return [KNOWN[name] for name in names]


def computed(messages, key=IV, kind=0):
    """The digest of each message, or its key."""
    chunks, counts = [], []
    for message in messages:
        count = max(1, -(-len(message) // CHUNK))
        counts.append(count)
        for place in range(count):
            chunks.append((message[place * CHUNK : (place + 1) * CHUNK], place, count == 1))
    values = iter(chunk_values(chunks, key, kind))
    return [root([next(values) for _ in range(count)], key, kind) for count in counts]


def root(values, key, kind):
    """Joins neighbours until one is left."""
    while len(values) > 1:
        pairs = [values[place] + values[place + 1] for place in range(0, len(values) - 1, 2)]
        odd = values[len(pairs) * 2 :]
        count = len(pairs)
        flags = [kind | PARENT | (ROOT if len(values) == 2 else 0)] * count
        joined = compress([pack([word] * count) for word in key], pairs, [0] * count, [BLOCK] * count, flags)
        columns = [unpack(word, count) for word in joined]
        values = [struct.pack("<8I", *(column[lane] for column in columns)) for lane in range(count)] + odd
    return values[0]


def derive_key_all(context, materials):
    """BLAKE3's `derive_key`: a key of 32 bytes of each material."""
    if installed:
        return [installed(material, derive_key_context=context).digest() for material in materials]
    key = struct.unpack("<8I", computed([context.encode("ascii")], IV, KEY_CONTEXT)[0])
    return computed(materials, key, KEY_MATERIAL)


def under(domain, content):
    """What a digest of `domain` is computed over."""
    return struct.pack("<I", len(domain)) + domain.encode("ascii") + content


def digest(domain, content):
    """The digest of one content."""
    return blake3_all([under(domain, content)])[0]
