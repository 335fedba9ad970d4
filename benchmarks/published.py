"""The source of published servers: wheels of the package index, checked by digest, kept, and unpacked where asked.

Nothing of a server is installed or run.
"""

from __future__ import annotations

import fcntl
import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from benchmarks.blind.__main__ import LISTS
from benchmarks.migrate.servers import DATA, PublishedServer, load

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "published"
LARGEST = 200_000_000
"""The bytes that one wheel may unpack to."""


_AT_ONCE = 50
"""The wheels of one download, which has no two versions of one distribution: pip refuses them."""


class NotFetchedError(Exception):
    """A wheel that the package index does not give, or that is not the pinned one."""


def published() -> dict[str, PublishedServer]:
    """All pinned servers whose wheel is the same on every machine, by ``name==version``."""
    servers = [server for name in LISTS for server in load(DATA / name)]
    return {pin(server): server for server in servers if server.wheel.endswith("-none-any.whl")}


def pin(server: PublishedServer) -> str:
    return f"{server.name}=={server.version}"


def fetch(servers: Sequence[PublishedServer], cache: Path = CACHE) -> None:
    """Download the wheels that are not in ``cache`` yet; safe between processes.

    Raises:
        NotFetchedError: the package index cannot be reached or has no such wheel, or a wheel has another digest.
    """
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        missing = [server for server in servers if not (cache / server.wheel).exists()]
        while missing:
            batch = list({server.name: server for server in missing}.values())[:_AT_ONCE]
            _download(batch, cache)
            missing = [server for server in missing if server not in batch]


def _download(servers: Sequence[PublishedServer], cache: Path) -> None:
    pins = [pin(server) for server in servers]
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        options = ("--quiet", "--no-deps", "--ignore-requires-python", "--only-binary", ":all:", "--dest", folder)
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", *options, *pins]
        done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
        if done.returncode:
            what = f"pip downloads no published servers ({len(pins)} wheels, kept in {cache})"
            raise NotFetchedError(f"{what}:\n{done.stderr[-2000:]}")
        for server in servers:
            file = Path(folder, server.wheel)
            _check(server, file)
            file.rename(cache / server.wheel)


def _check(server: PublishedServer, file: Path) -> None:
    if not file.exists():
        raise NotFetchedError(f"pip has downloaded another wheel for {pin(server)} than {server.wheel}")
    if (digest := hashlib.sha256(file.read_bytes()).hexdigest()) != server.sha256:
        raise NotFetchedError(f"{server.wheel} has the sha256 {digest}, and is pinned with {server.sha256}")


@contextmanager
def unpacked(server: PublishedServer, cache: Path = CACHE) -> Iterator[Path]:
    """A folder of the server's source, outside this repository: what git ignores here, as ``cache``, is not looked at.

    Raises:
        NotFetchedError: the kept wheel is not the pinned one, or nothing that should be unpacked.
    """
    _check(server, cache / server.wheel)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(cache / server.wheel) as wheel:
        target = Path(folder).resolve() / f"{server.name}-{server.version}"
        refuse_traps(wheel)
        wheel.extractall(target)
        yield target


def refuse_traps(wheel: zipfile.ZipFile) -> None:
    """Raises ``NotFetchedError`` for an archive with files outside its folder, or with more than a wheel holds."""
    for member in wheel.infolist():
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts:
            raise NotFetchedError(f"{wheel.filename} has a file outside its folder: {member.filename}")
    if (size := sum(member.file_size for member in wheel.infolist())) > LARGEST:
        raise NotFetchedError(f"{wheel.filename} unpacks to {size} bytes, which are more than {LARGEST}")
