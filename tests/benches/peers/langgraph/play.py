"""W1 as a graph of LangGraph that keeps its state in SQLite: play.py TURNS FOLDER [full|delta].

A turn is one step of the speaker's node, and the state is written before the next step (`durability="sync"`). The tool runs within the node,
which is cheaper than a step of its own. `full` keeps messages as its documentation does; `delta` is the channel that is being tried out.
"""

import os
import sqlite3
import sys
from typing import Annotated, Any, TypedDict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from workload import ROLL, ROLLED, SEATS, Watch, rolls, said, speaker, stored, versions


class Prepared(BaseChatModel):
    """Answers at once with the reply of the turn."""

    replies: list
    turn: int = 0

    @property
    def _llm_type(self):
        return "prepared"

    def _generate(self, messages, stop=None, run_manager=None, **more: Any):
        turn, self.turn = self.turn, self.turn + 1
        calls = [{"name": "roll_dice", "args": ROLL, "id": f"call-{turn}"}] if rolls(turn) else []
        message = AIMessage(content=self.replies[turn], tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


def appended(messages, writes):
    return messages + [message for write in writes for message in (write if isinstance(write, list) else [write])]


def main():
    turns, kind = int(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else "full"
    path = os.path.join(sys.argv[2], f"langgraph-{kind}.db")
    model = Prepared(replies=[said(turn) for turn in range(turns)])

    class Table(TypedDict):
        messages: Annotated[list, add_messages if kind == "full" else DeltaChannel(appended)]
        turn: int

    def node(seat):
        instructions = SystemMessage(f"You are {seat}.")

        def speak(table):
            reply = model.invoke([instructions, *table["messages"]])
            reply.name = seat
            results = [ToolMessage(content=ROLLED, tool_call_id=call["id"]) for call in reply.tool_calls]
            return {"messages": [reply, *results], "turn": table["turn"] + 1}

        return speak

    def following(table):
        return END if table["turn"] >= turns else speaker(table["turn"])

    graph = StateGraph(Table)
    for seat in SEATS:
        graph.add_node(seat, node(seat))
        graph.add_conditional_edges(seat, following, [*SEATS, END])
    graph.add_edge(START, SEATS[0])
    connection = sqlite3.connect(path, check_same_thread=False)
    game = graph.compile(checkpointer=SqliteSaver(connection))
    thread = {"configurable": {"thread_id": "w1"}, "recursion_limit": turns + 10}
    version = versions("langgraph", "langgraph-checkpoint-sqlite")
    name = "LangGraph, SQLite" if kind == "full" else "LangGraph, SQLite, DeltaChannel (beta)"
    watch = Watch()
    end = game.invoke({"messages": [HumanMessage("Begin.")], "turn": 0}, thread, durability="sync")
    assert end["turn"] == turns and len(end["messages"]) == 1 + turns + turns // 3
    watch.tell(name, turns, version, stored(path))
    watch = Watch()
    assert game.get_state(thread).values["turn"] == turns
    watch.tell(f"{name}: loading it again", turns, version)


main()
