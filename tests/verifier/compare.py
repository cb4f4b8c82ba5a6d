#!/usr/bin/env python3
"""Answers what the page says of single requests and replies, for tests that compare it with the program.

Reads one JSON object a line: {"protocol", "compat"} and either "request", which is answered with the body to be sent, or "reply",
the body of a reply, which is answered with its text, calls, blocks, finish and usage, or with null where it cannot be read.
"""

import json
import sys

# The folder of a repository is no place for what Python keeps.
sys.dont_write_bytecode = True

from charter import COMPAT
from rawjson import Wrong
from reply import decoded
from request import Request
from sent import body


def answer(line):
    seat = {"protocol": line["protocol"], "compat": COMPAT | line["compat"]}
    if "request" in line:
        asked = line["request"]
        messages = [[role, [list(part) for part in parts]] for role, parts in asked.pop("messages")]
        return body(Request(messages=messages, **asked), seat)
    try:
        return decoded(line["reply"], seat)
    except Wrong:
        return None


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))))
