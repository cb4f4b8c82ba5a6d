"""Attestations: their signatures, and whether a journal is one that they list."""

from ed25519 import is_signed
from journal import Damage


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
