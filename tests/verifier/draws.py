"""Random draws: ChaCha with eight rounds, by seed, stream and counter."""

import re
import struct

from digests import derive_key_all

CONTEXT = "twicetold 2026-11 dice stream 1"
CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
QUARTERS = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)
DICE = re.compile(r"([0-9]*)d([0-9]+)([+-][0-9]+)?")


def block(key, counter):
    """Sixteen words of the keystream."""
    start = list(CONSTANTS) + list(struct.unpack("<8I", key)) + [counter & 0xFFFFFFFF, counter >> 32, 0, 0]
    state = list(start)
    for _ in range(4):
        for a, b, c, d in QUARTERS:
            for into, other, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                state[into] = (state[into] + state[other]) & 0xFFFFFFFF
                mixed = state[turned] ^ state[into]
                state[turned] = (mixed << by | mixed >> (32 - by)) & 0xFFFFFFFF
    return [(word + first) & 0xFFFFFFFF for word, first in zip(state, start)]


def words(seed, stream, counter):
    """The words of a draw, without end."""
    material = struct.pack("<QI", seed, counter) + stream.encode("utf-8")
    key = derive_key_all(CONTEXT, [material])[0]
    place = 0
    while True:
        yield from block(key, place)
        place += 1


def below(source, bound):
    limit = 0xFFFFFFFF - 0xFFFFFFFF % bound
    return next(word for word in source if word < limit) % bound


def model_seed(seed, seat, counter):
    return next(words(seed, f"{seat} model", counter)) >> 1


def dice_of(text):
    """Count, sides and modifier of dice."""
    found = DICE.fullmatch("".join(text.split()).lower())
    if not found:
        raise ValueError(f"{text!r} are no dice")
    return int(found[1] or 1), int(found[2]), int(found[3] or 0)


def faces(charter, stream, counter, dice):
    """The faces of a throw, and what dice and modifier give together."""
    count, sides, modifier = dice
    thrown = charter.replaced(stream, counter)
    if thrown is None or len(thrown) != count or not all(1 <= face <= sides for face in thrown):
        source = words(charter.seed, stream, counter)
        thrown = [below(source, sides) + 1 for _ in range(count)]
    return thrown, sum(thrown) + modifier
