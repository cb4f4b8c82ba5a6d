"""The workload W1 as every peer plays it: what is said in a turn, who says it, and how a measurement is printed.

`tests/benches/README.md` describes it. A turn is one call of a model that answers in the same process; in every third turn the reply also calls
`roll_dice`, whose result is recorded. Replies are made before any clock runs.
"""

import json
import os
import sqlite3
import time
from importlib import metadata

SEATS = ["DM", "player-1", "player-2", "player-3"]
ROLL = {"dice": "1d20+5"}
ROLLED = "1d20+5 = 17 (12 on the die)"
VOCABULARY = (
    "a the and of to in is her his door river lamp stone bread coat letter bell boat rain hand window bridge table salt"
    " dog market song ladder wheel candle horse apple"
).split()


def said(turn):
    """600 ASCII bytes that depend on the turn alone."""
    words, length, seed = [], 0, turn * 2_246_822_519 + 3_266_489_917
    while length < 600:
        seed = (seed * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        words.append(VOCABULARY[(seed >> 40) % len(VOCABULARY)])
        length += len(words[-1]) + 1
    return " ".join(words)[:600]


def rolls(turn):
    return turn % 3 == 2


def speaker(turn):
    return SEATS[turn % len(SEATS)]


def versions(*packages):
    return ", ".join(f"{package} {metadata.version(package)}" for package in packages)


def stored(path):
    """Bytes of a file of SQLite, with what it keeps beside it."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return sum(os.path.getsize(path + end) for end in ("", "-wal", "-journal") if os.path.exists(path + end))


class Watch:
    """Wall time, and CPU time of this process, since it was made."""

    def __init__(self):
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def tell(self, what, turns, version, stored=None):
        """Prints the time of a turn as one JSON line, in milliseconds; bytes are those that a turn takes on the disk."""
        wall, cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu
        line = {"what": what, "turns": turns, "wall": wall * 1e3 / turns, "cpu": cpu * 1e3 / turns, "version": version}
        if stored is not None:
            line["bytes"] = stored / turns
        print(json.dumps(line), flush=True)
