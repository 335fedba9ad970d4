"""In place of aiomysql, for a server that wants its database when it starts: every query has no rows."""

from __future__ import annotations

from types import TracebackType


class Cursor:
    description = None
    rowcount = 0

    async def __aenter__(self) -> Cursor:
        return self

    async def __aexit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        return None

    async def execute(self, _query: str, _arguments: object = None) -> int:
        return 0

    async def fetchone(self) -> tuple[int]:
        return (1,)

    async def fetchall(self) -> list[object]:
        return []

    async def close(self) -> None:
        return None


DictCursor = SSDictCursor = Cursor


class Connection:
    closed = False

    def cursor(self, _kind: type = Cursor) -> Cursor:
        return Cursor()

    async def ping(self, **_options: object) -> None:
        return None

    async def ensure_closed(self) -> None:
        return None

    def close(self) -> None:
        return None


class Pool:
    closed = False
    size = freesize = minsize = maxsize = 1

    async def acquire(self) -> Connection:
        return Connection()

    async def release(self, _connection: Connection) -> None:
        return None

    async def clear(self) -> None:
        return None

    def close(self) -> None:
        return None

    async def wait_closed(self) -> None:
        return None


async def connect(**_options: object) -> Connection:
    return Connection()


async def create_pool(**_options: object) -> Pool:
    return Pool()
