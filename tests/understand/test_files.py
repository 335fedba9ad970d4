"""Files of the tree that a program reads: their text is known, and what depends on the machine is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import said

HEAD = "import json, os\nfrom pathlib import Path\nHERE = Path(__file__).parent\n"
DATA = {
    "data/text.txt": "A text.\r\n",
    "data/tool.json": '{"description": "Of a file."}',
    "pkg/__init__.py": "",
    "pkg/text.txt": "Packed.",
}
KNOWN = {
    "of os.path": (
        'from os.path import dirname, join\nTEXT = open(join(dirname(__file__), "data", "text.txt")).read()',
        "A text.\n",
    ),
    "one that is there": (
        'PATH = HERE / "data" / "text.txt"\nTEXT = PATH.read_text() if PATH.exists() else "none"',
        "A text.\n",
    ),
    "beside a package": (
        "from importlib import resources\nTEXT = resources.files('pkg').joinpath('text.txt').read_text()",
        "Packed.",
    ),
    "beside a module": (
        "import pkg\nfrom importlib.resources import files\nTEXT = (files(pkg) / 'text.txt').read_text()",
        "Packed.",
    ),
    "a folder that is there": ('TEXT = "a" if (HERE / "data").is_dir() and os.path.isdir(HERE / "data") else "b"', "a"),
    "bytes": ('TEXT = (HERE / "data" / "text.txt").read_bytes().decode("utf-8").strip()', "A text."),
    "open for bytes": ('TEXT = open(HERE / "data/text.txt", "rb").read().decode()', "A text.\r\n"),
    "JSON": ('with (HERE / "data/tool.json").open("rb") as f:\n    TEXT = json.load(f)["description"]', "Of a file."),
    "parents": ('TEXT = (Path(__file__).resolve().parents[0] / "data" / "text.txt").read_text()', "A text.\n"),
}
OPEN = {
    "of the environment": 'TEXT = (HERE / os.environ["NAME"]).read_text()',
    "a file that is no folder": 'TEXT = "a" if (HERE / "server.py").is_dir() else "b"',
    "a neighbour": 'TEXT = Path(__file__).with_name("data").joinpath("text.txt").read_text()',
    "one that is not there": 'TEXT = (HERE / "data" / "other.txt").read_text()',
    "in an encoding that is not known": 'TEXT = (HERE / "data/text.txt").read_text(encoding=os.environ["E"])',
    "with its own ends of lines": 'TEXT = open(HERE / "data/text.txt", newline="").read()',
    "opened to be written": 'TEXT = open(HERE / "data/text.txt", "r+").read()',
}


READ = {**KNOWN, **{name: (source, None) for name, source in OPEN.items()}}


@pytest.mark.parametrize(("source", "text"), READ.values(), ids=READ)
def test_what_a_file_says_is_known_unless_the_machine_decides(tmp_path: Path, source: str, text: str | None) -> None:
    assert said(tmp_path, HEAD + source, DATA) == text
