"""What the entries of a journal say, word by word, and whether it fits together."""

from blake3 import blake3_all, under
from charter import Charter
from journal import Damage
from page import THE_PAGE
from rawjson import Wrong
from reply import Reply, decoded
from request import CHAIN_MAX, INLINE_BYTES_MAX, difference, encoded, request_of, resolved
from sent import body

USAGE = ("input_tokens", "cached_tokens", "cache_written_tokens", "output_tokens", "thinking_tokens")


class Campaign:
    """A journal's words, read strictly and in their order."""

    def __init__(self, journal):
        self.journal = journal
        self.charter = None
        self.blobs = 0
        # Of each call: its seat and its reply. Of each seat: its last request, as items, and how long its chain is.
        self.requested, self.replies, self.last = {}, {}, {}
        self.pending = None
        # What is hashed at the end, all at once: content under its domain, what the journal says, and where.
        self.stated = []
        # How many were rebuilt, or read, and compared.
        self.counts = {"requests": 0, "bodies": 0, "replies": 0}
        for entry in journal.read:
            try:
                self.entry(entry, [THE_PAGE.decode(*word) for word in entry.words])
            except ValueError as error:
                raise Damage(f"entry #{entry.first}", entry.byte, str(error)) from None
        self.compare_digests()

    def state(self, entry, number, domain, content, digest, why):
        self.stated.append((entry, number, under(domain, content), digest, why))

    def compare_digests(self):
        digests = blake3_all([content for _, _, content, _, _ in self.stated])
        for (entry, number, _, stated, why), digest in zip(self.stated, digests):
            if stated != digest:
                why = f"#{number}: {why} has the digest {digest.hex()[:16]}, the journal says {stated.hex()[:16]}"
                raise Damage(f"entry #{entry.first}", entry.byte, why)

    def entry(self, entry, words):
        kinds = [kind for kind, _, _ in entry.words]
        if not kinds[0] < 100 <= min(kinds[1:], default=100):
            raise ValueError("an entry is one input and the events decided from it")
        self.blobs = entry.first_blob + len(entry.blobs)
        (name, asked), events = words[0], words[1:]
        ignored = any(event == "ReplyIgnored" for event, _ in events)
        if name == "OpeningAsked":
            self.open(asked["charter"])
        if self.charter is None:
            raise ValueError("nothing was opened")
        self.change(name, asked, events)
        if name in ("ModelReplied", "ModelFailed") and not ignored:
            self.answered(entry, name, asked)
        if name == "PersonAnswered" and not ignored:
            calls = [(call["tool"], call["arguments"]) for call in asked["tool_calls"]]
            self.replies[asked["call"]] = Reply(asked["text"], calls, [], "Stop", ())
        for number, (event, word) in enumerate(events, entry.first + 1):
            if event == "MoveChosen" and word["complete"] and word["tool"]:
                self.reply(word["call"]).calls.append((word["tool"], word["arguments"]))
            if event == "ModelCallRequested":
                self.request(entry, number, word)

    # ------------------------------------------------------------------------------------------------------- the charter

    def open(self, charter):
        if self.charter is not None:
            raise ValueError("a campaign is opened once")
        files = [(file["path"], file["digest"], self.blob(file["blob"])) for file in charter["files"]]
        self.charter = Charter(charter["seed"], charter["rules"], files)

    def change(self, name, asked, events):
        for event, word in events:
            if event == "CharterAmended":
                amendments = asked["amendments"] if name == "ForkAsked" else [asked] if name == "AmendmentAsked" else []
                content = [one["content"] for one in amendments if one["path"] == word["path"]]
                if not content:
                    raise ValueError(f"nobody asked to replace {word['path']}")
                self.charter = self.charter.amended(word["path"], content[-1])
            if event == "CampaignForked" and word["seed"] is not None:
                self.charter = self.charter.seeded(word["seed"])

    def blob(self, number):
        if number >= self.blobs:
            raise ValueError(f"blob {number} is not there yet")
        content = self.journal.texts[number]
        if content is None:
            raise ValueError(f"blob {number} was not unpacked")
        return content

    # ------------------------------------------------------------------------------------------------------------ replies

    def reply(self, call):
        if call not in self.replies:
            raise ValueError(f"no reply to call {call} came so far")
        return self.replies[call]

    def answered(self, entry, name, word):
        call = word["call"]
        if call not in self.requested:
            raise ValueError(f"call {call} was not requested")
        seat, request, text = self.requested[call]
        if text is None:
            text = body(request, self.charter.seat(seat))
            self.requested[call] = (seat, request, text)
        self.state(entry, entry.first, "twicetold sent 1", text.encode("utf-8"), word["sent"], f"the body of call {call}")
        self.counts["bodies"] += 1
        if name == "ModelFailed":
            return
        try:
            reply = decoded(word["body"], self.charter.seat(seat))
        except Wrong as error:
            raise ValueError(f"the reply to call {call} cannot be read: {error}") from None
        usage = tuple(word["usage"][name] for name in USAGE)
        for what, journal, read in (("usage", usage, reply.usage), ("finish", word["finish"].name, reply.finish)):
            if journal != read:
                raise ValueError(f"{what} of the reply to call {call} is {journal}; its body says {read}")
        self.replies[call] = reply
        self.counts["replies"] += 1

    # ----------------------------------------------------------------------------------------------------------- requests

    def request(self, entry, number, word):
        call, seat, manifest = word["call"], word["seat"], word["manifest"]
        base, items, chain = manifest["base"], [], 0
        if base is not None:
            last, items, chain = self.last.get(seat, (None, [], 0))
            if base != last:
                raise ValueError(f"call {call} builds upon call {base}, which is not the last one of its seat")
            chain += 1
        if chain >= CHAIN_MAX:
            raise ValueError(f"call {call} is the {chain + 1}th in a row that builds upon another")
        before, items = items, resolved(manifest["edits"], items)
        if [tuple(edit) for edit in manifest["edits"]] != difference(before, items):
            raise ValueError(f"the manifest of call {call} is not the difference to the one before it")
        self.last[seat] = (call, items, chain)
        request = request_of(items, word, self.charter, self.reply, self.span)
        content, size = encoded(request)
        self.state(entry, number, "twicetold request 1", content, word["digest"], f"the request of call {call}")
        tokens = -(-size // 3) * self.charter.seat(seat)["token_factor_percent"] // 100
        if tokens != word["tokens"]:
            raise ValueError(f"call {call} has about {tokens} tokens, the journal says {word['tokens']}")
        self.requested[call] = (seat, request, None)
        self.counts["requests"] += 1

    def span(self, span):
        """The text of a span."""
        place, length = span["place"], span["length"]
        if place.name == "Inline":
            data = place[1].encode("utf-8")
            if len(data) > INLINE_BYTES_MAX:
                raise ValueError(f"an inline text has {len(data)} bytes")
            start = 0
            if length != len(data):
                raise ValueError("an inline text has another length than its span")
        else:
            kind, of, start = place
            data = self.blob(of) if kind == "Blob" else self.reply(of).text.encode("utf-8")
        if start + length > len(data):
            raise ValueError("a span ends behind its text")
        try:
            return data[start : start + length].decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError("a span cuts a character") from None
