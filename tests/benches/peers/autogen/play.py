"""W1 as a SelectorGroupChat of AutoGen: play.py TURNS FOLDER.

A function chooses who speaks, so that a turn is one call; the selector that AutoGen brings would ask the model once more. AutoGen keeps nothing by itself:
to be as durable as the others, the team's state is saved and flushed after each turn, as its documentation saves it.
"""

import asyncio
import json
import logging
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.teams import SelectorGroupChat
from autogen_core import FunctionCall
from autogen_core.models import ChatCompletionClient, CreateResult, ModelInfo, RequestUsage
from workload import ROLL, ROLLED, SEATS, Watch, rolls, said, speaker, versions

KNOWN = ModelInfo(vision=False, function_calling=True, json_output=False, family="unknown", structured_output=False)
USED = RequestUsage(prompt_tokens=0, completion_tokens=150)


class Prepared(ChatCompletionClient):
    """Answers at once with the reply of the turn."""

    def __init__(self, replies):
        self.replies, self.turn = replies, 0

    async def create(self, messages, **more):
        turn, self.turn = self.turn, self.turn + 1
        if not rolls(turn):
            return CreateResult(finish_reason="stop", content=self.replies[turn], usage=USED, cached=False)
        call = FunctionCall(id=f"call-{turn}", name="roll_dice", arguments=json.dumps(ROLL))
        return CreateResult(
            finish_reason="function_calls", content=[call], thought=self.replies[turn], usage=USED, cached=False
        )

    def create_stream(self, messages, **more):
        raise NotImplementedError

    async def close(self):
        pass

    def actual_usage(self):
        return USED

    def total_usage(self):
        return USED

    def count_tokens(self, messages, **more):
        return 0

    def remaining_tokens(self, messages, **more):
        return 1_000_000

    @property
    def capabilities(self):
        return KNOWN

    @property
    def model_info(self):
        return KNOWN


async def roll_dice(dice: str) -> str:
    """Rolls dice."""
    return ROLLED


def team(client, turns, begun=0):
    at = iter(range(begun, 10**9))
    seats = [
        AssistantAgent(seat.replace("-", "_"), model_client=client, tools=[roll_dice], system_message=f"You are {seat}.")
        for seat in SEATS
    ]
    return SelectorGroupChat(
        seats,
        model_client=client,
        selector_func=lambda messages: speaker(next(at)).replace("-", "_"),
        allow_repeated_speaker=True,
        max_turns=turns,
    )


def save(path, state):
    with open(path + ".new", "wb") as file:
        file.write(json.dumps(state).encode())
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)
    return os.path.getsize(path)


async def main():
    logging.disable(logging.CRITICAL)
    turns, path = int(sys.argv[1]), os.path.join(sys.argv[2], "autogen.json")
    replies = [said(turn) for turn in range(turns)]
    version = versions("autogen-agentchat")
    watch = Watch()
    await team(Prepared(replies), turns).run(task="Begin.")
    watch.tell("AutoGen, nothing kept", turns, version)
    game, written = team(Prepared(replies), 1), 0
    watch = Watch()
    for turn in range(turns):
        await game.run(task=None if turn else "Begin.")
        written += save(path, await game.save_state())
    watch.tell("AutoGen, its state saved after each turn", turns, version, written)
    watch = Watch()
    with open(path) as file:
        await team(Prepared(replies), 1, turns).load_state(json.load(file))
    watch.tell("AutoGen: loading it again", turns, version)


asyncio.run(main())
