"""Plays two seats of a campaign with the official client of the Model Context Protocol, to its end.

play.py http ADDRESS AUTHORIZATION: the owner begins it and invites an agent to each seat.
play.py stdio COMMAND …: one agent holds both seats.
Prints one JSON object: the campaign's id, how it ended, and the tools of a seat's own connection.
"""

import asyncio
import contextlib
import json
import sys

import httpx2
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

SEATS = {"player-1": "Ada", "player-2": "Bert"}


class Agent:
    def __init__(self, session):
        self.session = session

    async def call(self, tool, **arguments):
        result = (await self.session.call_tool(tool, arguments)).structured_content
        if "error" in result:
            raise SystemExit(f"{tool} {arguments}: {result}")
        return result["data"]

    async def tools(self):
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def turns(self, name, place):
        """One turn after another, until the campaign is over."""
        count = 0
        while True:
            look = await self.call("wait_for_turn", seconds=50, **place)
            if look["state"] == "your turn":
                count += 1
                words = f"{name} looks at thing number {count} and says what is to be seen there."
                await self.call("act", turn=look["turn"], words=words, **place)
            elif look["state"] != "waiting":
                return look["state"]


@contextlib.asynccontextmanager
async def over_http(address, authorization):
    timeout = httpx2.Timeout(30, read=90)
    client = httpx2.AsyncClient(headers={"Authorization": authorization}, timeout=timeout)
    async with client, streamable_http_client(address, http_client=client) as streams:
        async with ClientSession(*streams[:2]) as session:
            await session.initialize()
            yield Agent(session)


@contextlib.asynccontextmanager
async def over_lines(command):
    async with stdio_client(StdioServerParameters(command=command[0], args=command[1:])) as streams:
        async with ClientSession(*streams[:2]) as session:
            await session.initialize()
            yield Agent(session)


async def begun(owner):
    run = await owner.call("run", campaign="the-borrowed-boat", seed=3, seats=list(SEATS))
    return run["id"]


async def invited(invitation, name):
    async with over_http(invitation["address"], invitation["authorization"]) as agent:
        tools = await agent.tools()
        await agent.call("take_seat", name=name)
        return await agent.turns(name, {}), tools


async def by_http(address, authorization):
    async with over_http(address, authorization) as owner:
        campaign = await begun(owner)
        invitations = [await owner.call("invite", campaign=campaign, seat=seat) for seat in SEATS]
        agents = [invited(*pair) for pair in zip(invitations, SEATS.values())]
        ended = await asyncio.gather(*agents)
        return {"id": campaign, "states": [state for state, _ in ended], "tools": ended[0][1]}


async def by_lines(command):
    async with over_lines(command) as owner:
        campaign = await begun(owner)
        places = [
            {"place": (await owner.call("take_seat", campaign=campaign, seat=seat, name=name))["place"]}
            for seat, name in SEATS.items()
        ]
        agents = [owner.turns(*pair) for pair in zip(SEATS.values(), places)]
        return {"id": campaign, "states": await asyncio.gather(*agents), "tools": await owner.tools()}


way, *arguments = sys.argv[1:]
print(json.dumps(asyncio.run(by_http(*arguments) if way == "http" else by_lines(arguments))))
