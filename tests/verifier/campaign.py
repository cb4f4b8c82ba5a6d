"""What the entries of a journal say, word by word, and whether it fits together."""

from digests import blake3_all, under
from charter import Charter
from fit import Draws, check_source, texts_of_replies
from journal import Damage
from page import THE_PAGE
from rawjson import Wrong, is_blank
from reply import Reply, decoded
from request import CHAIN_MAX, INLINE_BYTES_MAX, difference, encoded, request_of, resolved
from sent import body

USAGE = ("input_tokens", "cached_tokens", "cache_written_tokens", "output_tokens", "thinking_tokens")


class Campaign:
    """A journal's words, read strictly and in their order."""

    def __init__(self, journal):
        self.journal = journal
        self.charter = None
        # Blobs by their digests, how many there are so far, and those that no word has used yet.
        self.by_digest, self.blobs, self.unused = {}, 0, []
        # Events by their numbers: type number, name, fields, who may know them.
        self.events = {}
        # Of each call: its seat and its request. Of each seat: its last request, as items, and how long its chain is.
        self.requested, self.replies, self.last = {}, {}, {}
        self.pending, self.turn, self.builds, self.is_over = None, 0, {}, False
        self.draws = Draws()
        # What is hashed at the end, all at once: content under its domain, what the journal says, and where.
        self.stated = []
        # How many were rebuilt, or read, and compared.
        self.counts = {"requests": 0, "bodies": 0, "replies": 0}
        for entry in journal.read:
            try:
                self.entry(entry, [THE_PAGE.decode(*word) for word in entry.words])
            except ValueError as error:
                raise Damage(f"entry #{entry.first}", entry.byte, str(error)) from None
        self.counts["draws"] = self.draws.count
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
        if self.is_over:
            raise ValueError("nothing follows the end of a campaign")
        if self.builds.setdefault(entry.epoch, entry.build) != entry.build:
            raise ValueError(f"two builds wrote in the epoch {entry.epoch}")
        self.add_blobs(entry)
        (name, asked), events = words[0], words[1:]
        if (name == "OpeningAsked") != (self.charter is None):
            raise ValueError("a campaign is opened once, by its first entry")
        if name == "OpeningAsked":
            self.open(entry, asked["charter"])
        self.change(name, asked, events)
        if self.is_awaited(asked, events):
            self.answered(entry, name, asked)
        for number, (event, word) in enumerate(events, entry.first + 1):
            self.event(entry, number, event, word)
        # In a transcript of another program every entry in which somebody says something is a turn.
        spoken = any(event == "ForeignSpoke" and not is_blank(word["text"]) for event, word in events)
        self.turn += int(spoken)
        if entry.turn != self.turn:
            raise ValueError(f"the entry belongs to turn {self.turn}, its header says {entry.turn}")
        if self.unused:
            raise ValueError(f"nothing in the entry that adds it uses blob {self.unused[0]}")

    def is_awaited(self, asked, events):
        """Is it not about a call that nobody waits for? That would be ignored, and nothing else follows from it."""
        ignored = [word for event, word in events if event == "ReplyIgnored"]
        if "call" not in asked or asked["call"] == self.pending:
            if ignored:
                raise ValueError("what was waited for is ignored")
            return True
        if ignored != [{"call": asked["call"], "pending": self.pending}] or len(events) != 1:
            raise ValueError(f"call {asked['call']} is not pending, and what answers it is not ignored")
        return False

    def event(self, entry, number, event, word):
        kind, version, _ = entry.words[number - entry.first]
        if event == "MoveChosen" and word["complete"] and word["tool"]:
            self.reply(word["call"]).calls.append((word["tool"], word["arguments"]))
        elif event == "CampaignOpened":
            players = self.charter.toml("seats.toml").get("players")
            if (word["charter"], word["players"]) != (self.charter.digest(), players):
                raise ValueError("the campaign was opened with another charter")
        elif event == "ModelCallRequested":
            self.request(entry, number, word)
        elif event == "TurnBegan":
            self.turn = word["turn"]
        elif event == "CampaignEnded":
            self.pending, self.is_over = None, True
        elif event in ("CallAbandoned", "CallWithdrawn", "HistoryShortened"):
            self.pending = None
        self.draws.check(self.charter, event, word)
        for call, start, end in texts_of_replies(word):
            self.piece(self.reply(call).text.encode("utf-8"), start, end - start)
        self.events[number] = (kind, event, word, THE_PAGE.words[kind, version][2])

    # -------------------------------------------------------------------------------------------------------------- blobs

    def add_blobs(self, entry):
        for number, digest in enumerate(entry.blobs, entry.first_blob):
            if digest in self.by_digest:
                raise ValueError(f"blob {number} is blob {self.by_digest[digest]} once more")
            self.by_digest[digest] = number
        self.blobs = entry.first_blob + len(entry.blobs)
        self.unused = list(range(entry.first_blob, self.blobs))

    def use(self, number):
        """The content of a blob that is used here. Those that are new are numbered as they are used."""
        if number >= self.blobs:
            raise ValueError(f"blob {number} is not there yet")
        if number in self.unused:
            if number != self.unused[0]:
                raise ValueError(f"blob {number} is used before blob {self.unused[0]}")
            self.unused.pop(0)
        return self.journal.texts[number]

    # ------------------------------------------------------------------------------------------------------- the charter

    def open(self, entry, charter):
        paths = [file["path"] for file in charter["files"]]
        if len(set(paths)) != len(paths):
            raise ValueError("a file of the charter is there twice")
        files = []
        for file in charter["files"]:
            content = self.use(file["blob"])
            if self.by_digest.get(file["digest"]) != file["blob"]:
                raise ValueError(f"{file['path']} of the charter has another digest than its blob")
            files.append((file["path"], file["digest"], content))
        self.charter = Charter(charter["seed"], charter["rules"], files)

    def change(self, name, asked, events):
        for event, word in events:
            if event == "CharterAmended":
                amendments = asked["amendments"] if name == "ForkAsked" else [asked] if name == "AmendmentAsked" else []
                content = [one["content"] for one in amendments if one["path"] == word["path"]]
                if not content:
                    raise ValueError(f"nobody asked to replace {word['path']}")
                self.charter = self.charter.amended(word["path"], content[-1])
                place = next(place for place, file in enumerate(self.charter.files) if file[0] == word["path"])
                if word["digest"] != self.charter.files[place][1] or word["digest"] not in self.by_digest:
                    raise ValueError(f"{word['path']} was replaced by another content")
                self.use(self.by_digest[word["digest"]])
            if event == "CampaignForked" and word["seed"] is not None:
                self.charter = self.charter.seeded(word["seed"])

    # ------------------------------------------------------------------------------------------------------------ replies

    def reply(self, call):
        if call not in self.replies:
            raise ValueError(f"no reply to call {call} came so far")
        return self.replies[call]

    def answered(self, entry, name, word):
        if name == "PersonAnswered":
            calls = [(call["tool"], call["arguments"]) for call in word["tool_calls"]]
            self.replies[word["call"]] = Reply(word["text"], calls, [], "Stop", ())
        if name in ("ModelReplied", "ModelFailed"):
            self.sent(entry, word)
        if name == "ModelReplied":
            self.read(word)
        if name in ("ModelReplied", "PersonAnswered"):
            self.pending = None

    def sent(self, entry, word):
        call = word["call"]
        seat, request, text = self.requested[call]
        if text is None:
            text = body(request, self.charter.seat(seat)).encode("utf-8")
            self.requested[call] = (seat, request, text)
        self.state(entry, entry.first, "twicetold sent 1", text, word["sent"], f"the body of call {call}")
        self.counts["bodies"] += 1

    def read(self, word):
        call = word["call"]
        try:
            reply = decoded(word["body"], self.charter.seat(self.requested[call][0]))
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
        if call != len(self.requested):
            raise ValueError(f"call {call} is not the next one")
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
        for edit in manifest["edits"]:
            if edit.name == "Add" and edit[1].name == "Span":
                check_source(edit[1][1], seat, number, self.events)
        request = request_of(items, word, self.charter, self.reply, self.span)
        content, size = encoded(request)
        self.state(entry, number, "twicetold request 1", content, word["digest"], f"the request of call {call}")
        tokens = -(-size // 3) * self.charter.seat(seat)["token_factor_percent"] // 100
        if tokens != word["tokens"]:
            raise ValueError(f"call {call} has about {tokens} tokens, the journal says {word['tokens']}")
        self.requested[call] = (seat, request, None)
        self.pending = call
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
            data = self.use(of) if kind == "Blob" else self.reply(of).text.encode("utf-8")
        return self.piece(data, start, length)

    @staticmethod
    def piece(data, start, length):
        """A piece of a text in UTF-8."""
        if length < 0 or start + length > len(data):
            raise ValueError("a piece ends behind its text")
        try:
            return data[start : start + length].decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError("a piece cuts a character") from None
