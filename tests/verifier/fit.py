"""What must fit together in a journal: where texts come from, who may know them, what was drawn."""

from draws import below, dice_of, faces, words

# Types whose events show nothing to a model.
SILENT = set(range(100, 114)) | {120, 121, 122, 123, 125}


def players_may_know(audience, word, seat):
    """May a seat read what an event says? True too where the page does not decide it by the event."""
    if audience == "as it states":
        stated = word["audience"]
        return stated.name == "All" or (seat.name == "Dm" if stated.name == "Dm" else seat in stated[1])
    if audience == "its seat":
        return seat == word["seat"]
    if "part of it" in audience:
        return seat.name == "Dm" or seat in word["seats"]
    return "`Secrets`" not in audience or word["section"].name != "Secrets" or seat.name == "Dm"


def texts_of_replies(word):
    """Call, start and end of the texts of replies that an event has."""
    texts = (value for value in word.values() if isinstance(value, tuple) and value and value[0] == "Reply")
    return [tuple(text[1:]) for text in texts if len(text) == 4]


def check_source(span, seat, number, events):
    """`events` are those so far: type number, name, fields and audience."""
    source, place, length = span["source"], span["place"], span["length"]
    if source.name != "Event":
        if place.name == "Reply":
            raise ValueError("a span in a reply comes from no event")
        return
    of = source[1]
    if of >= number or of not in events:
        raise ValueError(f"a span comes from #{of}, which is no event before it")
    kind, name, word, audience = events[of]
    # Of a speaker the table is told only who has waited for too long.
    is_overdue = kind == 112 and word["rule"].name == "Overdue"
    if kind in SILENT and not is_overdue:
        raise ValueError(f"a span comes from #{of}, but {name} shows nothing to a model")
    if not players_may_know(audience, word, seat):
        raise ValueError(f"a span comes from #{of}, {name}, which {seat.name} may not know")
    if place.name == "Reply" and name != "ReplyRejected":
        _, call, start = place
        texts = [text for text in texts_of_replies(word) if text[0] == call]
        if not any(begin <= start and start + length <= end for _, begin, end in texts):
            raise ValueError(f"a span is not in the text of #{of}, {name}, that it comes from")
    elif place.name == "Reply" and word["call"] != place[1]:
        raise ValueError(f"a span comes from #{of}, which rejects another reply")


class Draws:
    """The draws so far: each stream counts its own."""

    def __init__(self):
        self.counters = {}
        self.count = 0

    def check(self, charter, name, word):
        if name == "EncounterBegan":
            self.details(charter, word)
        if name == "DiceRolled":
            total = self.thrown(charter, word, dice_of(word["dice"]))
            self.compare(word["stream"], "total", word["total"], total)
        elif name in ("AbilityChecked", "SavingThrowMade"):
            total = self.thrown(charter, word, dice_of(charter.pack("check", "dice"))) + word["modifier"]
            self.compare(word["stream"], "total", word["total"], total)
        elif name == "MoraleChecked":
            total = self.thrown(charter, word, dice_of(charter.pack("combat", "morale_dice")))
            self.compare(word["stream"], "total", word["total"], total)
        elif name == "CombatBegan":
            dice = dice_of(charter.pack("combat", "initiative_dice"))
            for initiative in word["order"]:
                self.thrown(charter, initiative, dice)
        elif name == "AttackMade":
            self.thrown(charter, word, dice_of(charter.pack("check", "dice")))
            if word["hit"]:
                blow = {"stream": word["stream"], "counter": word["counter"] + 1, "faces": word["damage_faces"]}
                self.thrown(charter, blow, dice_of(word["damage_dice"]))

    def thrown(self, charter, word, dice):
        """Compares one throw; what faces and modifier give together."""
        stream, counter = word["stream"], word["counter"]
        if counter != self.counters.get(stream, 0):
            raise ValueError(f"the draw {counter} of {stream} is not the next one of its stream")
        self.counters[stream] = counter + 1
        shown, total = faces(charter, stream, counter, dice)
        self.compare(f"{stream}, draw {counter}", "faces", word["faces"], shown)
        self.count += 1
        return total

    def details(self, charter, word):
        spec = charter.toml(f"encounters/{word['encounter']}.toml")
        drawn = []
        for random in spec.get("random", []):
            choices = random.get("table", [])
            if not choices and "vocabulary" in random:
                file, _, name = random["vocabulary"].rpartition(".")
                choices = charter.toml(f"vocabulary/{file}.toml").get(name, [])
            drawn.append({"key": random["key"], "value": self.picked(charter, word["encounter"], random, choices)})
        self.compare(word["encounter"], "details", word["draws"], drawn)

    def picked(self, charter, encounter, random, choices):
        if not choices:
            return random["fallback"]
        stream = f"encounter:{encounter} detail {random['key']}"
        replaced = charter.replaced(stream, 0)
        place = replaced[0] - 1 if replaced else -1
        if not 0 <= place < len(choices):
            place = below(words(charter.seed, stream, 0), len(choices))
        self.count += 1
        return choices[place]

    def compare(self, of, what, stated, computed):
        if stated != computed:
            raise ValueError(f"{what} of {of}: {computed} by the seed, the journal says {stated}")
