"""Completes prompts with a model in a file, many at a time: ``engine.py MODEL.gguf CONTEXT``.

Runs in an environment that has openvino-genai.  A line of JSON in, ``{id, before, prompt, most}``; lines of JSON out in
the order in which they end, ``{id, text, prompt, shared, written}``: the text, and counts of tokens.  ``shared`` are
those at the beginning that the prompt ``before`` has, too.
"""

from __future__ import annotations

import json
import queue
import re
import sys
import threading
from typing import Any

import numpy
import openvino
import openvino_genai as genai

Json = dict[str, Any]
CACHE_GB = 6
LONGEST = 8000
PIECE = rf".{{1,{LONGEST}}}(?:(?<=\n)(?=\S)|(?<=\S)(?= \S)|\Z)"
"""A part of a prompt that has at most 8,192 tokens: the tokenizer of openvino-genai 2026.4 returns no more than these,
whatever length it is asked for."""


class Engine:
    """The model, and what it is writing now."""

    def __init__(self, file: str, context: int) -> None:
        scheduler = genai.SchedulerConfig()
        scheduler.enable_prefix_caching = True
        scheduler.cache_size = CACHE_GB
        scheduler.max_num_batched_tokens = 1024
        capable = "BF16" in openvino.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        precision = "bf16" if capable else "f32"
        if not capable:
            sys.stderr.write("this processor has no bf16 arithmetic: it reads some 34 tokens a second instead of 100\n")
        settings = {"INFERENCE_PRECISION_HINT": precision, "KV_CACHE_PRECISION": precision}
        self._pipeline = genai.ContinuousBatchingPipeline(file, scheduler, "CPU", settings)
        self._tokenizer = self._pipeline.get_tokenizer()
        self._context = context
        self._writing: dict[int, tuple[Any, Json]] = {}

    def begin(self, asked: Json) -> Json | None:
        """Take a prompt; the answer if it is one at once, because the prompt does not fit."""
        own = self._tokens(asked["prompt"])
        if len(own) + asked["most"] > self._context:
            return {"id": asked["id"], "error": f"the prompt has {len(own)} tokens, and the context {self._context}"}
        before = self._tokens(asked["before"])
        length = min(len(own), len(before))
        different = numpy.flatnonzero(own[:length] != before[:length])
        shared = int(different[0]) if len(different) else length
        config = genai.GenerationConfig()
        config.max_new_tokens = asked["most"]
        config.do_sample = False
        config.apply_chat_template = False
        config.set_eos_token_id(self._tokenizer.get_eos_token_id())
        handle = self._pipeline.add_request(asked["id"], openvino.Tensor(own.reshape(1, -1)), config)
        self._writing[asked["id"]] = (handle, {"id": asked["id"], "prompt": len(own), "shared": shared})
        return None

    def _tokens(self, text: str) -> Any:
        """The tokens of a prompt, piece by piece: what is longer the tokenizer cuts, from the left.

        No token goes on behind line ends or before a space between words, so the tokens are those of the whole.
        """
        pieces = re.findall(PIECE, text, re.DOTALL)
        if "".join(pieces) != text:
            raise ValueError(f"a prompt has a word of more than {LONGEST} characters")
        own = [self._tokenizer.encode(piece, add_special_tokens=False).input_ids.data[0] for piece in pieces]
        return numpy.concatenate([numpy.empty(0, numpy.int64), *own])

    @property
    def is_writing(self) -> bool:
        return bool(self._writing)

    def step(self) -> list[Json]:
        """Write a token of each answer; those that have ended."""
        self._pipeline.step()
        ended = []
        for number, (handle, answer) in list(self._writing.items()):
            if handle.get_status() != genai.GenerationStatus.RUNNING:
                del self._writing[number]
                written = handle.read_all()[0].generated_ids
                text = self._tokenizer.decode(written, skip_special_tokens=True)
                ended.append({**answer, "text": text, "written": len(written)})
        return ended


def main(file: str, context: str) -> None:
    asked: queue.Queue[Json | None] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            asked.put(json.loads(line))
        asked.put(None)

    engine = Engine(file, int(context))
    _say({"ready": True})
    threading.Thread(target=read, daemon=True).start()
    while True:
        while not engine.is_writing or not asked.empty():
            if (one := asked.get()) is None:
                return
            if answer := engine.begin(one):
                _say(answer)
        for answer in engine.step():
            _say(answer)


def _say(answer: Json) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


main(*sys.argv[1:])
