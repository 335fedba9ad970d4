# /// script
# requires-python = ">=3.10"
# dependencies = ["mcp>=1.10,<2", "pdmigrate"]
# ///
"""An agent for servers that disclose their tools progressively; its model is a script, so nothing leaves the machine.

    python examples/agent_loop.py [--habit HABIT] TASK... -- COMMAND

``COMMAND`` starts a server over stdio.  The agent builds its system prompt from what the server lists, and gives its
model two kinds of steps: calls of tools, and ``read_resource``.  The model picks the tool whose short description has
most of the words of the task, and calls it with the first example of the full description, or else with the last word
of the task for every text that is required.  Its habits are those that models have:

    good               picks, fetches, calls
    fetches-everything asks for all descriptions in order to choose: it is told to name a tool
    skips-the-fetch    calls at once: the answer is the description, and it calls again

Put a client of your model in the place of ``Scripted``; the rest is what an agent needs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from dataclasses import dataclass, field
from typing import Any, Protocol

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client

from pdmigrate.agent import Listing, system_prompt

MOST_STEPS = 10
HABITS = ("good", "fetches-everything", "skips-the-fetch")


@dataclass(frozen=True)
class Step:
    """What a model wants next: ``tool`` with ``arguments``, or to end with an ``answer``."""

    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    answer: str = ""


class Model(Protocol):
    """What takes the place of the script."""

    def next(self, prompt: str, task: str, results: list[str]) -> Step:
        """The next step, from the system prompt, the task and the results of all steps so far."""
        ...


# --- the agent --------------------------------------------------------------------------------------------------------


async def work(session: ClientSession, server: str, model: Model, task: str) -> str:
    """Let ``model`` work on ``task`` with the tools of one server; every step is printed."""
    prompt = await prompt_for(session, server)
    results: list[str] = []
    for _ in range(MOST_STEPS):
        step = model.next(prompt, task, results)
        if step.answer:
            return step.answer
        print(f"> {step.tool}({json.dumps(step.arguments, ensure_ascii=False)})")
        results.append(await carried_out(session, step))
        print(f"< {' '.join(results[-1].split())[:120]}")
    raise RuntimeError(f"no answer after {MOST_STEPS} steps")


async def prompt_for(session: ClientSession, server: str) -> str:
    """The system prompt; a server may list no resources, or say that it has none."""
    tools = [tool.model_dump(by_alias=True) for tool in (await session.list_tools()).tools]
    capabilities = session.get_server_capabilities()
    resources: list[dict[str, Any]] = []
    if capabilities is not None and capabilities.resources is not None:
        listed = (await session.list_resources()).resources
        resources = [resource.model_dump(by_alias=True, mode="json") for resource in listed]
    return system_prompt([Listing(server, tools, resources)])


async def carried_out(session: ClientSession, step: Step) -> str:
    """The text that a step gives: errors are results, too, since the model has to read what they say."""
    if step.tool == "read_resource":
        read = await session.read_resource(step.arguments["uri"])
        return "\n".join(content.text for content in read.contents if isinstance(content, types.TextResourceContents))
    result = await session.call_tool(step.tool, step.arguments)
    return "\n".join(content.text for content in result.content if isinstance(content, types.TextContent))


# --- the model --------------------------------------------------------------------------------------------------------


@dataclass
class Scripted:
    """A model with one of the ``HABITS``, which knows nothing but what it is told."""

    habit: str

    def next(self, prompt: str, task: str, results: list[str]) -> Step:
        tool = picked(prompt, task)
        last = read(results[-1]) if results else {}
        error = last.get("error")
        if results and results[-1].startswith("TOOL_DESCRIPTION_REQUIRED"):
            return Step(tool, told(results[-1], task))
        if isinstance(error, dict) and error.get("code") == "MISSING_TOOL_SELECTION":
            return Step("read_resource", {"uri": f"{address(prompt)}?tools={tool}"})
        if tool in last:
            return Step(tool, example(last[tool], task))
        if results:
            return Step(answer=results[-1])
        if self.habit == "skips-the-fetch" or address(prompt) is None:
            return Step(tool, {})
        question = "" if self.habit == "fetches-everything" else f"?tools={tool}"
        return Step("read_resource", {"uri": f"{address(prompt)}{question}"})


def picked(prompt: str, task: str) -> str:
    """The tool whose name and short description have most of the words of the task."""
    wanted = set(re.findall(r"\w{3,}", task.lower()))
    lines = re.findall(r"^- (\S+?)(?:: (.*))?$", prompt, re.MULTILINE)
    return str(max(lines, key=lambda line: len(wanted & set(re.findall(r"[a-z0-9]+", " ".join(line).lower()))))[0])


def address(prompt: str) -> str | None:
    """Where descriptions are, as the prompt says it; ``None`` for a server that lists them in full."""
    found = re.search(r'read_resource\("([^"?]+)\?tools=', prompt)
    return found.group(1) if found else None


def read(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def example(definition: dict[str, Any], task: str) -> dict[str, Any]:
    """The arguments of the first example; without one, a value for each that is required."""
    examples = definition.get("examples") or [{}]
    if "input" in examples[0]:
        return dict(examples[0]["input"])
    schema = definition["inputSchema"]
    return {name: value(schema.get("properties", {}).get(name, {}), task) for name in schema.get("required", ())}


def told(words: str, task: str) -> dict[str, Any]:
    """The arguments that the description in a refusal asks for, each the last word of the task."""
    required = re.search(r"^required: (.+)$", words, re.MULTILINE)
    return {name: task.split()[-1] for name in (required.group(1).split(", ") if required else ())}


def value(schema: dict[str, Any], task: str) -> Any:
    """A value that fits the schema of a parameter, as far as its type and what it allows say."""
    if schema.get("enum"):
        return schema["enum"][0]
    low = schema.get("minimum", 1)
    values = {"integer": low, "number": low, "boolean": True, "array": [], "object": {}}
    return values.get(str(schema.get("type")), task.split()[-1])


async def main(habit: str, task: str, command: list[str]) -> None:
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    async with stdio_client(parameters) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
        started = await session.initialize()
        print("=", await work(session, started.serverInfo.name, Scripted(habit), task))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage="%(prog)s [--habit HABIT] TASK... -- COMMAND...")
    parser.add_argument("--habit", choices=HABITS, default="good")
    parser.add_argument("task", nargs="+")
    if "--" not in sys.argv:
        parser.error("what starts the server follows --")
    end = sys.argv.index("--")
    given = parser.parse_args(sys.argv[1:end])
    asyncio.run(main(given.habit, " ".join(given.task), sys.argv[end + 1 :]))
