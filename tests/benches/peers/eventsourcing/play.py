"""W1 as aggregates of the library `eventsourcing`, stored by its SQLite module: play.py TURNS FOLDER.

The campaign is held in memory and saved after each turn, which is the fastest that the library offers. A turn stores what W1 stores: the prompt's
digest, what was said, a roll with its result, the end of the turn.
"""

import hashlib
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from workload import ROLL, ROLLED, Watch, rolls, said, speaker, stored, versions


class Campaign(Aggregate):
    @event("Began")
    def __init__(self):
        self.words, self.tokens, self.rolls, self.turns = [], 0, 0, 0

    @event("Asked")
    def ask(self, turn: int, seat: str, digest: str, tokens: int):
        self.tokens += tokens

    @event("Spoken")
    def speak(self, turn: int, seat: str, words: str):
        self.words.append(words)

    @event("Called")
    def call(self, turn: int, tool: str, arguments: str):
        self.rolls += 1

    @event("Answered")
    def answer(self, turn: int, result: str):
        self.words.append(result)

    @event("TurnOver")
    def end(self, turn: int):
        self.turns = turn + 1


def main():
    turns, path = int(sys.argv[1]), os.path.join(sys.argv[2], "eventsourcing.db")
    replies = [said(turn) for turn in range(turns)]
    campaigns = Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": path})
    campaign = Campaign()
    campaigns.save(campaign)
    version = versions("eventsourcing")
    watch = Watch()
    for turn, reply in enumerate(replies):
        digest = hashlib.sha256(reply.encode()).hexdigest()
        campaign.ask(turn, speaker(turn), digest, 1_000)
        campaign.speak(turn, speaker(turn), reply)
        if rolls(turn):
            campaign.call(turn, "roll_dice", str(ROLL))
            campaign.answer(turn, ROLLED)
        campaign.end(turn)
        campaigns.save(campaign)
    watch.tell("eventsourcing, SQLite", turns, version, stored(path))
    watch = Watch()
    loaded = campaigns.repository.get(campaign.id)
    assert loaded.turns == turns and len(loaded.words) == len(campaign.words)
    watch.tell("eventsourcing, SQLite: loading it again", turns, version)
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)


main()
