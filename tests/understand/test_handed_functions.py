"""Functions that a library gets which is not followed, or a pool: what they store is not known from there on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.understand.demand import handed
from tests.understand.sources import FAST, servers_in

TEXTS = """
import asyncio, atexit, signal, sched, threading
from concurrent import futures
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
import jobs, schedule
TEXTS = {"a": {"b": "First."}}
TEXT = "First."
def change(*_given):
    global TEXT
    TEXT = TEXTS["a"]["b"] = "Second."
def change_part(part):
    part["b"] = "Second."
def pick():
    return TEXTS["a"]
class Changer:
    texts = TEXTS
    def change(self):
        self.texts["a"].update(b="Second.")
    def all(self):
        self.change()
"""
TOOLS = """
@mcp.tool(description=TEXTS["a"]["b"])
def a(n: int) -> str:
    'A.'
"""
CHANGING = {
    "a function": "jobs.run(change)",
    "a function by keyword": "jobs.run(1, target=change)",
    "a function in a list": "jobs.run([change])",
    "a function in a thread": "threading.Thread(target=change).start()",
    "a part given to a thread": "threading.Thread(target=change_part, args=(TEXTS['a'],)).start()",
    "a handler of a signal": "signal.signal(signal.SIGTERM, change)",
    "a scheduled function": "schedule.every(5).seconds.do(change)",
    "a function scheduled by an object": "s = sched.scheduler()\ns.enter(1, 1, change)",
    "a method": "jobs.run(Changer().change)",
    "a method by another": "c = Changer()\njobs.run(c.all)",
    "a lambda": "jobs.run(lambda: change())",
    "a lambda that changes": "jobs.run(lambda: TEXTS['a'].update(b='Second.'))",
    "a lambda with a parameter": "jobs.run(lambda *_: list(map(lambda t: t.update(b='Second.'), TEXTS.values())))",
    "a nested function": "def make():\n    texts = TEXTS['a']\n    def inner():\n        texts['b'] = 'Second.'\n"
    "    return inner\njobs.run(make())",
    "a function in a function": "def outer():\n    def inner(texts):\n        texts['b'] = 'Second.'\n"
    "    inner(TEXTS['a'])\njobs.run(outer)",
    "a partial": "jobs.run(partial(change, 1))",
    "a partial with a part": "jobs.run(partial(change_part, TEXTS['a']))",
    "a coroutine function": "async def later():\n    TEXTS['a']['b'] = 'Second.'\njobs.run(later)",
    "a coroutine function that calls": "async def later():\n    await asyncio.sleep(0)\n    change()\njobs.run(later)",
    "a decorator": "@jobs.task\ndef later():\n    TEXTS['a']['b'] = 'Second.'",
    "a decorator with arguments": "@jobs.task(every=5)\ndef later():\n    change()",
    "a decorator of a method": "class Jobs:\n    @jobs.task\n    def later(self):\n        change()",
    "a decorator of a made object": "app = jobs.App()\n@app.task\ndef later():\n    change()",
    "a property of functions": "def later():\n    change()\njobs.on_start = later\njobs.start()",
    "in a function": "def later():\n    change()\ndef main():\n    jobs.run(later)\nmain()",
    "an object's own texts": "class Holder:\n    def __init__(self, texts):\n        self.texts = texts\n"
    "    def change(self):\n        self.texts['a']['b'] = 'Second.'\nholder = Holder(TEXTS)\njobs.run(holder.change)",
    "an object made there": "class Holder:\n    def __init__(self, texts):\n        self.texts = texts\n"
    "    def change(self):\n        self.texts['a']['b'] = 'Second.'\ndef later():\n    Holder(TEXTS).change()\n"
    "jobs.run(later)",
    "functions in a dict": "JOBS = {'a': change}\njobs.run(JOBS)",
    "a callback by name": "def later():\n    for job in JOBS:\n        job()\nJOBS = [change]\njobs.run(later)",
    "a callback given": "def later(job):\n    job()\njobs.run(later, change)",
    "by setattr": "def later():\n    setattr(Texts, 'b', 1)\n    TEXTS.setdefault('c', 1)\njobs.run(later)",
    "by adding": "def later():\n    global TEXTS\n    TEXTS |= {'a': {'b': 'Second.'}}\njobs.run(later)",
    "by an alias": "def later():\n    for part in TEXTS.values():\n        part['b'] = 'Second.'\njobs.run(later)",
    "by what a function gives": "def later():\n    pick()['b'] = 'Second.'\njobs.run(later)",
    "by a function that gets it": "def later():\n    change_part(TEXTS['a'])\njobs.run(later)",
    "by an object": "def later():\n    c = Changer()\n    c.all()\njobs.run(later)",
    "by deleting": "def later():\n    del TEXTS['a']\njobs.run(later)",
    "by clearing": "def later():\n    TEXTS.clear()\njobs.run(later)",
    "submitted to a pool": "pool = ThreadPoolExecutor()\npool.submit(change)",
    "submitted at once": "ThreadPoolExecutor(max_workers=1).submit(change)",
    "submitted to a pool by another name": "futures.ThreadPoolExecutor().submit(change, 1)",
    "submitted for many": "pool = ThreadPoolExecutor()\nlist(pool.map(change, [1]))",
    "a method that is submitted": "pool = ThreadPoolExecutor()\npool.submit(Changer().change)",
    "a lambda that is submitted": "pool = ThreadPoolExecutor()\npool.submit(lambda: change())",
    "submitted under a manager": "with ThreadPoolExecutor() as pool:\n    pool.submit(change)",
}
READING = {
    "a function that reads": "def later():\n    print(TEXTS['a'], TEXTS.get('a'), TEXT)\njobs.run(later)",
    "a function of its own": "def later():\n    own = {}\n    own['a'] = TEXT\njobs.run(later)",
    "a function that changes another": "SEEN = []\ndef later():\n    SEEN.append(TEXTS['a']['b'])\njobs.run(later)",
    "a function at the end": "atexit.register(change)",
    "an object that counts": "class Seen:\n    count = 0\n    def see(self):\n        self.count += 1\n"
    "        return print(TEXTS)\njobs.run(Seen().see)",
    "another function that is submitted": "def still():\n    pass\nThreadPoolExecutor().submit(still)",
    "a pool that gets no function": "pool = ThreadPoolExecutor()",
    "a pool that is shut down": "pool = ProcessPoolExecutor()\npool.shutdown()",
    "a copy": "def later():\n    copy = Changer()\n    copy.name = 'a'\njobs.run(later)",
}


@pytest.mark.parametrize("most", [handed._MOST, 0])
@pytest.mark.parametrize("code", CHANGING.values(), ids=CHANGING)
def test_what_a_library_may_run_may_have_changed_a_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, most: int
) -> None:
    """Whether what the functions store is found, or takes too long to find."""
    monkeypatch.setattr(handed, "_MOST", most)
    for server in servers_in(tmp_path, {"server.py": f"{TEXTS}{FAST}{code}\n{TOOLS}"}):
        assert [tool.name for tool in server.tools if "description" in tool.definition] == []


def test_what_a_library_may_run_may_have_bound_a_name(tmp_path: Path) -> None:
    tool = "@mcp.tool(description=TEXT)\ndef a(n: int) -> str:\n    'A.'\n"
    for server in servers_in(tmp_path, {"server.py": f"{TEXTS}{FAST}jobs.run(change)\n{tool}"}):
        assert [tool.name for tool in server.tools if "description" in tool.definition] == []


@pytest.mark.parametrize("code", READING.values(), ids=READING)
def test_what_only_reads_changes_nothing(tmp_path: Path, code: str) -> None:
    (server,) = servers_in(tmp_path, {"server.py": f"{TEXTS}{FAST}{code}\n{TOOLS}"})
    assert [tool.definition["description"] for tool in server.tools] == ["First."]
