"""A real browser, driven over a pair of pipes by the protocol of its developer tools; nothing but the standard library.

There is none on most machines that run the tests; ``found`` says why, and tests that need one are skipped.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 30.0
"""Seconds that the browser may take for one answer."""

# Headless, without a profile, and asking nobody anything.  The sandbox cannot be had by root, in containers.
OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--remote-debugging-pipe"),
)
# The browser expects its pipes as descriptors 3 and 4, which in this process may be anything.
LAUNCH = (
    "import fcntl, os, sys\n"
    "pipes = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 100) for number in sys.argv[1:3]]\n"
    "os.dup2(pipes[0], 3), os.dup2(pipes[1], 4)\n"
    "os.execvp(sys.argv[3], sys.argv[3:])"
)


class Page:
    """One tab.  ``log`` is what the browser complained of, ``asked`` every address that it asked for."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._received = b""
        self._number = 0
        self._session: str | None = None
        self.log: list[str] = []
        self.asked: list[str] = []

    def start(self) -> None:
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.tell("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.tell(f"{domain}.enable")

    def tell(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command.

        Raises:
            TimeoutError: there is none in time.
        """
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._next(until)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def open(self, file: Path, *, scheme: str = "light", width: int = 1100) -> None:
        """Show a file; ``scheme`` is what the reader prefers, ``width`` that of the window."""
        self.log.clear()
        self.asked.clear()
        self.tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.tell(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600
        )
        self.tell("Page.navigate", url=file.as_uri())
        until = time.monotonic() + PATIENCE
        while self.run(f"document.readyState === 'complete' && location.href === {json.dumps(file.as_uri())}") is False:
            assert time.monotonic() < until, "the page was not shown in time"
            time.sleep(0.05)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        done = self.tell("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def press(self, key: str) -> None:
        """Press and let go of ``Tab`` or ``Enter``."""
        code = {"Tab": 9, "Enter": 13}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        common = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.tell("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.tell("Input.dispatchKeyEvent", type="keyUp", **common)

    def nodes(self) -> list[tuple[str, str, dict[str, Any]]]:
        """What a screen reader is told: role, name and properties of each node, in order."""
        told = []
        for node in self.tell("Accessibility.getFullAXTree")["nodes"]:
            if not node.get("ignored"):
                properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                told.append((node["role"]["value"], node.get("name", {}).get("value", ""), properties))
        return told

    def picture(self, height: int) -> bytes:
        """A PNG of the top of the page, at three quarters of its size."""
        width = self.run("innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 0.75}
        return base64.b64decode(self.tell("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"])

    def _next(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._received:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._from], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self._from, 1 << 16)
            if not chunk:
                raise TimeoutError("the browser has ended")
            self._received += chunk
        line, _, self._received = self._received.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Log.entryAdded":
            self.log.append(event["params"]["entry"]["text"])
        elif event.get("method") == "Runtime.exceptionThrown":
            self.log.append(str(event["params"]["exceptionDetails"]))
        elif event.get("method") == "Network.requestWillBeSent":
            self.asked.append(event["params"]["request"]["url"])


@contextmanager
def browser() -> Iterator[Page]:
    """A page of a browser that is started here and ended here; skips the test where there is none, and says why."""
    program = next((path for name in NAMES if (path := shutil.which(name))), None)
    if program is None or sys.platform == "win32":
        pytest.skip(f"there is no browser here: none of {', '.join(NAMES)} is installed")
    heard, to_browser = os.pipe()
    from_browser, said = os.pipe()
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(heard), str(said), program, *OPTIONS, f"--user-data-dir={profile}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(heard, said),
            start_new_session=True,
        )
        os.close(heard)
        os.close(said)
        page = Page(to_browser, from_browser)
        try:
            try:
                page.start()
            except (TimeoutError, OSError) as error:
                pytest.skip(f"{program} does not start here: {error}")
            yield page
        finally:
            os.close(to_browser)
            os.close(from_browser)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
            process.wait(timeout=PATIENCE)
