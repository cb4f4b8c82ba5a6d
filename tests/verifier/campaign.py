"""What the entries of a journal say, word by word, and whether it fits together."""

from journal import Damage
from page import THE_PAGE


class Campaign:
    """A journal's words, read strictly and in their order."""

    def __init__(self, journal):
        self.journal = journal
        for entry in journal.read:
            try:
                self.entry(entry)
            except ValueError as error:
                raise Damage(f"entry #{entry.first}", entry.byte, str(error)) from None

    def entry(self, entry):
        words = [THE_PAGE.decode(*word) for word in entry.words]
        kinds = [kind for kind, _, _ in entry.words]
        if not kinds[0] < 100 <= min(kinds[1:], default=100):
            raise ValueError("an entry is one input and the events decided from it")
        return words
