#!/usr/bin/env python3
"""Verifies exported journals without a line of the program that wrote them.

    verify.py [--json] [--attestation FILE] JOURNAL...

Written from crates/event/FORMAT.md alone, with Python's standard library (3.11 or later). Checks of every journal its records and
their digests, the entries' numbers, times, epochs, bodies and chain, the blobs against the entries that list them, and computes the
digest of the story. Reads every input and event strictly by the page's tables. Rebuilds every request from its manifest and
compares its digest, makes the body of its HTTP request and compares what was sent, reads every reply and compares its usage and its
reason to stop. Draws from the seed again, and checks what else must fit together by the page. With an attestation that `twicetold
attest` wrote, checks its signature and that the journals still match it; a journal that the attestation does not list fails.

Blobs may be compressed with zstd, which Python has from 3.14 on (`compression.zstd`); before that the module `zstandard` or the
program `zstd` is used. Without any of them neither digests of compressed contents nor requests are computed, and the report says
so; every byte is under its record's digest all the same.

Digests are computed here; the module `blake3`, where it is installed, does it faster.

Exit codes: 0 all is whole, 2 wrong arguments, 4 something is damaged or contradicts the rest.
"""

import json
import sys

# The folder of a repository is no place for what Python keeps.
sys.dont_write_bytecode = True

from attestation import attestation, compare_with_attestation
from campaign import Campaign
from journal import Damage, Journal
from packed import decompressor


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
            if not journal.packed:
                report |= Campaign(journal).counts
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
        text += f"; {report['blobs_not_unpacked']} compressed blobs were not unpacked and no request was rebuilt: no zstd here"
    else:
        text += "; rebuilt: {requests} requests and {bodies} bodies sent; read: {replies} replies; drawn: {draws}".format(**report)
    return text + (f"; {report['attestation']}" if "attestation" in report else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
