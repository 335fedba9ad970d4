"""The first screen of README as a drawing: real commands on a published server, and what they print."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from xml.sax.saxutils import escape

from tests.support.files import write
from tests.tutorial.console import Command

DRAWING = Path(__file__).resolve().parents[2] / "docs" / "images" / "first-screen.svg"
SERVER = "awslabs.dynamodb-mcp-server==2.1.8"
SDK = "mcp==1.26.0\npydantic==2.12.5\n"
COMMANDS = (
    "pdmigrate audit | head -11",
    "pdmigrate apply 2>&1 >../migration.patch | head -11",
    "git apply ../migration.patch && git diff --stat",
    "pdmigrate check",
)
COLUMNS = 80
_WIDTH, _HEIGHT, _MARGIN = 8.43, 19, 18
_ANSI = re.compile(r"\x1b\[([\d;]*)m")
_CLASSES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow", "36": "cyan"}
_STYLE = """\
rect{fill:#12161c}text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d5dbe3;white-space:pre}
.prompt,.green{fill:#6fcf7c}.red{fill:#ff8a80}.yellow{fill:#e6c35c}.cyan{fill:#6cc7d9}.dim{fill:#97a1ad}.bold{font-weight:700}
g{animation:show .2s both}@keyframes show{from{opacity:0}}@media(prefers-reduced-motion:reduce){g{animation:none}}"""


def prepare(folder: Path) -> Path:
    """The published server as a repository of its own, without what it depends on."""
    root = folder / "dynamodb"
    uv = str(Path(sys.executable).with_name("uv"))
    subprocess.run([uv, "pip", "install", "-q", "--no-deps", "--target", str(folder / "site"), SERVER], check=True)
    root.mkdir()
    (folder / "site" / "awslabs").rename(root / "awslabs")
    write(root, {"requirements.txt": SDK, ".gitignore": "__pycache__/\n"})
    for command in (("init", "-q"), ("add", "--all"), ("commit", "-q", "-m", "As published")):
        identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        subprocess.run(["git", *identity, *command], cwd=root, check=True)
    return root


def record(root: Path) -> list[Command]:
    """Run the commands one after the other, each on a terminal of its own."""
    return [Command(command, _on_terminal(command, root)) for command in COMMANDS]


def _on_terminal(command: str, folder: Path) -> str:
    ours, theirs = pty.openpty()
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {"PATH": path, "HOME": str(folder.parent), "LANG": "C.UTF-8", "TERM": "xterm", "GIT_PAGER": "cat"}
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=folder,
        env={**environment, "COLUMNS": str(COLUMNS)},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    received = b"".join(_chunks(ours))
    os.close(ours)
    if process.wait(timeout=60):
        raise RuntimeError(f"{command} ended with {process.returncode}:\n{received.decode()}")
    # Progress that was taken back is no part of the picture.
    return re.sub(r"[^\n]*\r\x1b\[K", "", received.decode().replace("\r\n", "\n"))


def _chunks(terminal: int) -> Iterator[bytes]:
    try:
        while chunk := os.read(terminal, 65536):
            yield chunk
    except OSError:
        # Linux reports the end of a terminal as an error.
        return


def draw(session: Sequence[Command]) -> str:
    """The session as SVG: each command and each output appears in its turn, and at once where motion is not wanted."""
    blocks: list[tuple[float, list[str]]] = []
    for command in session:
        lines = command.output.rstrip("\n").split("\n") if command.output.strip() else []
        blocks.append((0.9, [f'<tspan class="prompt">$</tspan> {escape(command.text)}']))
        blocks.append((2.4, [*map(_coloured, lines), ""]))
    starts = accumulate((seconds for seconds, _ in blocks[:-1]), initial=0.3)
    rows = 0
    groups = []
    for start, (_, lines) in zip(starts, blocks, strict=True):
        texts = (
            f'<text x="{_MARGIN}" y="{_MARGIN + 14 + _HEIGHT * (rows + number)}">{line}</text>'
            for number, line in enumerate(lines)
            if line
        )
        groups.append(f'<g style="animation-delay:{start:.1f}s">\n' + "\n".join(texts) + "\n</g>")
        rows += len(lines)
    width, height = round(COLUMNS * _WIDTH) + 2 * _MARGIN, rows * _HEIGHT + 2 * _MARGIN
    said = "; ".join(command.text for command in session)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t d">',
            f'<title id="t">pdmigrate on {escape(SERVER)}</title>',
            f'<desc id="d">A terminal: {escape(said)}</desc>',
            f"<style>{_STYLE}</style>",
            f'<rect width="{width}" height="{height}" rx="8"/>',
            *groups,
            "</svg>\n",
        )
    )


def _coloured(line: str) -> str:
    """A line of a terminal with spans for its colours."""
    parts, opened = [], False
    for number, part in enumerate(_ANSI.split(line)):
        if number % 2 == 0:
            parts.append(escape(part))
            continue
        parts.append("</tspan>" if opened else "")
        opened = part in _CLASSES
        parts.append(f'<tspan class="{_CLASSES[part]}">' if opened else "")
    return "".join(parts) + ("</tspan>" if opened else "")
