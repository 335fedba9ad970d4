"""Images: what a Dockerfile copies, and whether the files that a migration adds are among it."""

from __future__ import annotations

import pytest

from pdmigrate.describe.homes import Home
from pdmigrate.project.shipping import images

TOP = ("server.py", Home("progressive_disclosure.py", "tool_descriptions"))
INNER = ("app/server.py", Home("app/progressive_disclosure.py", "app/tool_descriptions"))
BOTH = ["COPY progressive_disclosure.py ./", "COPY tool_descriptions ./tool_descriptions"]
MISSING = {
    "named": ("COPY requirements.txt server.py ./\n", BOTH),
    "to a folder": (
        "COPY server.py /app/\n",
        ["COPY progressive_disclosure.py /app/", "COPY tool_descriptions /app/tool_descriptions"],
    ),
    "to another name": (
        "COPY server.py /app/main.py\n",
        ["COPY progressive_disclosure.py /app/", "COPY tool_descriptions /app/tool_descriptions"],
    ),
    "with options": (
        "COPY --chown=1:1 server.py .\n",
        ["COPY --chown=1:1 progressive_disclosure.py ./", "COPY --chown=1:1 tool_descriptions ./tool_descriptions"],
    ),
    "as a list": ('COPY ["server.py", "./"]\n', BOTH),
    "on several lines": ("copy requirements.txt \\\n  # the server\n  server.py \\\n  ./\n", BOTH),
    "added": ("ADD ./server.py ./\n", BOTH),
    "by a pattern of modules": ("COPY *.py ./\n", BOTH[1:]),
    "beside other folders": ("COPY src ./src\nCOPY server.py ./\n", BOTH),
    "the module alone": ("COPY server.py progressive_disclosure.py ./\n", BOTH[1:]),
    "a pattern of one name": ("COPY serv?r.py ./\n", BOTH),
}


@pytest.mark.parametrize("name", MISSING)
@pytest.mark.parametrize("recipe", ["Dockerfile", "Containerfile", "Dockerfile.dev", "app.dockerfile"])
def test_what_is_not_copied_is_named_with_the_lines_to_add(name: str, recipe: str) -> None:
    text, lines = MISSING[name]
    [said] = images({recipe: f"FROM python:3.12\n{text}".encode()}, [TOP])
    assert said.code == "PD546"
    assert said.hint.splitlines()[1:] == [f"    {line}" for line in lines]


COPIED = {
    "everything": "COPY . .\n",
    "everything, and the server": "COPY server.py ./\nCOPY . /app\n",
    "with its neighbours": "COPY server.py progressive_disclosure.py ./\nCOPY tool_descriptions ./tool_descriptions\n",
    "a folder of another image": "COPY --from=build server.py ./\n",
    "other files": "COPY other.py requirements.txt ./\n",
    "nothing": "RUN pip install notes\n",
    "a list that is none": "COPY [server.py\n",
    "in a comment": "# COPY server.py ./\n",
    "all patterns": "COPY * ./\n",
}


@pytest.mark.parametrize("name", COPIED)
def test_what_is_copied_with_its_folder_needs_nothing(name: str) -> None:
    assert not [*images({"Dockerfile": COPIED[name].encode()}, [TOP])]


def test_an_image_may_be_built_from_the_folder_of_the_server_or_from_the_top() -> None:
    for path, source in (
        ("app/Dockerfile", "server.py"),
        ("Dockerfile", "app/server.py"),
        ("app/Dockerfile", "app/server.py"),
    ):
        [said] = images({path: f"COPY {source} ./\n".encode()}, [INNER])
        prefix = source.removesuffix("server.py")
        assert f"COPY {prefix}progressive_disclosure.py ./" in said.hint
        assert f"COPY {prefix}tool_descriptions ./tool_descriptions" in said.hint
    assert not [*images({"app/Dockerfile": b"COPY app /app\n"}, [INNER])]
    assert not [*images({"other/Dockerfile": b"COPY server.py ./\n"}, [INNER])]


IGNORING = {
    "json": ("**/*.json\n", ["tool_descriptions"]),
    "what is not named": ("*\n!server.py\n", ["progressive_disclosure.py", "tool_descriptions"]),
    "the folder": ("# notes\ntool_descriptions/\n", ["tool_descriptions"]),
    "json at the top": ("*.json\n", []),
    "json, but for these": ("**/*.json\n!tool_descriptions\n", []),
    "the server as well": ("*\n", []),
    "nothing": ("\n", []),
}


@pytest.mark.parametrize("name", IGNORING)
def test_what_is_kept_out_of_an_image_is_named(name: str) -> None:
    text, kept = IGNORING[name]
    found = [*images({".dockerignore": text.encode()}, [TOP])]
    assert [said.hint.splitlines()[1].strip() for said in found] == [f"!{place}" for place in kept]
