"""README.md says what pdmigrate really prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_screen_shows_the_real_accounting_and_patch() -> None:
    command = [str(Path(sys.executable).with_name("pdmigrate")), "apply", "sample_servers/mcp1_lowlevel"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    shown = re.search(r"> migration\.patch\n(.*?)```", README, re.S)
    assert shown is not None
    assert shown[1] in done.stderr
    diff = re.search(r"```diff\n(.*?)```", README, re.S)
    assert diff is not None
    for line in diff[1].splitlines():
        if not line.endswith("..."):
            assert f"{line}\n" in done.stdout, line


def test_every_document_that_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(links) > 8
    for link in links:
        assert (ROOT / link).exists(), link
